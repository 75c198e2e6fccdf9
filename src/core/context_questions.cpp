#include "core/context_questions.h"

#include <algorithm>
#include <array>
#include <map>

#include "profile/saturating.h"

namespace bursar::core {
namespace {

constexpr ContextMap::Index kNone = ContextMap::kNone;
using SiteTargets = ContextQuestions::SiteTargets;
using Target = ContextQuestions::Target;

// Targets by site, while they are put together.
class TargetList {
 public:
  void add(std::uint32_t bci, ContextMap::Method method, std::uint64_t count, ContextMap::Index node) {
    Target& target = targets_[bci][method];
    target.method = method;
    target.count = profile::saturating_add(target.count, count);
    target.nodes.push_back(node);
  }

  std::vector<SiteTargets> sorted() {
    std::vector<SiteTargets> result;
    for (auto& [bci, by_method] : targets_) {
      SiteTargets& site = result.emplace_back();
      site.bci = bci;
      for (auto& [method, target] : by_method) {
        site.count = profile::saturating_add(site.count, target.count);
        site.targets.push_back(std::move(target));
      }
      std::ranges::stable_sort(site.targets, std::greater(), &Target::count);
    }
    return result;
  }

 private:
  std::map<std::uint32_t, std::map<ContextMap::Method, Target>> targets_;
};

}  // namespace

std::vector<ContextMap::Index> ContextQuestions::callees(const Step& caller, Method callee) const {
  std::vector<Index> found;
  if (caller.site) {
    const Index site = map_.find_site(caller.method, *caller.site);
    const Index call = site == kNone ? kNone : map_.find_callee(site, callee);
    if (call != kNone) found.push_back(call);
    return found;
  }
  for (Index call = map_.find_call(caller.method, callee); call != kNone; call = map_.callees()[call].next_of_methods) {
    found.push_back(call);
  }
  return found;
}

std::uint64_t ContextQuestions::calls(Method caller, Method callee) const {
  std::uint64_t sum = 0;
  for (const Index call : callees({caller}, callee)) {
    sum = profile::saturating_add(sum, map_.callees()[call].total);
  }
  return sum;
}

std::uint64_t ContextQuestions::calls(Method caller, std::uint32_t bci, Method callee) const {
  const std::vector<Index> call = callees({caller, bci}, callee);
  return call.empty() ? 0 : map_.callees()[call.front()].total;
}

ContextQuestions::Places ContextQuestions::places_of(Path path) const {
  Places places{.callees = std::vector<std::vector<Index>>(path.size()),
                .pairs = std::vector<std::vector<Index>>(path.size())};
  for (std::size_t i = 1; i < path.size(); ++i) places.callees[i] = callees(path[i - 1], path[i].method);
  if (map_.options().shape == ContextMap::Shape::kSubPaths) return places;
  for (std::size_t i = 2; i < path.size(); ++i) {
    for (const Index before : places.callees[i - 1]) {
      for (const Index after : places.callees[i]) {
        const Index pair = map_.find_pair(before, after);
        if (pair != kNone) places.pairs[i].push_back(pair);
      }
    }
  }
  return places;
}

bool ContextQuestions::leads_to(Index context, const Places& places, std::size_t position) const {
  // The pair at position 2 is the path's beginning.
  for (; position > 2; --position) {
    const std::vector<Index>& wanted = places.pairs[position - 1];
    if (std::ranges::find(wanted, map_.refs()[context].above) == wanted.end()) return false;
    context = map_.refs()[context].parent;
  }
  return true;
}

void ContextQuestions::follow(Index context, const Places& places, std::size_t position,
                              std::vector<Index>& ends) const {
  if (position + 1 == places.callees.size()) {
    ends.push_back(context);
    return;
  }
  for (const Index callee : places.callees[position + 1]) {
    const Index below = map_.find_ref(context, callee);
    if (below != kNone) follow(below, places, position + 1, ends);
  }
}

std::vector<ContextMap::Index> ContextQuestions::ends_of(Path path) const {
  std::vector<Index> ends;
  if (path.empty()) return ends;
  const auto add_contexts = [&](Index call) {
    const std::vector<Index> contexts = contexts_of(call);
    ends.insert(ends.end(), contexts.begin(), contexts.end());
  };
  const Index root = map_.find_root(path.front().method);
  if (map_.options().shape == ContextMap::Shape::kSubPaths) {
    if (root != kNone) follow(root, places_of(path), 0, ends);
  } else if (path.size() == 1) {
    if (root != kNone) ends.push_back(root);
    if (path.front().method >= map_.methods().size()) return ends;
    for (Index call = map_.methods()[path.front().method].first_incoming; call != kNone;
         call = map_.callees()[call].next_incoming) {
      add_contexts(call);
    }
  } else if (path.size() == 2) {
    for (const Index call : callees(path[0], path[1].method)) add_contexts(call);
  } else {
    // Every occurrence of the path goes through each of its pairs of calls, so one of them shows them all: the one that
    // takes least. Looking up is a step to the parent, looking down a search.
    const Places places = places_of(path);
    const auto cost_at = [&](std::size_t position) {
      std::size_t contexts = 0;
      for (const Index pair : places.pairs[position]) contexts += map_.pairs()[pair].refs;
      return contexts * (1 + position / 4 + 3 * (path.size() - 1 - position));
    };
    std::size_t rarest = 2;
    for (std::size_t i = 3; i < path.size(); ++i) {
      if (cost_at(i) < cost_at(rarest)) rarest = i;
    }
    for (const Index pair : places.pairs[rarest]) {
      for (Index ref = map_.pairs()[pair].first_ref; ref != kNone; ref = map_.refs()[ref].next_of_pair) {
        if (leads_to(ref, places, rarest)) follow(ref, places, rarest, ends);
      }
    }
  }
  return ends;
}

std::optional<std::uint64_t> ContextQuestions::ordered_count_of(Path path) const {
  const bool names_sites = std::ranges::any_of(path, [](const Step& step) { return step.site.has_value(); });
  if (order_ == nullptr || names_sites || path.size() > PathOrder::kLongest) return std::nullopt;
  std::array<Method, PathOrder::kLongest> methods{};
  std::ranges::transform(path, methods.begin(), &Step::method);
  return order_->count_of(std::span(methods).first(path.size()));
}

std::optional<std::uint64_t> ContextQuestions::count_of(Path path) const {
  const bool of_sub_paths = map_.options().shape == ContextMap::Shape::kSubPaths;
  if (of_sub_paths && path.size() > map_.options().max_sub_path) return std::nullopt;
  std::uint64_t sum = 0;
  const auto add = [&](std::uint64_t count) { sum = profile::saturating_add(sum, count); };
  if (path.size() == 1) {
    if (path[0].method < map_.methods().size()) add(map_.methods()[path[0].method].total);
  } else if (path.size() == 2) {
    for (const Index call : callees(path[0], path[1].method)) add(map_.callees()[call].total);
  } else if (path.size() == 3 && !of_sub_paths) {
    const Places places = places_of(path);
    for (const Index pair : places.pairs[2]) add(map_.pairs()[pair].total);
  } else if (path.size() == 4 && !of_sub_paths) {
    const Places places = places_of(path);
    for (const Index before : places.pairs[2]) {
      for (const Index after : places.pairs[3]) {
        if (map_.pairs()[before].after != map_.pairs()[after].before) continue;
        const Index triple = map_.find_triple(before, after);
        if (triple != kNone) add(map_.triples()[triple].total);
      }
    }
  } else if (const auto ordered = of_sub_paths ? std::nullopt : ordered_count_of(path)) {
    return ordered;
  } else {
    for (const Index end : ends_of(path)) add(map_.refs()[end].count);
  }
  return sum;
}

std::vector<ContextMap::Index> ContextQuestions::hottest_contexts_of(std::span<const Index> callees,
                                                                     std::size_t most) const {
  std::vector<Index> contexts;
  if (!map_.is_sorted_by_heat()) {
    for (const Index callee : callees) {
      const std::vector<Index> more = contexts_of(callee);
      contexts.insert(contexts.end(), more.begin(), more.end());
    }
    return hottest(std::move(contexts), most);
  }
  // Hotter than `most` others that are known already? If a list's next one is not, neither is the rest of it.
  const auto hotter = [&](Index a, Index b) { return is_hotter(a, b); };
  const auto take = [&](Index ref) {
    if (contexts.size() == most) {
      if (most == 0 || !is_hotter(ref, contexts.front())) return false;
      std::ranges::pop_heap(contexts, hotter);
      contexts.pop_back();
    }
    contexts.push_back(ref);
    std::ranges::push_heap(contexts, hotter);
    return true;
  };
  for (const Index callee : callees) {
    for (Index pair = map_.callees()[callee].first_pair; pair != kNone; pair = map_.pairs()[pair].next_of_after) {
      Index ref = map_.pairs()[pair].first_ref;
      // Pairs whose hottest is as hot as our coldest may still go first, by their index.
      const bool too_cold = ref == kNone || (contexts.size() == most && most > 0 &&
                                             map_.refs()[ref].count < map_.refs()[contexts.front()].count);
      if (too_cold) break;
      while (ref != kNone && take(ref)) ref = map_.refs()[ref].next_of_pair;
    }
  }
  std::ranges::sort_heap(contexts, hotter);
  return contexts;
}

bool ContextQuestions::is_hotter(Index a, Index b) const {
  const std::uint64_t of_a = map_.refs()[a].count, of_b = map_.refs()[b].count;
  return of_a != of_b ? of_a > of_b : a < b;
}

std::vector<ContextMap::Index> ContextQuestions::hottest(std::vector<Index> contexts, std::size_t most) const {
  const auto end = contexts.begin() + static_cast<std::ptrdiff_t>(std::min(most, contexts.size()));
  std::partial_sort(contexts.begin(), end, contexts.end(), [&](Index a, Index b) { return is_hotter(a, b); });
  contexts.erase(end, contexts.end());
  return contexts;
}

std::vector<ContextMap::Index> ContextQuestions::contexts_of(Index callee) const {
  std::vector<Index> contexts;
  contexts.reserve(map_.callees()[callee].refs);
  for (Index pair = map_.callees()[callee].first_pair; pair != kNone; pair = map_.pairs()[pair].next_of_after) {
    for (Index ref = map_.pairs()[pair].first_ref; ref != kNone; ref = map_.refs()[ref].next_of_pair) {
      contexts.push_back(ref);
    }
  }
  return contexts;
}

std::vector<ContextMap::Index> ContextQuestions::stack_of(Index context) const {
  std::vector<Index> stack;
  for (Index at = context; at != kNone; at = map_.refs()[at].parent) stack.push_back(at);
  std::reverse(stack.begin(), stack.end());
  return stack;
}

ContextMap::Method ContextQuestions::only_target(Index site) const {
  const Index callee = map_.sites()[site].first_callee;
  if (callee == kNone || map_.callees()[callee].next_of_site != kNone) return kNone;
  return map_.callees()[callee].method;
}

ContextMap::Method ContextQuestions::only_target_in(Index site_ref) const {
  const Index ref = map_.site_refs()[site_ref].first_callee;
  if (ref == kNone || map_.refs()[ref].next_of_site_ref != kNone) return kNone;
  return map_.refs()[ref].method;
}

std::vector<SiteTargets> ContextQuestions::targets_of(Method method) const {
  TargetList list;
  if (method >= map_.methods().size()) return {};
  for (Index site = map_.methods()[method].first_site; site != kNone; site = map_.sites()[site].next_of_method) {
    for (Index callee = map_.sites()[site].first_callee; callee != kNone;
         callee = map_.callees()[callee].next_of_site) {
      list.add(map_.sites()[site].bci, map_.callees()[callee].method, map_.callees()[callee].total, callee);
    }
  }
  return list.sorted();
}

std::vector<SiteTargets> ContextQuestions::targets_in(std::span<const Index> contexts) const {
  TargetList list;
  for (const Index context : contexts) {
    for (Index site_ref = map_.refs()[context].first_site_ref; site_ref != kNone;
         site_ref = map_.site_refs()[site_ref].next_of_context) {
      for (Index ref = map_.site_refs()[site_ref].first_callee; ref != kNone; ref = map_.refs()[ref].next_of_site_ref) {
        list.add(map_.sites()[map_.site_refs()[site_ref].site].bci, map_.refs()[ref].method, map_.refs()[ref].count,
                 ref);
      }
    }
  }
  return list.sorted();
}

}  // namespace bursar::core
