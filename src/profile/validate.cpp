// validate(): is the data in the canonical form that profile.h describes?
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "profile/findings.h"
#include "profile/freeze.h"
#include "profile/shape.h"

namespace bursar::profile {
namespace {

using std::to_string;

// `ascending(i)` says whether row i comes strictly after row i - 1.
template <class Ascending>
void check_order(const std::string& what, std::size_t rows, const Ascending& ascending, Findings& findings) {
  for (std::size_t i = 1; i < rows && !findings.full(); ++i) {
    if (!ascending(i)) findings.add(what + " " + to_string(i) + " is out of order or there twice");
  }
}

void check_metric_order(const std::vector<Metric>& metrics, Findings& findings) {
  check_order(
      "metric", metrics.size(), [&](std::size_t i) { return metrics[i - 1].name < metrics[i].name; }, findings);
}

void check_method_order(const ProfileData& data, Findings& findings) {
  const std::vector<Method>& methods = data.methods;
  check_order(
      "method", methods.size(), [&](std::size_t i) { return methods[i - 1] < methods[i]; }, findings);
  if (!data.identity.descriptors) {
    for (std::size_t i = 0; i < methods.size() && !findings.full(); ++i) {
      if (!methods[i].descriptor.empty()) {
        findings.add("method " + to_string(i) + " has a descriptor, but the profile says that methods have none");
      }
    }
    for (std::size_t i = 1; i < methods.size() && !findings.full(); ++i) {
      if (methods[i - 1].kind == MethodKind::kJava && methods[i].kind == MethodKind::kNative &&
          methods[i - 1].class_name == methods[i].class_name && methods[i - 1].name == methods[i].name) {
        findings.add("method " + to_string(i) + " is native and there as a Java method too, without descriptors");
      }
    }
  }
  std::vector<bool> used(methods.size());
  for (const std::vector<MethodId>* ids :
       {&data.contexts.method, &data.edges.caller, &data.edges.callee, &data.paths.method, &data.branches.method}) {
    for (const MethodId id : *ids) used[id] = true;
  }
  for (std::size_t i = 0; i < methods.size() && !findings.full(); ++i) {
    if (!used[i]) findings.add("method " + to_string(i) + " (" + methods[i].name + ") is named by nobody");
  }
}

void check_context_order(const ProfileData& data, Findings& findings) {
  const Contexts& contexts = data.contexts;
  const auto key = [&](ContextId i) { return std::uint64_t{contexts.method[i]} << 32 | contexts.site[i]; };
  std::vector<ContextId> chain;  // from a root to the context before this one
  for (ContextId i = 0; i < contexts.size() && !findings.full(); ++i) {
    ContextId sibling = kNone;  // the last context of the chain that is left to reach the parent
    while (!chain.empty() && chain.back() != contexts.parent[i]) {
      sibling = chain.back();
      chain.pop_back();
    }
    if (chain.empty() && contexts.parent[i] != kNone) {
      findings.add("context " + to_string(i) + " is out of order: its parent " + to_string(contexts.parent[i]) +
                   " is not on the way to the context before it");
      return;
    }
    if (sibling != kNone && key(sibling) >= key(i)) {
      findings.add("context " + to_string(i) + " is out of order or there twice among its siblings");
    }
    if (contexts.site[i] != kNoSite && (!data.identity.call_sites || contexts.parent[i] == kNone)) {
      findings.add("context " + to_string(i) + " has a call site " +
                   (data.identity.call_sites ? "but no caller" : "but the profile says that contexts have none"));
    }
    chain.push_back(i);
  }
}

void check_edge_order(const Edges& edges, Findings& findings) {
  const auto key = [&](std::size_t i) { return std::tuple(edges.caller[i], edges.site[i], edges.callee[i]); };
  check_order(
      "edge", edges.size(), [&](std::size_t i) { return key(i - 1) < key(i); }, findings);
}

void check_thread_order(const std::vector<Thread>& threads, Findings& findings) {
  check_order(
      "thread", threads.size(), [&](std::size_t i) { return threads[i - 1].name < threads[i].name; }, findings);
  for (std::size_t t = 0; t < threads.size() && !findings.full(); ++t) {
    const std::vector<ContextId>& context = threads[t].context;
    check_order(
        "thread " + to_string(t) + ": context", context.size(),
        [&](std::size_t i) { return context[i - 1] < context[i]; }, findings);
  }
}

void check_path_order(const Paths& paths, Findings& findings) {
  const auto blocks = [&](std::size_t i) {
    return std::span(paths.blocks).subspan(paths.first_block[i], paths.first_block[i + 1] - paths.first_block[i]);
  };
  const auto ascending = [&](std::size_t i) {
    if (paths.method[i - 1] != paths.method[i]) return paths.method[i - 1] < paths.method[i];
    const auto left = blocks(i - 1);
    const auto right = blocks(i);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  };
  check_order("path", paths.size(), ascending, findings);
  if (paths.size() == 0 && paths.kind != MetricKind::kExact) findings.add("paths: there are none, yet not exact");
}

void check_branch_order(const Branches& branches, Findings& findings) {
  const auto key = [&](std::size_t i) { return std::tuple(branches.method[i], branches.bci[i], branches.outcome[i]); };
  check_order(
      "branch", branches.size(), [&](std::size_t i) { return key(i - 1) < key(i); }, findings);
  if (branches.size() == 0 && branches.kind != MetricKind::kExact) {
    findings.add("branches: there are none, yet not exact");
  }
}

void check_line_order(const Lines& lines, Findings& findings) {
  const auto key = [&](std::size_t i) { return std::pair(lines.method[i], lines.bci[i]); };
  check_order(
      "line", lines.size(), [&](std::size_t i) { return key(i - 1) < key(i); }, findings);
}

void check_series_order(const std::vector<Series>& all, Findings& findings) {
  check_order(
      "series", all.size(), [&](std::size_t i) { return all[i - 1].name < all[i].name; }, findings);
  for (std::size_t s = 0; s < all.size() && !findings.full(); ++s) {
    const Series& series = all[s];
    const auto key = [&](std::size_t i) { return std::tuple(series.time_ns[i], series.thread[i], series.value[i]); };
    for (std::size_t i = 0; i < series.time_ns.size() && !findings.full(); ++i) {
      const bool in_order = i == 0 || key(i - 1) <= key(i);
      const bool negative_zero = series.value[i] == 0.0 && std::signbit(series.value[i]);
      if (in_order && !negative_zero) continue;
      findings.add("series " + to_string(s) + ": point " + to_string(i) +
                   (in_order ? " is a negative zero" : " is out of order"));
    }
  }
}

}  // namespace

std::vector<std::string> validate(const ProfileData& data, std::size_t limit) {
  Findings findings(limit);
  check_shape(data, findings);
  // The order of rows that are not all there cannot be looked at.
  if (!findings.empty()) return findings.take();
  check_metric_order(data.metrics, findings);
  check_method_order(data, findings);
  check_context_order(data, findings);
  check_edge_order(data.edges, findings);
  check_thread_order(data.threads, findings);
  check_path_order(data.paths, findings);
  check_branch_order(data.branches, findings);
  check_line_order(data.lines, findings);
  check_series_order(data.series, findings);
  return findings.take();
}

}  // namespace bursar::profile
