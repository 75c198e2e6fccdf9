#include "analysis/path_summary.h"

#include <algorithm>

namespace bursar::analysis {
namespace {

std::vector<bool> wanted_methods(const profile::ProfileData& data, const std::string& text) {
  std::vector<bool> wanted(data.methods.size(), true);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = (data.methods[i].class_name + "." + data.methods[i].name).find(text) != std::string::npos;
  }
  return wanted;
}

void add_paths(const profile::Paths& paths, const std::vector<bool>& wanted, PathSummary& summary) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!wanted[paths.method[i]]) continue;
    const auto runs = static_cast<double>(paths.count.value[i]);
    const double flow = runs * paths.branches[i];
    summary.runs += runs;
    summary.flow += flow;
    summary.paths.push_back({i, flow});
    if (summary.methods.empty() || summary.methods.back().method != paths.method[i]) {
      summary.methods.push_back({paths.method[i], 0, 0, 0});
    }
    MethodPaths& method = summary.methods.back();
    method.flow += flow;
    method.runs += runs;
    ++method.paths;
  }
}

void add_branches(const profile::Branches& branches, const std::vector<bool>& wanted, PathSummary& summary) {
  for (std::size_t i = 0; i < branches.size();) {
    BranchRow row{branches.method[i], branches.bci[i], i, i, 0, 0};
    double most = 0;
    for (; i < branches.size() && branches.method[i] == row.method && branches.bci[i] == row.bci; ++i) {
      const auto count = static_cast<double>(branches.count.value[i]);
      row.count += count;
      most = std::max(most, count);
    }
    row.end = i;
    row.bias = row.count > 0 ? most / row.count : 0;
    if (wanted[row.method]) summary.branches.push_back(row);
  }
}

}  // namespace

PathSummary summarize_paths(const profile::ProfileData& data, const std::string& method_text) {
  const std::vector<bool> wanted = wanted_methods(data, method_text);
  PathSummary summary;
  add_paths(data.paths, wanted, summary);
  add_branches(data.branches, wanted, summary);
  std::ranges::stable_sort(summary.paths, [](const auto& a, const auto& b) { return a.flow > b.flow; });
  std::ranges::stable_sort(summary.branches, [](const auto& a, const auto& b) { return a.count > b.count; });
  std::ranges::stable_sort(summary.methods, [](const auto& a, const auto& b) { return a.flow > b.flow; });
  return summary;
}

std::optional<std::uint32_t> line_at(const profile::Lines& lines, profile::MethodId method, std::uint32_t bci) {
  const auto [begin_of, end_of] = std::equal_range(lines.method.begin(), lines.method.end(), method);
  const auto first = begin_of - lines.method.begin(), end = end_of - lines.method.begin();
  const auto at = std::lower_bound(lines.bci.begin() + first, lines.bci.begin() + end, bci);
  if (at == lines.bci.begin() + end || *at != bci) return std::nullopt;
  return lines.line[static_cast<std::size_t>(at - lines.bci.begin())];
}

}  // namespace bursar::analysis
