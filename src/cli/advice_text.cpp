// Advice as people read it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include "cli/advice.h"
#include "cli/amount.h"
#include "cli/method_names.h"
#include "cli/run_facts.h"
#include "cli/table.h"
#include "cli/text.h"

namespace bursar::cli {

namespace {

using analysis::HotSpotView;
using analysis::InlineDecision;
using analysis::InlineReason;

std::string_view words_for(InlineReason reason) {
  switch (reason) {
    case InlineReason::kTrivial:
      return "inline: trivial";
    case InlineReason::kSmall:
      return "inline: small, though the profile is silent";
    case InlineReason::kFrequent:
      return "inline: within what its share of calls allows";
    case InlineReason::kTooLarge:
      return "leave: too large for its share of calls";
    case InlineReason::kTooLargeForSilent:
      return "leave: the profile is silent, and it is not small";
    case InlineReason::kRecursive:
      return "leave: calls itself";
    case InlineReason::kNoBytecode:
      return "leave: has no bytecode";
    case InlineReason::kUnknownSize:
      return "leave: the profile does not know its size";
  }
  return "";
}

class AdviceText {
 public:
  explicit AdviceText(const Advice& advice)
      : a_(advice), names_(advice.data), terminal_(Terminal::detect()), header_(column_header(advice.metric)) {}

  std::string finish() {
    head();
    verdicts();
    calls("Inline, where HotSpot would not by itself", [](const InlineDecision& d) { return d.adds(); });
    calls("Inline, as HotSpot would if it finds the call hot",
          [](const InlineDecision& d) { return d.inlined() && d.hotspot == HotSpotView::kInlinesIfHot; });
    targets();
    directives();
    return std::move(text_);
  }

 private:
  std::string arrow() const { return terminal_.utf8 ? " → " : " -> "; }
  std::string share(double calls) const { return percent(calls, a_.inlining.total); }

  void section(const std::string& title, const Table& table) {
    text_ += "\n" + bold(title, terminal_) + "\n" + (table.empty() ? "  none\n" : table.layout(terminal_));
  }

  void more(std::size_t left_out) {
    if (left_out > 0) text_ += fmt::format("  and {} more (--top)\n", grouped(std::uint64_t{left_out}));
  }

  std::string call(profile::MethodId caller, std::uint32_t site, profile::MethodId callee) const {
    return names_.full(caller) + MethodNames::at_site(site) + arrow() + names_.full(callee);
  }

  void head() {
    const analysis::InlineRules& rules = a_.options.rules;
    text_ += bold(printable(a_.options.file), terminal_) + "  mode " + printable(mode_of(a_.data)) + "\n";
    text_ += fmt::format("  {} {} from one method to another, {}\n", grouped(a_.inlining.total), header_,
                         counted(a_.inlining.decisions.size(), "call edge"));
    text_ += fmt::format(
        "  largest callee in bytes of bytecode: {} in any case; {} below {:g} % of calls, where the profile counts as\n"
        "  silent; from there on {} to {}, which {:g} % of calls allow\n",
        rules.trivial_limit, rules.size_limit(0), 100 * rules.min_share, rules.static_limit, rules.size_limit(1),
        100 * rules.full_share);
  }

  void verdicts() {
    struct Sum {
      std::size_t edges = 0;
      double calls = 0;
    };
    std::array<Sum, analysis::kInlineReasons> sums{};
    for (const InlineDecision& decision : a_.inlining.decisions) {
      Sum& sum = sums[static_cast<std::size_t>(decision.reason)];
      ++sum.edges;
      sum.calls += decision.edge.weight;
    }
    Table table({"edges", header_, "share"}, "verdict");
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i].edges == 0) continue;
      table.add({grouped(std::uint64_t{sums[i].edges}), grouped(sums[i].calls), share(sums[i].calls)},
                std::string(words_for(static_cast<InlineReason>(i))));
    }
    section("Calls", table);
  }

  void calls(const std::string& title, const std::function<bool(const InlineDecision&)>& wanted) {
    Table table({header_, "share", "size", "limit"}, "caller @site" + arrow() + "callee");
    std::size_t count = 0;
    for (const InlineDecision& d : a_.inlining.decisions) {
      if (!wanted(d) || ++count > a_.options.top) continue;
      table.add({grouped(d.edge.weight), share(d.edge.weight), std::to_string(d.size), std::to_string(d.limit)},
                call(d.edge.caller, d.edge.site, d.edge.callee));
    }
    section(title, table);
    more(count - std::min(count, a_.options.top));
  }

  void targets() {
    Table table({header_, "share", "targets", "main", "contexts"}, "caller @site" + arrow() + "main target");
    const auto shown = std::span(a_.targets).first(std::min(a_.options.top, a_.targets.size()));
    bool in_context = false;
    for (const analysis::SiteTarget& target : shown) {
      in_context = in_context || target.contexts > 0;
      table.add({grouped(target.calls), share(target.calls), grouped(std::uint64_t{target.targets}),
                 percent(target.target_share, 1), target.contexts == 0 ? "" : grouped(std::uint64_t{target.contexts})},
                call(target.caller, target.site, target.callee));
    }
    section("Call sites with one main target", table);
    more(a_.targets.size() - shown.size());
    if (in_context) {
      text_ += dim("  contexts: none overall, but one in (nearly) each of so many callers of the caller\n", terminal_);
    }
  }

  void directives() {
    const exports::CompilerDirectives& directives = a_.directives;
    Table table({header_, "share", "callees"}, "compiled method");
    for (std::size_t i = 0; i < std::min(a_.options.top, directives.roots.size()); ++i) {
      const analysis::InlineRoot& root = directives.roots[i];
      table.add({grouped(root.added_calls), share(root.added_calls),
                 grouped(std::uint64_t{root.inlined.size() + root.refused.size()})},
                names_.full(root.method));
    }
    section("Directives, by calls inlined that HotSpot would not by itself", table);
    more(directives.roots.size() - std::min(a_.options.top, directives.roots.size()));
    text_ += fmt::format("  {} in all", counted(directives.roots.size(), "directive"));
    if (directives.beyond_limit > 0) {
      text_ += fmt::format("; {} more (--limit)", grouped(std::uint64_t{directives.beyond_limit}));
    }
    if (directives.unnamed_methods > 0) {
      text_ +=
          fmt::format("; without {} that cannot be named to HotSpot", counted(directives.unnamed_methods, "method"));
    }
    text_ += "\n";
  }

  const Advice& a_;
  MethodNames names_;
  Terminal terminal_;
  std::string header_;
  std::string text_;
};

}  // namespace

std::string advice_text(const Advice& advice) {
  return AdviceText(advice).finish();
}

}  // namespace bursar::cli
