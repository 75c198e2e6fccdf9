#include "cli/option_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "cli/byte_size.h"
#include "cli/suggestion.h"
#include "cli/text.h"

namespace bursar::cli {

namespace {

template <class Number>
std::optional<Number> whole_text_as(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace

CLI::Validator percentage() {
  return {[](std::string& text) {
            const auto number = whole_text_as<double>(text);
            // The comparison is false for a NaN.
            const bool fits = number && *number >= 0 && *number <= 100;
            return fits ? "" : fmt::format("{} is not a percentage from 0 to 100", printable(text));
          },
          ""};
}

CLI::Validator growth_limit() {
  return {[](std::string& text) {
            if (text.ends_with('%')) text.pop_back();
            const auto number = whole_text_as<double>(text);
            const bool fits = number && *number >= 0 && *number <= 1e6;
            return fits ? "" : fmt::format("{} is not a percentage from 0 on, like 10%", printable(text));
          },
          ""};
}

CLI::Validator positive_number() {
  return {[](std::string& text) {
            const auto number = whole_text_as<std::uint32_t>(text);
            return number && *number > 0 ? "" : fmt::format("{} is not a number from 1 to 4294967295", printable(text));
          },
          ""};
}

CLI::Validator repetitions() {
  return {[](std::string& text) {
            const auto number = whole_text_as<std::uint32_t>(text);
            const bool fits = number && *number >= 2 && *number <= 100;
            return fits ? "" : fmt::format("{} is not a number from 2 to 100", printable(text));
          },
          ""};
}

CLI::Validator factor() {
  return {[](std::string& text) {
            const auto number = whole_text_as<double>(text);
            const bool fits = number && *number > 0 && *number <= 1e6;
            return fits ? "" : fmt::format("{} is not a number above 0, up to a million", printable(text));
          },
          ""};
}

CLI::Validator trace_size() {
  return {[](std::string& text) {
            constexpr std::uint64_t kLeast = 1 << 16;
            const auto bytes = parse_byte_size(text);
            return bytes && *bytes >= kLeast
                       ? ""
                       : fmt::format("{} is not a size from 64K on, such as 100M or 2G", printable(text));
          },
          ""};
}

CLI::Validator one_of(std::vector<std::string> words) {
  return {[words = std::move(words)](std::string& text) {
            if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
            std::string list;
            for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
            return fmt::format("{} is unknown{}; there is {}", printable(text), did_you_mean(text, words), list);
          },
          ""};
}

}  // namespace bursar::cli
