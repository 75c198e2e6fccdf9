#include "simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace bursar::simulation {
namespace {

using profile::MetricKind;
using schemes::Kind;

constexpr std::uint8_t kScaleLog2 = 8;

// From weights to the numbers of a profile.
struct Scale {
  profile::Metric metric;
  double factor = 1;

  void add(profile::Column& column, const Estimate& estimate) const {
    column.value.push_back(static_cast<std::uint64_t>(std::llround(estimate.weight * factor)));
    if (metric.kind != MetricKind::kEstimate) return;
    // Bursts are independent of each other: the variance of their sum is estimated by the sum of their squares.
    column.variance.push_back(static_cast<profile::Uint128>(estimate.squares * factor * factor));
  }
};

bool counts_samples(const schemes::Options& options) {
  return options.kind == Kind::kStackWalk ||
         (options.kind == Kind::kCounter && options.correction == schemes::Correction::kNone);
}

double calls_per_weight(const schemes::Options& options, const Simulation::Totals& totals) {
  if (options.kind != Kind::kCounter) return schemes::calls_per_weight(options);
  return totals.weight > 0 ? static_cast<double>(totals.calls) / totals.weight : 1;
}

Scale scale_of(const schemes::Options& options, const Simulation::Totals& totals) {
  if (counts_samples(options)) return {{profile::kSamples, "", MetricKind::kSamples, 0}, 1};
  if (!schemes::has_gaps(options)) return {{profile::kCalls, "", MetricKind::kExact, 0}, 1};
  const double factor = calls_per_weight(options, totals) * static_cast<double>(1U << kScaleLog2);
  return {{profile::kCalls, "", MetricKind::kEstimate, kScaleLog2}, factor};
}

struct EdgeKey {
  std::uint32_t caller, site, callee;
  bool operator==(const EdgeKey&) const = default;
};
struct EdgeHash {
  std::size_t operator()(const EdgeKey& key) const {
    return schemes::with_frame(std::uint64_t{key.caller} << 32 | key.callee, key.callee, key.site);
  }
};

}  // namespace

Simulation::Simulation(std::vector<schemes::Options> schemes, Clock clock)
    : schemes_(std::move(schemes)), clock_(clock) {
  for (const schemes::Options& options : schemes_) histories_.emplace_back(options.history, options.collision);
}

Simulation::Thread& Simulation::thread_of(std::uint32_t number) {
  const auto [at, is_new] = threads_.try_emplace(number);
  Thread& thread = at->second;
  if (is_new) {
    thread.number = number;
    for (std::size_t i = 0; i < schemes_.size(); ++i) {
      thread.runs.push_back(make_thread_run(schemes_[i], histories_[i], number));
    }
  }
  return thread;
}

bool Simulation::feed(const trace::Events& events, std::uint32_t methods) {
  Thread& thread = thread_of(events.thread);
  const trace::Tree& tree = thread.decoder.tree();
  const double speed = 1 / std::max(clock_.slowdown, 1e-9);
  const bool by_events = clock_.kind == Clock::Kind::kEvents;
  const bool ok = thread.decoder.decode(
      events.bytes, events.start, methods, [&](trace::EventKind kind, std::uint32_t node, std::uint64_t time_ns) {
        for (std::size_t known = thread.signatures.size(); known < tree.size(); ++known) {
          thread.signatures.push_back(
              schemes::with_frame(thread.signatures[tree.parent[known]], tree.method[known], tree.site[known]));
        }
        const double now =
            by_events ? static_cast<double>(thread.events) * clock_.event_ns : static_cast<double>(time_ns) * speed;
        ++thread.events;
        const std::uint32_t stack = kind == trace::EventKind::kReturn ? node : tree.parent[node];
        const Event event{kind, stack, node, static_cast<std::uint64_t>(now), thread.signatures[stack]};
        for (const auto& run : thread.runs) run->event(event);
      });
  if (!ok) error_ = "events of thread " + std::to_string(events.thread) + ": " + thread.decoder.error();
  events_ = 0;
  for (const auto& [number, each] : threads_) events_ += each.events;
  return ok;
}

Simulation::Totals Simulation::totals(std::size_t scheme) const {
  Totals totals;
  for (const auto& [number, thread] : threads_) {
    const ThreadRun& run = *thread.runs[scheme];
    totals.calls += run.calls();
    totals.seen += run.estimates().seen();
    totals.weight += run.estimates().weight();
    totals.latency_ns += run.latency_ns();
    const schemes::ThreadScheme::Counts counts = run.counts();
    totals.counts.ticks += counts.ticks;
    totals.counts.bursts += counts.bursts;
    totals.counts.reenabled += counts.reenabled;
    totals.counts.suppressed += counts.suppressed;
  }
  return totals;
}

profile::ProfileData Simulation::profile(std::size_t scheme, const trace::TraceReader& trace, bool call_sites) const {
  const Scale scale = scale_of(schemes_[scheme], totals(scheme));
  profile::ProfileData data;
  data.identity.call_sites = call_sites;
  data.metrics = {scale.metric};
  data.methods = trace.methods();
  data.contexts.columns.resize(1);
  data.edges.columns.resize(1);
  std::unordered_map<EdgeKey, Estimate, EdgeHash> edges;
  for (const auto& [number, thread] : threads_) {
    const trace::Tree& tree = thread.decoder.tree();
    const Estimates& estimates = thread.runs[scheme]->estimates();
    // A context is in the profile if something in it was seen.
    std::vector<bool> wanted(tree.size());
    for (auto node = static_cast<std::uint32_t>(tree.size()); node-- > 1;) {
      if (estimates.of(node).weight > 0) wanted[node] = true;
      if (wanted[node]) wanted[tree.parent[node]] = true;
    }
    const auto name = trace.threads().find(number);
    profile::Thread& own = data.threads.emplace_back();
    own.name = name != trace.threads().end() ? name->second : "thread " + std::to_string(number);
    own.columns.resize(1);
    std::vector<profile::ContextId> context(tree.size(), profile::kNone);
    for (std::uint32_t node = 1; node < tree.size(); ++node) {
      if (!wanted[node]) continue;
      const Estimate found = estimates.of(node);
      const std::uint32_t parent = tree.parent[node];
      context[node] = static_cast<profile::ContextId>(data.contexts.size());
      data.contexts.parent.push_back(context[parent]);
      data.contexts.method.push_back(tree.method[node]);
      data.contexts.site.push_back(parent == trace::kRoot ? profile::kNoSite : tree.site[node]);
      scale.add(data.contexts.columns[0], found);
      if (found.weight <= 0) continue;
      own.context.push_back(context[node]);
      scale.add(own.columns[0], found);
      if (parent == trace::kRoot) continue;
      Estimate& edge = edges[{tree.method[parent], tree.site[node], tree.method[node]}];
      edge.weight += found.weight;
      edge.squares += found.squares;
    }
  }
  for (const auto& [key, edge] : edges) {
    data.edges.caller.push_back(key.caller);
    data.edges.site.push_back(key.site);
    data.edges.callee.push_back(key.callee);
    scale.add(data.edges.columns[0], edge);
  }
  data.counters["threads"] = threads_.size();
  return data;
}

}  // namespace bursar::simulation
