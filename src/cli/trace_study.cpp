#include "cli/trace_study.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "analysis/comparison.h"
#include "cli/amount.h"
#include "cli/message.h"
#include "cli/scheme_options.h"
#include "cli/text.h"
#include "profile/freeze.h"
#include "trace/trace_file.h"

namespace bursar::cli {

namespace {

using simulation::Simulation;

constexpr std::string_view kDroppedPrefix = "dropped.";
constexpr const char* kStopped = "stopped";
// Among the schemes of the simulation; the variants follow.
constexpr std::size_t kTruth = 0;

std::vector<schemes::Options> with_truth(const std::vector<schemes::Options>& variants) {
  std::vector<schemes::Options> schemes = {{.kind = schemes::Kind::kExhaustive}};
  schemes.insert(schemes.end(), variants.begin(), variants.end());
  return schemes;
}

std::map<std::string, std::uint64_t> dropped_in(const std::map<std::string, std::string>& facts) {
  std::map<std::string, std::uint64_t> dropped;
  for (const auto& [key, value] : facts) {
    if (!key.starts_with(kDroppedPrefix)) continue;
    std::uint64_t calls = 0;
    std::from_chars(value.data(), value.data() + value.size(), calls);
    dropped[key.substr(kDroppedPrefix.size())] = calls;
  }
  return dropped;
}

// One pass over the trace.
class Pass {
 public:
  Pass(const StudyPlan& plan, trace::TraceReader& trace)
      : plan_(plan), trace_(trace), simulation_(with_truth(plan.variants), plan.clock) {}

  base::Result<Study> run() {
    if (const base::Status fed = feed(); !fed) return fed.error();
    study_.events = simulation_.events();
    study_.calls = simulation_.totals(kTruth).calls;
    study_.threads = simulation_.threads();
    study_.shortcoming = trace_.shortcoming();
    study_.dropped = dropped_in(trace_.facts());
    const Progress progress("comparing");
    auto truth = profile_of(kTruth);
    if (!truth) return truth.error();
    study_.contexts = (*truth)->contexts.size();
    for (std::size_t i = 0; i < plan_.variants.size(); ++i) {
      if (stopped()) return base::Error{kStopped};
      const auto profile = profile_of(i + 1);
      if (!profile) return profile.error();
      study_.variants.push_back({simulation_.totals(i + 1), accuracy_of(*truth, *profile)});
      if (!plan_.keep) continue;
      if (const base::Status kept = plan_.keep(i, *profile); !kept) return kept.error();
    }
    if (plan_.moments > 0) {
      Moment& last = study_.moments.emplace_back(Moment{study_.events, {}});
      for (const Study::Variant& variant : study_.variants) last.variants.push_back(variant.accuracy);
    }
    return std::move(study_);
  }

 private:
  bool stopped() const { return plan_.stop && plan_.stop(); }

  base::Status feed() {
    const Progress progress("simulating");
    std::error_code failure;
    const std::uint64_t size = std::filesystem::file_size(plan_.trace, failure);
    std::uint64_t taken = 0;
    trace::Events events;
    while (trace_.next(events)) {
      if (stopped()) return base::Error{kStopped};
      if (!simulation_.feed(events, static_cast<std::uint32_t>(trace_.methods().size()))) {
        return base::Error{fmt::format("{} is damaged: {}", printable(plan_.trace), simulation_.error())};
      }
      // As far as the file goes, so that nobody need know how many events it holds. The end is a moment in any case.
      const std::uint64_t due = failure || size == 0 ? 0 : trace_.bytes() * plan_.moments / size;
      if (due <= taken || due >= plan_.moments) continue;
      taken = due;
      if (const base::Status moment = take_moment(); !moment) return moment;
    }
    if (!trace_.error().empty()) return base::Error{printable(trace_.error())};
    return base::Done{};
  }

  base::Status take_moment() {
    Moment moment{simulation_.events(), {}};
    const auto truth = profile_of(kTruth);
    if (!truth) return truth.error();
    for (std::size_t i = 0; i < plan_.variants.size(); ++i) {
      const auto profile = profile_of(i + 1);
      if (!profile) return profile.error();
      moment.variants.push_back(accuracy_of(*truth, *profile));
    }
    study_.moments.push_back(std::move(moment));
    return base::Done{};
  }

  // Freed of everything that could differ between two times that the same trace is simulated.
  base::Result<profile::Profile> profile_of(std::size_t scheme) {
    const schemes::Options options =
        scheme == kTruth ? schemes::Options{.kind = schemes::Kind::kExhaustive} : plan_.variants[scheme - 1];
    profile::ProfileData data = simulation_.profile(scheme, trace_, plan_.call_sites);
    for (const char* key : {"command", "jvm"}) {
      if (const auto fact = trace_.facts().find(key); fact != trace_.facts().end()) data.info[key] = {fact->second};
    }
    data.info["mode"] = {std::string(scheme_word(options.kind))};
    data.info["simulated"] = {scheme_text(options)};
    data.info["clock"] = {clock_text(plan_.clock)};
    if (const std::string why = trace_.shortcoming(); !why.empty())
      data.info["trace"] = {"not of the whole run: " + why};
    for (const auto& [reason, calls] : dropped_in(trace_.facts())) data.dropped["calls " + reason] = calls;
    return profile::freeze(std::move(data));
  }

  static Accuracy accuracy_of(const profile::Profile& truth, const profile::Profile& profile) {
    const auto compared = analysis::compare(truth, profile);
    if (!compared) return {};  // an empty trace holds nothing to measure against
    Accuracy accuracy;
    accuracy.overlap = compared->overlap;
    for (const analysis::CoverageAt& at : compared->hot_edge_coverage) {
      if (at.threshold_percent == kHotEdgePercent) accuracy.hot_edge_coverage = at.coverage;
    }
    if (compared->call_graph) {
      accuracy.call_graph_overlap = compared->call_graph->all;
      accuracy.call_graph_overlap_without_trivial = compared->call_graph->without_trivial;
    }
    return accuracy;
  }

  const StudyPlan& plan_;
  trace::TraceReader& trace_;
  Simulation simulation_;
  Study study_;
};

}  // namespace

double Study::Variant::disabled_percent() const {
  const schemes::ThreadScheme::Counts& counts = totals.counts;
  return share_of(static_cast<double>(counts.suppressed), static_cast<double>(counts.suppressed + counts.bursts));
}

double Study::Variant::seen_percent() const {
  return share_of(static_cast<double>(totals.seen), static_cast<double>(totals.calls));
}

double Study::Variant::mean_latency_ns() const {
  const std::uint64_t bursts = totals.counts.bursts;
  return bursts == 0 ? 0 : static_cast<double>(totals.latency_ns) / static_cast<double>(bursts);
}

base::Result<Study> study_trace(const StudyPlan& plan) {
  const auto trace = trace::TraceReader::open(plan.trace);
  if (!trace) return base::Error{printable(trace.error().message)};
  return Pass(plan, **trace).run();
}

std::string clock_text(const simulation::Clock& clock) {
  if (clock.kind == simulation::Clock::Kind::kEvents) {
    return fmt::format("{:g} ns for each event of a thread", clock.event_ns);
  }
  return clock.slowdown == 1 ? "recorded time" : fmt::format("recorded time over a slowdown of {:g}", clock.slowdown);
}

}  // namespace bursar::cli
