#include "agent/filter.h"

#include <algorithm>

namespace bursar::agent {

bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool Filter::wants(std::string_view class_name, std::string_view method) const {
  if (wants_everything()) return true;
  std::string cls(class_name);
  std::replace(cls.begin(), cls.end(), '/', '.');
  const std::string full = cls + "." + std::string(method);
  const auto any = [&](const std::vector<std::string>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return matches_pattern(pattern, cls) || matches_pattern(pattern, full);
    });
  };
  return (include_.empty() || any(include_)) && !any(exclude_);
}

}  // namespace bursar::agent
