// WalkedStack: the stack of a thread, walked again and again at a small cost.
//
// A walk asks the VM for the innermost frames only, and takes the others from the last one: an activation is one of the
// last walk if its return address lies where it lay, and every word of the stack from there to its base is what it was.
// How many methods the VM has to be asked for follows from the chain of frames (frame_chain.h). Where that is not
// understood, the VM is asked for everything. One for each thread. Runs in: app thread, its owner
#pragma once

#include <jvmti.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "agent/frame_chain.h"

namespace bursar::agent {

using FrameInfo = jvmtiFrameInfo;

class WalkedStack {
 public:
  // Fills in the innermost frames, the innermost first; says how many there are.
  using Ask = std::function<std::size_t(std::span<FrameInfo>)>;

  // Where the thread left Java code, and the base of its stack.
  struct Place {
    Registers left;
    Address base = 0;
  };

  // How many of the outermost frames are those of the last walk. `place`: nothing if it is not known.
  std::size_t walk(const Ask& ask, const VmCode* code, const std::optional<Place>& place);
  // The outermost first.
  std::span<const FrameInfo> frames() const { return frames_; }
  void forget();

 private:
  struct Seen {
    Address return_slot;
    std::size_t outside;  // methods
  };

  bool walk_new(const Ask& ask, const VmCode& code, const Place& place, Address unchanged);
  void walk_all(const Ask& ask);
  void find_activations(const VmCode& code, const Place& place);
  // The lowest address from which on the stack is as it was.
  Address unchanged_from(const Place& place) const;
  void remember(const Place& place, Address unchanged);
  std::uint8_t* kept_at(Address address) { return kept_.data() + kept_.size() - (base_ - address); }
  const std::uint8_t* kept_at(Address address) const { return kept_.data() + kept_.size() - (base_ - address); }

  std::vector<FrameInfo> frames_, asked_;
  std::vector<Seen> seen_;          // the outermost first
  std::vector<Seen> new_;           // the innermost first
  std::vector<std::uint8_t> kept_;  // what the stack was, up to its base
  Address low_ = 0, base_ = 0;      // of what is kept of it; 0: nothing
};

}  // namespace bursar::agent
