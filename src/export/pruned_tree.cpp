#include "export/pruned_tree.h"

#include <algorithm>
#include <functional>
#include <string>

#include "export/frame_name.h"
#include "profile/saturating.h"

namespace bursar::exports {

namespace {

using profile::ContextId;
using profile::kNone;

// Subtrees of more than `least` are shown, and the first `ties` of exactly that.
struct Threshold {
  std::uint64_t least = 0;
  std::size_t ties = 0;
};

Threshold threshold_for(const Subtrees& subtrees, const TreeLimits& limits) {
  const std::uint64_t share = share_threshold(subtrees.sum, limits.min_share_percent);
  Threshold by_share{share, subtrees.total.size()};
  if (limits.max_contexts == 0 || subtrees.total.size() <= limits.max_contexts) return by_share;
  std::vector<std::uint64_t> totals = subtrees.total;
  const auto last = totals.begin() + static_cast<std::ptrdiff_t>(limits.max_contexts - 1);
  std::nth_element(totals.begin(), last, totals.end(), std::greater<>());
  if (*last < share) return by_share;
  const auto larger = std::count_if(totals.begin(), last, [&](std::uint64_t total) { return total > *last; });
  return {*last, limits.max_contexts - static_cast<std::size_t>(larger)};
}

class Pruner {
 public:
  Pruner(const profile::ProfileData& data, const TreeLimits& limits)
      : contexts_(data.contexts),
        subtrees_(subtrees_of(contexts_, contexts_.columns[limits.metric].value)),
        threshold_(threshold_for(subtrees_, limits)) {
    tree_.columns.resize(data.metrics.size());
    tree_.node_of.resize(contexts_.size());
  }

  PrunedTree run() {
    for (std::size_t id = 0; id < contexts_.size(); ++id) {
      close_down_to(contexts_.parent[id]);
      if (!shown(subtrees_.total[id])) {
        leave_out(id);
        id += subtrees_.size[id] - 1;
        continue;
      }
      const auto node = static_cast<std::uint32_t>(tree_.size());
      add(static_cast<ContextId>(id), open_.empty() ? kNone : open_.back().node, 0);
      for (std::size_t metric = 0; metric < tree_.columns.size(); ++metric) add_number(metric, id, node);
      tree_.node_of[id] = node;
      open_.push_back({node, static_cast<ContextId>(id), {}});
    }
    close_down_to(kNone);
    add_stand_in(kNone, left_out_roots_);
    return std::move(tree_);
  }

 private:
  struct Open {
    std::uint32_t node;
    ContextId context;
    std::vector<ContextId> left_out;  // the tops of the subtrees missing below it
  };

  bool shown(std::uint64_t total) {
    if (total != threshold_.least) return total > threshold_.least;
    if (threshold_.ties == 0) return false;
    --threshold_.ties;
    return true;
  }

  void add(ContextId context, std::uint32_t parent, std::uint32_t left_out) {
    tree_.context.push_back(context);
    tree_.parent.push_back(parent);
    tree_.left_out.push_back(left_out);
    for (std::size_t metric = 0; metric < tree_.columns.size(); ++metric) {
      tree_.columns[metric].value.push_back(0);
      if (!contexts_.columns[metric].variance.empty()) tree_.columns[metric].variance.push_back(0);
    }
  }

  void add_number(std::size_t metric, std::size_t context, std::size_t node) {
    const profile::Column& from = contexts_.columns[metric];
    profile::Column& to = tree_.columns[metric];
    to.value[node] = profile::saturating_add(to.value[node], from.value[context]);
    if (!from.variance.empty()) {
      to.variance[node] = profile::saturating_add(to.variance[node], from.variance[context]);
    }
  }

  void leave_out(std::size_t id) {
    (open_.empty() ? left_out_roots_ : open_.back().left_out).push_back(static_cast<ContextId>(id));
    tree_.pruned.contexts += subtrees_.size[id];
    tree_.pruned.amount = profile::saturating_add(tree_.pruned.amount, subtrees_.total[id]);
  }

  void close_down_to(ContextId parent) {
    while (!open_.empty() && open_.back().context != parent) {
      add_stand_in(open_.back().node, open_.back().left_out);
      open_.pop_back();
    }
  }

  void add_stand_in(std::uint32_t parent, const std::vector<ContextId>& tops) {
    if (tops.empty()) return;
    const auto node = static_cast<std::uint32_t>(tree_.size());
    std::uint32_t contexts = 0;
    for (const ContextId top : tops) contexts += subtrees_.size[top];
    add(kNone, parent, contexts);
    for (const ContextId top : tops) {
      for (std::size_t id = top; id < top + subtrees_.size[top]; ++id) {
        for (std::size_t metric = 0; metric < tree_.columns.size(); ++metric) add_number(metric, id, node);
        tree_.node_of[id] = node;
      }
    }
  }

  const profile::Contexts& contexts_;
  Subtrees subtrees_;
  Threshold threshold_;
  std::vector<Open> open_;  // the shown contexts above the one at hand
  std::vector<ContextId> left_out_roots_;
  PrunedTree tree_;
};

}  // namespace

PrunedTree prune(const profile::Profile& profile, const TreeLimits& limits) {
  return Pruner(profile.data(), limits).run();
}

std::vector<std::string> frame_names(const profile::ProfileData& data) {
  std::vector<std::string> names;
  names.reserve(data.methods.size());
  for (const profile::Method& method : data.methods) names.push_back(frame_name(method));
  return names;
}

std::vector<std::uint64_t> whole_numbers(const profile::Column& column, unsigned scale_log2) {
  if (scale_log2 == 0) return column.value;
  const std::uint64_t mask = (std::uint64_t{1} << scale_log2) - 1;
  std::uint64_t carried = std::uint64_t{1} << (scale_log2 - 1);
  std::vector<std::uint64_t> whole;
  whole.reserve(column.value.size());
  for (const std::uint64_t value : column.value) {
    carried += value & mask;
    whole.push_back((value >> scale_log2) + (carried >> scale_log2));
    carried &= mask;
  }
  return whole;
}

}  // namespace bursar::exports
