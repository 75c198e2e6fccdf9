// Fuzzes the reader of profile files: any bytes give an error or a sound profile that survives a round trip.
//
// Checksums keep random bytes away from everything behind them, so each input is tried twice: as it is, and with its
// checksums, offsets and sizes made right.
#include <cstdlib>
#include <vector>

#include "forged_profile.h"
#include "profile/freeze.h"
#include "profile/profile_file.h"

namespace {

using namespace bursar;

void check(bool holds) {
  if (!holds) std::abort();
}

void try_decode(std::span<const std::uint8_t> bytes) {
  const base::Result<profile::Profile> profile = profile::decode(bytes);
  if (!profile) {
    check(!profile.error().message.empty());
    return;
  }
  check(profile::validate(profile->data()).empty());
  const std::vector<std::uint8_t> encoded = profile::encode(*profile);
  const base::Result<profile::Profile> again = profile::decode(encoded);
  check(again.ok());
  check(*again == *profile);
  check(profile::encode(*again) == encoded);
  check(profile::freeze(profile->data()).value() == *profile);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> bytes(data, data + size);
  try_decode(bytes);
  profile::reseal(bytes);
  try_decode(bytes);
  return 0;
}
