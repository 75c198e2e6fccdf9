// The naive oracle of trees: how often every chain of calls was made.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/context_tree.h"

namespace bursar::core {

// A method, and the slot of its caller that it was entered through (0 where call sites are not kept).
using Chain = std::vector<std::pair<MethodId, std::uint32_t>>;
using CallCounts = std::map<Chain, std::uint64_t>;

// What a tree says. Chains that were never counted are left out.
inline CallCounts counts_of(const ContextTree& tree, bool call_sites) {
  CallCounts counts;
  tree.walk(Chain(), [&](Chain chain, NodeAddress, std::uint32_t slot, NodeAddress child, std::uint64_t count) {
    chain.emplace_back(node_at(child).method, call_sites ? slot : 0);
    if (count > 0) counts[chain] += count;
    return chain;
  });
  return counts;
}

inline std::uint64_t total_of(const CallCounts& counts) {
  std::uint64_t total = 0;
  for (const auto& [chain, count] : counts) total += count;
  return total;
}

// A method with that many call sites, at bytecode indices 10, 20 …
inline Method method_with(std::string class_name, std::string name, std::uint32_t sites,
                          MethodNature nature = MethodNature::kJava) {
  Method method;
  method.class_name = std::move(class_name);
  method.name = std::move(name);
  method.descriptor = "()V";
  method.nature = nature;
  for (std::uint32_t k = 1; k <= sites; ++k) method.sites.push_back({.bci = 10 * k});
  return method;
}

}  // namespace bursar::core
