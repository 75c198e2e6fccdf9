// A study of a trace: what each of several schemes would have made of the run, held against the exhaustive one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "schemes/options.h"
#include "simulation/simulation.h"

namespace bursar::cli {

inline constexpr unsigned kHotEdgePercent = 10;

struct StudyPlan {
  std::string trace;
  std::vector<schemes::Options> variants;
  simulation::Clock clock = {};
  bool call_sites = false;
  std::uint32_t moments = 0;  // so often, evenly over the trace, accuracy is taken
  // Called for each variant, by its place, with what it made of the trace.
  std::function<base::Status(std::size_t, const profile::Profile&)> keep = {};
  // Asked now and then: the study then ends with an error.
  std::function<bool()> stop = {};
};

// Percent; nothing where there was nothing to measure.
struct Accuracy {
  std::optional<double> overlap;
  std::optional<double> hot_edge_coverage;
  std::optional<double> call_graph_overlap;
  std::optional<double> call_graph_overlap_without_trivial;  // callees
};

// At a moment of the trace, what a scheme had made of it by then, held against the exhaustive profile of the same
// moment (paper 000, figure 11).
struct Moment {
  std::uint64_t events = 0;
  std::vector<Accuracy> variants;
};

struct Study {
  std::uint64_t events = 0;
  std::uint64_t calls = 0;
  std::uint64_t threads = 0;
  std::uint64_t contexts = 0;
  std::string shortcoming;                       // why the trace is not of the whole run; empty if it is
  std::map<std::string, std::uint64_t> dropped;  // calls that are not in it, by reason
  struct Variant {
    simulation::Simulation::Totals totals;
    Accuracy accuracy;

    // Of the bursts that ticks asked for, those that did not take place.
    double disabled_percent() const;
    // Of all calls, those that were looked at.
    double seen_percent() const;
    // Of a burst that waits for its thread, where threads that wait have some.
    double mean_latency_ns() const;
  };
  std::vector<Variant> variants;
  std::vector<Moment> moments;
};

base::Result<Study> study_trace(const StudyPlan& plan);

std::string clock_text(const simulation::Clock& clock);

}  // namespace bursar::cli
