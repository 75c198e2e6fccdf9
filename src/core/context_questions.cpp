#include "core/context_questions.h"

#include <algorithm>
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
  const auto add = [&](Index site) {
    const Index call = site == kNone ? kNone : map_.find_callee(site, callee);
    if (call != kNone) found.push_back(call);
  };
  if (caller.site) {
    add(map_.find_site(caller.method, *caller.site));
  } else if (caller.method < map_.methods().size()) {
    for (Index site = map_.methods()[caller.method].first_site; site != kNone;
         site = map_.sites()[site].next_of_method) {
      add(site);
    }
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

bool ContextQuestions::leads_to(Index context, Path path, std::size_t position) const {
  for (; position > 0; --position) {
    const ContextMap::CalleeRef& ref = map_.refs()[context];
    if (ref.parent == kNone || map_.refs()[ref.parent].method != path[position - 1].method) return false;
    if (!may_use(map_.callees()[ref.callee].site, path[position - 1])) return false;
    context = ref.parent;
  }
  return true;
}

void ContextQuestions::follow(Index context, Path path, std::size_t position, std::vector<Index>& ends) const {
  if (position + 1 == path.size()) {
    ends.push_back(context);
    return;
  }
  for (Index site_ref = map_.refs()[context].first_site_ref; site_ref != kNone;
       site_ref = map_.site_refs()[site_ref].next_of_context) {
    const Index site = map_.site_refs()[site_ref].site;
    if (!may_use(site, path[position])) continue;
    const Index callee = map_.find_callee(site, path[position + 1].method);
    const Index below = callee == kNone ? kNone : map_.find_ref(context, callee);
    if (below != kNone) follow(below, path, position + 1, ends);
  }
}

std::vector<ContextMap::Index> ContextQuestions::ends_of(Path path) const {
  std::vector<Index> ends;
  if (path.empty()) return ends;
  const Index root = map_.find_root(path.front().method);
  if (map_.options().shape == ContextMap::Shape::kSubPaths) {
    if (root != kNone) follow(root, path, 0, ends);
    return ends;
  }
  if (path.size() == 1) {
    if (root != kNone) ends.push_back(root);
    if (path.front().method >= map_.methods().size()) return ends;
    for (Index call = map_.methods()[path.front().method].first_incoming; call != kNone;
         call = map_.callees()[call].next_incoming) {
      const std::vector<Index> contexts = contexts_of(call);
      ends.insert(ends.end(), contexts.begin(), contexts.end());
    }
    return ends;
  }
  // Every occurrence of the path goes through each of its calls, so the rarest one shows them all.
  std::vector<Index> rarest;
  std::size_t fewest = ~std::size_t{0};
  std::size_t position = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    std::vector<Index> calls = callees(path[i - 1], path[i].method);
    std::size_t contexts = 0;
    for (const Index call : calls) contexts += map_.callees()[call].refs;
    if (contexts >= fewest) continue;
    fewest = contexts;
    rarest = std::move(calls);
    position = i;
  }
  for (const Index call : rarest) {
    for (Index ref = map_.callees()[call].first_ref; ref != kNone; ref = map_.refs()[ref].next_of_callee) {
      if (leads_to(ref, path, position)) follow(ref, path, position, ends);
    }
  }
  return ends;
}

std::optional<std::uint64_t> ContextQuestions::count_of(Path path) const {
  const bool too_long =
      map_.options().shape == ContextMap::Shape::kSubPaths && path.size() > map_.options().max_sub_path;
  if (too_long) return std::nullopt;
  std::uint64_t sum = 0;
  const auto add = [&](std::uint64_t count) { sum = profile::saturating_add(sum, count); };
  if (path.size() == 1) {
    if (path[0].method < map_.methods().size()) add(map_.methods()[path[0].method].total);
  } else if (path.size() == 2) {
    for (const Index call : callees(path[0], path[1].method)) add(map_.callees()[call].total);
  } else {
    for (const Index end : ends_of(path)) add(map_.refs()[end].count);
  }
  return sum;
}

std::vector<ContextMap::Index> ContextQuestions::hottest(std::vector<Index> contexts, std::size_t most) const {
  const auto end = contexts.begin() + static_cast<std::ptrdiff_t>(std::min(most, contexts.size()));
  std::partial_sort(contexts.begin(), end, contexts.end(), [&](Index a, Index b) {
    const std::uint64_t of_a = map_.refs()[a].count, of_b = map_.refs()[b].count;
    return of_a != of_b ? of_a > of_b : a < b;
  });
  contexts.erase(end, contexts.end());
  return contexts;
}

std::vector<ContextMap::Index> ContextQuestions::contexts_of(Index callee) const {
  std::vector<Index> contexts;
  contexts.reserve(map_.callees()[callee].refs);
  for (Index ref = map_.callees()[callee].first_ref; ref != kNone; ref = map_.refs()[ref].next_of_callee) {
    contexts.push_back(ref);
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
