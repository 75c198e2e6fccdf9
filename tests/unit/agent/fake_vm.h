// A VM's code and a thread's stack, as far as walks look at them: laid out by the test.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "agent/frame_chain.h"

namespace bursar::agent {

class FakeVm {
 public:
  static constexpr std::uint32_t kMostMethods = 5;
  static constexpr Address kCodeBytes = 256;

  FakeVm() : code_(1 << 16), map_(code_.size() / kSegment, 0xff), interpreter_(256) {
    heap_ = {address(code_.data()), address(code_.data()) + code_.size(), address(map_.data()), kLog2Segment};
    layout_.heap[0] = address(&heap_);
    layout_.heaps = 1;
    layout_.heap_low = offsetof(Heap, low);
    layout_.heap_high = offsetof(Heap, high);
    layout_.heap_map = offsetof(Heap, map);
    layout_.heap_log2_segment = offsetof(Heap, log2);
    layout_.block_used = 0;
    layout_.block_bytes = 8;
    layout_.blob_name = offsetof(Blob, name);
    layout_.blob_frame_words = offsetof(Blob, frame_words);
    layout_.blob_frame_complete = offsetof(Blob, frame_complete);
    layout_.blob_code = offsetof(Blob, code);
    layout_.pcs_begin = offsetof(Blob, pcs_begin);
    layout_.pcs_end = offsetof(Blob, pcs_end);
    layout_.scopes = offsetof(Blob, scopes);
    layout_.interpreter_low = address(interpreter_.data());
    layout_.interpreter_high = layout_.interpreter_low + interpreter_.size();
    // The scope at offset n has n methods: that of its caller is one before.
    for (std::uint8_t i = 0; i <= kMostMethods; ++i) scopes_[i] = i == 0 ? 0 : static_cast<std::uint8_t>(i - 1);
  }

  // Its code: at offset 16 * n, n from 1 to 5, lies a call at which n methods are inlined into each other.
  Address add_blob(const char* name, std::int32_t frame_words) {
    const std::size_t at = (next_ + kSegment - 1) / kSegment * kSegment;
    Blob blob{name, frame_words, 4, 0, address(scopes_), 0, 0, {}};
    const Address begin = address(code_.data()) + at + 8;
    blob.code = begin + sizeof(Blob);
    blob.pcs_begin = offsetof(Blob, pcs);
    blob.pcs_end = offsetof(Blob, pcs) + static_cast<std::int32_t>(sizeof blob.pcs);
    for (std::int32_t i = 1; i <= static_cast<std::int32_t>(kMostMethods); ++i) blob.pcs[i - 1] = {16 * i, i, 0, 0};
    code_[at] = 1;
    std::memcpy(&code_[at + 8], &blob, sizeof blob);
    next_ = at + 8 + sizeof(Blob) + kCodeBytes;
    for (std::size_t segment = at / kSegment, i = 0; segment <= (next_ - 1) / kSegment; ++segment, ++i) {
      map_[segment] = static_cast<std::uint8_t>(i);
    }
    return blob.code;
  }
  void free_blob(Address code) { code_[code - sizeof(Blob) - 8 - address(code_.data())] = 0; }

  Address interpreter() const { return layout_.interpreter_low + 32; }
  const VmLayout& layout() const { return layout_; }

  template <class T>
  static Address address(T* pointer) {
    return reinterpret_cast<Address>(pointer);
  }

 private:
  static constexpr std::size_t kSegment = 128;
  static constexpr std::int32_t kLog2Segment = 7;
  struct Heap {
    Address low = 0, high = 0, map = 0;
    std::int32_t log2 = 0;
  };
  struct PcDesc {
    std::int32_t pc_offset, scope, objects, flags;
  };
  struct Blob {
    const char* name;
    std::int32_t frame_words, frame_complete;
    Address code, scopes;
    std::int32_t pcs_begin, pcs_end;
    PcDesc pcs[kMostMethods];
  };

  std::vector<std::uint8_t> code_, map_, interpreter_;
  std::uint8_t scopes_[kMostMethods + 1] = {};
  Heap heap_;
  VmLayout layout_;
  std::size_t next_ = 0;
};

// A stack that the test pushes frames onto; it grows down.
class FakeStack {
 public:
  struct Frame {
    bool is_interpreted = false;
    Address return_slot = 0;
    Address sp = 0, fp = 0;  // of the caller
    Address caller = 0;      // where that one's words begin
  };

  explicit FakeStack(std::size_t words) : words_(words) { registers_.sp = base(); }

  Address base() const { return FakeVm::address(words_.data()) + words_.size() * sizeof(std::uint64_t); }
  std::uint64_t& word(Address at) { return words_[(at - FakeVm::address(words_.data())) / sizeof(std::uint64_t)]; }

  // The running frame calls from `pc`, and a compiled one of so many words begins.
  void call_compiled(Address pc, std::uint64_t frame_words, std::minstd_rand& random) {
    Frame frame{.sp = registers_.sp, .fp = registers_.fp};
    frame.return_slot = registers_.sp - 8;
    frame.caller = frame.return_slot - 8;
    const Address sp = registers_.sp - frame_words * 8;
    fill(sp, registers_.sp, random);
    word(frame.return_slot) = pc;
    word(frame.return_slot - 8) = registers_.fp;
    registers_.sp = sp;
    registers_.fp = random();
    frames_.push_back(frame);
  }
  // The same, for one of the interpreter with so many locals, of which the first were its caller's to give.
  void call_interpreted(Address pc, std::uint64_t locals, std::minstd_rand& random) {
    constexpr std::uint64_t kFixed = 10;
    Frame frame{.is_interpreted = true, .sp = registers_.sp, .fp = registers_.fp};
    const Address fp = registers_.sp - (locals + 2) * 8;
    const Address sp = fp - kFixed * 8;
    fill(sp, registers_.sp, random);
    frame.return_slot = fp + 8;
    word(fp + 8) = pc;
    word(fp) = registers_.fp;
    word(fp - 8) = registers_.sp;
    word(fp - 56) = registers_.sp - 8;  // its first local
    frame.caller = registers_.sp;
    registers_.sp = sp;
    registers_.fp = fp;
    frames_.push_back(frame);
  }
  void pop() {
    registers_.sp = frames_.back().sp;
    registers_.fp = frames_.back().fp;
    frames_.pop_back();
  }

  Registers at(Address pc) const { return {pc, registers_.sp, registers_.fp}; }
  const std::vector<Frame>& frames() const { return frames_; }

 private:
  void fill(Address from, Address to, std::minstd_rand& random) {
    for (Address at = from; at < to; at += 8) word(at) = random();
  }

  std::vector<std::uint64_t> words_;
  Registers registers_;
  std::vector<Frame> frames_;  // the outermost first
};

}  // namespace bursar::agent
