#include "cli/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/comparison.h"
#include "cli/amount.h"
#include "cli/duration.h"
#include "cli/table.h"
#include "cli/text.h"

namespace bursar::cli {

namespace {

std::string joined(const std::set<std::string>& values, std::string_view separator) {
  std::string text;
  for (const std::string& value : values) {
    if (!text.empty()) text += separator;
    text += value;
  }
  return text;
}

// Largest first.
void add_reasons(Table& table, std::string_view what, const std::map<std::string, std::uint64_t>& counts) {
  std::vector<std::pair<std::uint64_t, std::string>> rows;
  for (const auto& [reason, count] : counts) {
    if (count > 0) rows.emplace_back(count, reason);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [count, reason] : rows) {
    table.add({grouped(count)}, fmt::format("{}: {}", what, printable(reason)));
  }
}

}  // namespace

std::string mode_of(const profile::ProfileData& data) {
  const auto found = data.info.find("mode");
  return found == data.info.end() || found->second.empty() ? "unknown" : joined(found->second, "+");
}

std::optional<std::uint64_t> counter(const profile::ProfileData& data, const std::string& name) {
  const auto found = data.counters.find(name);
  if (found == data.counters.end()) return std::nullopt;
  return found->second;
}

double Overhead::percent() const {
  return share_of(static_cast<double>(profiler_cpu_ns), static_cast<double>(process_cpu_ns));
}

namespace {

std::optional<Overhead> of_counters(const profile::ProfileData& data, const char* part) {
  const auto profiler = counter(data, part);
  const auto process = counter(data, "process_cpu_ns");
  if (!profiler || !process) return std::nullopt;
  return Overhead{*profiler, *process};
}

}  // namespace

std::optional<Overhead> overhead_of(const profile::ProfileData& data) {
  return of_counters(data, "profiler_cpu_ns");
}

std::optional<Overhead> density_overhead_of(const profile::ProfileData& data) {
  return of_counters(data, "density_cpu_ns");
}

namespace {

// "50ms, 25ms from 12.3 s on, 12.5ms from 20.1 s on"; empty if nobody says.
std::string intervals_text(const profile::ProfileData& data) {
  constexpr std::size_t kMostShown = 6;
  std::string text;
  for (const profile::Series& series : data.series) {
    if (series.name != "sampling_interval" && series.name != "burst_interval") continue;
    const std::size_t points = series.value.size(), skipped = points > kMostShown ? points - kMostShown : 0;
    for (std::size_t i = 0; i < points; i = i == 0 ? 1 + skipped : i + 1) {
      if (i == 1 + skipped && skipped > 0) text += fmt::format(", {} more changes", grouped(std::uint64_t{skipped}));
      text += fmt::format("{}{}", i == 0 ? "" : ", ", duration_text(static_cast<std::uint64_t>(series.value[i])));
      if (i > 0) text += fmt::format(" from {:.1f} s on", static_cast<double>(series.time_ns[i]) / 1e9);
    }
  }
  return text;
}

}  // namespace

std::string run_text(const profile::ProfileData& data) {
  std::string text;
  for (const char* key : {"command", "jvm"}) {
    const auto found = data.info.find(key);
    if (found != data.info.end()) text += fmt::format("  {} {}\n", key, printable(joined(found->second, ", ")));
  }
  if (const auto methods = counter(data, "rewritten_methods")) {
    text += fmt::format("  {} rewritten\n", counted(*methods, "method"));
  }
  const auto contexts = counter(data, "tree_contexts"), bytes = counter(data, "tree_bytes");
  if (contexts && bytes && *contexts > 0) {
    text += fmt::format("  {} bytes of memory per context\n", grouped(*bytes / *contexts));
  }
  if (const std::string intervals = intervals_text(data); !intervals.empty()) {
    text += fmt::format("  interval {}\n", intervals);
  }
  const auto stopped = counter(data, "walks_stopped"), left_out = counter(data, "frames_not_walked"),
             walked = counter(data, "frames_walked");
  if (stopped && left_out && walked && *left_out > 0) {
    text += fmt::format("  {} stopped at what the last one saw: {:.0f} % of the frames not walked\n",
                        counted(*stopped, "walk"),
                        share_of(static_cast<double>(*left_out), static_cast<double>(*left_out + *walked)));
  }
  if (const auto checked = counter(data, "walks_checked")) {
    text += fmt::format("  {} checked against full ones, {} not as seen before\n", counted(*checked, "walk"),
                        grouped(counter(data, "false_matches").value_or(0)));
  }
  if (const auto overhead = overhead_of(data)) {
    text += fmt::format("  profiler {:.3f} s of {:.3f} s CPU time ({:.2f} %)\n",
                        static_cast<double>(overhead->profiler_cpu_ns) / 1e9,
                        static_cast<double>(overhead->process_cpu_ns) / 1e9, overhead->percent());
  }
  if (const auto density = density_overhead_of(data)) {
    text += fmt::format("  of it {:.3f} s for the density of calls ({:.2f} %)\n",
                        static_cast<double>(density->profiler_cpu_ns) / 1e9, density->percent());
  }
  return text;
}

std::string losses_text(const profile::ProfileData& data, const analysis::Summary& summary, const Terminal& terminal) {
  Table table({"count"}, "what and why");
  add_reasons(table, "events dropped", data.dropped);
  add_reasons(table, "methods skipped", data.skipped_methods);
  if (summary.metric && summary.overflow.value > 0) {
    const double share = share_of(summary.overflow.value, summary.total.value);
    table.add({grouped(summary.overflow.value)},
              fmt::format("{} beyond the limit of contexts, {}{}", column_header(*summary.metric),
                          percent(summary.overflow.value, summary.total.value),
                          share < analysis::kOverflowLimit ? "" : ": too many for accuracy figures to count"));
  }
  std::string text = table.empty() ? "  nothing dropped, no method skipped\n" : table.layout(terminal);
  if (const auto unseen = counter(data, profile::kUnseenAtMost)) {
    text += fmt::format(
        "  what is not shown was called at most {} times in each context (95 %), unless it ran for a moment only\n",
        grouped(*unseen));
  }
  return text;
}

}  // namespace bursar::cli
