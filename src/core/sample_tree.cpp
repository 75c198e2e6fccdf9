#include "core/sample_tree.h"

#include <algorithm>

#include "core/gathering.h"

namespace bursar::core {
namespace {

void add_counts(CountTable& sum, const CountTable& counts) {
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const std::uint32_t to = sum.find_or_add(counts.key(row));
    if (to != CountTable::kNoRow) sum.add(to, counts.counts()[row]);
  }
}

void add_one(std::vector<std::uint64_t>& counts, std::uint32_t row) {
  if (row >= counts.size()) counts.resize(row + std::size_t{1});
  ++counts[row];
}

}  // namespace

void SampleTree::add(ThreadNumber thread, std::span<const Frame> stack, std::size_t unseen) {
  if (stack.empty()) return;
  // Samples in a row have most of their outer frames in common.
  std::size_t known = 0;
  while (known < stack.size() && known < last_.size() && last_[known].frame == stack[known]) ++known;
  last_.resize(known);
  for (const Frame& frame : stack.subspan(known)) {
    const profile::MethodId method = whole_.id_of(frame.method);
    const Row caller = last_.empty() ? profile::kNone : last_.back().context;
    last_.push_back({frame, method, whole_.context_of(caller, method, frame.site)});
  }
  ++samples_;
  const Step& end = last_.back();
  Counts& counts = living_[thread];
  whole_.count(counts.samples, end.context, 1);
  if (last_.size() > 1) whole_.count_edge(last_[last_.size() - 2].method, end.frame.site, end.method, 1);
  if (!has_activations_) return;
  for (std::size_t i = last_.size() - std::min(unseen, last_.size()); i < last_.size(); ++i) {
    const Step& step = last_[i];
    if (step.context == CountTable::kNoRow) continue;
    add_one(activations_, step.context);
    const std::uint32_t row = counts.activations.find_or_add({step.context, 0, 0});
    if (row != CountTable::kNoRow) counts.activations.add(row, 1);
    if (i == 0) continue;
    const Row edge = whole_.count_edge(last_[i - 1].method, step.frame.site, step.method, 0);
    if (edge != CountTable::kNoRow) add_one(edge_activations_, edge);
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
