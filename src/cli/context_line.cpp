#include "cli/context_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text.h"
#include "export/frame_name.h"

namespace bursar::cli {

namespace {

using nlohmann::ordered_json;
using profile::ContextId;

std::string frame(const profile::ProfileData& data, const MethodNames& names, ContextId context,
                  const Terminal& terminal) {
  return elided(names.brief(data.contexts.method[context]), text_room(terminal) / 2, terminal.utf8);
}

}  // namespace

std::vector<ContextId> callers_of(const profile::Contexts& contexts, ContextId context) {
  std::vector<ContextId> chain;
  for (ContextId at = context; at != profile::kNone; at = contexts.parent[at]) chain.push_back(at);
  return chain;
}

std::size_t text_room(const Terminal& terminal) {
  constexpr std::size_t kNumbers = 30;
  constexpr std::size_t kLeast = 50;
  return terminal.width == 0 ? 0 : std::max(terminal.width, kNumbers + kLeast) - kNumbers;
}

std::string context_line(const profile::ProfileData& data, const MethodNames& names, ContextId context,
                         const Terminal& terminal) {
  constexpr std::size_t kShownFrames = 5;
  constexpr std::size_t kLongestCount = 16;
  const std::string arrow = terminal.utf8 ? " ← " : " <- ";
  const std::vector<ContextId> chain = callers_of(data.contexts, context);
  const std::string root = frame(data, names, chain.back(), terminal);
  const std::size_t room = text_room(terminal);
  std::string line = frame(data, names, chain.front(), terminal);
  std::size_t shown = 1;
  for (; shown + 1 < chain.size() && shown < kShownFrames; ++shown) {
    const std::string next = arrow + frame(data, names, chain[shown], terminal);
    const std::size_t size = display_width(line) + display_width(next) + kLongestCount + display_width(root);
    if (room > 0 && shown > 1 && size > room) break;
    line += next;
  }
  if (shown + 1 < chain.size()) {
    line += fmt::format("{}{} more", arrow, grouped(std::uint64_t{chain.size() - shown - 1}));
  }
  return chain.size() > 1 ? line + arrow + root : line;
}

void set_method(ordered_json& object, const std::string& key, const std::string& descriptor_key,
                const profile::Method& method) {
  object[key] = exports::frame_name(method);
  if (!method.descriptor.empty()) object[descriptor_key] = method.descriptor;
}

void set_stack(ordered_json& object, const profile::ProfileData& data, ContextId context) {
  std::vector<ContextId> chain = callers_of(data.contexts, context);
  std::reverse(chain.begin(), chain.end());
  ordered_json& frames = object["stack"] = ordered_json::array();
  for (const ContextId at : chain) frames.push_back(exports::frame_name(data.methods[data.contexts.method[at]]));
  if (!data.identity.call_sites) return;
  ordered_json& sites = object["sites"] = ordered_json::array();
  for (const ContextId at : chain) {
    const std::uint32_t site = data.contexts.site[at];
    sites.push_back(site == profile::kNoSite ? ordered_json() : ordered_json(site));
  }
}

}  // namespace bursar::cli
