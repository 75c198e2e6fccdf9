#include "cli/context_forest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/metric_weights.h"
#include "analysis/tree_totals.h"
#include "cli/suggestion.h"
#include "cli/text.h"
#include "export/frame_name.h"

namespace bursar::cli {

using profile::ContextId;
using profile::kNone;

namespace {

base::Error no_such_thread(const profile::ProfileData& data, const std::string& name) {
  if (data.threads.empty()) return {"the profile does not keep its threads apart"};
  constexpr std::size_t kNamed = 8;
  std::vector<std::string> names;
  std::string list;
  for (const profile::Thread& thread : data.threads) {
    if (names.size() < kNamed) list += (list.empty() ? "" : ", ") + printable(thread.name);
    names.push_back(thread.name);
  }
  if (names.size() > kNamed) list += fmt::format(" and {} more", names.size() - kNamed);
  return {fmt::format("no thread {}{}; there are {}", printable(name), did_you_mean(name, names), list)};
}

}  // namespace

base::Result<ContextForest> ContextForest::make(const profile::ProfileData& data, std::size_t metric,
                                                const ForestOptions& options) {
  ContextForest forest(data, options);
  if (const base::Status loaded = forest.load(metric); !loaded) return loaded.error();
  if (const base::Status selected = forest.select_wanted(); !selected) return selected.error();
  forest.link();
  return forest;
}

base::Status ContextForest::load(std::size_t metric) {
  const profile::Contexts& contexts = data_->contexts;
  const std::size_t size = contexts.size();
  if (options_.thread.empty()) {
    own_ = analysis::weights_of(contexts.columns[metric], data_->metrics[metric]);
    own_variance_ = analysis::variances_of(contexts.columns[metric], data_->metrics[metric]);
    present_.assign(size, 1);
  } else {
    const auto thread = std::find_if(data_->threads.begin(), data_->threads.end(),
                                     [this](const profile::Thread& t) { return t.name == options_.thread; });
    if (thread == data_->threads.end()) return no_such_thread(*data_, options_.thread);
    own_.assign(size, 0);
    own_variance_.assign(size, 0);
    present_.assign(size, 0);
    const std::vector<double> weights = analysis::weights_of(thread->columns[metric], data_->metrics[metric]);
    const std::vector<double> variances = analysis::variances_of(thread->columns[metric], data_->metrics[metric]);
    for (std::size_t i = 0; i < thread->context.size(); ++i) {
      own_[thread->context[i]] = weights[i];
      own_variance_[thread->context[i]] = variances[i];
      present_[thread->context[i]] = 1;
    }
    // A thread may name only contexts that have a number; what leads to them belongs to its tree all the same.
    for (std::size_t id = size; id-- > 0;) {
      if (present_[id] != 0 && contexts.parent[id] != kNone) present_[contexts.parent[id]] = 1;
    }
  }
  below_ = analysis::subtree_totals(contexts, own_);
  below_variance_ = analysis::subtree_totals(contexts, own_variance_);
  below_size_.assign(present_.begin(), present_.end());
  for (std::size_t id = size; id-- > 0;) {
    if (contexts.parent[id] == kNone) {
      total_ += below_[id];
    } else {
      below_size_[contexts.parent[id]] += below_size_[id];
    }
  }
  return base::Done{};
}

base::Status ContextForest::select_wanted() {
  const profile::Contexts& contexts = data_->contexts;
  threshold_ = total_ * options_.min_share_percent / 100;
  wanted_ = present_;
  if (options_.method.empty()) return base::Done{};

  std::vector<std::uint8_t> matches;
  matches.reserve(data_->methods.size());
  for (const profile::Method& method : data_->methods) {
    matches.push_back(exports::frame_name(method).find(options_.method) != std::string::npos);
  }
  std::vector<std::uint8_t> at_or_below_match(contexts.size(), 0);
  double matched = 0;
  bool any = false;
  for (std::size_t id = 0; id < contexts.size(); ++id) {
    const ContextId parent = contexts.parent[id];
    const bool below_match = parent != kNone && at_or_below_match[parent] != 0;
    const bool is_match = present_[id] != 0 && matches[contexts.method[id]] != 0;
    at_or_below_match[id] = below_match || is_match;
    if (is_match && !below_match) matched += below_[id];
    any = any || is_match;
    wanted_[id] = present_[id] != 0 && at_or_below_match[id] != 0;
  }
  if (!any)
    return base::Error{fmt::format("no context has a method with \"{}\" in its name", printable(options_.method))};
  for (std::size_t id = contexts.size(); id-- > 0;) {
    if (wanted_[id] != 0 && contexts.parent[id] != kNone) wanted_[contexts.parent[id]] = 1;
  }
  // Who asks for a method that is rare wants to see it: small is small among its own.
  threshold_ = matched * options_.min_share_percent / 100;
  return base::Done{};
}

void ContextForest::link() {
  const profile::Contexts& contexts = data_->contexts;
  first_child_.assign(contexts.size() + 1, kNone);
  next_sibling_.assign(contexts.size(), kNone);
  for (std::size_t id = contexts.size(); id-- > 0;) {
    const std::size_t parent = contexts.parent[id] == kNone ? contexts.size() : contexts.parent[id];
    next_sibling_[id] = first_child_[parent];
    first_child_[parent] = static_cast<ContextId>(id);
  }
}

analysis::Amount ContextForest::own(ContextId context) const {
  return {own_[context], std::sqrt(own_variance_[context])};
}

analysis::Amount ContextForest::subtree(ContextId context) const {
  return {below_[context], std::sqrt(below_variance_[context])};
}

// `context` is kNone for the roots.
ContextForest::Level ContextForest::level_below(ContextId context, std::size_t depth) const {
  Level level;
  const std::size_t parent = context == kNone ? data_->contexts.size() : context;
  for (ContextId child = first_child_[parent]; child != kNone; child = next_sibling_[child]) {
    if (present_[child] == 0) continue;
    const bool deep = options_.max_depth > 0 && depth >= options_.max_depth;
    if (!deep && wanted_[child] != 0 && below_[child] >= threshold_) {
      level.shown.push_back(child);
    } else {
      level.left_out += below_size_[child];
      level.left_out_amount += below_[child];
    }
  }
  std::stable_sort(level.shown.begin(), level.shown.end(),
                   [this](ContextId a, ContextId b) { return below_[a] > below_[b]; });
  return level;
}

void ContextForest::walk(const std::function<bool(const ForestRow&)>& visit) const {
  std::vector<Level> levels;
  std::vector<bool> open;
  levels.push_back(level_below(kNone, 0));
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.done()) {
      levels.pop_back();
      continue;
    }
    const std::size_t depth = levels.size() - 1;
    const bool is_rest = level.next == level.shown.size();
    const ContextId context = is_rest ? kNone : level.shown[level.next];
    ++level.next;
    open.resize(depth);
    open.push_back(!level.done());
    ForestRow row{.context = context, .depth = depth, .last = level.done(), .open = open};
    if (is_rest) {
      row.left_out = level.left_out;
      row.left_out_amount = level.left_out_amount;
    }
    if (!visit(row)) return;
    if (!is_rest) levels.push_back(level_below(context, depth + 1));
  }
}

}  // namespace bursar::cli
