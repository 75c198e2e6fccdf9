// StackSlots: where signal handlers put down the stacks they walk, and who may touch which slot when.
//
// A slot belongs to one party at a time, and every hand-over is one atomic exchange of its word:
//
//   free ──claim── sent ──begin── walking ──end── filled ──drain── free
//                    └─────withdraw (the thread ends, or is gone)────┘
//
// The word holds the state and a generation, which grows whenever the slot becomes free. A ticket names a slot and its
// generation, so a signal that comes late finds that its ticket is worth nothing, whoever has the slot by then.
// Memory is mapped once, touched as deep as stacks are, and never given back: a signal may come at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

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
  std::uint32_t thread = 0;  // its number, from claim()
  Outcome outcome = Outcome::kStack;
  bool from_caller = false;  // the innermost frame is missing
  std::int32_t frames = 0;
  const void* env = nullptr;  // the thread's JNI environment
  std::uint64_t cpu_ns = 0;   // that the handler took
  // The innermost first; one more than is kept, to know whether there are more.
  std::array<RawFrame, kMaxFrames + 1> frame;
};

class StackSlots {
 public:
  static constexpr std::uint32_t kSlots = 256;
  using Ticket = std::uint64_t;  // 0 is none

  StackSlots() = default;
  StackSlots(const StackSlots&) = delete;
  StackSlots& operator=(const StackSlots&) = delete;

  // False if there is no memory. May be called again.
  bool map();

  // 0 if none is free.
  // Runs in: the ticker
  Ticket claim(std::uint32_t thread);
  // Its handler has not begun.
  // Runs in: any
  bool is_pending(Ticket ticket) const;
  // Frees the slot. False if its handler has begun: then the slot will be filled.
  // Runs in: any
  bool withdraw(Ticket ticket);
  // Null if the ticket is no longer worth anything.
  // Runs in: signal
  Walk* begin(Ticket ticket);
  // Runs in: signal, behind begin()
  void end(Ticket ticket);
  // Visits what is filled, and frees it.
  // Runs in: one thread at a time
  template <class Visit>
  void drain(Visit&& visit) {
    for (std::uint32_t i = 0; slots_ != nullptr && i < kSlots; ++i) {
      const std::uint64_t word = slots_[i].word.load(std::memory_order_acquire);
      if (state_of(word) != kFilled) continue;
      visit(static_cast<const Walk&>(slots_[i].walk));
      slots_[i].word.store(freed(word), std::memory_order_release);
    }
  }

 private:
  enum State : std::uint64_t { kFree, kSent, kWalking, kFilled };
  struct Slot {
    std::atomic<std::uint64_t> word;  // generation, state in the lowest two bits
    Walk walk;
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

  static constexpr std::uint64_t state_of(std::uint64_t word) { return word & 3; }
  static constexpr std::uint64_t freed(std::uint64_t word) { return ((word >> 2) + 1) << 2; }
  // The word that a slot has while its signal is on the way, and which slot that is.
  static constexpr Ticket ticket_of(std::uint64_t word, std::uint32_t slot) { return (word >> 2) << 16 | (slot + 1); }
  static constexpr std::uint64_t word_of(Ticket ticket) { return (ticket >> 16) << 2 | kSent; }
  Slot* slot_of(Ticket ticket) const;

  Slot* slots_ = nullptr;
  std::uint32_t next_ = 0;
};

}  // namespace bursar::agent
