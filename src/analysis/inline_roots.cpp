#include "analysis/inline_roots.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace bursar::analysis {
namespace {

using Flows = std::map<profile::MethodId, double>;

class RootWalk {
 public:
  RootWalk(const InlineAdvice& advice, const InlineRules& rules)
      : advice_(advice), least_flow_(advice.total * rules.min_share), calls_(advice.invocations.size()) {
    for (std::size_t i = 0; i < advice.decisions.size(); ++i) {
      const InlineDecision& decision = advice.decisions[i];
      if (decision.inlined() || decision.refuses()) calls_[decision.edge.caller].push_back(i);
    }
  }

  InlineRoot from(profile::MethodId method) const {
    InlineRoot root{.method = method};
    std::set<profile::MethodId> inlined, wanted, refused;
    std::set<profile::MethodId> seen = {method};
    Flows level = {{method, advice_.invocations[method]}};
    for (std::size_t depth = 0; depth < kHotSpotMaxInlineLevel && !level.empty(); ++depth) {
      Flows next;
      for (const auto& [caller, flow] : level) {
        for (const std::size_t i : calls_[caller]) {
          const InlineDecision& decision = advice_.decisions[i];
          const profile::MethodId callee = decision.edge.callee;
          if (!decision.inlined()) {
            refused.insert(callee);
            continue;
          }
          const double part = flow_through(decision.edge, flow);
          if (callee == method || part < least_flow_ || part <= 0) continue;
          root.calls += part;
          wanted.insert(callee);
          if (decision.adds()) {
            inlined.insert(callee);
            root.added_calls += part;
          }
          if (!seen.contains(callee)) next[callee] += part;
        }
      }
      for (const auto& [callee, flow] : next) seen.insert(callee);
      level = std::move(next);
    }
    root.inlined.assign(inlined.begin(), inlined.end());
    std::ranges::set_difference(refused, wanted, std::back_inserter(root.refused));
    return root;
  }

 private:
  double flow_through(const CallEdge& edge, double flow) const {
    const double invocations = advice_.invocations[edge.caller];
    return invocations > 0 ? edge.weight * std::min(1.0, flow / invocations) : 0;
  }

  const InlineAdvice& advice_;
  double least_flow_;
  std::vector<std::vector<std::size_t>> calls_;  // by caller: decisions
};

}  // namespace

std::vector<InlineRoot> inline_roots(const profile::Profile& profile, const InlineAdvice& advice,
                                     const InlineRules& rules) {
  const RootWalk walk(advice, rules);
  std::vector<InlineRoot> roots;
  for (std::size_t method = 0; method < advice.invocations.size(); ++method) {
    if (profile->methods[method].kind != profile::MethodKind::kJava) continue;
    InlineRoot root = walk.from(static_cast<profile::MethodId>(method));
    if (root.added_calls > 0 || !root.refused.empty()) roots.push_back(std::move(root));
  }
  std::ranges::sort(roots, [](const InlineRoot& a, const InlineRoot& b) {
    return std::tuple(-a.added_calls, -a.calls, a.method) < std::tuple(-b.added_calls, -b.calls, b.method);
  });
  return roots;
}

}  // namespace bursar::analysis
