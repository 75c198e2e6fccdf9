// bursar export: a profile for other tools.
#include <fmt/format.h>

#include <memory>

#include "analysis/metric_weights.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/option_checks.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "export/ccmap_xml.h"
#include "export/flamegraph.h"
#include "export/folded.h"

namespace bursar::cli {

namespace {

struct ExportOptions {
  std::string file;
  std::string format;
  std::string output = "-";
  std::string metric;
  double min_share = -1;  // negative: the format's own
  bool force = false;
};

struct Request {
  const profile::Profile& profile;
  std::size_t metric;
  double min_share;
  const std::string& file;
};

// To add a format: a function and a row.
struct Format {
  const char* name;
  double min_share;  // unless the user says; negative: it keeps everything
  exports::Pruned (*write)(const Request& request, const exports::Sink& sink);
};

exports::Pruned write_folded(const Request& request, const exports::Sink& sink) {
  return exports::export_folded(request.profile, {.metric = request.metric, .min_share_percent = request.min_share},
                                sink);
}

exports::Pruned write_flamegraph(const Request& request, const exports::Sink& sink) {
  const std::string name = request.file.substr(request.file.rfind('/') + 1);
  return exports::export_flamegraph(
      request.profile, {.metric = request.metric, .min_share_percent = request.min_share, .title = printable(name)},
      sink);
}

exports::Pruned write_ccmap_xml(const Request& request, const exports::Sink& sink) {
  exports::write_ccmap_xml(exports::ccmap_of(request.profile, request.metric), sink);
  return {};
}

constexpr Format kFormats[] = {
    {"folded", 0, write_folded},
    {"flamegraph", 0.01, write_flamegraph},
    {"ccmap-xml", -1, write_ccmap_xml},
};

const Format& format_named(const std::string& name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return format;
  }
  return kFormats[0];  // not reached: the option is checked
}

Ending export_profile(const ExportOptions& options, Output& out) {
  const Format& format = format_named(options.format);
  if (format.min_share < 0 && options.min_share >= 0) {
    return {ExitStatus::kUsage, fmt::format("--min-share: {} keeps every context", format.name)};
  }
  const Target target{.path = options.output, .force = options.force, .inputs = {options.file}};
  const bool to_stdout = options.output == "-";
  if (!to_stdout) {
    if (const base::Status allowed = check_target(target); !allowed) return allowed;
  }
  const auto profile = read_profile(options.file);
  if (!profile) return base::Status(profile.error());
  const auto metric = analysis::choose_metric(*profile, options.metric);
  if (!metric) return base::Status(metric.error());
  if (!*metric) return base::Status(base::Error{fmt::format("{} holds no metric", printable(options.file))});

  const Request request{*profile, **metric, options.min_share < 0 ? format.min_share : options.min_share, options.file};
  exports::Pruned pruned;
  const auto write = [&](Output& to) {
    pruned = format.write(request, [&to](std::string_view piece) { return to.write(piece); });
  };
  if (to_stdout) {
    write(out);
  } else if (const base::Status written = write_target(target, write); !written) {
    return written;
  }
  if (pruned.contexts > 0) {
    const profile::Metric& counted_metric = profile->data().metrics[request.metric];
    say(fmt::format("left out {} below {} % ({} {} in all); --min-share 0 keeps everything",
                    counted(pruned.contexts, "context"), request.min_share,
                    grouped(exports::rounded(pruned.amount, counted_metric.scale_log2)),
                    printable(counted_metric.name)));
  }
  return base::Status(base::Done{});
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ExportOptions>();
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  app.add_option("FILE", options->file, "A profile")->required();
  app.add_option("--format", options->format,
                 "folded (text, one line a context), flamegraph (an HTML page) or ccmap-xml (the Call Context Map)")
      ->required()
      ->type_name("FORMAT")
      ->check(one_of(names));
  app.add_option("-o,--output", options->output, "Where to write; stdout unless given")->type_name("FILE");
  app.add_option("--metric", options->metric, "Which numbers; calls if there are any, else samples")->type_name("NAME");
  app.add_option("--min-share", options->min_share,
                 "Leave out subtrees below this percentage; 0 for folded, 0.01 for flamegraph unless given")
      ->type_name("PCT")
      ->check(percentage());
  app.add_flag("--force", options->force, "Replace an existing output");
  return [options](Output& out) { return export_profile(*options, out); };
}

}  // namespace

const Verb kExportVerb = {
    .name = "export",
    .summary = "Write a profile for other tools: folded stacks, a flame graph, a Call Context Map as XML",
    .examples =
        "  bursar export run.bursar --format flamegraph -o run.html\n"
        "  bursar export run.bursar --format folded | sort -k2 -n -t' '\n"
        "  bursar export run.bursar --format folded --metric allocations -o stacks.txt\n"
        "  bursar export run.bursar --format ccmap-xml -o map.xml      calls and contexts, linked; docs/ccmap.md\n",
    .declare = declare,
};

}  // namespace bursar::cli
