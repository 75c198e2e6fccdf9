#include "cli/launch_plan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace bursar::cli {

namespace {

constexpr std::uint64_t kStackFactor = 4;
constexpr std::uint64_t kLargestStack = 1U << 30;  // HotSpot takes no more

constexpr std::string_view kVariable = "JAVA_TOOL_OPTIONS=";

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// Options of the launcher whose value is the next argument.
bool takes_next(std::string_view option) {
  static constexpr std::array<std::string_view, 13> kOptions = {
      "-cp",           "-classpath",  "--class-path",  "-p",          "--module-path",   "--upgrade-module-path",
      "--add-modules", "--add-reads", "--add-exports", "--add-opens", "--limit-modules", "--patch-module",
      "--source"};
  return std::find(kOptions.begin(), kOptions.end(), option) != kOptions.end();
}

// A number with k, m or g behind it; 0 if it is none.
std::uint64_t bytes_of(std::string_view size) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(size.data() + size.size() - end));
  if (error != std::errc() || unit.size() > 1 || number > kLargestStack) return 0;
  if (unit.empty()) return number;
  switch (unit.front() | 0x20) {
    case 'k':
      return number << 10;
    case 'm':
      return number << 20;
    case 'g':
      return number << 30;
    default:
      return 0;
  }
}

std::string larger(std::string_view option, std::string_view value, std::uint64_t unit) {
  const std::uint64_t bytes = bytes_of(value) * unit;
  if (bytes == 0) return "";
  return std::string(option) + std::to_string(std::min(bytes * kStackFactor, kLargestStack) / unit);
}

// Behind every option for the size of stacks the same with more; `arguments` are those of java, the program first.
void enlarge_stacks(std::vector<std::string>& arguments) {
  constexpr std::string_view kXss = "-Xss", kThreadStackSize = "-XX:ThreadStackSize=";
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with('-') || argument == "-jar" || argument == "-m" || argument == "--module") return;
    if (takes_next(argument)) {
      ++i;
      continue;
    }
    std::string more;
    if (argument.starts_with(kXss)) more = larger(kXss, argument.substr(kXss.size()), 1);
    if (argument.starts_with(kThreadStackSize)) {
      more = larger(kThreadStackSize, argument.substr(kThreadStackSize.size()), 1024);
    }
    if (!more.empty()) arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(++i), std::move(more));
  }
}

}  // namespace

bool is_java(std::string_view name, std::string_view path) {
  // Version managers let a link `java` lead to a program of their own, which hands the arguments on.
  return base_name(name) == "java" || base_name(path) == "java";
}

LaunchPlan plan_launch(const std::vector<std::string>& command, std::vector<std::string> environment, bool java,
                       const std::vector<std::string>& jvm_options, Frames frames) {
  LaunchPlan plan{.arguments = command, .environment = std::move(environment), .through_environment = !java};
  if (java) {
    if (frames == Frames::kGrown) enlarge_stacks(plan.arguments);
    plan.arguments.insert(plan.arguments.begin() + 1, jvm_options.begin(), jvm_options.end());
    return plan;
  }
  std::string added;
  for (const std::string& option : jvm_options) added += (added.empty() ? "" : " ") + tool_option(option);
  const auto variable = std::find_if(plan.environment.begin(), plan.environment.end(),
                                     [](const std::string& entry) { return entry.starts_with(kVariable); });
  if (variable == plan.environment.end()) {
    plan.environment.push_back(std::string(kVariable) + added);
  } else {
    *variable += (variable->size() > kVariable.size() ? " " : "") + added;
  }
  return plan;
}

std::string tool_option(std::string_view option) {
  std::string out;
  char quote = 0;
  const auto change_to = [&](char wanted) {
    if (quote == wanted) return;
    if (quote != 0) out += quote;
    if (wanted != 0) out += wanted;
    quote = wanted;
  };
  for (const char c : option) {
    if (c == '"') {
      change_to('\'');
    } else if (c == '\'' || std::strchr(" \t\n\v\f\r", c) != nullptr) {
      change_to('"');
    }
    out += c;
  }
  change_to(0);
  return out;
}

}  // namespace bursar::cli
