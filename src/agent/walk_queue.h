// WalkQueue: the walks of one thread that wait for the drainer: at most ten, with their frames.
//
// One party has it at a time (walk_exchange.h says who), so that nothing in it is atomic. It lies in memory that was
// mapped once and is touched as deep as stacks are; zeros are an empty queue.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace bursar::agent {

// As AsyncGetCallTrace lays them out.
struct RawFrame {
  std::int32_t bci;  // negative: not known, or native
  void* method;      // a jmethodID; null where the VM has made none
};
static_assert(sizeof(RawFrame) == 16);

inline constexpr std::uint32_t kMaxFrames = 2048;

// What one signal found.
struct Walk {
  enum class Outcome : std::uint8_t {
    kStack,    // `frames` is their number, or the VM's reason for having none
    kWaiting,  // the thread was waiting in the kernel: not running
    kNotJava,  // no thread of the VM's
  };
  std::uint32_t thread = 0;    // its number, from open()
  std::uint64_t sequence = 0;  // grows from walk to walk of a thread
  Outcome outcome = Outcome::kStack;
  bool from_caller = false;  // the innermost frame is missing
  // By their activations (SeenStacks): whether they could be compared with those of an earlier walk; how many of the
  // frames are of activations that it had not seen; how many further frames are as in it, and which walk it is.
  bool is_compared = false;
  bool is_checked = false;  // they were walked all the same, behind the first `stop` frames
  std::uint32_t unseen = 0, outside = 0, stop = 0;
  std::uint64_t last = 0;
  bool is_remembered = false;  // walks to come may refer to it
  std::int32_t frames = 0;
  const void* env = nullptr;  // the thread's JNI environment
  std::uint64_t cpu_ns = 0;   // that the handler took
  // The innermost first; one more than is kept where there are more.
  RawFrame* frame = nullptr;
};

class WalkQueue {
 public:
  static constexpr std::uint32_t kLength = 10;

  bool is_empty() const { return walks_ == 0; }
  bool is_full() const { return walks_ == kLength || kRoom - used_ <= kMaxFrames; }

  // Where the next walk goes, with room for kMaxFrames + 1 frames. The queue is not full.
  // Runs in: signal
  Walk& next() {
    Walk& walk = walk_[walks_];
    walk = Walk{};
    walk.frame = &frame_[used_];
    return walk;
  }
  // What next() gave is in the queue, with as many frames as it says.
  // Runs in: signal
  void keep() {
    const std::int32_t frames = walk_[walks_++].frames;
    if (frames > 0) used_ += static_cast<std::uint32_t>(frames);
  }

  std::span<const Walk> walks() const { return {walk_.data(), walks_}; }
  void clear() { walks_ = used_ = 0; }

 private:
  friend class WalkExchange;
  static constexpr std::uint32_t kRoom = 2 * (kMaxFrames + 1);

  WalkQueue* next_ = nullptr;     // in the list of full ones
  std::uint64_t generation_ = 0;  // of the desk that it was lent to
  std::uint32_t desk_ = 0;
  std::uint32_t walks_ = 0, used_ = 0;
  std::array<Walk, kLength> walk_;
  std::array<RawFrame, kRoom> frame_;
};

}  // namespace bursar::agent
