#include "export/subtree.h"

#include <algorithm>
#include <cmath>

#include "profile/saturating.h"

namespace bursar::exports {

Subtrees subtrees_of(const profile::Contexts& contexts, const std::vector<std::uint64_t>& own) {
  Subtrees result;
  result.total = own;
  result.size.assign(own.size(), 1);
  for (std::size_t id = own.size(); id-- > 0;) {
    const profile::ContextId parent = contexts.parent[id];
    if (parent == profile::kNone) {
      result.sum = profile::saturating_add(result.sum, result.total[id]);
    } else {
      result.total[parent] = profile::saturating_add(result.total[parent], result.total[id]);
      result.size[parent] += result.size[id];
    }
  }
  return result;
}

std::uint64_t share_threshold(std::uint64_t sum, double min_share_percent) {
  if (!(min_share_percent > 0)) return 0;
  const double least = std::ceil(static_cast<double>(sum) * std::min(min_share_percent, 100.0) / 100.0);
  return least >= 0x1p64 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(least);
}

}  // namespace bursar::exports
