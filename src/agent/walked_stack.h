// WalkedStack: the stack of a thread, walked again and again at a small cost.
//
// A walk that begins where the last one found much the same asks the VM for the topmost frames only, and takes the rest
// from then. The memory of the stack tells how far down nothing has changed: from the first word that has, to the
// thread's first, all return addresses and so all frames are what they were. How many frames lie above that word is
// found by fitting the topmost frames onto those of the last walk; where they fit in more than one way, or not at all,
// the VM is asked for everything. One for each thread. Runs in: app thread, its owner
#pragma once

#include <jvmti.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bursar::agent {

using FrameInfo = jvmtiFrameInfo;

// Where in `before` the last frames of `top` are: the number of the frame of `before` that follows them. Nothing if
// they are not there, or there more than once.
std::optional<std::size_t> find_rest(std::span<const FrameInfo> top, std::span<const FrameInfo> before);

class WalkedStack {
 public:
  static WalkedStack& of_this_thread();

  // All frames, the top first. `address`: of the stack, not below the frames that matter.
  std::span<const FrameInfo> walk(jvmtiEnv* jvmti, std::uint64_t address);

 private:
  // The lowest address above which the stack is as it was.
  std::uint64_t unchanged_from(std::uint64_t address) const;
  bool walk_top(jvmtiEnv* jvmti, std::uint64_t changed_bytes);
  void walk_all(jvmtiEnv* jvmti);
  void remember(std::uint64_t address);

  std::uint64_t end_ = 0;           // of the stack's memory; 0: not known yet
  std::uint64_t remembered_ = 0;    // where the memory that is kept began
  std::vector<std::uint8_t> kept_;  // up to the end
  std::vector<FrameInfo> frames_, top_;
};

}  // namespace bursar::agent
