// bursar paths: which paths through methods run, and which way each branch goes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "analysis/path_summary.h"
#include "cli/amount.h"
#include "cli/files.h"
#include "cli/method_names.h"
#include "cli/option_checks.h"
#include "cli/run_facts.h"
#include "cli/table.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "export/frame_name.h"

namespace bursar::cli {

namespace {

using analysis::PathSummary;
using nlohmann::ordered_json;
using profile::ProfileData;

struct PathsOptions {
  std::string file;
  std::size_t top = 20;
  std::string method;
  bool json = false;
};

struct Blocks {
  const std::uint32_t* first;
  std::size_t count;
  const std::uint32_t* begin() const { return first; }
  const std::uint32_t* end() const { return first + count; }
};

Blocks blocks_of(const profile::Paths& paths, std::size_t path) {
  const std::uint64_t first = paths.first_block[path];
  return {paths.blocks.data() + first, static_cast<std::size_t>(paths.first_block[path + 1] - first)};
}

analysis::Amount count_of(const ProfileData& data, std::size_t path) {
  const profile::Column& count = data.paths.count;
  const double variance = path < count.variance.size() ? static_cast<double>(count.variance[path]) : 0;
  return {.value = static_cast<double>(count.value[path]), .deviation = std::sqrt(variance)};
}

template <class Rows>
std::size_t shown(const Rows& rows, const PathsOptions& options) {
  return std::min(rows.size(), options.top);
}

ordered_json place_json(const ProfileData& data, profile::MethodId method) {
  ordered_json entry = {{"method", exports::frame_name(data.methods[method])}};
  if (!data.methods[method].descriptor.empty()) entry["descriptor"] = data.methods[method].descriptor;
  return entry;
}

ordered_json paths_json(const ProfileData& data, const PathSummary& summary, const PathsOptions& options) {
  ordered_json report = {{"mode", mode_of(data)},
                         {"kind", profile::kind_word(data.paths.kind)},
                         {"runs", static_cast<std::uint64_t>(summary.runs)},
                         {"flow", static_cast<std::uint64_t>(summary.flow)},
                         {"different_paths", summary.paths.size()}};
  ordered_json& paths = report["paths"] = ordered_json::array();
  for (std::size_t i = 0; i < shown(summary.paths, options); ++i) {
    const analysis::PathRow& row = summary.paths[i];
    const profile::MethodId method = data.paths.method[row.path];
    ordered_json entry = place_json(data, method);
    entry["count"] = data.paths.count.value[row.path];
    if (data.paths.kind == profile::MetricKind::kEstimate) entry["count_error"] = error_95(count_of(data, row.path));
    entry["branches"] = data.paths.branches[row.path];
    entry["flow"] = static_cast<std::uint64_t>(row.flow);
    entry["share"] = share_of(row.flow, summary.flow);
    entry["blocks"] = ordered_json::array();
    ordered_json lines = ordered_json::array();
    for (const std::uint32_t bci : blocks_of(data.paths, row.path)) {
      entry["blocks"].push_back(bci);
      if (const auto line = analysis::line_at(data.lines, method, bci)) lines.push_back(*line);
    }
    if (lines.size() == entry["blocks"].size()) entry["lines"] = std::move(lines);
    paths.push_back(std::move(entry));
  }
  ordered_json& branches = report["branches"] = ordered_json::array();
  for (std::size_t i = 0; i < shown(summary.branches, options); ++i) {
    const analysis::BranchRow& row = summary.branches[i];
    ordered_json entry = place_json(data, row.method);
    entry["bci"] = row.bci;
    if (const auto line = analysis::line_at(data.lines, row.method, row.bci)) entry["line"] = *line;
    entry["count"] = static_cast<std::uint64_t>(row.count);
    entry["bias"] = row.bias;
    ordered_json& outcomes = entry["outcomes"] = ordered_json::object();
    for (std::size_t k = row.first; k < row.end; ++k) {
      outcomes[std::to_string(data.branches.outcome[k])] = data.branches.count.value[k];
    }
    branches.push_back(std::move(entry));
  }
  ordered_json& methods = report["methods"] = ordered_json::array();
  for (std::size_t i = 0; i < shown(summary.methods, options); ++i) {
    const analysis::MethodPaths& row = summary.methods[i];
    ordered_json entry = place_json(data, row.method);
    entry["flow"] = static_cast<std::uint64_t>(row.flow);
    entry["share"] = share_of(row.flow, summary.flow);
    entry["runs"] = static_cast<std::uint64_t>(row.runs);
    entry["different_paths"] = row.paths;
    methods.push_back(std::move(entry));
  }
  return report;
}

class PathsText {
 public:
  PathsText(const ProfileData& data, const PathSummary& summary, const PathsOptions& options)
      : data_(data), summary_(summary), options_(options), names_(data), terminal_(Terminal::detect()) {}

  std::string make() {
    text_ = bold(printable(options_.file), terminal_) + "  mode " + printable(mode_of(data_)) + "\n";
    text_ += fmt::format("  {}, {}, {} in {}\n",
                         is_sampled()     ? "samples of weight " + grouped(summary_.runs)
                         : is_estimated() ? "about " + grouped(summary_.runs) + " paths (estimated)"
                                          : grouped(summary_.runs) + " paths",
                         counted(summary_.paths.size(), "different path"),
                         counted(summary_.branches.size(), "branch place"), counted(summary_.methods.size(), "method"));
    text_ += run_text(data_);
    paths();
    branches();
    methods();
    return std::move(text_);
  }

 private:
  bool is_sampled() const { return data_.paths.kind == profile::MetricKind::kSamples; }
  bool is_estimated() const { return data_.paths.kind == profile::MetricKind::kEstimate; }
  std::string times() const { return is_sampled() ? "weight" : "times"; }
  std::string arrow() const { return terminal_.utf8 ? " → " : " -> "; }

  void paths() {
    Table table({"flow", times(), "branches"}, "path: lines, or @ where they are not known");
    for (std::size_t i = 0; i < shown(summary_.paths, options_); ++i) {
      const analysis::PathRow& row = summary_.paths[i];
      table.add({percent(row.flow, summary_.flow),
                 amount_text(count_of(data_, row.path), {.name = {}, .unit = {}, .kind = data_.paths.kind}, terminal_),
                 grouped(std::uint64_t{data_.paths.branches[row.path]})},
                names_.full(data_.paths.method[row.path]) + "  " + path_text(row.path));
    }
    section("Hottest paths, by branch flow", table);
  }

  void branches() {
    Table table({times(), "bias"}, "branch: line, bytecode index, outcomes");
    for (std::size_t i = 0; i < shown(summary_.branches, options_); ++i) {
      const analysis::BranchRow& row = summary_.branches[i];
      const auto line = analysis::line_at(data_.lines, row.method, row.bci);
      table.add({grouped(row.count), percent(row.bias, 1)},
                fmt::format("{} {}@{}  {}", names_.full(row.method),
                            line ? fmt::format("line {} ", *line) : std::string(), row.bci, outcomes_text(row)));
    }
    section("Branches", table);
  }

  void methods() {
    Table table({"flow", times(), "paths"}, "method");
    for (std::size_t i = 0; i < shown(summary_.methods, options_); ++i) {
      const analysis::MethodPaths& row = summary_.methods[i];
      table.add({percent(row.flow, summary_.flow), grouped(row.runs), grouped(std::uint64_t{row.paths})},
                names_.full(row.method));
    }
    section("Methods, by branch flow", table);
  }

  void section(std::string_view title, const Table& table) {
    text_ += "\n" + bold(title, terminal_) + "\n" + (table.empty() ? "  none\n" : table.layout(terminal_));
  }

  // A line that several blocks in a row lie on is named once.
  std::string path_text(std::size_t path) const {
    std::string text, last;
    for (const std::uint32_t bci : blocks_of(data_.paths, path)) {
      const auto line = analysis::line_at(data_.lines, data_.paths.method[path], bci);
      std::string place = line ? std::to_string(*line) : fmt::format("@{}", bci);
      if (place == last) continue;
      text += (text.empty() ? "" : arrow()) + place;
      last = std::move(place);
    }
    return text;
  }

  // "taken 67 %", or of a switch each outcome.
  std::string outcomes_text(const analysis::BranchRow& row) const {
    constexpr std::size_t kMost = 6;
    const profile::Branches& all = data_.branches;
    const auto part = [&](std::size_t i) { return percent(static_cast<double>(all.count.value[i]), row.count); };
    if (all.outcome[row.end - 1] <= 1) {
      return all.outcome[row.end - 1] == 1 ? "taken " + part(row.end - 1) : "never taken";
    }
    std::string text = "outcomes";
    for (std::size_t i = row.first; i < std::min(row.end, row.first + kMost); ++i) {
      text += fmt::format("{} {}: {}", i == row.first ? "" : ",", all.outcome[i], part(i));
    }
    if (row.end - row.first > kMost) text += terminal_.utf8 ? " …" : " ...";
    return text;
  }

  const ProfileData& data_;
  const PathSummary& summary_;
  const PathsOptions& options_;
  MethodNames names_;
  Terminal terminal_;
  std::string text_;
};

base::Status paths(const PathsOptions& options, Output& out) {
  const auto profile = read_profile(options.file);
  if (!profile) return profile.error();
  const ProfileData& data = profile->data();
  if (data.paths.size() == 0) {
    return base::Error{
        fmt::format("{} holds no paths; record them with --mode paths or exact-paths", printable(options.file))};
  }
  const PathSummary summary = analysis::summarize_paths(data, options.method);
  if (summary.paths.empty()) {
    return base::Error{fmt::format("{} has no paths of a method whose name holds {}", printable(options.file),
                                   printable(options.method))};
  }
  out.write(options.json ? json_text(paths_json(data, summary, options)) : PathsText(data, summary, options).make());
  return base::Done{};
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<PathsOptions>();
  app.add_option("FILE", options->file, "A profile of mode paths or exact-paths")->required();
  app.add_option("--top", options->top, "Rows of each table; 20 unless given")
      ->type_name("N")
      ->check(positive_number());
  app.add_option("--method", options->method, "Only methods whose name holds this")->type_name("TEXT");
  app.add_flag("--json", options->json, "For programs");
  return [options](Output& out) { return paths(*options, out); };
}

}  // namespace

const Verb kPathsVerb = {
    .name = "paths",
    .summary = "Which paths through methods run, and which way each branch goes",
    .examples =
        "  bursar paths run.bursar\n"
        "  bursar paths run.bursar --method HashMap.getNode --top 100      every path and branch of it\n"
        "  bursar paths run.bursar --json | jq '.branches[] | select(.bias < 0.6)'\n",
    .declare = declare,
};

}  // namespace bursar::cli
