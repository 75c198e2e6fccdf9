#include "cli/agent_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text.h"

namespace bursar::cli {

namespace {

std::string percent_encoded(std::string_view value) {
  std::string out;
  for (const char c : value) {
    switch (c) {
      case ',':
        out += "%2C";
        break;
      case '=':
        out += "%3D";
        break;
      case '%':
        out += "%25";
        break;
      default:
        out += c;
    }
  }
  return out;
}

bool is_plain_in_a_shell(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

// What the class-file format allows in a name, without what nobody has in one.
bool is_name(std::string_view word) {
  return !word.empty() && std::none_of(word.begin(), word.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7f' ||
           std::string_view(";[]/<>:,()").find(c) != std::string_view::npos;
  });
}

}  // namespace

std::string AgentOptions::text() const {
  std::string out;
  const auto add = [&out](std::string_view key, std::string_view value) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", key, percent_encoded(value));
  };
  add("mode", mode);
  if (!action.empty()) add("action", action);
  if (!output.empty()) add("output", output);
  if (call_sites) add("call_sites", "1");
  if (max_contexts) add("max_contexts", std::to_string(*max_contexts));
  if (max_size) add("max_size", std::to_string(*max_size));
  if (skip_ms) add("skip_ms", std::to_string(*skip_ms));
  for (const std::string& pattern : include) add("include", pattern);
  for (const std::string& pattern : exclude) add("exclude", pattern);
  if (interval_ns) add("interval_ns", std::to_string(*interval_ns));
  if (seed) add("seed", std::to_string(*seed));
  if (!clock.empty()) add("clock", clock);
  if (!walks.empty()) add("walks", walks);
  if (tune) add("tune", "1");
  if (min_interval_ns) add("min_interval_ns", std::to_string(*min_interval_ns));
  if (max_interval_ns) add("max_interval_ns", std::to_string(*max_interval_ns));
  if (burst_ns) add("burst_ns", std::to_string(*burst_ns));
  if (reenable) add("reenable", fmt::format("{}", *reenable));
  if (history) add("history", std::to_string(*history));
  if (!collision.empty()) add("collision", collision);
  if (samples) add("samples", std::to_string(*samples));
  if (stride) add("stride", std::to_string(*stride));
  if (window_ns) add("window_ns", std::to_string(*window_ns));
  if (!placement.empty()) add("placement", placement);
  if (first_ns) add("first_ns", std::to_string(*first_ns));
  if (!correct.empty()) add("correct", correct);
  if (lambda) add("lambda", fmt::format("{}", *lambda));
  if (alpha) add("alpha", fmt::format("{}", *alpha));
  if (!density.empty()) add("density", density);
  if (!status.empty()) add("status", status);
  if (!command.empty()) add("command", command);
  return out;
}

std::string pattern_problem(std::string_view pattern) {
  const std::string shown = printable(pattern);
  constexpr std::string_view kForms =
      "write a package java.util.*, a class java.util.List or a method java.util.List.add";
  if (pattern.find(',') != std::string_view::npos)
    return shown + " holds a comma; give the option once for each pattern";
  if (pattern.find('/') != std::string_view::npos) return fmt::format("{} has slashes for dots; {}", shown, kForms);
  std::string_view rest = pattern;
  for (;;) {
    const std::size_t dot = rest.find('.');
    const std::string_view word = rest.substr(0, dot);
    const bool last = dot == std::string_view::npos;
    const bool special = word == "<init>" || word == "<clinit>";
    if (!is_name(word) && !(last && special)) return fmt::format("{} is not a pattern; {}", shown, kForms);
    if (last) return "";
    rest.remove_prefix(dot + 1);
  }
}

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain_in_a_shell)) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string command_line(const std::vector<std::string>& words, std::size_t max_bytes) {
  constexpr std::string_view kCut = "…";
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "" : " ") + shell_quoted(word);
    if (line.size() > max_bytes) {
      std::size_t end = max_bytes - std::min(max_bytes, kCut.size());
      while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
      line.resize(end);
      return line.append(kCut);
    }
  }
  return line;
}

}  // namespace bursar::cli
