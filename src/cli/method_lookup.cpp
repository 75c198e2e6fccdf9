#include "cli/method_lookup.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "cli/suggestion.h"
#include "cli/text.h"
#include "export/frame_name.h"

namespace bursar::cli {

namespace {

using profile::MethodId;

constexpr std::size_t kShown = 8;

// Whether `name` is `text` from some part of it on.
bool ends_with_part(std::string_view name, std::string_view text) {
  if (!name.ends_with(text)) return false;
  if (name.size() == text.size()) return true;
  const char before = name[name.size() - text.size() - 1];
  return before == '.' || before == '$' || before == '/';
}

std::string list_of(const MethodNames& names, const std::vector<MethodId>& methods) {
  std::string list;
  for (std::size_t i = 0; i < methods.size() && i < kShown; ++i) {
    list += (i == 0 ? "" : ", ") + names.full(methods[i]);
  }
  return methods.size() > kShown ? fmt::format("{} and {} more", list, methods.size() - kShown) : list;
}

base::Error not_found(const profile::ProfileData& data, const MethodNames& names, const std::string& text) {
  if (text.empty()) return {"the name of a method is empty"};
  std::vector<MethodId> holding;
  std::vector<std::string> words;
  for (MethodId method = 0; method < data.methods.size(); ++method) {
    if (names.full(method).find(text) != std::string::npos) holding.push_back(method);
    words.push_back(names.full(method));
    words.push_back(names.brief(method));
    words.push_back(data.methods[method].name);
  }
  if (!holding.empty()) {
    return {fmt::format("no method {}; names that hold this: {}", printable(text), list_of(names, holding))};
  }
  return {fmt::format("no method {}{}", printable(text), did_you_mean(text, words))};
}

}  // namespace

base::Result<MethodId> find_method(const profile::ProfileData& data, const MethodNames& names,
                                   const std::string& text) {
  std::vector<MethodId> whole, part;
  for (MethodId method = 0; method < data.methods.size(); ++method) {
    const std::string& full = names.full(method);
    if (full == text) return method;
    const std::string plain = printable(exports::frame_name(data.methods[method]));
    if (plain == text) {
      whole.push_back(method);
    } else if (ends_with_part(full, text) || ends_with_part(plain, text)) {
      part.push_back(method);
    }
  }
  const std::vector<MethodId>& found = whole.empty() ? part : whole;
  if (found.empty() || text.empty()) return not_found(data, names, text);
  if (found.size() == 1) return found.front();
  return base::Error{
      fmt::format("{} may be {} methods: {}; say which", printable(text), found.size(), list_of(names, found))};
}

base::Result<MethodAtSite> find_method_at_site(const profile::ProfileData& data, const MethodNames& names,
                                               const std::string& text) {
  const auto whole = find_method(data, names, text);
  if (whole) return MethodAtSite{*whole, std::nullopt};
  const std::size_t at = text.rfind('@');
  std::uint32_t site = 0;
  const char* const end = text.data() + text.size();
  const bool has_site = at != std::string::npos && [&] {
    const auto [stop, failure] = std::from_chars(text.data() + at + 1, end, site);
    return failure == std::errc{} && stop == end && site != profile::kNoSite;
  }();
  if (!has_site) return whole.error();
  const auto method = find_method(data, names, text.substr(0, at));
  if (!method) return method.error();
  return MethodAtSite{*method, site};
}

}  // namespace bursar::cli
