#include "agent/vm_code.h"

#include <algorithm>

namespace bursar::agent {
namespace {

struct PcDesc {
  std::int32_t pc_offset, scope, objects, flags;
};
static_assert(sizeof(PcDesc) == 16);

// So many methods in a row are not inlined: something was misread.
constexpr std::uint32_t kMostInlined = 256;
constexpr std::uint64_t kWord = 8;

bool is(Address text, const char* word) {
  for (; *word != '\0'; ++word, ++text) {
    if (load<char>(text) != *word) return false;
  }
  return load<char>(text) == '\0';
}

// HotSpot's UNSIGNED5.
std::uint32_t read_unsigned5(Address at, unsigned excluded) {
  constexpr unsigned kHigh = 64, kBits = 6, kMostBytes = 5;
  const unsigned low = 256 - excluded - kHigh;
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < kMostBytes; ++i) {
    const unsigned byte = load<std::uint8_t>(at + i);
    sum += (byte - excluded) << (i * kBits);
    if (byte - excluded < low) break;
  }
  return sum;
}

}  // namespace

Address VmCode::find_block(Address pc) const {
  constexpr std::uint8_t kFreeSegment = 0xff;
  for (std::size_t i = 0; i < layout_.heaps; ++i) {
    const Address heap = layout_.heap[i], low = load<Address>(heap + layout_.heap_low);
    if (pc < low || pc >= load<Address>(heap + layout_.heap_high)) continue;
    const Address map = load<Address>(heap + layout_.heap_map);
    const int log2_segment = load<std::int32_t>(heap + layout_.heap_log2_segment);
    std::uint64_t segment = (pc - low) >> log2_segment;
    if (load<std::uint8_t>(map + segment) == kFreeSegment) return 0;
    while (const std::uint8_t back = load<std::uint8_t>(map + segment)) {
      if (back == kFreeSegment || back > segment) return 0;
      segment -= back;
    }
    const Address block = low + (segment << log2_segment);
    return load<std::uint8_t>(block + layout_.block_used) == 1 ? block + layout_.block_bytes : 0;
  }
  return 0;
}

VmCode::Found VmCode::find(Address pc) const {
  if (pc >= layout_.interpreter_low && pc < layout_.interpreter_high) return {.kind = Kind::kInterpreter};
  const Address blob = find_block(pc);
  if (blob == 0) return {};
  const std::int32_t words = load<std::int32_t>(blob + layout_.blob_frame_words);
  const Address name = load<Address>(blob + layout_.blob_name);
  if (words < 0 || name == 0) return {};
  Found found{.kind = Kind::kStub, .blob = blob, .frame_bytes = static_cast<std::uint64_t>(words) * kWord};
  if (is(name, "nmethod")) found.kind = Kind::kCompiled;
  if (is(name, "native nmethod")) found.kind = Kind::kNative;
  found.code = layout_.code_is_offset ? blob + static_cast<std::uint64_t>(load<std::int32_t>(blob + layout_.blob_code))
                                      : load<Address>(blob + layout_.blob_code);
  const std::int64_t complete = layout_.frame_complete_is_short
                                    ? load<std::int16_t>(blob + layout_.blob_frame_complete)
                                    : load<std::int32_t>(blob + layout_.blob_frame_complete);
  found.frame_made = complete >= 0 ? found.code + static_cast<std::uint64_t>(complete) : ~Address{0};
  return found;
}

std::uint32_t VmCode::methods_at(const Found& code, Address pc, bool is_return_address) const {
  if (code.kind == Kind::kInterpreter || code.kind == Kind::kNative) return 1;
  if (code.kind != Kind::kCompiled || pc < code.code) return 0;
  const Address base = layout_.has_debug_data ? load<Address>(code.blob + layout_.debug_data) : code.blob;
  if (base == 0) return 0;
  const auto offset = [&](std::uint64_t field) {
    return base + static_cast<std::uint64_t>(load<std::int32_t>(code.blob + field));
  };
  const auto* const first = reinterpret_cast<const PcDesc*>(offset(layout_.pcs_begin));  // NOLINT
  const auto* const end = reinterpret_cast<const PcDesc*>(offset(layout_.pcs_end));      // NOLINT
  if (first >= end) return 0;
  const auto wanted = static_cast<std::int32_t>(pc - code.code);
  const PcDesc* const at = std::lower_bound(
      first, end, wanted, [](const PcDesc& desc, std::int32_t pc_offset) { return desc.pc_offset < pc_offset; });
  if (at == end || (is_return_address && at->pc_offset != wanted)) return 0;
  const Address scopes = layout_.has_debug_data ? offset(layout_.scopes) : load<Address>(code.blob + layout_.scopes);
  std::uint32_t methods = 0;
  for (auto scope = static_cast<std::uint32_t>(at->scope); scope != 0; ++methods) {
    if (methods == kMostInlined) return 0;
    scope = read_unsigned5(scopes + scope, layout_.unsigned5_excluded);  // the caller's comes first
  }
  return methods;
}

}  // namespace bursar::agent
