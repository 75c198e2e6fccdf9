#include <pthread.h>

#include <algorithm>
#include <cstring>

#include "agent/walked_stack.h"

namespace bursar::agent {
namespace {

constexpr std::size_t kDeepest = 4096;
// Of stacks larger than this no memory is kept.
constexpr std::uint64_t kMostKept = 128 << 10;
// So many frames have to fit.
constexpr std::size_t kFit = 8;
// A frame has about a hundred bytes; of those that are asked for, far more than need be shall lie above the change.
constexpr std::uint64_t kFewFrames = 12, kBytesPerFrame = 32;
constexpr std::uint64_t kBlock = 256;

bool same(const FrameInfo& a, const FrameInfo& b) {
  return a.method == b.method && a.location == b.location;
}

std::uint64_t end_of_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* low = nullptr;
  std::size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  return known ? reinterpret_cast<std::uint64_t>(low) + size : 0;
}

const std::uint8_t* bytes_at(std::uint64_t address) {
  return reinterpret_cast<const std::uint8_t*>(address);
}

}  // namespace

std::optional<std::size_t> find_rest(std::span<const FrameInfo> top, std::span<const FrameInfo> before) {
  if (top.size() < kFit || before.size() < kFit) return std::nullopt;
  const std::span<const FrameInfo> wanted = top.last(kFit);
  std::optional<std::size_t> rest;
  for (auto at = before.begin();; ++at) {
    at = std::search(at, before.end(), wanted.begin(), wanted.end(), same);
    if (at == before.end()) return rest;
    if (rest) return std::nullopt;
    rest = static_cast<std::size_t>(at - before.begin()) + kFit;
  }
}

WalkedStack& WalkedStack::of_this_thread() {
  thread_local WalkedStack stack;
  return stack;
}

std::span<const FrameInfo> WalkedStack::walk(jvmtiEnv* jvmti, std::uint64_t address) {
  if (end_ == 0) end_ = end_of_stack();
  if (address >= end_) {
    walk_all(jvmti);
    return frames_;
  }
  if (!walk_top(jvmti, unchanged_from(address) - address)) walk_all(jvmti);
  remember(address);
  return frames_;
}

std::uint64_t WalkedStack::unchanged_from(std::uint64_t address) const {
  const std::uint64_t lowest = std::max(address, remembered_);
  std::uint64_t from = end_;
  if (kept_.empty()) return from;
  const auto kept_at = [&](std::uint64_t at) { return kept_.data() + (at - remembered_); };
  while (from - lowest >= kBlock && std::memcmp(bytes_at(from - kBlock), kept_at(from - kBlock), kBlock) == 0)
    from -= kBlock;
  while (from - lowest >= 8 && std::memcmp(bytes_at(from - 8), kept_at(from - 8), 8) == 0) from -= 8;
  return from;
}

// False if everything has to be walked.
bool WalkedStack::walk_top(jvmtiEnv* jvmti, std::uint64_t changed_bytes) {
  const std::uint64_t wanted = kFewFrames + changed_bytes / kBytesPerFrame;
  if (frames_.empty() || 2 * wanted > frames_.size()) return false;
  top_.resize(wanted);
  jint count = 0;
  if (jvmti->GetStackTrace(nullptr, 0, static_cast<jint>(wanted), top_.data(), &count) != JVMTI_ERROR_NONE ||
      static_cast<std::uint64_t>(count) < wanted) {
    return false;
  }
  const auto rest = find_rest(top_, frames_);
  if (!rest) return false;
  top_.insert(top_.end(), frames_.begin() + static_cast<std::ptrdiff_t>(*rest), frames_.end());
  std::swap(top_, frames_);
  return true;
}

void WalkedStack::walk_all(jvmtiEnv* jvmti) {
  frames_.resize(kDeepest);
  jint count = 0;
  if (jvmti->GetStackTrace(nullptr, 0, static_cast<jint>(kDeepest), frames_.data(), &count) != JVMTI_ERROR_NONE) {
    count = 0;
  }
  frames_.resize(static_cast<std::size_t>(count));
}

void WalkedStack::remember(std::uint64_t address) {
  kept_.clear();
  if (end_ - address > kMostKept) return;
  remembered_ = address;
  kept_.assign(bytes_at(address), bytes_at(end_));
}

}  // namespace bursar::agent
