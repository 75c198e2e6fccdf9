// The oracle of ContextMap: the pseudocode of paper 004 (section 3.1.4) over plain maps, and random stacks for both.
#pragma once

#include <map>
#include <random>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/context_map.h"
#include "core/context_questions.h"

namespace bursar::core {

using Stack = std::vector<ContextMap::Frame>;                        // outermost first
using Chain = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // (method, site in the caller); the first has none

// One letter for each frame, without call sites.
inline Stack stack_of_letters(std::string_view letters) {
  Stack stack;
  for (const char letter : letters) stack.push_back({static_cast<std::uint32_t>(letter - 'A'), profile::kNoSite});
  return stack;
}

inline std::vector<ContextQuestions::Step> path_of_letters(std::string_view letters) {
  std::vector<ContextQuestions::Step> path;
  for (const char letter : letters) path.push_back({static_cast<std::uint32_t>(letter - 'A')});
  return path;
}

struct PaperMap {
  std::map<std::uint32_t, std::uint64_t> methods;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint64_t> callees;
  std::map<Chain, std::uint64_t> refs;  // every path of two methods or more

  void add_sample(const Stack& stack, bool outermost_is_old, std::uint64_t count, std::size_t longest = ~0UL) {
    const Stack buf(stack.rbegin(), stack.rend());
    for (std::size_t i = 0; i < buf.size(); ++i) {
      if (!(outermost_is_old && i + 1 == buf.size())) methods[buf[i].method] += count;
      if (i > 0) callees[{buf[i].method, buf[i - 1].site, buf[i - 1].method}] += count;
      Chain path = {{buf[i].method, profile::kNoSite}};
      for (std::size_t j = i; j-- > 0 && path.size() < longest;) {
        path.emplace_back(buf[j].method, buf[j].site);
        refs[path] += count;
      }
    }
  }
};

// The chain of a CalleeRef.
inline Chain chain_of(const ContextMap& map, ContextMap::Index ref) {
  Chain chain;
  for (const ContextMap::Index at : ContextQuestions(map).stack_of(ref)) {
    const ContextMap::Index callee = map.refs()[at].callee;
    chain.emplace_back(map.refs()[at].method,
                       callee == ContextMap::kNone ? profile::kNoSite : map.sites()[map.callees()[callee].site].bci);
  }
  return chain;
}

// All of a map in the oracle's words, links checked on the way.
inline PaperMap in_words(const ContextMap& map) {
  PaperMap words;
  for (std::uint32_t m = 0; m < map.methods().size(); ++m) {
    if (map.methods()[m].total > 0) words.methods[m] = map.methods()[m].total;
  }
  for (const ContextMap::Callee& callee : map.callees()) {
    const ContextMap::CallSite& site = map.sites()[callee.site];
    words.callees[{site.caller, site.bci, callee.method}] = callee.total;
  }
  for (ContextMap::Index i = 0; i < map.refs().size(); ++i) {
    if (map.refs()[i].parent != ContextMap::kNone) words.refs[chain_of(map, i)] = map.refs()[i].count;
  }
  return words;
}

class RandomStacks {
 public:
  explicit RandomStacks(std::uint64_t seed) : random_(seed) {}

  std::uint32_t below(std::uint32_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random_);
  }
  // Few methods and sites, so that calls, paths and recursion coincide often.
  Stack stack(std::uint32_t methods, std::uint32_t sites, std::uint32_t deepest) {
    Stack stack;
    const std::uint32_t frames = 1 + below(deepest);
    for (std::uint32_t i = 0; i < frames; ++i) {
      stack.push_back({below(methods), i == 0 ? profile::kNoSite : below(sites)});
    }
    return stack;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace bursar::core
