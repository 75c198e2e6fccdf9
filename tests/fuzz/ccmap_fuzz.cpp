// Maps as XML: whatever is read must be written as a text that is read as the same, and gives a sound profile or an
// error.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "export/ccmap_xml.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

std::string written(const bursar::exports::NamedMap& map) {
  std::string text;
  check(bursar::exports::write_ccmap_xml(map, [&](std::string_view piece) {
    text += piece;
    return true;
  }));
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const auto map = bursar::exports::read_ccmap_xml(input);
  if (!map.ok()) {
    check(!map.error().message.empty());
    return 0;
  }
  const std::string text = written(map.value());
  const auto again = bursar::exports::read_ccmap_xml(text);
  check(again.ok());
  check(written(again.value()) == text);
  const auto profile = bursar::exports::profile_of(map.value());
  if (!profile.ok()) check(!profile.error().message.empty());
  return 0;
}
