// The reading half of folded.h.
#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "export/folded.h"
#include "export/frame_name.h"
#include "profile/freeze.h"

namespace bursar::exports {

namespace {

using profile::ContextId;
using profile::kNone;
using profile::MethodId;

constexpr std::size_t kShownChars = 60;

// As much of a line as fits into a message, on one line itself.
std::string shown(std::string_view line) {
  std::string text(line.substr(0, kShownChars));
  if (line.size() > kShownChars) {
    text = fmt::format("{} … {}", line.substr(0, kShownChars * 2 / 3), line.substr(line.size() - kShownChars / 3));
  }
  std::string safe;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    safe += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return safe;
}

struct Line {
  std::string_view stack;
  std::uint64_t count = 0;
};

// What is wrong with the line, or nothing.
std::optional<std::string> split_line(std::string_view text, Line& line) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  const std::size_t blank = text.find_last_of(" \t");
  if (blank == text.npos || blank == 0) return "expected frames joined by ';', a blank and a count";
  line.stack = text.substr(0, blank);
  const std::string_view token = text.substr(blank + 1);
  const auto [end, failure] = std::from_chars(token.data(), token.data() + token.size(), line.count);
  if (failure == std::errc::result_out_of_range) return "the count must be below 2^64";
  std::string_view rest(end, static_cast<std::size_t>(token.data() + token.size() - end));
  if (failure == std::errc{} && rest.starts_with('.') && rest.size() > 1) {
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of('0'), rest.size()));
  }
  if (failure != std::errc{} || !rest.empty()) return "expected a whole number as the last word of the line";
  return std::nullopt;
}

// Turns stacks into a tree. Successive lines of real files share most of their frames, so the frames that a line has
// in common with the line before it are not looked up again.
class StackTree {
 public:
  // The context of a stack, or kNone if the stack has an empty frame or the tree is full.
  ContextId find_or_add(std::string_view stack) {
    drop_frames_not_shared_with(stack);
    std::size_t begin = frames_.empty() ? 0 : frames_.back().end + 1;
    previous_ = stack;
    while (begin <= stack.size()) {
      const std::size_t end = std::min(stack.find(';', begin), stack.size());
      if (end == begin || full()) return kNone;
      const ContextId parent = frames_.empty() ? kNone : frames_.back().context;
      frames_.push_back({end, child_of(parent, method_of(stack.substr(begin, end - begin)))});
      begin = end + 1;
    }
    return frames_.back().context;
  }

  bool full() const { return parent_.size() >= kNone - 1; }

  // False if the sum overflows.
  bool add(ContextId context, std::uint64_t count) {
    return !__builtin_add_overflow(own_[context], count, &own_[context]);
  }

  void move_into(profile::ProfileData& data) {
    data.methods = std::move(methods_);
    data.contexts.site.assign(parent_.size(), profile::kNoSite);
    data.contexts.parent = std::move(parent_);
    data.contexts.method = std::move(method_);
    data.contexts.columns = {profile::Column{std::move(own_), {}}};
  }

 private:
  struct Frame {
    std::size_t end;  // in previous_
    ContextId context;
  };

  void drop_frames_not_shared_with(std::string_view stack) {
    const auto [mine, other] = std::mismatch(previous_.begin(), previous_.end(), stack.begin(), stack.end());
    const auto common = static_cast<std::size_t>(mine - previous_.begin());
    const auto shared = [&](const Frame& frame) {
      return frame.end < common || (frame.end == common && (common == stack.size() || stack[common] == ';'));
    };
    while (!frames_.empty() && !shared(frames_.back())) frames_.pop_back();
  }

  MethodId method_of(std::string_view text) {
    const auto [known, inserted] = method_of_text_.try_emplace(text, kNone);
    if (inserted) {
      const auto [entry, is_new] =
          id_of_method_.try_emplace(parse_frame(unescape(text)), static_cast<MethodId>(methods_.size()));
      if (is_new) methods_.push_back(entry->first);
      known->second = entry->second;
    }
    return known->second;
  }

  ContextId child_of(ContextId parent, MethodId method) {
    const auto next = static_cast<ContextId>(parent_.size());
    const auto [known, inserted] = children_.try_emplace(std::uint64_t{parent} << 32 | method, next);
    if (inserted) {
      parent_.push_back(parent);
      method_.push_back(method);
      own_.push_back(0);
    }
    return known->second;
  }

  std::string_view previous_;
  std::vector<Frame> frames_;  // of previous_
  boost::unordered_flat_map<std::string_view, MethodId> method_of_text_;
  std::map<profile::Method, MethodId> id_of_method_;  // different texts may name one method
  std::vector<profile::Method> methods_;
  boost::unordered_flat_map<std::uint64_t, ContextId> children_;
  std::vector<ContextId> parent_;
  std::vector<MethodId> method_;
  std::vector<std::uint64_t> own_;
};

base::Error line_error(std::size_t number, std::string_view text, std::string_view problem) {
  return {fmt::format("line {}: {}: \"{}\"", number, problem, shown(text))};
}

profile::Metric metric_named(const std::string& name) {
  const auto kind = name == profile::kSamples ? profile::MetricKind::kSamples : profile::MetricKind::kExact;
  return {.name = name, .unit = name, .kind = kind, .scale_log2 = 0};
}

}  // namespace

base::Result<profile::Profile> import_folded(std::string_view text, const std::string& metric) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  StackTree tree;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line_text = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    // Not only in the first line: files put together by cat have marks inside, and no line of ours starts with one.
    while (line_text.starts_with(kByteOrderMark)) line_text.remove_prefix(kByteOrderMark.size());
    if (line_text.ends_with('\r')) line_text.remove_suffix(1);
    if (line_text.find_first_not_of(" \t") == line_text.npos) continue;

    Line line;
    if (const auto problem = split_line(line_text, line)) return line_error(number, line_text, *problem);
    const ContextId context = tree.find_or_add(line.stack);
    if (tree.full()) return line_error(number, line_text, "more contexts than a profile can hold");
    if (context == kNone) return line_error(number, line_text, "a frame is empty; expected a name between any two ';'");
    if (!tree.add(context, line.count)) {
      return line_error(number, line_text, "the counts of this stack add up to 2^64 or more");
    }
  }

  profile::ProfileData data;
  data.identity = {.call_sites = false, .descriptors = false, .folded_recursion = false};
  data.metrics = {metric_named(metric)};
  data.info["mode"] = {"import"};
  data.info["source"] = {"folded"};
  tree.move_into(data);
  data.edges.columns.resize(1);
  return profile::freeze(std::move(data));
}

}  // namespace bursar::exports
