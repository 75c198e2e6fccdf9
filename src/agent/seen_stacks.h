// SeenStacks: what threads' stacks were when they were last walked, so that a walk can stop at what it has seen.
//
// The rule of identity: an activation is one of the last walk if its return address lies where it lay, and every word
// of the stack from its caller on is what it was. A call that returned leaves traces in its caller (a counter, a
// result, the place of the next call); one that was made again from the very same state is taken for the same. An
// object that the collector moved makes activations that refer to it new.
//
// The paper's marks in frames (Chilingarova 2006, 3.1.4) would need the VM's compilers; this needs a copy of the stack:
// its outer 512 KB, for the first kThreads desks. Each is its thread's own, written in its signal handler.
// Memory is mapped once, touched as deep as stacks are, and never given back.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "agent/frame_chain.h"
#include "agent/walk_queue.h"

namespace bursar::agent {

class SeenStacks {
 public:
  static constexpr std::uint32_t kThreads = 512;

  // What there is to know of a stack before its methods are asked for.
  struct Look {
    bool is_known = false;       // there are activations to compare and remember
    bool found = false;          // one of the last walk
    std::uint32_t depth = 0;     // of methods, with those of the activation that was found
    std::uint32_t unseen = 0;    // of them, those of activations inside it
    std::uint32_t outside = 0;   // methods outside of it, as in the last walk
    void* root = nullptr;        // its outermost method
    std::uint64_t sequence = 0;  // of that walk
    Address unchanged = 0;       // from here on
  };

  SeenStacks() = default;
  SeenStacks(const SeenStacks&) = delete;
  SeenStacks& operator=(const SeenStacks&) = delete;

  // False if there is no memory. May be called again.
  bool map();

  // Runs in: signal
  Look look(std::uint32_t desk, std::uint32_t thread, FrameChain chain, Address sp, Address base);
  // Behind look(), whose stack has these frames (of the last walk's those that are outside are not among them), and
  // `outside` more. Whether a later walk may refer to it.
  // Runs in: signal
  bool remember(const Look& look, std::uint32_t desk, const Walk& walk, std::uint32_t outside, Address sp,
                Address base);

 private:
  static constexpr std::size_t kWords = 65'536, kActivations = kMaxFrames;
  static constexpr Address kWord = 8;
  struct Seen {
    Address return_slot;
    void* root;
    std::uint32_t outside;  // methods
    std::uint32_t methods;
  };
  struct Memory {
    std::uint64_t sequence;  // 0: nothing is remembered
    std::uint32_t thread;
    std::uint32_t activations, found;
    Address low, base;                        // of the copy
    std::array<Seen, kActivations> seen;      // the outermost first
    std::array<Seen, kActivations> unseen;    // the innermost first; of the look
    std::array<std::uint64_t, kWords> words;  // from the base down
  };

  Memory* memory_of(std::uint32_t desk) const {
    return memories_ != nullptr && desk >= 1 && desk <= kThreads ? &memories_[desk - 1] : nullptr;
  }
  static bool is_unchanged(const Memory& memory, Address address);
  static Address unchanged_from(const Memory& memory, Address sp, Address base);

  Memory* memories_ = nullptr;
};

}  // namespace bursar::agent
