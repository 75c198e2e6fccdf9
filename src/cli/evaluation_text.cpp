#include "cli/evaluation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/simulation_text.h"
#include "cli/table.h"
#include "cli/text.h"

namespace bursar::cli {

namespace {

using evaluation::Json;

constexpr const char* kHot = "0.10";
constexpr const char* kFailed = ": FAILED";

class EvaluationText {
 public:
  EvaluationText(const Json& evaluation, const Terminal& terminal)
      : evaluation_(evaluation),
        terminal_(terminal),
        of_paths_(evaluation.value("settings", Json::object()).contains("paths")) {}

  std::string make() {
    sizes();
    profilers();
    sampling();
    repetitions();
    add_paragraph(simulation_text(evaluation_, terminal_));
    std::string notes;
    for (const Json& note : evaluation_["notes"])
      notes += fmt::format("note: {}\n", printable(note.get<std::string>()));
    add_paragraph(notes);
    failures();
    return std::move(text_);
  }

 private:
  void add_paragraph(const std::string& paragraph) {
    if (!text_.empty() && !paragraph.empty()) text_ += "\n";
    text_ += paragraph;
  }

  std::string none() const { return terminal_.utf8 ? "–" : "-"; }

  std::string count(const Json& object, const char* key) const {
    return object.contains(key) ? grouped(object[key].get<double>()) : none();
  }
  std::string share(const Json& object, const char* key) const {
    const bool known = object.contains(key) && object[key].is_number();
    return known ? fmt::format("{:.2f} %", object[key].get<double>()) : none();
  }
  std::string hot(const Json& cell) const {
    return cell.contains("hot_edge_coverage") ? share(cell["hot_edge_coverage"], kHot) : none();
  }
  std::string ratio(const Json& cell, const char* key, int digits) const {
    return cell.contains(key) ? fmt::format("{:.{}f}", cell[key]["ratio"].get<double>(), digits) : none();
  }
  std::string multiple(const Json& cell, const char* key) const {
    return cell.contains(key) ? fmt::format("{:.3f}", cell[key].get<double>()) : none();
  }
  std::string interval(const Json& cell, const char* key) const {
    const bool known = cell.contains(key) && cell[key]["low"].is_number();
    if (!known) return none();
    return fmt::format("{:.3f} {} {:.3f}", cell[key]["low"].get<double>(), terminal_.utf8 ? "–" : "-",
                       cell[key]["high"].get<double>());
  }

  void sizes() {
    if (of_paths_) return path_sizes();
    Table table({"methods", "graph edges", "contexts", "calls", "ceiling"}, "workload");
    for (const Json& workload : evaluation_["workloads"]) {
      if (!workload.contains("size")) continue;
      const Json& size = workload["size"];
      table.add({count(size, "methods"), count(size, "graph_edges"), count(size, "contexts"), count(size, "calls"),
                 share(workload["ceiling"], "overlap")},
                workload["name"]);
    }
    if (table.empty()) return;
    text_ += bold("Call graph and context tree", terminal_) + "  (ceiling: the overlap of two exact runs)\n" +
             table.layout(terminal_) + "\n";
  }

  void path_sizes() {
    Table table({"methods", "paths", "ceiling"}, "workload");
    for (const Json& workload : evaluation_["workloads"]) {
      if (!workload.contains("size")) continue;
      const Json& size = workload["size"];
      table.add({count(size, "methods"), count(size, "paths"), share(workload["ceiling"], "edge_absolute_overlap")},
                workload["name"]);
    }
    if (table.empty()) return;
    text_ += bold("Paths that ran", terminal_) + "  (ceiling: the absolute overlap of two exact runs)\n" +
             table.layout(terminal_) + "\n";
  }

  std::vector<std::string> columns(const Json& cell) const {
    return {share(cell, "overlap"),
            hot(cell),
            share(cell, "call_graph_overlap"),
            share(cell, "call_graph_overlap_without_trivial"),
            share(cell, "path_accuracy"),
            share(cell, "edge_relative_overlap"),
            share(cell, "edge_absolute_overlap"),
            ratio(cell, "slowdown", 3),
            interval(cell, "slowdown"),
            of_paths_ ? ratio(cell, "first_iteration", 2) : none(),
            ratio(cell, "whole_process", cell.contains("slowdown") ? 2 : 3),
            cell.contains("slowdown") ? none() : interval(cell, "whole_process"),
            share(cell, "disabled_share"),
            share(cell, "overhead"),
            share(cell, "rewriting"),
            multiple(cell, "code"),
            multiple(cell, "inlined"),
            count(cell, "forced")};
  }

  void profilers() {
    std::vector<std::pair<std::string, std::vector<std::string>>> rows;
    for (const Json& workload : evaluation_["workloads"]) {
      for (const auto& [name, cell] : workload["profilers"].items()) {
        const bool failed = cell["failure"].is_string() || cell.contains("slowdown_failure");
        rows.emplace_back(fmt::format("{}, {}{}", workload["name"].get<std::string>(), name, failed ? kFailed : ""),
                          columns(cell));
      }
    }
    for (const auto& [name, mean] : evaluation_["means"].items()) {
      const auto workloads =
          std::max(mean["workloads"].get<std::size_t>(), mean.value("slowdown_workloads", std::size_t{0}));
      if (workloads > 1) rows.emplace_back(fmt::format("mean of {}, {}", workloads, name), columns(mean));
    }
    const bool tells = std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
      return row.first.ends_with(kFailed) ||
             std::any_of(row.second.begin(), row.second.end(), [&](const std::string& each) { return each != none(); });
    });
    if (!tells) return;
    const std::string legend =
        of_paths_
            ? "  paths: path accuracy; relative and absolute: overlap of branches; slowdown: CPU time after warm-up;\n"
              "  first: of the first iteration, compilation included; process: of all of it; overhead: of sampling; "
              "rewriting:\n  of classes; both of all CPU time\n"
            : "  hot edges: coverage at 10 % of the hottest; slowdown: CPU time after warm-up; process: of all of it;\n"
              "  no trivial: without callees of 11 bytes or less; disabled: of all bursts; overhead: the profiler's "
              "own CPU time;\n"
              "  code, inlined: C2's machine code and inlined calls with advice, compared with none; forced: by a "
              "directive\n";
    text_ += bold("Accuracy and cost", terminal_) + "\n" + layout(rows) + dim(legend, terminal_);
  }

  // Table I of paper 001, and of densities the same.
  void sampling() {
    Table table({"ticks", "least", "median", "mean", "most"}, "workload");
    const auto add = [&](const Json& of, const std::string& label, int digits) {
      const auto number = [&](const char* key) {
        const double value = of[key].get<double>();
        return digits == 0 ? grouped(value) : fmt::format("{:.{}f}", value, digits);
      };
      table.add({count(of, "points"), number("least"), number("median"), number("mean"), number("most")}, label);
    };
    for (const Json& workload : evaluation_["workloads"]) {
      if (!workload.contains("sampling")) continue;
      const Json& of = workload["sampling"];
      add(of["sampling_latency"], workload["name"].get<std::string>() + ", latency (cycles)", 0);
      add(of["call_density"], workload["name"].get<std::string>() + ", calls in 1000 cycles", 3);
    }
    if (!table.empty()) {
      add_paragraph(bold("Sampling latency and call density", terminal_) + "\n" + table.layout(terminal_));
    }
  }

  void repetitions() {
    Table table({"runs", "total", "correlation", "least", "by noise", "activations", "overlap", "least", "by noise"},
                "workload, profiler");
    const auto least = [](const Json& of, const char* key) {
      return of.contains(key) ? fmt::format("{:.2f} %", of[key][0].get<double>()) : "";
    };
    for (const Json& workload : evaluation_["workloads"]) {
      for (const auto& [name, cell] : workload["profilers"].items()) {
        if (!cell.contains("repetition")) continue;
        const Json& of = cell["repetition"];
        table.add({count(of, "runs"), count(of, "total"), share(of, "correlation"), least(of, "correlation_range"),
                   share(of, "noise_correlation"), share(of, "activation_correlation"), share(of, "overlap"),
                   least(of, "overlap_range"), share(of, "noise_overlap")},
                  fmt::format("{}, {}", workload["name"].get<std::string>(), name));
      }
    }
    if (table.empty()) return;
    for (const auto& [name, mean] : evaluation_["means"].items()) {
      if (!mean.contains("repetition") || mean["repetition"]["workloads"] < 2) continue;
      const Json& of = mean["repetition"];
      table.add({"", "", share(of, "correlation"), "", share(of, "noise_correlation"),
                 share(of, "activation_correlation"), share(of, "overlap"), "", share(of, "noise_overlap")},
                fmt::format("mean of {}, {}", of["workloads"].get<std::size_t>(), name));
    }
    add_paragraph(bold("Repeated runs", terminal_) + "\n" + table.layout(terminal_) +
                  dim("  every run with every other: correlation of method totals (of samples, or calls; of "
                      "activations), overlap of\n  the Call Context Map's counters, and what sampling noise alone "
                      "predicts of both\n",
                      terminal_));
  }

  // Without the columns in which there is no number: labels get their room.
  std::string layout(const std::vector<std::pair<std::string, std::vector<std::string>>>& rows) const {
    const std::vector<std::string> headers = {"overlap",  "hot edges",     "call graph", "no trivial",    "paths",
                                              "relative", "absolute",      "slowdown",   "95 % interval", "first",
                                              "process",  "95 % interval", "disabled",   "overhead",      "rewriting",
                                              "code",     "inlined",       "forced"};
    const auto kept = [&](const std::vector<std::string>& values) {
      std::vector<std::string> result;
      for (std::size_t i = 0; i < headers.size(); ++i) {
        const bool used =
            std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.second[i] != none(); });
        if (used) result.push_back(values[i]);
      }
      return result;
    };
    Table table(kept(headers), "workload, profiler");
    for (const auto& [label, values] : rows) table.add(kept(values), label);
    return table.layout(terminal_);
  }

  void failure(const std::string& what, const std::string& why, const std::string& messages) {
    text_ += fmt::format("\n{}: {}\n", what, printable(why));
    for (std::size_t begin = 0; begin < messages.size();) {
      const std::size_t end = std::min(messages.find('\n', begin), messages.size());
      text_ += "    " + printable(messages.substr(begin, end - begin)) + "\n";
      begin = end + 1;
    }
  }

  void failures() {
    for (const Json& workload : evaluation_["workloads"]) {
      const auto name = workload["name"].get<std::string>();
      if (workload["failure"].is_string()) {
        failure(fmt::format("{}, {} failed", name, workload.value("failed", "")), workload["failure"],
                workload.value("messages", ""));
      }
      if (workload.contains("simulation") && workload["simulation"]["failure"].is_string()) {
        const Json& simulation = workload["simulation"];
        failure(name + ", simulation failed", simulation["failure"], simulation.value("messages", ""));
      }
      for (const auto& [profiler, cell] : workload["profilers"].items()) {
        const std::string what = fmt::format("{}, {}", name, profiler);
        if (cell["failure"].is_string()) failure(what + " failed", cell["failure"], cell.value("messages", ""));
        if (cell.contains("slowdown_failure")) {
          failure(what + ", slowdown failed", cell["slowdown_failure"], cell.value("messages", ""));
        }
      }
    }
  }

  const Json& evaluation_;
  Terminal terminal_;
  bool of_paths_;
  std::string text_;
};

}  // namespace

std::string evaluation_text(const Json& evaluation, const Terminal& terminal) {
  return EvaluationText(evaluation, terminal).make();
}

}  // namespace bursar::cli
