#include "agent/sample_recording.h"

#include <algorithm>
#include <array>
#include <utility>

namespace bursar::agent {
namespace {

// Virtual threads come by the million: together they are one.
constexpr SampledThreads::Number kVirtualThreads = 0xffffffff;

// What AsyncGetCallTrace says, from 0 down (HotSpot's forte.cpp), and the frame that stands for such a stack.
struct Failure {
  const char* reason;
  const char* frame;
};
const Failure& failure(std::int32_t frames) {
  static constexpr std::array<Failure, 12> kFailures = {{{"walk-no-java-frame", "[no Java frame]"},
                                                         {"walk-no-class-load", "[no class load events]"},
                                                         {"walk-gc-active", "[garbage collection]"},
                                                         {"walk-unknown-native", "[unknown caller of VM code]"},
                                                         {"walk-broken-native", "[broken caller of VM code]"},
                                                         {"walk-unknown-java", "[unknown Java stack]"},
                                                         {"walk-broken-java", "[broken Java stack]"},
                                                         {"walk-unknown-state", "[unknown thread state]"},
                                                         {"walk-thread-exit", "[thread at its end]"},
                                                         {"walk-deoptimising", "[deoptimisation]"},
                                                         {"walk-at-a-safepoint", "[safepoint]"},
                                                         {"walk-failed", "[failed walk]"}}};
  const auto at = static_cast<std::size_t>(-frames);
  return kFailures[std::min(at, kFailures.size() - 1)];
}

}  // namespace

SampleRecording::SampleRecording(const AgentOptions& options)
    : filter_(options.include, options.exclude),
      walks_(options.walks),
      tree_(methods_.table(), options.call_sites, options.max_contexts, options.walks != SampleWalks::kFull),
      truncated_(methods_.add_pseudo("[truncated stack]")) {}

core::MethodId SampleRecording::failed(std::int32_t reason) {
  const char* const frame = failure(reason).frame;
  const auto [at, is_new] = failed_.try_emplace(frame, core::kNoMethod);
  if (is_new) at->second = methods_.add_pseudo(frame);
  return at->second;
}

void SampleRecording::close(SampledThreads::Number thread, const std::string& name) {
  last_.erase(thread);
  tree_.close(thread, name);
}

// It was walked to its end, and should be what the earlier walk has there.
void SampleRecording::check(const Walk& walk, const std::vector<RawFrame>& last) {
  ++activations_.checked;
  const std::size_t frames = static_cast<std::size_t>(walk.frames), outside = walk.outside;
  const auto same = [](const RawFrame& a, const RawFrame& b) { return a.method == b.method && a.bci == b.bci; };
  if (frames != walk.stop + outside ||
      !std::equal(last.end() - static_cast<std::ptrdiff_t>(outside), last.end(), walk.frame + walk.stop, same)) {
    ++activations_.false_matches;
  }
}

// An activation of compiled code may stand for several methods, of which the outer ones are still at the call they were
// at, and the inner ones are others now.
std::size_t SampleRecording::unseen_frames(const Walk& walk, const std::vector<RawFrame>& last) {
  std::size_t now = walk.stop, then = last.size() - walk.outside;
  if (now == 0 || then == 0) return walk.unseen;
  for (--now, --then; now > walk.unseen && then > 0; --now, --then) {
    if (walk.frame[now].bci != last[then].bci || walk.frame[now - 1].method != last[then - 1].method) break;
  }
  return now;
}

std::optional<std::span<const RawFrame>> SampleRecording::whole_stack(const Walk& walk) {
  const std::span<const RawFrame> walked(walk.frame, static_cast<std::size_t>(walk.frames));
  activations_.frames_walked += walked.size();
  unseen_ = walk.is_compared ? walk.unseen : 0;
  if (!walk.is_compared && walk.stop == 0) return walked;
  Last& last = last_[walk.thread];
  composed_.assign(walked.begin(), walked.end());
  if (walk.stop != 0) {
    const bool is_there = last.sequence == walk.last && last.stack.size() >= walk.outside;
    if (is_there) unseen_ = unseen_frames(walk, last.stack);
    if (walk.is_checked) {
      if (is_there) check(walk, last.stack);
    } else if (!is_there) {
      last.sequence = 0;
      return std::nullopt;
    } else {
      ++activations_.stopped;
      activations_.frames_not_walked += walk.outside;
      composed_.insert(composed_.end(), last.stack.end() - static_cast<std::ptrdiff_t>(walk.outside), last.stack.end());
    }
  }
  if (walk.is_remembered) {
    last.sequence = walk.sequence;
    last.stack = composed_;
  }
  return composed_;
}

std::optional<bool> SampleRecording::add(const Walk& walk, const Namer& namer) {
  threads_[walk.env] = walk.thread;
  stack_.clear();
  if (walk.frames <= 0) {
    ++dropped_[failure(walk.frames).reason];
    stack_.push_back({.method = failed(walk.frames)});
    tree_.add(walk.thread, stack_);
    return std::nullopt;
  }
  const auto whole = whole_stack(walk);
  const std::span<const RawFrame> raw =
      whole.value_or(std::span<const RawFrame>(walk.frame, static_cast<std::size_t>(walk.frames)));
  std::size_t frames = raw.size();
  if (!whole || frames > kMaxFrames) {
    ++dropped_[whole ? "truncated-stack" : "outer-frames-lost"];
    frames = std::min<std::size_t>(frames, kMaxFrames);
    stack_.push_back({.method = truncated_});
  }
  std::optional<bool> top_was_seen;
  if (walk.is_compared) {
    top_was_seen = unseen_ == 0;
    ++activations_.compared;
    if (*top_was_seen) ++activations_.tops_seen;
  }
  const std::size_t unseen = std::min(unseen_, frames);
  std::size_t unseen_from = 0;  // on the stack so far, if one of them is
  SampledThreads::Number thread = walk.thread;
  std::uint32_t site = profile::kNoSite;  // in the innermost frame so far
  for (std::size_t i = frames; i-- > 0;) {
    const RawFrame& frame = raw[i];
    if (i + 1 == unseen) unseen_from = stack_.size();
    const core::MethodId method = methods_.id_of(frame.method, namer);
    if (method == methods_.continuation() && method != core::kNoMethod) {
      stack_.clear();  // what is below is the carrier's
      unseen_from = 0;
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
    return top_was_seen;
  }
  tree_.add(thread, stack_, unseen > 0 ? stack_.size() - unseen_from : 0);
  return top_was_seen;
}

profile::ProfileData SampleRecording::to_profile(core::SampleTree::ThreadNames names) const {
  names[kVirtualThreads] = "virtual threads";
  profile::ProfileData data = tree_.to_profile(names);
  data.dropped = dropped_;
  const std::pair<const char*, std::uint64_t> losses[] = {
      {"method-unloaded", methods_.unloaded()}, {"contexts-forgotten", tree_.forgotten()}, {"no-memory", tree_.lost()}};
  for (const auto& [reason, count] : losses) {
    if (count > 0) data.dropped[reason] = count;
  }
  if (walks_ != SampleWalks::kFull) add_activations(data);
  return data;
}

void SampleRecording::add_activations(profile::ProfileData& data) const {
  data.counters["stacks_compared"] = activations_.compared;
  data.counters["innermost_activations_seen"] = activations_.tops_seen;
  data.counters["walks_stopped"] = activations_.stopped;
  data.counters["frames_walked"] = activations_.frames_walked;
  data.counters["frames_not_walked"] = activations_.frames_not_walked;
  if (walks_ != SampleWalks::kCheck) return;
  data.counters["walks_checked"] = activations_.checked;
  data.counters["false_matches"] = activations_.false_matches;
}

}  // namespace bursar::agent
