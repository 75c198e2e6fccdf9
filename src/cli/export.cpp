// bursar export: a profile for other tools.
#include <fmt/format.h>

#include <memory>

#include "analysis/metric_weights.h"
#include "cli/agent_options.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/option_checks.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "export/callgrind.h"
#include "export/ccmap_xml.h"
#include "export/firefox.h"
#include "export/folded.h"
#include "export/lcov.h"
#include "export/pprof.h"
#include "export/speedscope.h"

namespace bursar::cli {

namespace {

struct ExportOptions {
  std::string file;
  std::string format;
  std::string output = "-";
  std::string metric;
  double min_share = 0;
  std::int64_t max_contexts = -1;  // negative: the format's own
  bool force = false;
};

// To add a format: a row. Its limit keeps files at a size that readers open without trouble.
struct Format {
  const char* name;
  std::int64_t max_contexts;                // unless the user says
  exports::Exporter write;                  // of stacks; null if it knows only paths
  exports::Exporter write_paths = nullptr;  // of a profile that has paths and no stacks
};

constexpr std::int64_t kKeepsAll = 0;  // the format leaves nothing out, and takes no limit

constexpr Format kFormats[] = {
    {"folded", 200'000, exports::export_folded},
    {"pprof", 200'000, exports::export_pprof},
    {"callgrind", kKeepsAll, exports::export_callgrind, exports::export_callgrind_flow},
    {"firefox", 1'000'000, exports::export_firefox},
    {"speedscope", 200'000, exports::export_speedscope},
    {"ccmap-xml", kKeepsAll, exports::export_ccmap_xml},
    {"lcov", kKeepsAll, nullptr, exports::export_lcov},
};

const Format& format_named(const std::string& name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return format;
  }
  return kFormats[0];  // not reached: the option is checked
}

void tell_left_out(const exports::Pruned& pruned, const exports::ExportRequest& request) {
  if (pruned.contexts == 0) return;
  const profile::Metric& metric = request.metric();
  say(fmt::format("left out the {} with the smallest subtrees; their {} {} are in {}. --max-contexts 0 {}keeps all",
                  counted(pruned.contexts, "context"), grouped(exports::rounded(pruned.amount, metric.scale_log2)),
                  printable(metric.name), exports::kLeftOutName,
                  request.limits.min_share_percent > 0 ? "without --min-share " : ""));
}

base::Error cannot_hold(const std::string& file, const Format& format) {
  if (format.write == nullptr) {
    return {fmt::format("{} has no paths, which {} is made of: bursar record --mode exact-paths -- java …",
                        printable(file), format.name)};
  }
  return {fmt::format("{} has paths and no stacks, which {} needs: --format lcov or callgrind, or bursar paths {}",
                      printable(file), format.name, printable(shell_quoted(file)))};
}

Ending export_profile(const ExportOptions& options, Output& out) {
  const Format& format = format_named(options.format);
  if (format.max_contexts == kKeepsAll && (options.min_share > 0 || options.max_contexts > 0)) {
    return {ExitStatus::kUsage, fmt::format("--{}: {} keeps every context",
                                            options.min_share > 0 ? "min-share" : "max-contexts", format.name)};
  }
  const Target target{.path = options.output, .force = options.force, .inputs = {options.file}};
  const bool to_stdout = options.output == "-";
  if (!to_stdout) {
    if (const base::Status allowed = check_target(target); !allowed) return allowed;
  }
  const auto profile = read_stacks(options.file);
  if (!profile) return base::Status(profile.error());
  const bool of_paths = format.write == nullptr || profile->data().contexts.size() == 0;
  const exports::Exporter exporter = of_paths && profile->data().paths.size() > 0 ? format.write_paths : format.write;
  if (exporter == nullptr) return base::Status(cannot_hold(options.file, format));
  const auto metric = analysis::choose_metric(*profile, options.metric);
  if (!metric) return base::Status(metric.error());
  if (!*metric && exporter == format.write) {
    return base::Status(base::Error{fmt::format("{} holds no metric", printable(options.file))});
  }

  const std::int64_t limit = options.max_contexts < 0 ? format.max_contexts : options.max_contexts;
  const exports::ExportRequest request{.profile = &*profile,
                                       .limits = {.metric = metric->value_or(0),
                                                  .min_share_percent = options.min_share,
                                                  .max_contexts = static_cast<std::size_t>(limit)},
                                       .name = options.file.substr(options.file.rfind('/') + 1)};
  exports::Pruned pruned;
  const auto write = [&](Output& to) {
    pruned = exporter(request, [&to](std::string_view piece) { return to.write(piece); });
  };
  if (to_stdout) {
    write(out);
  } else if (const base::Status written = write_target(target, write); !written) {
    return written;
  }
  tell_left_out(pruned, request);
  return base::Status(base::Done{});
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ExportOptions>();
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  app.add_option("FILE", options->file, "A profile")->required();
  app.add_option("--format", options->format,
                 "folded, pprof, callgrind, firefox, speedscope, ccmap-xml (the Call Context Map) or, of paths, lcov")
      ->required()
      ->type_name("FORMAT")
      ->check(one_of(names));
  app.add_option("-o,--output", options->output, "Where to write; stdout unless given")->type_name("FILE");
  app.add_option("--metric", options->metric, "Which numbers; calls if there are any, else samples")->type_name("NAME");
  app.add_option("--min-share", options->min_share, "Leave out subtrees below this percentage; 0 unless given")
      ->type_name("PCT")
      ->check(percentage());
  app.add_option("--max-contexts", options->max_contexts,
                 "Leave out the smallest subtrees beyond this number; 200,000 (firefox: 1,000,000) unless given, "
                 "0 for no limit")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--force", options->force, "Replace an existing output");
  return [options](Output& out) { return export_profile(*options, out); };
}

}  // namespace

const Verb kExportVerb = {
    .name = "export",
    .summary =
        "Write a profile for other tools: pprof, Callgrind, Firefox Profiler, speedscope, folded stacks, XML, lcov",
    .examples =
        "  bursar export run.bursar --format pprof -o run.pb.gz              go tool pprof -http : run.pb.gz\n"
        "  bursar export run.bursar --format callgrind -o callgrind.out      kcachegrind callgrind.out\n"
        "  bursar export run.bursar --format speedscope -o run.speedscope.json\n"
        "  bursar export run.bursar --format folded | sort -k2 -n -t' '\n"
        "  bursar export run.bursar --format ccmap-xml -o map.xml            calls and contexts, linked; "
        "docs/ccmap.md\n"
        "  bursar export paths.bursar --format lcov -o paths.info            genhtml --branch-coverage paths.info\n",
    .declare = declare,
};

}  // namespace bursar::cli
