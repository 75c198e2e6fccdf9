#include "cli/running_jvms_linux.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <filesystem>

#include "cli/files.h"
#include "cli/text.h"

namespace bursar::cli {

namespace {

namespace fs = std::filesystem;

// Options of java whose value is a word of its own.
constexpr std::array<std::string_view, 11> kTakeValue = {
    "-cp",           "-classpath",  "--class-path", "-p",       "--module-path",        "--add-modules",
    "--add-exports", "--add-opens", "--add-reads",  "--source", "--upgrade-module-path"};

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> command_of(const std::string& process) {
  const auto text = read_text("/proc/" + process + "/cmdline");
  std::vector<std::string> words;
  if (!text) return words;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\0', at), text->size());
    words.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool runs_hotspot(const std::string& process) {
  const auto maps = read_text("/proc/" + process + "/maps");
  return maps && maps->find("/libjvm.so\n") != std::string::npos;
}

std::string listed(const std::vector<RunningJvm>& jvms) {
  std::string text;
  for (const RunningJvm& jvm : jvms) text += fmt::format("\n  {:>7}  {}", jvm.process, printable(jvm.main));
  return text;
}

}  // namespace

std::string main_of(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool names_it = word == "-jar" || word == "-m" || word == "--module";
    if (names_it) return i + 1 < words.size() ? words[i + 1] : "";
    if (!word.starts_with('-') && !word.starts_with('@')) return word;
    if (std::find(kTakeValue.begin(), kTakeValue.end(), word) != kTakeValue.end()) ++i;
  }
  return "";
}

std::vector<RunningJvm> running_jvms() {
  std::vector<RunningJvm> jvms;
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", unreadable)) {
    const std::string name = entry.path().filename();
    struct stat info {};
    if (!is_number(name) || stat(entry.path().c_str(), &info) != 0) continue;
    if (geteuid() != 0 && info.st_uid != geteuid()) continue;
    if (!runs_hotspot(name)) continue;
    jvms.push_back({static_cast<pid_t>(std::stol(name)), main_of(command_of(name))});
  }
  std::sort(jvms.begin(), jvms.end(), [](const RunningJvm& a, const RunningJvm& b) { return a.process < b.process; });
  return jvms;
}

base::Result<pid_t> choose_jvm(const std::string& meant, const std::vector<RunningJvm>& running) {
  if (is_number(meant)) {
    pid_t process = 0;
    const auto read = std::from_chars(meant.data(), meant.data() + meant.size(), process);
    if (read.ec == std::errc{} && process > 0) return process;
    return base::Error{fmt::format("there is no process {}", meant)};
  }
  std::vector<RunningJvm> fitting;
  for (const RunningJvm& jvm : running) {
    if (jvm.main.find(meant) != std::string::npos) fitting.push_back(jvm);
  }
  if (fitting.size() == 1) return fitting.front().process;
  if (running.empty())
    return base::Error{"no JVM of this user runs; bursar record -- java … profiles one from its start"};
  const std::string named = meant.empty() ? "" : fmt::format(" whose main class or jar has {} in it", printable(meant));
  if (fitting.empty()) return base::Error{fmt::format("there is no JVM{}; these run:{}", named, listed(running))};
  return base::Error{
      fmt::format("there are {} JVMs{}; say which, by its number:{}", fitting.size(), named, listed(fitting))};
}

std::string expand_file_pattern(const std::string& pattern, pid_t process, const std::string& time) {
  std::string path;
  bool numbered = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char kind = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : ' ';
    if (kind == 'p' || kind == 't') {
      path += kind == 'p' ? std::to_string(process) : time;
      ++i;
    } else {
      numbered = numbered || kind == 'n';
      path += pattern[i];
    }
  }
  if (!numbered) return path;
  constexpr unsigned kLast = 1'000'000;
  for (unsigned number = 1;; ++number) {
    std::string one = path;
    for (std::size_t at; (at = one.find("%n")) != std::string::npos;) one.replace(at, 2, std::to_string(number));
    std::error_code unreadable;
    if (number == kLast || !fs::exists(one, unreadable)) return one;
  }
}

std::string time_for_files() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &local);
  return text.data();
}

}  // namespace bursar::cli
