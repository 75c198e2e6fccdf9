#include "cli/context_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text.h"
#include "export/frame_name.h"

namespace bursar::cli {

using nlohmann::ordered_json;
using profile::ContextId;

std::vector<ContextId> callers_of(const profile::Contexts& contexts, ContextId context) {
  std::vector<ContextId> chain;
  for (ContextId at = context; at != profile::kNone; at = contexts.parent[at]) chain.push_back(at);
  return chain;
}

std::size_t ContextLines::room() const {
  constexpr std::size_t kNumbers = 30;
  constexpr std::size_t kLeast = 50;
  return terminal_.width == 0 ? 0 : std::max(terminal_.width, kNumbers + kLeast) - kNumbers;
}

std::string ContextLines::line(ContextId context) const {
  constexpr std::size_t kShownFrames = 5;
  constexpr std::size_t kLongestCount = 16;
  const std::string arrow = terminal_.utf8 ? " ← " : " <- ";
  const std::vector<ContextId> chain = callers_of(data_.contexts, context);
  const std::string root = frame(chain.back());
  std::string line = frame(chain.front());
  std::size_t shown = 1;
  for (; shown + 1 < chain.size() && shown < kShownFrames; ++shown) {
    const std::string next = arrow + frame(chain[shown]);
    const std::size_t size = display_width(line) + display_width(next) + kLongestCount + display_width(root);
    if (room() > 0 && shown > 1 && size > room()) break;
    line += next;
  }
  if (shown + 1 < chain.size()) {
    line += fmt::format("{}{} more", arrow, grouped(std::uint64_t{chain.size() - shown - 1}));
  }
  return chain.size() > 1 ? line + arrow + root : line;
}

std::string ContextLines::frame(ContextId context) const {
  return elided(names_.brief(data_.contexts.method[context]), room() / 2, terminal_.utf8);
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
