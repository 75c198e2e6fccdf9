#include "agent/sample_recording.h"

#include <algorithm>
#include <array>
#include <utility>

#include "profile/class_name.h"

namespace bursar::agent {
namespace {

// Virtual threads come by the million: together they are one.
constexpr SampledThreads::Number kVirtualThreads = 0xffffffff;
// More ids than this are forgotten and asked for again: classes that come and go leave theirs behind.
constexpr std::size_t kMaxIds = 1'000'000;

// What AsyncGetCallTrace says, from 0 down (HotSpot's forte.cpp).
const char* reason(std::int32_t frames) {
  static constexpr std::array<const char*, 11> kReasons = {
      "walk-no-java-frame", "walk-no-class-load", "walk-gc-active",     "walk-unknown-native",
      "walk-broken-native", "walk-unknown-java",  "walk-broken-java",   "walk-unknown-state",
      "walk-thread-exit",   "walk-deoptimising",  "walk-at-a-safepoint"};
  const auto at = static_cast<std::size_t>(-frames);
  return at < kReasons.size() ? kReasons[at] : "walk-failed";
}

}  // namespace

SampleRecording::SampleRecording(const AgentOptions& options)
    : filter_(options.include, options.exclude),
      tree_(methods_, options.call_sites, options.max_contexts),
      unknown_stack_(add_pseudo("[unknown stack]")),
      truncated_(add_pseudo("[truncated stack]")),
      unknown_method_(add_pseudo("[unknown method]")) {}

core::MethodId SampleRecording::add_pseudo(const char* name) {
  return methods_.add({.name = name, .nature = core::MethodNature::kPseudo});
}

void SampleRecording::add(const Walk& walk, const Namer& namer) {
  threads_[walk.env] = walk.thread;
  stack_.clear();
  if (walk.frames <= 0) {
    ++dropped_[reason(walk.frames)];
    stack_.push_back({.method = unknown_stack_});
    return tree_.add(walk.thread, stack_);
  }
  auto frames = static_cast<std::uint32_t>(walk.frames);
  if (frames > kMaxFrames) {
    ++dropped_["truncated-stack"];
    frames = kMaxFrames;
    stack_.push_back({.method = truncated_});
  }
  SampledThreads::Number thread = walk.thread;
  std::uint32_t site = profile::kNoSite;  // in the innermost frame so far
  for (std::uint32_t i = frames; i-- > 0;) {
    const RawFrame& frame = walk.frame[i];
    const core::MethodId method = method_of(frame.method, namer);
    if (method == continuation_ && method != core::kNoMethod) {
      stack_.clear();  // what is below is the carrier's
      thread = kVirtualThreads;
      site = profile::kNoSite;
    }
    const core::Method& known = methods_[method];
    if (!filter_.wants_everything() && known.nature != core::MethodNature::kPseudo &&
        !filter_.wants(known.class_name, known.name)) {
      continue;
    }
    stack_.push_back({.method = method, .site = stack_.empty() ? profile::kNoSite : site});
    site = frame.bci >= 0 ? static_cast<std::uint32_t>(frame.bci) : profile::kNoSite;
  }
  if (stack_.empty()) {
    ++dropped_["nothing-included-on-the-stack"];
    return;
  }
  tree_.add(thread, stack_);
}

core::MethodId SampleRecording::method_of(void* id, const Namer& namer) {
  if (id == nullptr) return unknown_method_;
  if (const auto known = by_id_.find(id); known != by_id_.end()) return known->second;
  if (by_id_.size() >= kMaxIds) by_id_.clear();
  core::Method method = namer(id);
  if (method.name.empty()) {
    ++dropped_["method-unloaded"];
    return unknown_method_;
  }
  std::string class_name = method.class_name;
  std::replace(class_name.begin(), class_name.end(), '/', '.');
  const auto [at, is_new] = by_name_.try_emplace(
      {profile::normalised_class_name(class_name), method.name, method.descriptor}, core::kNoMethod);
  if (is_new) {
    const bool begins_virtual_thread = method.name == "enter" && method.class_name == "jdk/internal/vm/Continuation";
    at->second = methods_.add(std::move(method));
    if (at->second == core::kNoMethod) at->second = unknown_method_;
    if (begins_virtual_thread) continuation_ = at->second;
  }
  by_id_[id] = at->second;
  return at->second;
}

profile::ProfileData SampleRecording::to_profile(core::SampleTree::ThreadNames names) const {
  names[kVirtualThreads] = "virtual threads";
  profile::ProfileData data = tree_.to_profile(names);
  data.dropped = dropped_;
  return data;
}

}  // namespace bursar::agent
