// VmCode: which code of HotSpot's an address lies in, how large its frames are, and how many methods a place in
// compiled code stands for.
//
// By what the VM says about its own structures (gHotSpotVMStructs); VmLayout is where they are. It only reads: the
// table of code blocks and the blocks themselves, which stay mapped, and the debug information of compiled methods,
// which is there as long as one of them is on a stack. Whatever it does not understand is kUnknown.
// Runs in: signal
#pragma once

#include <jni.h>

#include <array>
#include <cstdint>
#include <optional>

#include "agent/vm_structures.h"

namespace bursar::agent {

// Offsets into the VM's structures, and addresses of what there is once.
struct VmLayout {
  static constexpr std::size_t kMostHeaps = 8;
  std::array<Address, kMostHeaps> heap{};  // CodeHeap*
  std::size_t heaps = 0;
  std::uint64_t heap_low = 0, heap_high = 0, heap_map = 0, heap_log2_segment = 0;
  std::uint64_t block_used = 0, block_bytes = 0;
  std::uint64_t blob_name = 0, blob_frame_words = 0, blob_frame_complete = 0;
  bool frame_complete_is_short = false;
  std::uint64_t blob_code = 0;  // where its code begins: an address, or an offset from the blob
  bool code_is_offset = false;
  // Debug information: offsets from the blob, or from what `debug_data` points to.
  bool has_debug_data = false;
  std::uint64_t debug_data = 0;
  std::uint64_t pcs_begin = 0, pcs_end = 0;
  std::uint64_t scopes = 0;  // an address, or with debug_data an offset
  unsigned unsigned5_excluded = 0;
  Address interpreter_low = 0, interpreter_high = 0;
  std::uint64_t thread_anchor_sp = 0, thread_anchor_pc = 0, thread_anchor_fp = 0, thread_stack_base = 0,
                thread_state = 0;
};

// Nothing if the VM does not say enough. `release`: 17, 21 …
// Runs in: any, once the VM is initialised
std::optional<VmLayout> read_vm_layout(JavaVM* vm, int release);

class VmCode {
 public:
  // kStub: of the VM's own, which stands for no method.
  enum class Kind : std::uint8_t { kUnknown, kInterpreter, kCompiled, kNative, kStub };
  struct Found {
    Kind kind = Kind::kUnknown;
    Address blob = 0, code = 0;
    std::uint64_t frame_bytes = 0;
    Address frame_made = 0;  // from here on the frame has been made
  };

  explicit VmCode(const VmLayout& layout) : layout_(layout) {}

  Found find(Address pc) const;
  // How many methods are inlined into each other at this place of compiled code, 0 if that is not known. A return
  // address is described exactly, what was interrupted by what comes next.
  std::uint32_t methods_at(const Found& code, Address pc, bool is_return_address) const;

  const VmLayout& layout() const { return layout_; }

 private:
  Address find_block(Address pc) const;

  const VmLayout layout_;
};

}  // namespace bursar::agent
