#include "core/sample_tree.h"

#include "core/gathering.h"

namespace bursar::core {
namespace {

void add_to_name(GatheredContexts::ByThread& by_name, const std::string& name, const CountTable& counts) {
  const bool is_room = by_name.contains(name) || by_name.size() < kMaxThreads;
  CountTable& sum = by_name[is_room ? name : std::string(kOtherThreads)];
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const std::uint32_t to = sum.find_or_add(counts.key(row));
    if (to != CountTable::kNoRow) sum.add(to, counts.counts()[row]);
  }
}

void copy(const GatheredContexts::ByThread& from, GatheredContexts::ByThread& to) {
  for (const auto& [name, counts] : from) add_to_name(to, name, counts);
}

}  // namespace

void SampleTree::add(ThreadNumber thread, std::span<const Frame> stack) {
  if (stack.empty()) return;
  GatheredContexts::Row context = profile::kNone;
  profile::MethodId caller = profile::kNone, method = profile::kNone;
  for (const Frame& frame : stack) {
    caller = method;
    method = whole_.id_of(frame.method);
    context = whole_.context_of(context, method, frame.site);
  }
  ++samples_;
  whole_.count(living_[thread], context, 1);
  if (stack.size() > 1) whole_.count_edge(caller, stack.back().site, method, 1);
}

void SampleTree::close(ThreadNumber thread, const std::string& name) {
  const auto at = living_.find(thread);
  if (at == living_.end()) return;
  add_to_name(ended_, name, at->second);
  living_.erase(at);
}

profile::ProfileData SampleTree::to_profile(const ThreadNames& names) const {
  GatheredContexts::ByThread by_name;
  copy(ended_, by_name);
  for (const auto& [number, counts] : living_) {
    const auto name = names.find(number);
    add_to_name(by_name, name != names.end() ? name->second : "unnamed thread", counts);
  }
  return whole_.to_profile({profile::kSamples, "", profile::MetricKind::kSamples, 0}, by_name);
}

}  // namespace bursar::core
