#include "core/sample_tree.h"

#include "core/gathering.h"

namespace bursar::core {
namespace {

void add_counts(CountTable& sum, const CountTable& counts) {
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const std::uint32_t to = sum.find_or_add(counts.key(row));
    if (to != CountTable::kNoRow) sum.add(to, counts.counts()[row]);
  }
}

void add_to_name(GatheredContexts::ByThread& by_name, const std::string& name, const CountTable& counts) {
  const bool is_room = by_name.contains(name) || by_name.size() < kMaxThreads;
  add_counts(by_name[is_room ? name : std::string(kOtherThreads)], counts);
}

}  // namespace

void SampleTree::add(ThreadNumber thread, std::span<const Frame> stack) {
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
  whole_.count(living_[thread], end.context, 1);
  if (last_.size() > 1) whole_.count_edge(last_[last_.size() - 2].method, end.frame.site, end.method, 1);
}

void SampleTree::close(ThreadNumber thread, const std::string& name) {
  const auto at = living_.find(thread);
  if (at == living_.end()) return;
  add_to_name(ended_, name, at->second);
  living_.erase(at);
}

profile::ProfileData SampleTree::to_profile(const ThreadNames& names) const {
  GatheredContexts::ByThread by_name;
  for (const auto& [name, counts] : ended_) add_counts(by_name[name], counts);
  for (const auto& [number, counts] : living_) {
    const auto name = names.find(number);
    add_to_name(by_name, name != names.end() ? name->second : "unnamed thread", counts);
  }
  return whole_.to_profile({profile::kSamples, "", profile::MetricKind::kSamples, 0}, by_name);
}

}  // namespace bursar::core
