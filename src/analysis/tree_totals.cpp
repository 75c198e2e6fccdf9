#include "analysis/tree_totals.h"

namespace bursar::analysis {

std::vector<double> subtree_totals(const profile::Contexts& contexts, std::vector<double> own) {
  // Parents come before their children, so from the end each total is complete when it is passed on.
  for (std::size_t i = contexts.size(); i-- > 0;) {
    if (contexts.parent[i] != profile::kNone) own[contexts.parent[i]] += own[i];
  }
  return own;
}

std::vector<std::uint32_t> depths(const profile::Contexts& contexts) {
  std::vector<std::uint32_t> depth(contexts.size());
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    depth[i] = contexts.parent[i] == profile::kNone ? 1 : depth[contexts.parent[i]] + 1;
  }
  return depth;
}

}  // namespace bursar::analysis
