#include "export/frame_name.h"

#include <algorithm>
#include <array>

#include "export/hex_digit.h"
#include "profile/class_name.h"

namespace bursar::exports {

namespace {

constexpr std::string_view kOverflowFrame = "[overflow]";
constexpr std::string_view kUnknownFrame = "[unknown]";

bool must_escape(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f || c == ';';
}

// The character that `text`, which follows a backslash, stands for if it starts x0a, x3b …; -1 if it does not.
int escaped_char(std::string_view text) {
  if (text.size() < 3 || text[0] != 'x') return -1;
  const int high = hex_digit(text[1]);
  const int low = hex_digit(text[2]);
  if (high < 0 || low < 0) return -1;
  const int value = high * 16 + low;
  return must_escape(static_cast<char>(value)) && value < 0x80 ? value : -1;
}

// Does a backslash followed by `text` read as an escape? It may carry any number of x5c, each one level of quoting.
bool reads_as_escape(std::string_view text) {
  while (text.starts_with("x5c")) text.remove_prefix(3);
  return escaped_char(text) >= 0;
}

void append_hex(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  out += "\\x";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

void drop_kind_suffixes(std::string& frame) {
  constexpr std::array<std::string_view, 5> kSuffixes = {"_[j]", "_[i]", "_[k]", "_[0]", "_[1]"};
  const auto has_suffix = [&frame, &kSuffixes] {
    for (const std::string_view suffix : kSuffixes) {
      if (frame.size() > suffix.size() && frame.ends_with(suffix)) return true;
    }
    return false;
  };
  while (has_suffix()) frame.resize(frame.size() - 4);
}

bool is_native_name(std::string_view frame, std::size_t last_dot) {
  return frame.starts_with('/') || frame.find("::") != frame.npos || frame.find('(') != frame.npos ||
         last_dot == frame.npos || last_dot == 0 || last_dot + 1 == frame.size();
}

}  // namespace

std::string escape(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (must_escape(name[i]) || (name[i] == '\\' && reads_as_escape(name.substr(i + 1)))) {
      append_hex(out, name[i]);
    } else {
      out += name[i];
    }
  }
  return out;
}

std::string unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && reads_as_escape(text.substr(i + 1))) {
      const int value = escaped_char(text.substr(i + 1));
      out += value < 0 ? '\\' : static_cast<char>(value);
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string frame_name(const profile::Method& method) {
  if (method.kind == profile::MethodKind::kOverflow) return std::string(kOverflowFrame);
  if (method.class_name.empty()) return method.name.empty() ? std::string(kUnknownFrame) : method.name;
  return method.class_name + "." + method.name;
}

profile::Method parse_frame(std::string frame) {
  drop_kind_suffixes(frame);
  profile::Method method;
  const std::size_t dot = frame.rfind('.');
  if (frame == kOverflowFrame) {
    method.kind = profile::MethodKind::kOverflow;
    method.name = std::move(frame);
  } else if (frame.starts_with('[')) {
    method.kind = profile::MethodKind::kPseudo;
    method.name = std::move(frame);
  } else if (is_native_name(frame, dot)) {
    method.kind = profile::MethodKind::kNative;
    method.name = std::move(frame);
  } else {
    method.name = frame.substr(dot + 1);
    frame.resize(dot);
    std::replace(frame.begin(), frame.end(), '/', '.');
    method.class_name = profile::normalised_class_name(frame);
  }
  return method;
}

}  // namespace bursar::exports
