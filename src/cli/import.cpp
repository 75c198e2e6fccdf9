// bursar import: a profile of another tool.
#include <fmt/format.h>

#include <memory>

#include "cli/files.h"
#include "cli/message.h"
#include "cli/option_checks.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "export/ccmap_xml.h"
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

// To add a format: a function and a row.
struct Format {
  const char* name;
  bool knows_metric;  // the file says what was counted
  base::Result<profile::Profile> (*read)(std::string_view text, const std::string& metric);
};

base::Result<profile::Profile> read_pprof(std::string_view bytes, const std::string&) {
  return exports::import_pprof(bytes);
}

base::Result<profile::Profile> read_ccmap_xml(std::string_view text, const std::string&) {
  const auto map = exports::read_ccmap_xml(text);
  if (!map) return map.error();
  return exports::profile_of(*map);
}

constexpr Format kFormats[] = {
    {"folded", false, exports::import_folded},
    {"pprof", true, read_pprof},
    {"ccmap-xml", true, read_ccmap_xml},
};

const Format& format_named(const std::string& name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return format;
  }
  return kFormats[0];  // not reached: the option is checked
}

Ending import_profile(const ImportOptions& options, bool metric_given) {
  const Format& format = format_named(options.format);
  if (format.knows_metric && metric_given) {
    return {ExitStatus::kUsage, fmt::format("--metric: a file of format {} says what was counted", format.name)};
  }
  const Target target{.path = options.output, .force = options.force, .inputs = {options.file}};
  if (const base::Status allowed = check_target(target); !allowed) return allowed;
  const auto text = read_text(options.file);
  if (!text) return base::Status(text.error());
  const auto profile = [&] {
    const Progress progress("importing " + printable(options.file));
    return format.read(*text, options.metric);
  }();
  if (!profile) {
    const std::string name = options.file == "-" ? "stdin" : options.file;
    return base::Status(base::Error{printable(fmt::format("{}: {}", name, profile.error().message))});
  }
  if (const base::Status written = write_profile(target, *profile); !written) return written;
  if (!format.knows_metric && !metric_given) say("counts taken as calls; use --metric samples if the tool sampled");
  return base::Status(base::Done{});
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ImportOptions>();
  app.add_option("FILE", options->file, "The other tool's output; - for stdin")->required();
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  app.add_option("--format", options->format,
                 "folded (frames joined by ';', a blank, a count), pprof, or ccmap-xml (a Call Context Map)")
      ->required()
      ->type_name("FORMAT")
      ->check(one_of(names));
  app.add_option("-o,--output", options->output, "Where to write the profile")->required()->type_name("FILE");
  const CLI::Option* metric =
      app.add_option("--metric", options->metric,
                     "What folded stacks count: calls (unless given), samples, or another name; other files say it")
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
        "  zcat stacks.gz | bursar import - --format folded -o other.bursar\n"
        "  bursar import map.xml --format ccmap-xml -o run.bursar\n",
    .declare = declare,
};

}  // namespace bursar::cli
