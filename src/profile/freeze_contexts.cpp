#include "profile/freeze_contexts.h"

#include <algorithm>

namespace bursar::profile {
namespace {

// The children of every context, as one array in order of the parent; roots are the children of the entry after the
// last.
class ChildLists {
 public:
  explicit ChildLists(const std::vector<ContextId>& parent) : first_(parent.size() + 2), children_(parent.size()) {
    const std::size_t size = parent.size();
    const auto slot = [&](std::size_t i) { return parent[i] == kNone ? size : std::size_t{parent[i]}; };
    for (std::size_t i = 0; i < size; ++i) ++first_[slot(i) + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < size; ++i) children_[next[slot(i)]++] = static_cast<ContextId>(i);
  }

  const ContextId* begin(std::size_t parent) const { return children_.data() + first_[parent]; }
  const ContextId* end(std::size_t parent) const { return children_.data() + first_[parent + 1]; }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<ContextId> children_;
};

struct Child {
  std::uint64_t key;  // method and site: the order among siblings
  ContextId context;

  bool operator<(const Child& other) const { return key < other.key; }
};

}  // namespace

Grouping group_contexts(const Contexts& contexts) {
  const std::size_t size = contexts.size();
  const ChildLists lists(contexts.parent);
  Grouping grouping;
  grouping.group_of.assign(size, kNone);
  grouping.representative.reserve(size);

  // Groups still to be visited, the next one last. Its contexts lie at the end of `members`, from `first` on.
  std::vector<std::uint32_t> group_first;
  std::vector<ContextId> members;
  std::vector<Child> children;

  const auto collect = [&](std::size_t parent) {
    for (const ContextId* child = lists.begin(parent); child != lists.end(parent); ++child) {
      children.push_back({std::uint64_t{contexts.method[*child]} << 32 | contexts.site[*child], *child});
    }
  };
  const auto push_collected = [&] {
    if (!std::is_sorted(children.begin(), children.end())) std::sort(children.begin(), children.end());
    for (std::size_t i = children.size(); i-- > 0;) {
      if (i + 1 == children.size() || children[i].key != children[i + 1].key) {
        group_first.push_back(static_cast<std::uint32_t>(members.size()));
      }
      members.push_back(children[i].context);
    }
    children.clear();
  };

  collect(size);
  push_collected();
  while (!group_first.empty()) {
    const std::uint32_t first = group_first.back();
    group_first.pop_back();
    const auto group = static_cast<std::uint32_t>(grouping.representative.size());
    grouping.representative.push_back(members[first]);
    for (std::size_t i = first; i < members.size(); ++i) {
      grouping.group_of[members[i]] = group;
      collect(members[i]);
    }
    members.resize(first);
    push_collected();
  }
  return grouping;
}

}  // namespace bursar::profile
