// Why a method was left unchanged. Every one is counted and shown to the user by its name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace bursar::classfile {

enum class SkipReason : std::uint8_t {
  kMalformedCode,      // code, exception table or descriptor that no JVM would accept
  kMalformedTable,     // a debug table or type annotation that cannot be followed
  kMalformedStackMap,  // a StackMapTable that cannot be followed
  kMissingFrame,       // a jump target without the frame that its class-file version demands
  kUnknownAttribute,   // a Code attribute we do not know: it may hold positions
  kTooComplex,         // frames, exception edges or subroutine returns beyond our bounds on memory
  kCodeTooLarge,       // would exceed 65,535 bytes
  kOverCompileLimit,   // would cross the size above which HotSpot never compiles
  kJumpOutOfReach,     // a conditional jump that outgrew 16 bits with no place for a stepping stone
  kConstantPoolFull,
  kTableFull,  // locals, stack, exception or line table beyond what 16 bits can count
  kBadProbe,   // a probe that does not leave the stack as it found it
};

inline constexpr std::array<std::string_view, 12> kSkipReasonNames = {
    "malformed-code",    "malformed-table",    "malformed-stack-map", "missing-frame",
    "unknown-attribute", "too-complex",        "code-too-large",      "over-compile-limit",
    "jump-out-of-reach", "constant-pool-full", "table-full",          "bad-probe",
};

constexpr std::string_view name(SkipReason reason) {
  return kSkipReasonNames[static_cast<std::size_t>(reason)];
}

}  // namespace bursar::classfile
