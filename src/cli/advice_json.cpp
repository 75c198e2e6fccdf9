// Advice for programs.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/advice.h"
#include "cli/amount.h"
#include "cli/context_line.h"
#include "cli/run_facts.h"

namespace bursar::cli {

namespace {

using nlohmann::ordered_json;

std::string_view word_for(analysis::HotSpotView view) {
  switch (view) {
    case analysis::HotSpotView::kInlines:
      return "inlines";
    case analysis::HotSpotView::kInlinesIfHot:
      return "inlines_if_hot";
    case analysis::HotSpotView::kLeaves:
      return "leaves";
  }
  return "unknown";
}

class AdviceJson {
 public:
  explicit AdviceJson(const Advice& advice) : a_(advice) {}

  ordered_json whole() const {
    const analysis::InlineRules& rules = a_.options.rules;
    ordered_json result = {{"file", a_.options.file},
                           {"mode", mode_of(a_.data)},
                           {"kind", profile::kind_word(a_.metric.kind)},
                           {"total_calls", number(a_.inlining.total, a_.metric)},
                           {"call_edges", a_.inlining.decisions.size()}};
    result["limits"] = {{"trivial", rules.trivial_limit},     {"silent", rules.silent_limit},
                        {"static", rules.static_limit},       {"max_size", rules.max_size},
                        {"min_share", 100 * rules.min_share}, {"full_share", 100 * rules.full_share}};
    result["verdicts"] = verdicts();
    result["inline"] = inlined();
    result["call_sites"] = sites();
    result["directives"] = roots();
    result["directives_beyond_limit"] = a_.directives.beyond_limit;
    result["methods_without_name"] = a_.directives.unnamed_methods;
    return result;
  }

 private:
  double share(double calls) const { return share_of(calls, a_.inlining.total); }

  ordered_json call(profile::MethodId caller, std::uint32_t site, profile::MethodId callee) const {
    ordered_json entry;
    set_method(entry, "caller", "caller_descriptor", a_.data.methods[caller]);
    entry["site"] = site == profile::kNoSite ? ordered_json() : ordered_json(site);
    set_method(entry, "callee", "callee_descriptor", a_.data.methods[callee]);
    return entry;
  }

  ordered_json verdicts() const {
    ordered_json result = ordered_json::object();
    for (std::size_t i = 0; i < analysis::kInlineReasons; ++i) {
      const auto reason = static_cast<analysis::InlineReason>(i);
      std::size_t edges = 0;
      double calls = 0;
      for (const analysis::InlineDecision& decision : a_.inlining.decisions) {
        if (decision.reason != reason) continue;
        ++edges;
        calls += decision.edge.weight;
      }
      result[std::string(analysis::word_for(reason))] = {{"inline", analysis::is_inlined(reason)},
                                                         {"edges", edges},
                                                         {"calls", number(calls, a_.metric)},
                                                         {"share", share(calls)}};
    }
    return result;
  }

  // Every call to be inlined: programs choose for themselves.
  ordered_json inlined() const {
    ordered_json result = ordered_json::array();
    for (const analysis::InlineDecision& decision : a_.inlining.decisions) {
      if (!decision.inlined()) continue;
      ordered_json entry = call(decision.edge.caller, decision.edge.site, decision.edge.callee);
      set_amount(entry, "calls", {decision.edge.weight, std::sqrt(decision.edge.variance)}, a_.metric);
      entry["share"] = share(decision.edge.weight);
      entry["size"] = decision.size;
      entry["limit"] = decision.limit;
      entry["reason"] = analysis::word_for(decision.reason);
      entry["hotspot"] = word_for(decision.hotspot);
      result.push_back(std::move(entry));
    }
    return result;
  }

  ordered_json sites() const {
    ordered_json result = ordered_json::array();
    for (const analysis::SiteTarget& target : a_.targets) {
      ordered_json entry = call(target.caller, target.site, target.callee);
      entry["reason"] = analysis::word_for(target.kind);
      entry["calls"] = number(target.calls, a_.metric);
      entry["share"] = share(target.calls);
      entry["targets"] = target.targets;
      entry["target_share"] = 100 * target.target_share;
      if (target.kind == analysis::TargetKind::kInContext) entry["contexts"] = target.contexts;
      result.push_back(std::move(entry));
    }
    return result;
  }

  ordered_json roots() const {
    ordered_json result = ordered_json::array();
    for (const analysis::InlineRoot& root : a_.directives.roots) {
      ordered_json entry;
      set_method(entry, "method", "descriptor", a_.data.methods[root.method]);
      entry["callees"] = root.inlined.size();
      entry["refused"] = root.refused.size();
      entry["calls"] = number(root.calls, a_.metric);
      entry["added_calls"] = number(root.added_calls, a_.metric);
      result.push_back(std::move(entry));
    }
    return result;
  }

  const Advice& a_;
};

}  // namespace

std::string advice_json(const Advice& advice) {
  return json_text(AdviceJson(advice).whole());
}

}  // namespace bursar::cli
