// Folded stacks: whatever imports must export to text that imports to the same profile.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "export/folded.h"

namespace {

constexpr std::size_t kMostExported = 1 << 24;  // a deep stack exports to the square of its size

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const auto profile = bursar::exports::import_folded(input, "calls");
  if (!profile.ok()) {
    check(profile.error().message.find("line ") == 0 && profile.error().message.size() < 1000);
    return 0;
  }
  std::string text;
  bool complete = true;
  bursar::exports::export_folded({.profile = &profile.value(), .limits = {}, .name = ""}, [&](std::string_view piece) {
    complete = text.size() + piece.size() <= kMostExported;
    if (complete) text += piece;
    return complete;
  });
  if (!complete) return 0;
  const auto again = bursar::exports::import_folded(text, "calls");
  check(again.ok());
  check(again.value() == profile.value());
  return 0;
}
