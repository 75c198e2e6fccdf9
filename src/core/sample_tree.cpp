#include "core/sample_tree.h"

#include <algorithm>
#include <utility>

#include "core/gathering.h"

namespace bursar::core {
namespace {

void add_counts(CountTable& sum, const CountTable& counts) {
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const std::uint32_t to = sum.find_or_add(counts.key(row));
    if (to != CountTable::kNoRow) sum.add(to, counts.counts()[row]);
  }
}

void add_to(std::vector<std::uint64_t>& counts, std::uint32_t row, std::uint64_t more) {
  if (row >= counts.size()) counts.resize(row + std::size_t{1});
  counts[row] += more;
}

// What a sample adds, so that there is something to halve.
constexpr std::uint64_t kHeat = 1 << 16;

// Of contexts that are elsewhere now.
CountTable moved(const CountTable& counts, const std::vector<std::uint32_t>& now) {
  CountTable result;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const std::uint32_t to = result.find_or_add({now[counts.key(row)[0]], 0, 0});
    if (to != CountTable::kNoRow) result.add(to, counts.counts()[row]);
  }
  return result;
}

}  // namespace

void SampleTree::add(ThreadNumber thread, std::span<const Frame> stack, std::size_t unseen) {
  if (stack.empty()) return;
  // Samples in a row have most of their outer frames in common.
  std::size_t known = 0;
  while (known < stack.size() && known < last_.size() && last_[known].frame == stack[known]) ++known;
  if (!has_room_for(stack, known)) {
    forget_cold();
    known = 0;
  }
  last_.resize(known);
  for (const Frame& frame : stack.subspan(known)) {
    const profile::MethodId method = whole_.id_of(frame.method);
    const Row caller = last_.empty() ? profile::kNone : last_.back().context;
    last_.push_back({frame, method, whole_.context_of(caller, method, frame.site)});
  }
  ++samples_;
  const Step& end = last_.back();
  Counts& counts = living_[thread];
  if (end.context == CountTable::kNoRow) {
    ++lost_;
  } else {
    whole_.count(counts.samples, end.context, 1);
    add_to(heat_, end.context, kHeat);
  }
  if (last_.size() > 1) whole_.count_edge(last_[last_.size() - 2].method, end.frame.site, end.method, 1);
  if (!has_activations_) return;
  for (std::size_t i = last_.size() - std::min(unseen, last_.size()); i < last_.size(); ++i) {
    const Step& step = last_[i];
    if (step.context == CountTable::kNoRow) continue;
    add_to(activations_, step.context, 1);
    const std::uint32_t row = counts.activations.find_or_add({step.context, 0, 0});
    if (row != CountTable::kNoRow) counts.activations.add(row, 1);
    if (i == 0) continue;
    const Row edge = whole_.count_edge(last_[i - 1].method, step.frame.site, step.method, 0);
    if (edge != CountTable::kNoRow) add_to(edge_activations_, edge, 1);
  }
}

bool SampleTree::has_room_for(std::span<const Frame> stack, std::size_t known) {
  if (stack.size() - known <= whole_.room() || stack.size() > whole_.limit() / 2) return true;
  Row context = known > 0 ? last_[known - 1].context : profile::kNone;
  for (; known < stack.size(); ++known) {
    context = whole_.find_context(context, whole_.id_of(stack[known].method), stack[known].site);
    if (context == CountTable::kNoRow) return stack.size() - known <= whole_.room();
  }
  return true;
}

void SampleTree::forget_cold() {
  const std::uint64_t before = whole_.limit() - whole_.room();
  heat_.resize(std::max<std::size_t>(heat_.size(), before));
  const std::vector<Row> now = whole_.keep_hottest(heat_, whole_.limit() / 2);
  last_.clear();
  if (now.empty()) return;
  forgotten_ += before - (whole_.limit() - whole_.room());
  const auto move_all = [&](std::vector<std::uint64_t>& counts, bool halves) {
    std::vector<std::uint64_t> rest;
    for (std::size_t row = 0; row < counts.size(); ++row)
      add_to(rest, now[row], halves ? counts[row] / 2 : counts[row]);
    counts = std::move(rest);
  };
  move_all(heat_, true);
  move_all(activations_, false);
  for (auto& [thread, counts] : living_) counts = {moved(counts.samples, now), moved(counts.activations, now)};
  for (auto* const ended : {&ended_.samples, &ended_.activations}) {
    for (auto& [name, counts] : *ended) counts = moved(counts, now);
  }
}

void SampleTree::ByName::add(const std::string& name, const Counts& counts) {
  const bool is_room = samples.contains(name) || samples.size() < kMaxThreads;
  const std::string& to = is_room ? name : std::string(kOtherThreads);
  add_counts(samples[to], counts.samples);
  add_counts(activations[to], counts.activations);
}

void SampleTree::close(ThreadNumber thread, const std::string& name) {
  const auto at = living_.find(thread);
  if (at == living_.end()) return;
  ended_.add(name, at->second);
  living_.erase(at);
}

profile::ProfileData SampleTree::to_profile(const ThreadNames& names) const {
  ByName by_name;
  for (const auto& [name, counts] : ended_.samples) add_counts(by_name.samples[name], counts);
  for (const auto& [name, counts] : ended_.activations) add_counts(by_name.activations[name], counts);
  for (const auto& [number, counts] : living_) {
    const auto name = names.find(number);
    by_name.add(name != names.end() ? name->second : "unnamed thread", counts);
  }
  profile::ProfileData data =
      whole_.to_profile({profile::kSamples, "", profile::MetricKind::kSamples, 0}, by_name.samples);
  if (has_activations_) add_activations(data, by_name);
  return data;
}

void SampleTree::add_activations(profile::ProfileData& data, const ByName& by_name) const {
  const auto add_column = [](std::vector<profile::Column>& columns, std::vector<std::uint64_t> values) {
    values.resize(columns[0].value.size());
    columns.push_back({std::move(values), {}});
  };
  data.metrics.push_back({profile::kActivations, "", profile::MetricKind::kSamples, 0});
  add_column(data.contexts.columns, activations_);
  add_column(data.edges.columns, edge_activations_);
  for (profile::Thread& thread : data.threads) {
    const CountTable& samples = by_name.samples.find(thread.name)->second;
    const CountTable& activations = by_name.activations.find(thread.name)->second;
    std::vector<std::uint64_t> values(thread.context.size());
    for (std::size_t row = 0; row < activations.size(); ++row) {
      const CountTable::Key key = activations.key(row);
      const std::uint32_t at = samples.find(key);
      if (at != CountTable::kNoRow) {
        values[at] = activations.counts()[row];
        continue;
      }
      thread.context.push_back(key[0]);
      thread.columns[0].value.push_back(0);
      values.push_back(activations.counts()[row]);
    }
    thread.columns.push_back({std::move(values), {}});
  }
}

}  // namespace bursar::core
