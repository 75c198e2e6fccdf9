// bursar diff: what got called more, and what less, between two profiles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "analysis/difference.h"
#include "cli/amount.h"
#include "cli/context_line.h"
#include "cli/files.h"
#include "cli/method_names.h"
#include "cli/option_checks.h"
#include "cli/table.h"
#include "cli/text.h"
#include "cli/verb.h"

namespace bursar::cli {

namespace {

using analysis::Change;
using nlohmann::ordered_json;

struct DiffOptions {
  std::string before;
  std::string after;
  std::size_t top = 10;
  std::string metric;
  double fail_above = -1;  // negative: never
  double min_share = 1;
  bool json = false;
};

double growth_percent(const Change& change) {
  return 100 * change.difference() / change.before.value;
}

std::string growth_text(const Change& change) {
  if (change.before.value == 0) return change.after.value == 0 ? "" : "new";
  if (change.after.value == 0) return "gone";
  return fmt::format("{:+.1f} %", growth_percent(change));
}

std::string signed_text(double value) {
  return (value < 0 ? "-" : "+") + grouped(std::abs(value));
}

// What --fail-above looks at: the total, and every method that is no trifle.
struct Verdict {
  bool total = false;
  std::vector<analysis::MethodChange> methods;

  bool failed() const { return total || !methods.empty(); }
};

class Diff {
 public:
  Diff(const analysis::Difference& result, const DiffOptions& options)
      : result_(result),
        options_(options),
        data_(result.sides.both.data()),
        names_(data_),
        terminal_(Terminal::detect()),
        lines_(data_, names_, terminal_) {
    if (options.fail_above >= 0) judge();
  }

  bool failed() const { return verdict_.failed(); }

  std::string text() {
    text_ += fmt::format("{}  {}\n{}   {}\n", bold("before", terminal_),
                         side(options_.before, result_.total.before, before_metric()), bold("after", terminal_),
                         side(options_.after, result_.total.after, after_metric()));
    text_ += fmt::format("  {} {} in all{}\n", signed_text(result_.total.difference()), printable(result_.sides.metric),
                         result_.total.before.value > 0 ? ", " + growth_text(result_.total) : "");
    section("Methods", "method", result_.methods, result_.methods_within_error,
            [&](const analysis::MethodChange& row) { return names_.full(row.method); });
    section("Contexts", "context, callee first", result_.contexts, result_.contexts_within_error,
            [&](const analysis::ContextChange& row) { return lines_.line(row.context); });
    return std::move(text_);
  }

  ordered_json json() const {
    ordered_json object;
    object["metric"] = result_.sides.metric;
    object["before"] = side_json(options_.before, before_metric());
    object["after"] = side_json(options_.after, after_metric());
    set_change(object, result_.total);
    object["methods"] = ordered_json::array();
    for (const analysis::MethodChange& row : first(result_.methods)) object["methods"].push_back(method_json(row));
    object["contexts"] = ordered_json::array();
    for (const analysis::ContextChange& row : first(result_.contexts)) {
      ordered_json entry;
      set_stack(entry, data_, row.context);
      set_change(entry, row.own);
      object["contexts"].push_back(std::move(entry));
    }
    object["methods_changed"] = result_.methods.size();
    object["contexts_changed"] = result_.contexts.size();
    object["methods_within_error"] = result_.methods_within_error;
    object["contexts_within_error"] = result_.contexts_within_error;
    if (options_.fail_above >= 0) {
      object["failed"] = verdict_.failed();
      ordered_json& methods = object["failed_methods"] = ordered_json::array();
      for (const analysis::MethodChange& row : verdict_.methods) methods.push_back(method_json(row));
    }
    return object;
  }

  // One line for each thing that grew too much.
  std::string failure() const {
    std::string text = fmt::format("grew by more than {} %:", options_.fail_above);
    if (verdict_.total) text += fmt::format("\n  all {}: {}", printable(result_.sides.metric), grown(result_.total));
    for (const analysis::MethodChange& row : verdict_.methods) {
      text += fmt::format("\n  {}: {}", names_.full(row.method), grown(row.own));
    }
    return text;
  }

 private:
  const profile::Metric& before_metric() const { return data_.metrics[result_.sides.before]; }
  const profile::Metric& after_metric() const { return data_.metrics[result_.sides.after]; }

  bool grew_too_much(const Change& change) const {
    return change.difference() > change.before.value * options_.fail_above / 100;
  }

  void judge() {
    const double deviations = analysis::noise_limit(1);
    verdict_.total =
        grew_too_much(result_.total) && result_.total.difference() > deviations * result_.total.deviation();
    const double least_before = result_.total.before.value * options_.min_share / 100;
    const double least_after = result_.total.after.value * options_.min_share / 100;
    for (const analysis::MethodChange& row : result_.methods) {
      const bool counts = row.own.before.value >= least_before || row.own.after.value >= least_after;
      if (counts && grew_too_much(row.own)) verdict_.methods.push_back(row);
    }
  }

  std::string grown(const Change& change) const {
    const std::string growth = growth_text(change);
    return fmt::format("{} {} {}{}", grouped(change.before.value), terminal_.utf8 ? "→" : "->",
                       grouped(change.after.value), growth.empty() ? "" : " (" + growth + ")");
  }

  std::string side(const std::string& file, const analysis::Amount& total, const profile::Metric& metric) const {
    profile::Metric named = metric;
    named.name = result_.sides.metric;
    return fmt::format("{}: {} {}", printable(file), amount_text(total, metric, terminal_), column_header(named));
  }

  static ordered_json side_json(const std::string& file, const profile::Metric& metric) {
    return {{"file", file}, {"kind", profile::kind_word(metric.kind)}};
  }

  void set_change(ordered_json& object, const Change& change) const {
    object["total_before"] = number(change.before.value, before_metric());
    object["total_after"] = number(change.after.value, after_metric());
    object["change"] = change.difference();
    object["change_error"] = 1.96 * change.deviation();
    object["growth_percent"] = change.before.value > 0 ? ordered_json(growth_percent(change)) : ordered_json();
  }

  ordered_json method_json(const analysis::MethodChange& row) const {
    ordered_json entry;
    set_method(entry, "method", "descriptor", data_.methods[row.method]);
    set_change(entry, row.own);
    return entry;
  }

  template <class Row>
  std::vector<Row> first(const std::vector<Row>& rows) const {
    return {rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), options_.top))};
  }

  template <class Row, class Name>
  void section(std::string_view title, const char* what, const std::vector<Row>& rows, std::size_t within_error,
               Name name) {
    const bool errors = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.own.deviation() > 0; });
    std::vector<std::string> headers = {"before", "after", "change", "growth"};
    if (errors) headers.insert(headers.begin() + 3, terminal_.utf8 ? "±" : "+-");
    Table table(headers, what);
    for (const Row& row : first(rows)) {
      std::vector<std::string> cells = {grouped(row.own.before.value), grouped(row.own.after.value),
                                        signed_text(row.own.difference()), growth_text(row.own)};
      if (errors) cells.insert(cells.begin() + 3, grouped(1.96 * row.own.deviation()));
      table.add(std::move(cells), name(row));
    }
    text_ += "\n" + bold(title, terminal_) + "\n" + (rows.empty() ? "  no change\n" : table.layout(terminal_));
    if (rows.size() > options_.top) {
      text_ += fmt::format("  and {} more (--top)\n", grouped(std::uint64_t{rows.size() - options_.top}));
    }
    if (within_error > 0) {
      text_ += fmt::format("  {} more changed within the error\n", grouped(std::uint64_t{within_error}));
    }
  }

  const analysis::Difference& result_;
  const DiffOptions& options_;
  const profile::ProfileData& data_;
  MethodNames names_;
  Terminal terminal_;
  ContextLines lines_;
  Verdict verdict_;
  std::string text_;
};

Ending diff(const DiffOptions& options, Output& out) {
  const auto before = read_stacks(options.before);
  if (!before) return base::Status(before.error());
  const auto after = read_stacks(options.after);
  if (!after) return base::Status(after.error());
  if (before->data().metrics.empty()) return base::Status(nothing_counted(options.before, *before));
  if (after->data().metrics.empty()) return base::Status(nothing_counted(options.after, *after));
  const auto result = analysis::difference(*before, *after, options.metric);
  if (!result) return base::Status(result.error());
  Diff shown(*result, options);
  const std::string text = options.json ? json_text(shown.json()) : shown.text();
  out.write(text);
  if (!shown.failed()) return base::Status(base::Done{});
  if (const base::Status flushed = out.flush(); !flushed) return flushed;
  return {ExitStatus::kTooMuch, shown.failure()};
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<DiffOptions>();
  app.add_option("BEFORE", options->before, "A profile")->required();
  app.add_option("AFTER", options->after, "Another one of the same program")->required();
  app.add_option("--top", options->top, "Rows of each table; 10 unless given")
      ->type_name("N")
      ->check(positive_number());
  app.add_option("--metric", options->metric, "Which numbers; calls if there are any, else samples")->type_name("NAME");
  auto* const fail_above =
      app.add_option("--fail-above", options->fail_above,
                     "End with status 3 if the whole, or a method, grew by more than this percentage: 10 or 10%")
          ->type_name("PCT")
          ->transform(growth_limit());
  app.add_option("--min-share", options->min_share,
                 "From which percentage of the whole on a method counts for --fail-above; 1 unless given")
      ->type_name("PCT")
      ->check(percentage())
      ->needs(fail_above);
  app.add_flag("--json", options->json, "For programs");
  return [options](Output& out) { return diff(*options, out); };
}

}  // namespace

const Verb kDiffVerb = {
    .name = "diff",
    .summary = "What got called more, and what less: by method and by context, noise left out",
    .examples =
        "  bursar diff before.bursar after.bursar\n"
        "  bursar diff main.bursar branch.bursar --fail-above 10%             for a CI job\n"
        "  bursar diff before.bursar after.bursar --json | jq .growth_percent\n",
    .declare = declare,
    .notes =
        "Exit status: 0 done; 1 failed (a file is missing or damaged, the profiles cannot be compared);\n"
        "2 wrong usage; 3 something grew by more than --fail-above allows. Results go to stdout,\n"
        "messages to stderr.\n",
};

}  // namespace bursar::cli
