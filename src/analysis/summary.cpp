#include "analysis/summary.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analysis/call_graph.h"
#include "analysis/metric_weights.h"
#include "analysis/tree_totals.h"

namespace bursar::analysis {
namespace {

using profile::MethodKind;

// Variances add up; deviations do not.
struct Sum {
  double value = 0;
  double variance = 0;

  void add(double more, double more_variance) {
    value += more;
    variance += more_variance;
  }
  Amount amount() const { return {value, std::sqrt(variance)}; }
};

// The indexes of the `top` largest weights, largest first. `eligible` says which rows may be named.
template <class Eligible>
std::vector<std::uint32_t> hottest(const std::vector<double>& weights, std::size_t top, Eligible eligible) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0 && eligible(i)) rows.push_back(i);
  }
  const auto hotter = [&](std::uint32_t a, std::uint32_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  };
  const std::size_t kept = std::min(top, rows.size());
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end(), hotter);
  rows.resize(kept);
  return rows;
}

class Summarizer {
 public:
  Summarizer(const profile::Profile& profile, std::size_t metric, std::size_t top, Summary& summary)
      : profile_(profile),
        top_(top),
        summary_(summary),
        graph_(call_graph(profile, metric)),
        weights_(weights_of(profile->contexts.columns[metric], profile->metrics[metric])),
        variances_(variances_of(profile->contexts.columns[metric], profile->metrics[metric])) {}

  void run() {
    add_contexts();
    add_methods();
    add_edges();
  }

 private:
  bool is_overflow(profile::MethodId method) const { return profile_->methods[method].kind == MethodKind::kOverflow; }
  bool has_tree() const { return summary_.total.value > 0; }

  void add_contexts() {
    const profile::Contexts& contexts = profile_->contexts;
    std::vector<std::uint8_t> in_overflow(contexts.size(), 0);
    Sum total;
    Sum overflow;
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      const profile::ContextId parent = contexts.parent[i];
      in_overflow[i] = is_overflow(contexts.method[i]) || (parent != profile::kNone && in_overflow[parent] != 0);
      total.add(weights_[i], variances_[i]);
      if (in_overflow[i] != 0) overflow.add(weights_[i], variances_[i]);
    }
    summary_.total = total.amount();
    summary_.overflow = overflow.amount();

    const std::vector<double> below = subtree_totals(contexts, weights_);
    const std::vector<double> variance_below = subtree_totals(contexts, variances_);
    for (const auto id : hottest(weights_, top_, [&](auto row) { return in_overflow[row] == 0; })) {
      summary_.hottest_contexts.push_back(
          {id, Sum{weights_[id], variances_[id]}.amount(), Sum{below[id], variance_below[id]}.amount()});
    }
  }

  // Where there is no tree, a method's calls are those of the edges to it.
  void add_methods() {
    std::vector<double> totals(profile_->methods.size(), 0.0);
    std::vector<double> variances(profile_->methods.size(), 0.0);
    const auto add = [&](profile::MethodId method, double weight, double variance) {
      totals[method] += weight;
      variances[method] += variance;
    };
    if (has_tree()) {
      for (std::size_t i = 0; i < weights_.size(); ++i) add(profile_->contexts.method[i], weights_[i], variances_[i]);
    } else {
      Sum total;
      for (const CallEdge& edge : graph_.edges) {
        add(edge.callee, edge.weight, edge.variance);
        total.add(edge.weight, edge.variance);
      }
      summary_.total = total.amount();
    }
    for (const auto id : hottest(totals, top_, [&](auto row) { return !is_overflow(row); })) {
      summary_.hottest_methods.push_back({id, Sum{totals[id], variances[id]}.amount()});
    }
  }

  void add_edges() {
    std::vector<CallEdge>& edges = graph_.edges;
    std::erase_if(edges, [&](const CallEdge& edge) {
      return edge.weight <= 0 || is_overflow(edge.caller) || is_overflow(edge.callee);
    });
    const auto hotter = [](const CallEdge& a, const CallEdge& b) {
      if (a.weight != b.weight) return a.weight > b.weight;
      return std::tie(a.caller, a.site, a.callee) < std::tie(b.caller, b.site, b.callee);
    };
    const auto end = edges.begin() + static_cast<std::ptrdiff_t>(std::min(top_, edges.size()));
    std::partial_sort(edges.begin(), end, edges.end(), hotter);
    for (auto edge = edges.begin(); edge != end; ++edge) {
      summary_.hottest_edges.push_back(
          {edge->caller, edge->site, edge->callee, Sum{edge->weight, edge->variance}.amount()});
    }
  }

  const profile::Profile& profile_;
  std::size_t top_;
  Summary& summary_;
  CallGraph graph_;
  std::vector<double> weights_;
  std::vector<double> variances_;
};

}  // namespace

base::Result<Summary> summarize(const profile::Profile& profile, std::size_t top, const std::string& metric) {
  const auto chosen = choose_metric(profile, metric);
  if (!chosen) return chosen.error();
  Summary summary;
  summary.contexts = profile->contexts.size();
  summary.methods = profile->methods.size();
  const auto counted = profile->counters.find("threads");
  summary.threads = counted != profile->counters.end() ? counted->second : profile->threads.size();
  const std::vector<std::uint32_t> depth = depths(profile->contexts);
  summary.max_depth = depth.empty() ? 0 : *std::ranges::max_element(depth);
  if (*chosen) {
    summary.metric = profile->metrics[**chosen];
    Summarizer(profile, **chosen, top, summary).run();
  }
  return summary;
}

}  // namespace bursar::analysis
