// Text and numbers as they stand in the attributes of a Call Context Map in XML.
//
// XML cannot hold every character, and what it reads in attributes it may change (tabs, line ends). So in names control
// characters, what XML forbids and bytes that are no UTF-8 are written \x1b, and a backslash \\.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "profile/profile.h"

namespace bursar::exports {

// With quotes, angle brackets and ampersands as entities.
std::string attribute_text(std::string_view name);
// What an XML parser read; nothing if a backslash begins neither \\ nor \xNN.
std::optional<std::string> name_of_attribute(std::string_view text);

std::string decimal(profile::Uint128 number);
// Digits only, no leading zero, at most `largest`.
std::optional<profile::Uint128> parse_decimal(std::string_view text, profile::Uint128 largest);

}  // namespace bursar::exports
