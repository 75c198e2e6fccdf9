#include "agent/vm_code.h"

namespace bursar::agent {
namespace {

// JDK-8292758: from 20 on no byte of a number is 0.
constexpr int kFirstWithoutZeros = 20;

void read_heaps(VmStructures& vm, VmLayout& layout) {
  const Address array = vm.pointer("CodeCache", "_heaps");
  const std::uint64_t length = vm.offset("GrowableArrayBase", "_len"), data = vm.offset("GrowableArray<int>", "_data");
  const std::uint64_t low = vm.offset("VirtualSpace", "_low"), high = vm.offset("VirtualSpace", "_high");
  const std::uint64_t memory = vm.offset("CodeHeap", "_memory"), map = vm.offset("CodeHeap", "_segmap");
  layout.heap_low = memory + low;
  layout.heap_high = memory + high;
  layout.heap_map = map + low;
  layout.heap_log2_segment = vm.offset("CodeHeap", "_log2_segment_size");
  layout.block_used = vm.offset("HeapBlock::Header", "_used");
  layout.block_bytes = (layout.block_used + 8) / 8 * 8;
  if (!vm.complete() || array == 0) return;
  const std::int32_t heaps = load<std::int32_t>(array + length);
  const Address elements = load<Address>(array + data);
  for (std::int32_t i = 0; i < heaps && layout.heaps < VmLayout::kMostHeaps; ++i) {
    layout.heap[layout.heaps++] = load<Address>(elements + static_cast<std::uint64_t>(i) * sizeof(Address));
  }
}

void read_blobs(VmStructures& vm, VmLayout& layout) {
  layout.blob_name = vm.offset("CodeBlob", "_name");
  layout.blob_frame_words = vm.offset("CodeBlob", "_frame_size");
  layout.blob_frame_complete = vm.offset("CodeBlob", "_frame_complete_offset");
  layout.frame_complete_is_short = vm.type_of("CodeBlob", "_frame_complete_offset") == "int16_t";
  layout.code_is_offset = !vm.has("CodeBlob", "_code_begin");
  layout.blob_code = vm.offset("CodeBlob", layout.code_is_offset ? "_code_offset" : "_code_begin");
  layout.pcs_begin = vm.offset("nmethod", "_scopes_pcs_offset");
  layout.has_debug_data = vm.has("nmethod", "_immutable_data");
  if (layout.has_debug_data) {
    layout.debug_data = vm.offset("nmethod", "_immutable_data");
    layout.pcs_end = layout.scopes = vm.offset("nmethod", "_scopes_data_offset");
  } else {
    layout.pcs_end = vm.offset("nmethod", "_dependencies_offset");
    layout.scopes = vm.offset("CompiledMethod", "_scopes_data_begin");
  }
}

}  // namespace

std::optional<VmLayout> read_vm_layout(JavaVM* vm, int release) {
  std::optional<VmStructures> found = VmStructures::of(vm);
  if (!found) return std::nullopt;
  VmStructures& structures = *found;
  VmLayout layout;
  read_heaps(structures, layout);
  read_blobs(structures, layout);
  layout.unsigned5_excluded = release >= kFirstWithoutZeros ? 1 : 0;
  const std::uint64_t anchor = structures.offset("JavaThread", "_anchor");
  layout.thread_anchor_sp = anchor + structures.offset("JavaFrameAnchor", "_last_Java_sp");
  layout.thread_anchor_pc = anchor + structures.offset("JavaFrameAnchor", "_last_Java_pc");
  layout.thread_anchor_fp = anchor + structures.offset("JavaFrameAnchor", "_last_Java_fp");
  layout.thread_state = structures.offset("JavaThread", "_thread_state");
  layout.thread_stack_base = structures.offset("JavaThread", "_stack_base");
  const std::uint64_t buffer = structures.offset("StubQueue", "_stub_buffer");
  const std::uint64_t limit = structures.offset("StubQueue", "_buffer_limit");
  const Address queue = structures.pointer("AbstractInterpreter", "_code");
  if (!structures.complete() || queue == 0 || layout.heaps == 0) return std::nullopt;
  layout.interpreter_low = load<Address>(queue + buffer);
  layout.interpreter_high = layout.interpreter_low + static_cast<std::uint64_t>(load<std::int32_t>(queue + limit));
  return layout;
}

}  // namespace bursar::agent
