// pprof's files: whatever imports must export to a file that imports with the same total.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "export/pprof.h"

namespace {

constexpr std::size_t kMostExported = 1 << 22;  // a deep stack exports to the square of its size

void check(bool holds) {
  if (!holds) std::abort();
}

// Nothing if it is too long to compare.
std::string exported(bursar::exports::Exporter format, const bursar::profile::Profile& profile) {
  std::string text;
  bool complete = true;
  format({.profile = &profile, .limits = {}, .name = ""}, [&](std::string_view piece) {
    complete = text.size() + piece.size() <= kMostExported;
    if (complete) text += piece;
    return complete;
  });
  return complete ? text : "";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const auto profile = bursar::exports::import_pprof(input);
  if (!profile.ok()) {
    check(!profile.error().message.empty());
    return 0;
  }
  std::uint64_t total = 0;
  for (const std::uint64_t value : profile.value()->contexts.columns[0].value) {
    if (value >= 1ULL << 62 || (total += value) >= 1ULL << 62) return 0;  // more than a signed number holds
  }
  if (profile.value()->contexts.size() > 2000) return 0;
  const auto again = bursar::exports::import_pprof(exported(bursar::exports::export_pprof, profile.value()));
  check(again.ok());
  std::uint64_t total_again = 0;
  for (const std::uint64_t value : again.value()->contexts.columns[0].value) total_again += value;
  check(total == total_again);
  return 0;
}
