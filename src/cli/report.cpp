// bursar report: what ran, how often, and what was lost.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "analysis/summary.h"
#include "cli/amount.h"
#include "cli/context_line.h"
#include "cli/files.h"
#include "cli/method_names.h"
#include "cli/option_checks.h"
#include "cli/run_facts.h"
#include "cli/table.h"
#include "cli/text.h"
#include "cli/verb.h"

namespace bursar::cli {

namespace {

using nlohmann::ordered_json;
using profile::ProfileData;

struct ReportOptions {
  std::string file;
  std::size_t top = 10;
  std::string metric;
  bool json = false;
};

class JsonReport {
 public:
  JsonReport(const profile::Profile& profile, const analysis::Summary& summary)
      : profile_(profile), data_(profile.data()), summary_(summary) {}

  ordered_json make() {
    ordered_json report;
    report["mode"] = mode_of(data_);
    set_totals(report);
    report["contexts"] = summary_.contexts;
    report["methods"] = summary_.methods;
    report["threads"] = summary_.threads;
    report["max_depth"] = summary_.max_depth;
    report["dropped"] = object_of(data_.dropped);
    report["rewritten_methods"] = counter(data_, "rewritten_methods").value_or(0);
    report["skipped_methods"] = object_of(data_.skipped_methods);
    report["counters"] = object_of(data_.counters);
    if (const auto overhead = overhead_of(data_)) {
      report["overhead"] = {{"profiler_cpu_ns", overhead->profiler_cpu_ns},
                            {"process_cpu_ns", overhead->process_cpu_ns},
                            {"percent", overhead->percent()}};
    }
    report["identity"] = {{"call_sites", data_.identity.call_sites},
                          {"descriptors", data_.identity.descriptors},
                          {"folded_recursion", data_.identity.folded_recursion}};
    report["info"] = data_.info;
    set_series(report);
    report["metrics"] = ordered_json::array();
    for (const profile::Metric& metric : data_.metrics) report["metrics"].push_back(metric.name);
    set_hottest(report);
    return report;
  }

 private:
  // Calls are calls: a profile of samples has none, and says how many samples it has instead.
  void set_totals(ordered_json& report) {
    report["total_calls"] = 0;
    for (const profile::Metric& metric : data_.metrics) {
      if (metric.name == profile::kCalls && metric.kind == profile::MetricKind::kSamples) continue;
      if (summary_.metric && metric.name == summary_.metric->name) {
        set_amount(report, "total_" + metric.name, summary_.total, metric);
      } else if (const auto other = analysis::summarize(profile_, 0, metric.name)) {
        set_amount(report, "total_" + metric.name, other->total, metric);
      }
    }
  }

  // What was measured over time, if anything was.
  void set_series(ordered_json& report) {
    if (data_.series.empty()) return;
    ordered_json& all = report["series"] = ordered_json::object();
    for (const profile::Series& series : data_.series) {
      ordered_json points = ordered_json::array();
      for (std::size_t i = 0; i < series.value.size(); ++i) {
        points.push_back({{"time_ns", series.time_ns[i]}, {"value", series.value[i]}});
      }
      all[series.name] = {{"unit", series.unit}, {"points", std::move(points)}};
    }
  }

  static ordered_json object_of(const std::map<std::string, std::uint64_t>& counts) {
    ordered_json object = ordered_json::object();
    for (const auto& [reason, count] : counts) object[reason] = count;
    return object;
  }

  void set_hottest(ordered_json& report) {
    const profile::Metric metric = summary_.metric.value_or(profile::Metric{});
    report["metric"] = summary_.metric ? ordered_json(metric.name) : ordered_json();
    report["kind"] = summary_.metric ? ordered_json(profile::kind_word(metric.kind)) : ordered_json();
    report["unit"] = metric.unit;
    set_amount(report, "total", summary_.total, metric);
    report["overflow_share"] = share_of(summary_.overflow.value, summary_.total.value);
    const double total = summary_.total.value;

    ordered_json methods = ordered_json::array();
    for (const analysis::MethodRow& row : summary_.hottest_methods) {
      ordered_json entry;
      set_method(entry, "method", "descriptor", data_.methods[row.method]);
      set_amount(entry, "own", row.own, metric);
      entry["share"] = share_of(row.own.value, total);
      methods.push_back(std::move(entry));
    }
    report["hot_methods"] = std::move(methods);

    ordered_json contexts = ordered_json::array();
    for (const analysis::ContextRow& row : summary_.hottest_contexts) {
      ordered_json entry;
      set_amount(entry, "own", row.own, metric);
      set_amount(entry, "subtree", row.subtree, metric);
      entry["share"] = share_of(row.own.value, total);
      set_stack(entry, data_, row.context);
      contexts.push_back(std::move(entry));
    }
    report["hot_contexts"] = std::move(contexts);

    ordered_json edges = ordered_json::array();
    for (const analysis::EdgeRow& row : summary_.hottest_edges) {
      ordered_json entry;
      set_method(entry, "caller", "caller_descriptor", data_.methods[row.caller]);
      if (row.site != profile::kNoSite) entry["site"] = row.site;
      set_method(entry, "callee", "callee_descriptor", data_.methods[row.callee]);
      set_amount(entry, "total", row.total, metric);
      entry["share"] = share_of(row.total.value, total);
      edges.push_back(std::move(entry));
    }
    report["hot_edges"] = std::move(edges);
  }

  const profile::Profile& profile_;
  const ProfileData& data_;
  const analysis::Summary& summary_;
};

class TextReport {
 public:
  TextReport(const ProfileData& data, const analysis::Summary& summary, const std::string& file)
      : data_(data),
        summary_(summary),
        file_(file),
        names_(data),
        terminal_(Terminal::detect()),
        lines_(data, names_, terminal_) {}

  std::string make() {
    heading();
    if (summary_.metric) {
      hottest_methods(*summary_.metric);
      hottest_contexts(*summary_.metric);
      hottest_edges(*summary_.metric);
    }
    text_ += "\n" + bold("Lost", terminal_) + "\n" + losses_text(data_, summary_, terminal_);
    return std::move(text_);
  }

 private:
  void heading() {
    text_ += bold(printable(file_), terminal_) + "  mode " + printable(mode_of(data_)) + "\n";
    if (summary_.metric) {
      text_ += fmt::format("  {} {}\n", amount_text(summary_.total, *summary_.metric, terminal_),
                           column_header(*summary_.metric));
    }
    text_ += fmt::format(
        "  {}, {}{}, at most {} deep\n", counted(summary_.contexts, "context"), counted(summary_.methods, "method"),
        summary_.threads == 0 ? "" : ", " + counted(summary_.threads, "thread"), counted(summary_.max_depth, "frame"));
    if (data_.paths.size() > 0) {
      text_ += fmt::format("  {}, {} (bursar paths)\n", counted(data_.paths.size(), "different path"),
                           counted(data_.branches.size(), "branch outcome"));
    }
    text_ += run_text(data_);
    std::string others;
    for (const profile::Metric& metric : data_.metrics) {
      if (summary_.metric && metric.name == summary_.metric->name) continue;
      others += (others.empty() ? "" : ", ") + printable(metric.name);
    }
    if (!others.empty()) text_ += fmt::format("  other metrics (--metric NAME): {}\n", others);
  }

  std::string share(const analysis::Amount& amount) const { return percent(amount.value, summary_.total.value); }

  void hottest_methods(const profile::Metric& metric) {
    Table table({column_header(metric), "share"}, "method");
    for (const analysis::MethodRow& row : summary_.hottest_methods) {
      table.add({amount_text(row.own, metric, terminal_), share(row.own)}, names_.full(row.method));
    }
    section("Hottest methods", table, summary_.hottest_methods.empty());
  }

  void hottest_contexts(const profile::Metric& metric) {
    Table table({column_header(metric), "share"}, "context, callee first");
    for (const analysis::ContextRow& row : summary_.hottest_contexts) {
      table.add({amount_text(row.own, metric, terminal_), share(row.own)}, lines_.line(row.context));
    }
    section("Hottest contexts", table, summary_.hottest_contexts.empty());
  }

  void hottest_edges(const profile::Metric& metric) {
    const bool sites = std::any_of(summary_.hottest_edges.begin(), summary_.hottest_edges.end(),
                                   [](const analysis::EdgeRow& row) { return row.site != profile::kNoSite; });
    Table table({column_header(metric), "share"},
                fmt::format("caller{} {} callee", sites ? " @site" : "", terminal_.utf8 ? "→" : "->"));
    for (const analysis::EdgeRow& row : summary_.hottest_edges) {
      table.add({amount_text(row.total, metric, terminal_), share(row.total)}, edge_line(row));
    }
    section("Hottest call edges", table, summary_.hottest_edges.empty());
  }

  void section(std::string_view title, const Table& table, bool empty) {
    text_ += "\n" + bold(title, terminal_) + "\n" + (empty ? "  none\n" : table.layout(terminal_));
  }

  // Each end gets half of the line, and what the other leaves of its half.
  std::string edge_line(const analysis::EdgeRow& row) const {
    const std::string caller = names_.full(row.caller) + MethodNames::at_site(row.site);
    const std::string& callee = names_.full(row.callee);
    const std::size_t room = lines_.room();
    const auto share_of_line = [room](std::size_t other) {
      return room == 0 ? 0 : std::max(room / 2, room - std::min(other, room)) - 2;
    };
    return fmt::format("{} {} {}", elided(caller, share_of_line(display_width(callee)), terminal_.utf8),
                       terminal_.utf8 ? "→" : "->",
                       elided(callee, share_of_line(display_width(caller)), terminal_.utf8));
  }

  const ProfileData& data_;
  const analysis::Summary& summary_;
  const std::string& file_;
  MethodNames names_;
  Terminal terminal_;
  ContextLines lines_;
  std::string text_;
};

base::Status report(const ReportOptions& options, Output& out) {
  const auto profile = read_profile(options.file);
  if (!profile) return profile.error();
  const auto summary = analysis::summarize(*profile, options.top, options.metric);
  if (!summary) return summary.error();
  if (options.json) {
    out.write(json_text(JsonReport(*profile, *summary).make()));
  } else {
    out.write(TextReport(profile->data(), *summary, options.file).make());
  }
  return base::Done{};
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ReportOptions>();
  app.add_option("FILE", options->file, "A profile")->required();
  app.add_option("--top", options->top, "Rows of each table; 10 unless given")
      ->type_name("N")
      ->check(positive_number());
  app.add_option("--metric", options->metric, "Which numbers; calls if there are any, else samples")->type_name("NAME");
  app.add_flag("--json", options->json, "For programs");
  return [options](Output& out) { return report(*options, out); };
}

}  // namespace

const Verb kReportVerb = {
    .name = "report",
    .summary = "What ran, how often: hottest methods, contexts and calls, and what was lost",
    .examples =
        "  bursar report run.bursar\n"
        "  bursar report run.bursar --top 30 --metric bytecodes\n"
        "  bursar report run.bursar --json | jq .total_calls\n",
    .declare = declare,
};

}  // namespace bursar::cli
