// The word somebody probably meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bursar::cli {

// The candidate closest to `word` (insertions, deletions, replacements and swaps of neighbours), if it is close enough
// that a slip of the finger explains it: at most a third of its letters, and at least one.
std::optional<std::string> closest_word(std::string_view word, const std::vector<std::string>& candidates);

// " (did you mean X?)", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace bursar::cli
