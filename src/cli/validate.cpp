// bursar validate: is every byte of a profile file as it should be?
#include <fmt/format.h>

#include <memory>

#include "cli/files.h"
#include "cli/message.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "profile/freeze.h"

namespace bursar::cli {

namespace {

struct ValidateOptions {
  std::vector<std::string> files;
};

// What is wrong with the file, or nothing.
std::vector<std::string> problems_of(const std::string& file, Output& out) {
  const auto profile = read_profile(file);
  if (!profile) return {profile.error().message};
  const profile::ProfileData& data = profile->data();
  std::vector<std::string> problems = profile::validate(data);
  for (std::string& problem : problems) problem = fmt::format("{}: {}", printable(file), printable(problem));
  if (!problems.empty()) return problems;
  std::string metrics;
  for (const profile::Metric& metric : data.metrics) metrics += (metrics.empty() ? "" : ", ") + printable(metric.name);
  out.write(fmt::format("{}: OK, {}, {}, {}, {}, {}, {}; metrics: {}\n", printable(file),
                        counted(data.contexts.size(), "context"), counted(data.methods.size(), "method"),
                        counted(data.edges.size(), "edge"), counted(data.threads.size(), "thread"),
                        counted(data.paths.size(), "path"), counted(data.branches.size(), "branch outcome"),
                        metrics.empty() ? "none" : metrics));
  return {};
}

base::Status validate(const ValidateOptions& options, Output& out) {
  std::vector<std::string> messages;
  std::size_t bad = 0;
  for (const std::string& file : options.files) {
    const std::vector<std::string> problems = problems_of(file, out);
    messages.insert(messages.end(), problems.begin(), problems.end());
    if (!problems.empty()) ++bad;
  }
  if (bad == 0) return base::Done{};
  if (options.files.size() > 1) {
    messages.push_back(fmt::format("{} of {} not valid", bad, counted(options.files.size(), "file")));
  }
  for (std::size_t i = 0; i + 1 < messages.size(); ++i) say(messages[i]);
  return base::Error{messages.back()};
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ValidateOptions>();
  app.add_option("FILE", options->files, "Profiles")->required();
  return [options](Output& out) { return validate(*options, out); };
}

}  // namespace

const Verb kValidateVerb = {
    .name = "validate",
    .summary = "Check profile files, every table and every byte",
    .examples =
        "  bursar validate run.bursar\n"
        "  bursar validate runs/*.bursar && echo all good\n",
    .declare = declare,
};

}  // namespace bursar::cli
