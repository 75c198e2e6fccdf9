#include "core/context_tree.h"

#include <algorithm>
#include <new>
#include <thread>

namespace bursar::core {
namespace {

// More entries of children than this are searched through the index.
constexpr std::uint32_t kMaxSearched = 32;
// A child takes a slot over if, while it was missed this often, the slot's own child was entered less than half as
// often (probes count as many before they ask: BursarProbe.FEW). Bursts of calls are soon counted by the probe itself,
// and callees in turn do not push each other out.
constexpr std::uint32_t kPatience = 8;

void set_counted_at_site(Node& node) {
  // The common case, in which it is set already, needs no locked instruction.
  if (!node.has(kCountedAtSite)) node.set(kCountedAtSite);
}

void add_to(std::atomic<std::uint64_t>& count, std::uint64_t more) {
  count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

}  // namespace

std::uint64_t ContextTree::Key::hash(std::uint64_t place) const {
  return hash_of(place + route, std::uint64_t{site} << 32 | method);
}

bool ContextTree::Key::names(const Node& node) const {
  return node.method == method && node.site() == site && (node.flags() & (kViaVm | kCalledBack)) == route;
}

ContextTree::Look::Look(std::atomic<std::int32_t>& lookers) : lookers_(lookers) {
  std::int32_t others = lookers_.load(std::memory_order_relaxed);
  while (others < 0 || !lookers_.compare_exchange_weak(others, others + 1, std::memory_order_acquire)) {
    if (others >= 0) continue;
    std::this_thread::yield();
    others = lookers_.load(std::memory_order_relaxed);
  }
}

ContextTree::Look::~Look() {
  lookers_.fetch_sub(1, std::memory_order_release);
}

ContextTree::ContextTree(const MethodTable& methods, ContextBudget& budget, MethodId root, Options options)
    : methods_(methods),
      budget_(budget),
      options_(options),
      common_(CommonNodes::instance()),
      empty_(options.shared ? common_.stranger : common_.nobody),
      arena_(this, options.word) {
  if (common_.nobody == 0) return;
  void* memory = arena_.allocate_node(0);
  if (memory == nullptr) return;
  Node& node = lay_out_node(memory, root, 0, empty_);
  root_ = address_of(node);
  node.resume = root_;
  note_size();
}

ContextTree::~ContextTree() {
  budget_.give_back(contexts());
}

void ContextTree::forget_counts() {
  walk(false, [](bool, NodeAddress parent, std::uint32_t slot, NodeAddress, std::uint64_t) {
    if (slot != 0) slot_at(slot_address(parent, slot)).count.store(0, std::memory_order_relaxed);
    return false;
  });
  links_.for_each([](std::uint64_t number) {
    Link& link = *reinterpret_cast<Link*>(number);
    link.count.store(0, std::memory_order_relaxed);
    link.mark = 0;
    link.misses = 0;
  });
  lookups_.store(0, std::memory_order_relaxed);
  overflow_calls_.store(0, std::memory_order_relaxed);
}

ContextTree::Place ContextTree::locate(SlotAddress slot) {
  if (slot == 0) return {};
  const NodeAddress node = NodeArena::node_of(slot);
  if (node == 0) return {};
  const std::uint64_t k = (slot - node + kFirstSlotOffset) / kSlotSize;
  if (k > kMaxSites || slot_address(node, static_cast<std::uint32_t>(k)) != slot) return {};
  return {node, static_cast<std::uint32_t>(k)};
}

NodeAddress ContextTree::parent_of(NodeAddress address) const {
  const Node& node = node_at(address);
  if (!node.has(kViaVm | kCalledBack)) return node.resume;
  const NodeAddress caller = locate(node.resume).node;
  if (!node.has(kCalledBack)) return caller;
  // Where it goes back to says who called the one that called it back.
  NodeAddress parent = 0;
  each_child(caller, [&](std::uint32_t, NodeAddress child, std::uint64_t) {
    if (child == 0) return false;
    for (const Link* link = node_at(child).links.load(std::memory_order_acquire); link != nullptr; link = link->next) {
      if (link->child == address) parent = child;
    }
    return parent != 0;
  });
  return parent != 0 ? parent : caller;
}

NodeAddress ContextTree::enter(Place place, MethodId method, Route route) {
  add_to(lookups_, 1);
  const SlotAddress outer = slot_address(place.node, place.slot);
  if (route.through != kNoMethod) {
    const NodeAddress through = reach(place, plain_key(place.slot, route.through));
    if (through == 0) return or_overflow(0);
    set_counted_at_site(node_at(through));
    return or_overflow(
        count_in_link({through, 0}, {method, place.slot, kCalledBack}, route.from_node ? place.node : outer));
  }
  if (route.via_vm) return or_overflow(count_in_link(place, {method, place.slot, kViaVm}, outer));
  return or_overflow(count_in_slot(place, method));
}

NodeAddress ContextTree::enter_at_site(Place place, MethodId method) {
  add_to(lookups_, 1);
  const NodeAddress node = count_in_slot(place, method);
  if (node != 0) set_counted_at_site(node_at(node));
  return or_overflow(node);
}

std::uint32_t ContextTree::sites_of(MethodId method) const {
  return static_cast<std::uint32_t>(std::min<std::size_t>(methods_[method].sites.size(), kMaxSites));
}

ContextTree::Key ContextTree::plain_key(std::uint32_t slot, MethodId method) const {
  return {method, options_.call_sites ? slot : kAnySite, 0};
}

NodeAddress ContextTree::count_in_slot(Place place, MethodId method) {
  const Key key = plain_key(place.slot, method);
  if (options_.shared || place.slot == 0) return count_in_link(place, key, place.node);
  Slot& slot = slot_at(slot_address(place.node, place.slot));
  const NodeAddress cached = slot.child.load(std::memory_order_relaxed);
  if (cached != empty_ && node_at(cached).method != method) return count_in_link(place, key, place.node);
  const NodeAddress child = reach(place, key);
  if (child != 0) add_to(slot.count, 1);
  return child;
}

NodeAddress ContextTree::reach(Place place, Key key) {
  const SlotAddress address = slot_address(place.node, place.slot);
  if (!options_.shared && place.slot != 0) {
    Slot& slot = slot_at(address);
    const NodeAddress cached = slot.child.load(std::memory_order_relaxed);
    if (cached == empty_) {
      const NodeAddress child = child_of(place.node, key, place.node);
      if (child != 0) slot.child.store(child, std::memory_order_release);
      return child;
    }
    if (node_at(cached).method == key.method) return cached;
  }
  const Link* const link = link_to(address, key, place.node, place.node);
  return link != nullptr ? link->child : 0;
}

NodeAddress ContextTree::count_in_link(Place place, Key key, SlotAddress resume) {
  const SlotAddress address = slot_address(place.node, place.slot);
  Link* link = link_to(address, key, place.node, resume);
  if (link == nullptr) return 0;
  add_to(link->count, 1);
  const NodeAddress child = link->child;
  if (!options_.shared && key.route == 0 && place.slot != 0) prefer(*link, slot_at(address), place);
  return child;
}

// A link was counted although its child might be in the slot: perhaps the slot should be its.
void ContextTree::prefer(Link& link, Slot& slot, Place place) {
  if (++link.misses < kPatience) return;
  const std::uint64_t count = slot.count.load(std::memory_order_relaxed);
  // A slot that has changed hands since may count less than the mark says: no reason to take it over.
  const bool better = count - link.mark < kPatience / 2;
  link.misses = 0;
  link.mark = count;
  if (!better) return;
  const NodeAddress cached = slot.child.load(std::memory_order_relaxed);
  Link* old = link_to(link.place, plain_key(place.slot, node_at(cached).method), place.node, place.node);
  std::int32_t nobody_looks = 0;
  if (old == nullptr || !lookers_.compare_exchange_strong(nobody_looks, -1, std::memory_order_acquire)) return;
  add_to(old->count, count);
  slot.count.store(0, std::memory_order_relaxed);
  slot.child.store(link.child, std::memory_order_release);
  lookers_.store(0, std::memory_order_release);
  old->misses = 0;
  old->mark = 0;
}

Link* ContextTree::link_to(SlotAddress place, Key key, NodeAddress parent, SlotAddress resume) {
  const std::uint64_t found = links_.find(key.hash(place), [&](std::uint64_t number) {
    return key.names(node_at(reinterpret_cast<const Link*>(number)->child));
  });
  if (found != 0) return reinterpret_cast<Link*>(found);
  const NodeAddress child = child_of(parent, key, resume);
  return child == 0 ? nullptr : add_link(place, key, parent, child);
}

Link* ContextTree::add_link(SlotAddress place, Key key, NodeAddress parent, NodeAddress child) {
  if (!links_.reserve(1)) return nullptr;
  void* memory = arena_.allocate(sizeof(Link));
  if (memory == nullptr) return nullptr;
  Node& node = node_at(parent);
  const std::uint64_t mark = place == parent ? 0 : slot_at(place).count.load(std::memory_order_relaxed);
  auto* link = new (memory) Link{child, place, node.links.load(std::memory_order_relaxed), 0, mark, 0};
  links_.insert(key.hash(place), reinterpret_cast<std::uint64_t>(link));
  node.links.store(link, std::memory_order_release);
  note_size();
  return link;
}

NodeAddress ContextTree::child_of(NodeAddress parent, Key key, SlotAddress resume) {
  NodeAddress found = 0;
  if (!node_at(parent).has(kManyChildren)) {
    std::uint32_t searched = 0;
    each_child(parent, [&](std::uint32_t, NodeAddress child, std::uint64_t) {
      if (child != 0 && key.names(node_at(child))) found = child;
      return found != 0 || ++searched > kMaxSearched;
    });
    if (found != 0) return found;
    if (searched <= kMaxSearched) return add_child(parent, key, resume);
    if (!index_children(parent)) return 0;
  }
  // With equal keys, hashes are equal only if the parents are.
  found = children_.find(key.hash(parent), [&](std::uint64_t child) { return key.names(node_at(child)); });
  return found != 0 ? found : add_child(parent, key, resume);
}

NodeAddress ContextTree::add_child(NodeAddress parent, Key key, SlotAddress resume) {
  if (key.method >= methods_.size()) return 0;
  const bool indexed = node_at(parent).has(kManyChildren);
  if ((indexed && !children_.reserve(1)) || !budget_.take()) return 0;
  const std::uint32_t sites = sites_of(key.method);
  void* memory = arena_.allocate_node(sites);
  if (memory == nullptr) {
    budget_.give_back(1);
    return 0;
  }
  Node& child = lay_out_node(memory, key.method, sites, empty_);
  const NodeAddress address = address_of(child);
  child.resume = resume;
  child.marks.store(Node::marks_of(key.site, key.route), std::memory_order_relaxed);
  if (indexed) children_.insert(key.hash(parent), address);
  contexts_.store(contexts() + 1, std::memory_order_relaxed);
  note_size();
  return address;
}

bool ContextTree::index_children(NodeAddress parent) {
  const bool full = each_child(parent, [&](std::uint32_t, NodeAddress address, std::uint64_t) {
    if (address == 0) return false;
    const Node& child = node_at(address);
    const std::uint64_t hash = Key{child.method, child.site(), child.flags() & (kViaVm | kCalledBack)}.hash(parent);
    if (children_.find(hash, [&](std::uint64_t known) { return known == address; }) != 0) return false;
    if (!children_.reserve(1)) return true;
    children_.insert(hash, address);
    return false;
  });
  if (full) return false;
  node_at(parent).set(kManyChildren);
  return true;
}

NodeAddress ContextTree::or_overflow(NodeAddress node) {
  if (node != 0) return node;
  count_overflow();
  return common_.overflow;
}

void ContextTree::note_size() {
  bytes_.store(arena_.bytes() + links_.bytes() + children_.bytes(), std::memory_order_relaxed);
}

}  // namespace bursar::core
