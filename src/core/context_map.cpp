#include "core/context_map.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "profile/saturating.h"

namespace bursar::core {
namespace {

void add(std::uint64_t& sum, std::uint64_t more) {
  sum = profile::saturating_add(sum, more);
}

// Where a new element of that key is, or will be if it can be inserted: the caller appends it.
template <class Is>
std::uint32_t find_in(const HashIndex& index, std::uint64_t hash, const Is& is) {
  const std::uint64_t number = index.find(hash, [&](std::uint64_t candidate) { return is(candidate - 1); });
  return number == 0 ? ContextMap::kNone : static_cast<std::uint32_t>(number - 1);
}

template <class Element>
std::uint32_t append(std::vector<Element>& elements, HashIndex& index, std::uint64_t hash, const Element& element) {
  if (elements.size() >= ContextMap::kNone || !index.reserve(1)) return ContextMap::kNone;
  elements.push_back(element);
  index.insert(hash, elements.size());
  return static_cast<std::uint32_t>(elements.size() - 1);
}

}  // namespace

ContextMap::ContextMap(const Options& options) : options_(options) {
  options_.max_sub_path = std::max<std::uint32_t>(options.max_sub_path, 2);
}

ContextMap::MethodProfile& ContextMap::method(Method number) {
  if (number >= methods_.size()) methods_.resize(number + std::size_t{1});
  return methods_[number];
}

ContextMap::Index ContextMap::find_site(Method caller, std::uint32_t bci) const {
  return find_in(site_index_, hash_of(caller, bci),
                 [&](std::size_t at) { return sites_[at].caller == caller && sites_[at].bci == bci; });
}

ContextMap::Index ContextMap::find_callee(Index site, Method callee) const {
  return find_in(callee_index_, hash_of(site, callee),
                 [&](std::size_t at) { return callees_[at].site == site && callees_[at].method == callee; });
}

ContextMap::Index ContextMap::find_call(Method caller, Method callee) const {
  return find_in(call_index_, hash_of(caller, callee), [&](std::size_t at) {
    return callees_[at].method == callee && sites_[callees_[at].site].caller == caller;
  });
}

ContextMap::Index ContextMap::find_pair(Index before, Index after) const {
  return find_in(pair_index_, hash_of(before, after),
                 [&](std::size_t at) { return pairs_[at].before == before && pairs_[at].after == after; });
}

ContextMap::Index ContextMap::find_triple(Index before, Index after) const {
  return find_in(triple_index_, hash_of(before, after),
                 [&](std::size_t at) { return triples_[at].before == before && triples_[at].after == after; });
}

ContextMap::Index ContextMap::find_site_ref(Index context, Index site) const {
  return find_in(site_ref_index_, hash_of(context, site),
                 [&](std::size_t at) { return site_refs_[at].context == context && site_refs_[at].site == site; });
}

ContextMap::Index ContextMap::find_ref(Index parent, Index callee) const {
  return find_in(ref_index_, hash_of(parent, callee),
                 [&](std::size_t at) { return refs_[at].parent == parent && refs_[at].callee == callee; });
}

ContextMap::Index ContextMap::site_of(Method caller, std::uint32_t bci) {
  const Index known = find_site(caller, bci);
  if (known != kNone) return known;
  Index& first = method(caller).first_site;
  const CallSite site{.caller = caller, .bci = bci, .next_of_method = first};
  const Index added = append(sites_, site_index_, hash_of(caller, bci), site);
  if (added != kNone) first = added;
  return added;
}

ContextMap::Index ContextMap::callee_of(Method caller, std::uint32_t bci, Method callee) {
  const Index known_site = find_site(caller, bci);
  const Index known = known_site == kNone ? kNone : find_callee(known_site, callee);
  if (known != kNone) return known;
  if (callees_.size() >= options_.max_calls || !call_index_.reserve(1)) return kNone;
  const Index site = site_of(caller, bci);
  if (site == kNone) return kNone;
  const Index same = find_call(caller, callee);
  Index& incoming = method(callee).first_incoming;
  Index& first = sites_[site].first_callee;
  const Index added = append(callees_, callee_index_, hash_of(site, callee),
                             Callee{.site = site, .method = callee, .next_of_site = first, .next_incoming = incoming});
  if (added == kNone) return kNone;
  first = incoming = added;
  if (same == kNone) {
    call_index_.insert(hash_of(caller, callee), std::uint64_t{added} + 1);
  } else {
    callees_[added].next_of_methods = std::exchange(callees_[same].next_of_methods, added);
  }
  return added;
}

ContextMap::Index ContextMap::pair_of(Index before, Index after) {
  const Index known = find_pair(before, after);
  if (known != kNone) return known;
  Index& first = callees_[after].first_pair;
  const Index added = append(pairs_, pair_index_, hash_of(before, after),
                             CallPair{.before = before, .after = after, .next_of_after = first});
  if (added != kNone) first = added;
  return added;
}

ContextMap::Index ContextMap::triple_of(Index before, Index after) {
  const Index known = find_triple(before, after);
  if (known != kNone) return known;
  return append(triples_, triple_index_, hash_of(before, after), CallTriple{.before = before, .after = after});
}

ContextMap::Index ContextMap::root_of(Method number) {
  MethodProfile& profile = method(number);
  if (profile.root != kNone) return profile.root;
  if (!is_room_for(1)) return kNone;
  refs_.push_back({.method = number, .last_seen = epoch_});
  return profile.root = static_cast<Index>(refs_.size() - 1);
}

ContextMap::Index ContextMap::site_ref_of(Index context, Index site) {
  const Index known = find_site_ref(context, site);
  if (known != kNone) return known;
  Index& of_context = refs_[context].first_site_ref;
  Index& of_site = sites_[site].first_ref;
  const CallSiteRef ref{.context = context, .site = site, .next_of_context = of_context, .next_of_site = of_site};
  const Index added = append(site_refs_, site_ref_index_, hash_of(context, site), ref);
  if (added != kNone) of_context = of_site = added;
  return added;
}

ContextMap::Index ContextMap::ref_of(Index parent, Index callee) {
  const Index known = find_ref(parent, callee);
  if (known != kNone) return known;
  if (!is_room_for(1)) return kNone;
  const Index pair = pair_of(options_.shape == Shape::kTree ? refs_[parent].callee : kNone, callee);
  const Index site_ref = pair == kNone ? kNone : site_ref_of(parent, callees_[callee].site);
  if (site_ref == kNone) return kNone;
  const Index above = refs_[parent].pair;
  const bool has_triple = options_.shape == Shape::kTree && above != kNone && pairs_[above].before != kNone;
  const Index triple = has_triple ? triple_of(above, pair) : kNone;
  if (has_triple && triple == kNone) return kNone;
  Index& of_site_ref = site_refs_[site_ref].first_callee;
  Index& of_pair = pairs_[pair].first_ref;
  const Index added = append(refs_, ref_index_, hash_of(parent, callee),
                             CalleeRef{.method = callees_[callee].method,
                                       .parent = parent,
                                       .callee = callee,
                                       .site_ref = site_ref,
                                       .next_of_site_ref = of_site_ref,
                                       .pair = pair,
                                       .above = above,
                                       .next_of_pair = of_pair,
                                       .triple = triple,
                                       .last_seen = epoch_});
  if (added == kNone) return kNone;
  of_site_ref = of_pair = added;
  ++pairs_[pair].refs;
  ++callees_[callee].refs;
  return added;
}

void ContextMap::count_call(Index callee, std::uint64_t count) {
  if (callee == kNone) {
    add(losses_.calls, count);
    return;
  }
  Callee& call = callees_[callee];
  add(call.total, count);
  add(sites_[call.site].total, count);
  call.last_seen = epoch_;
}

void ContextMap::count_ref(Index ref, std::uint64_t count) {
  add(refs_[ref].count, count);
  refs_[ref].last_seen = epoch_;
  if (refs_[ref].pair != kNone) add(pairs_[refs_[ref].pair].total, count);
  if (refs_[ref].triple != kNone) add(triples_[refs_[ref].triple].total, count);
  sorted_ = false;
}

void ContextMap::add_call(Method caller, std::uint32_t bci, Method callee, std::uint64_t count) {
  count_call(callee_of(caller, bci, callee), count);
}

// Paper 004, section 3.1.4, with the buffer turned round: each frame begins a path that ends at the innermost one.
void ContextMap::add_sample(std::span<const Frame> frames, bool outermost_is_old, std::uint64_t count) {
  std::vector<Index> calls;
  calls.reserve(frames.size());
  for (std::size_t i = 1; i < frames.size(); ++i) {
    calls.push_back(callee_of(frames[i - 1].method, frames[i].site, frames[i].method));
    count_call(calls.back(), count);
  }
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const bool is_old = i == 0 && outermost_is_old;
    if (!is_old) add(method(frames[i].method).total, count);
    const std::size_t links = std::min<std::size_t>(calls.size() - i, options_.max_sub_path - 1);
    if (!is_room_for(links + 1)) make_room();
    count_path(frames[i].method, is_old, std::span(calls).subspan(i, links), count);
  }
}

void ContextMap::count_path(Method start, bool start_is_old, std::span<const Index> calls, std::uint64_t count) {
  Index ref = root_of(start);
  if (ref != kNone && !start_is_old) count_ref(ref, count);
  for (const Index call : calls) {
    ref = ref == kNone || call == kNone ? kNone : ref_of(ref, call);
    if (ref == kNone) {
      add(losses_.contexts, count);
    } else {
      count_ref(ref, count);
    }
  }
}

ContextMap::Index ContextMap::add_context(Index parent, Method caller, const Frame& frame, std::uint64_t count) {
  add(method(frame.method).total, count);
  Index ref = kNone;
  if (caller == kNone) {
    ref = root_of(frame.method);
  } else {
    const Index call = callee_of(caller, frame.site, frame.method);
    count_call(call, count);
    if (parent != kNone && call != kNone) ref = ref_of(parent, call);
  }
  if (ref == kNone) {
    add(losses_.contexts, count);
  } else {
    count_ref(ref, count);
  }
  return ref;
}

ContextMap::Index ContextMap::restore_root(Method number, std::uint64_t count) {
  if (find_root(number) != kNone) return kNone;
  const Index root = root_of(number);
  if (root != kNone) count_ref(root, count);
  return root;
}

ContextMap::Index ContextMap::restore_context(Index parent, Index callee, std::uint64_t count) {
  if (find_ref(parent, callee) != kNone) return kNone;
  const Index ref = ref_of(parent, callee);
  if (ref != kNone) count_ref(ref, count);
  return ref;
}

void ContextMap::sort_by_heat() {
  // Each list is made anew from its front, so the coldest come first.
  std::vector<Index> order(refs_.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, [&](Index a, Index b) {
    return refs_[a].count != refs_[b].count ? refs_[a].count < refs_[b].count : a > b;
  });
  for (CallPair& pair : pairs_) pair.first_ref = kNone;
  for (const Index ref : order) {
    if (refs_[ref].pair == kNone) continue;
    refs_[ref].next_of_pair = std::exchange(pairs_[refs_[ref].pair].first_ref, ref);
  }
  order.resize(pairs_.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, std::less(), [&](Index pair) {
    const Index hottest = pairs_[pair].first_ref;
    return hottest == kNone ? 0 : refs_[hottest].count;
  });
  for (Callee& callee : callees_) callee.first_pair = kNone;
  for (const Index pair : order) {
    pairs_[pair].next_of_after = std::exchange(callees_[pairs_[pair].after].first_pair, pair);
  }
  sorted_ = true;
}

std::vector<std::uint64_t> ContextMap::warmth() const {
  constexpr std::uint64_t kMostCounts = 0xffffffff;
  std::vector<std::uint64_t> warmth(refs_.size());
  for (std::size_t i = refs_.size(); i-- > 0;) {
    const CalleeRef& ref = refs_[i];
    warmth[i] = std::max(warmth[i], std::uint64_t{ref.last_seen} << 32 | std::min(ref.count, kMostCounts));
    if (ref.parent != kNone) warmth[ref.parent] = std::max(warmth[ref.parent], warmth[i]);
  }
  return warmth;
}

void ContextMap::make_room() {
  const std::vector<std::uint64_t> warm = warmth();
  if (warm.empty()) return;
  std::vector<std::uint64_t> sorted = warm;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  // Of those that are as warm as the middle one, the first stay: a parent stands before its children.
  std::size_t room = sorted.size() / 2;
  for (const std::uint64_t each : warm) room -= std::min<std::size_t>(room, each > *middle ? 1 : 0);
  std::vector<bool> kept(warm.size());
  for (std::size_t i = 0; i < warm.size(); ++i) {
    kept[i] = warm[i] > *middle || (warm[i] == *middle && room > 0);
    if (warm[i] == *middle && room > 0) --room;
  }
  keep_only(kept, 0);
}

std::size_t ContextMap::remove_cold(std::uint32_t epochs) {
  const std::uint32_t since = epochs > epoch_ ? 0 : epoch_ - epochs + 1;
  const std::vector<std::uint64_t> warm = warmth();
  std::vector<bool> kept(warm.size());
  for (std::size_t i = 0; i < warm.size(); ++i) kept[i] = warm[i] >> 32 >= since;
  const std::size_t before = refs_.size();
  keep_only(kept, since);
  return before - refs_.size();
}

void ContextMap::keep_only(const std::vector<bool>& kept, std::uint32_t callees_since) {
  std::vector<bool> has_ref(callees_.size());
  for (std::size_t i = 0; i < refs_.size(); ++i) {
    if (kept[i] && refs_[i].callee != kNone) has_ref[refs_[i].callee] = true;
  }
  ContextMap rest(options_);
  rest.epoch_ = epoch_;
  rest.losses_ = losses_;
  rest.methods_.resize(methods_.size());
  for (std::size_t i = 0; i < methods_.size(); ++i) rest.methods_[i].total = methods_[i].total;
  std::vector<Index> new_callee(callees_.size(), kNone);
  for (std::size_t i = 0; i < callees_.size(); ++i) {
    const Callee& callee = callees_[i];
    if (!has_ref[i] && callee.last_seen < callees_since) continue;
    const CallSite& site = sites_[callee.site];
    const Index at = new_callee[i] = rest.callee_of(site.caller, site.bci, callee.method);
    if (at == kNone) continue;
    rest.count_call(at, callee.total);
    rest.callees_[at].last_seen = callee.last_seen;
  }
  std::vector<Index> new_ref(refs_.size(), kNone);
  for (std::size_t i = 0; i < refs_.size(); ++i) {
    const CalleeRef& ref = refs_[i];
    if (!kept[i]) continue;
    const bool is_root = ref.parent == kNone;
    const Index at = is_root ? rest.root_of(ref.method)
                     : new_ref[ref.parent] == kNone || new_callee[ref.callee] == kNone
                         ? kNone
                         : rest.ref_of(new_ref[ref.parent], new_callee[ref.callee]);
    new_ref[i] = at;
    if (at == kNone) continue;
    rest.count_ref(at, ref.count);
    rest.refs_[at].last_seen = ref.last_seen;
  }
  rest.losses_.removed_contexts += refs_.size() - rest.refs_.size();
  rest.losses_.removed_calls += callees_.size() - rest.callees_.size();
  *this = std::move(rest);
}

std::size_t ContextMap::bytes() const {
  return methods_.capacity() * sizeof(MethodProfile) + sites_.capacity() * sizeof(CallSite) +
         callees_.capacity() * sizeof(Callee) + pairs_.capacity() * sizeof(CallPair) + pair_index_.bytes() +
         triples_.capacity() * sizeof(CallTriple) + triple_index_.bytes() + call_index_.bytes() +
         site_refs_.capacity() * sizeof(CallSiteRef) + refs_.capacity() * sizeof(CalleeRef) + site_index_.bytes() +
         callee_index_.bytes() + site_ref_index_.bytes() + ref_index_.bytes();
}

}  // namespace bursar::core
