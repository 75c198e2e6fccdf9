#include "cli/java_release.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>

#include "cli/files.h"
#include "cli/text.h"

namespace bursar::cli {

namespace {

namespace fs = std::filesystem;

std::string_view unquoted(std::string_view value) {
  while (!value.empty() && (value.back() == '\r' || value.back() == ' ')) value.remove_suffix(1);
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') return value.substr(1, value.size() - 2);
  return value;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

int JavaRelease::major() const {
  // Until Java 8 versions began with "1.".
  const std::string_view digits = std::string_view(version).substr(version.starts_with("1.") ? 2 : 0);
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

JavaRelease parse_release(std::string_view text) {
  JavaRelease release;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, equals);
    const std::string_view value = unquoted(line.substr(equals + 1));
    if (key == "JAVA_VERSION") release.version = value;
    if (key == "IMPLEMENTOR") release.vendor = value;
    if (key == "JVM_VARIANT") release.variant = value;
  }
  return release;
}

std::string unsupported(const JavaRelease& release, bool has_server_jvm) {
  const int major = release.major();
  if (major != 0 && (major < kOldestJava || major > kNewestJava)) {
    const std::string vendor = release.vendor.empty() ? "" : fmt::format(" ({})", printable(release.vendor));
    return fmt::format("is Java {}{}; Bursar profiles Java {} to {}", printable(release.version), vendor, kOldestJava,
                       kNewestJava);
  }
  // Some distributions put their own name here although the JVM is HotSpot, so only what is known to be another counts.
  if (equal_ignoring_case(release.variant, "openj9")) return "is an OpenJ9 JVM; Bursar profiles HotSpot";
  if (!has_server_jvm) return "has no HotSpot server JVM (lib/server/libjvm.so), which Bursar needs";
  return "";
}

base::Status check_java(const std::string& java) {
  const fs::path bin = fs::path(java).parent_path();
  std::error_code failure;
  // Up to Java 8 there was a jre/bin/java as well.
  for (const fs::path& home : {bin.parent_path(), bin.parent_path().parent_path()}) {
    const fs::path file = home / "release";
    if (!fs::is_regular_file(file, failure)) continue;
    const auto text = read_text(file.string());
    if (!text) break;
    const JavaRelease release = parse_release(*text);
    // Any file may be called release.
    if (release.version.empty()) continue;
    const std::string reason = unsupported(release, fs::exists(home / "lib/server/libjvm.so", failure));
    if (reason.empty()) break;
    return base::Error{fmt::format("{} {}", printable(home.string()), reason)};
  }
  return base::Done{};
}

}  // namespace bursar::cli
