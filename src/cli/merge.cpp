// bursar merge: several profiles added up to one.
#include "profile/merge.h"

#include <memory>

#include "cli/files.h"
#include "cli/message.h"
#include "cli/text.h"
#include "cli/verb.h"

namespace bursar::cli {

namespace {

struct MergeOptions {
  std::vector<std::string> files;
  std::string output;
  bool force = false;
};

// One profile after the other, so that no more than two are in memory at a time.
base::Status merge(const MergeOptions& options) {
  const Target target{.path = options.output, .force = options.force, .inputs = options.files};
  if (const base::Status allowed = check_target(target); !allowed) return allowed;
  profile::Profile sum;
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    auto next = read_profile(options.files[i]);
    if (!next) return next.error();
    if (i == 0) {
      sum = std::move(next).value();
      continue;
    }
    const Progress progress("merging " + printable(options.files[i]));
    auto merged = profile::merge(sum, *next);
    if (!merged) return base::Error{printable(options.files[i]) + ": " + merged.error().message};
    sum = std::move(merged).value();
  }
  return write_profile(target, sum);
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<MergeOptions>();
  app.add_option("FILE", options->files, "Profiles, in any order")->required();
  app.add_option("-o,--output", options->output, "Where to write the sum")->required()->type_name("FILE");
  app.add_flag("--force", options->force, "Replace an existing output (but never an input)");
  return [options](Output&) { return merge(*options); };
}

}  // namespace

const Verb kMergeVerb = {
    .name = "merge",
    .summary = "Add profiles up: several runs or hosts as one",
    .examples =
        "  bursar merge monday.bursar tuesday.bursar -o week.bursar\n"
        "  bursar merge host-*.bursar -o all.bursar --force\n",
    .declare = declare,
};

}  // namespace bursar::cli
