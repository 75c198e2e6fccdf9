#include "export/method_flow.h"

#include <algorithm>
#include <set>
#include <utility>

#include "profile/saturating.h"

namespace bursar::exports {

namespace {

using profile::ProfileData;
using profile::saturating_add;

using Edges = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;  // block to block

// Of the paths [first, end), which are of one method.
Edges count_blocks(const profile::Paths& paths, std::size_t first, std::size_t end, MethodFlow& flow) {
  std::set<std::uint32_t> beginnings;
  for (std::size_t path = first; path < end; ++path) beginnings.insert(paths.blocks[paths.first_block[path]]);
  Edges edges;
  for (std::size_t path = first; path < end; ++path) {
    const std::uint64_t count = paths.count.value[path];
    const auto begin = paths.first_block[path];
    const auto last = paths.first_block[path + 1] - 1;
    if (paths.blocks[begin] == 0) flow.entries = saturating_add(flow.entries, count);
    for (auto at = begin; at <= last; ++at) {
      const std::uint32_t block = paths.blocks[at];
      const bool arrives_only = at == last && at != begin && beginnings.contains(block);
      std::uint64_t& ran = flow.blocks[block];
      if (!arrives_only) ran = saturating_add(ran, count);
      if (at == last) break;
      std::uint64_t& went = edges[{block, paths.blocks[at + 1]}];
      went = saturating_add(went, count);
    }
  }
  return edges;
}

// Of the branch at rows [first, end). Where it can go from its block is seen in the edges.
void add_jumps(const profile::Branches& branches, std::size_t first, std::size_t end, const Edges& edges,
               MethodFlow& flow) {
  const std::uint32_t bci = branches.bci[first];
  const auto behind = flow.blocks.upper_bound(bci);
  if (behind == flow.blocks.begin()) return;
  const std::uint32_t block = std::prev(behind)->first;
  std::uint64_t seen = 0;
  bool chooses_of_two = true;
  bool falls_through = false;
  for (std::size_t row = first; row < end; ++row) {
    seen = saturating_add(seen, branches.count.value[row]);
    chooses_of_two = chooses_of_two && branches.outcome[row] <= 1;
    falls_through = falls_through || (branches.outcome[row] == 0 && branches.count.value[row] > 0);
  }
  const auto from = edges.lower_bound({block, 0});
  const auto beyond = edges.lower_bound({block + 1, 0});
  auto next = beyond;  // where it goes without a jump
  if (falls_through) next = std::find_if(from, beyond, [&](const auto& edge) { return edge.first.second > bci; });
  for (auto edge = from; edge != beyond; ++edge) {
    if (chooses_of_two && edge == next) continue;
    flow.jumps.push_back({.from = bci,
                          .to = edge->first.second,
                          .taken = edge->second,
                          .seen = chooses_of_two ? std::optional(seen) : std::nullopt});
  }
}

}  // namespace

std::vector<MethodFlow> flows_of(const ProfileData& data) {
  const profile::Paths& paths = data.paths;
  const profile::Branches& branches = data.branches;
  std::vector<MethodFlow> flows;
  std::size_t branch = 0;
  for (std::size_t path = 0; path < paths.size();) {
    MethodFlow& flow = flows.emplace_back(MethodFlow{.method = paths.method[path], .blocks = {}, .jumps = {}});
    const std::size_t first = path;
    while (path < paths.size() && paths.method[path] == flow.method) ++path;
    const Edges edges = count_blocks(paths, first, path, flow);
    while (branch < branches.size() && branches.method[branch] < flow.method) ++branch;
    flow.first_branch = branch;
    while (branch < branches.size() && branches.method[branch] == flow.method) {
      const std::size_t begin = branch;
      while (branch < branches.size() && branches.method[branch] == flow.method &&
             branches.bci[branch] == branches.bci[begin]) {
        ++branch;
      }
      add_jumps(branches, begin, branch, edges, flow);
    }
    flow.end_branch = branch;
  }
  return flows;
}

std::string source_file_of(const profile::Method& method) {
  if (method.class_name.empty()) return "";
  std::string file = method.class_name;
  const auto package = file.rfind('.');
  const auto inner = file.find('$', package == std::string::npos ? 1 : package + 2);
  if (inner != std::string::npos) file.resize(inner);
  std::replace(file.begin(), file.end(), '.', '/');
  return file + ".java";
}

}  // namespace bursar::exports
