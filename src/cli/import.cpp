// bursar import: a profile of another tool.
#include <fmt/format.h>

#include <memory>

#include "cli/files.h"
#include "cli/message.h"
#include "cli/option_checks.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "export/folded.h"
#include "export/pprof.h"

namespace bursar::cli {

namespace {

struct ImportOptions {
  std::string file;
  std::string format;
  std::string output;
  std::string metric = profile::kCalls;
  bool force = false;
};

base::Status import_profile(const ImportOptions& options, bool metric_given) {
  if (metric_given && options.format == "pprof") {
    return base::Error{"--metric is for folded stacks: a pprof file says itself what it counts"};
  }
  const Target target{.path = options.output, .force = options.force, .inputs = {options.file}};
  if (const base::Status allowed = check_target(target); !allowed) return allowed;
  const auto text = read_text(options.file);
  if (!text) return text.error();
  const auto profile = [&] {
    const Progress progress("importing " + printable(options.file));
    return options.format == "pprof" ? exports::import_pprof(*text) : exports::import_folded(*text, options.metric);
  }();
  if (!profile) {
    const std::string name = options.file == "-" ? "stdin" : options.file;
    return base::Error{printable(fmt::format("{}: {}", name, profile.error().message))};
  }
  if (const base::Status written = write_profile(target, *profile); !written) return written;
  if (!metric_given && options.format == "folded")
    say("counts taken as calls; use --metric samples if the tool sampled");
  return base::Done{};
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ImportOptions>();
  app.add_option("FILE", options->file, "The other tool's output; - for stdin")->required();
  app.add_option("--format", options->format, "folded (frames joined by ';', a blank, a count) or pprof")
      ->required()
      ->type_name("FORMAT")
      ->check(one_of({"folded", "pprof"}));
  app.add_option("-o,--output", options->output, "Where to write the profile")->required()->type_name("FILE");
  const CLI::Option* metric =
      app.add_option("--metric", options->metric,
                     "What folded stacks count: calls (unless given), samples, or another name; pprof files say it")
          ->type_name("NAME");
  app.add_flag("--force", options->force, "Replace an existing output");
  return [options, metric](Output&) { return import_profile(*options, metric->count() > 0); };
}

}  // namespace

const Verb kImportVerb = {
    .name = "import",
    .summary = "Read another tool's profile, to look at it or compare it",
    .examples =
        "  bursar import stacks.txt --format folded -o other.bursar\n"
        "  bursar import sampled.txt --format folded --metric samples -o sampled.bursar\n"
        "  bursar import cpu.pb.gz --format pprof -o cpu.bursar\n"
        "  zcat stacks.gz | bursar import - --format folded -o other.bursar\n",
    .declare = declare,
};

}  // namespace bursar::cli
