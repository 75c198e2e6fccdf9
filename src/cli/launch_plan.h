// LaunchPlan: the user's command with the agent added: the arguments and the environment of the process to start.
//
// A program called java gets the options as its first arguments, everything else stays where it was; only behind a
// stack size of the user's own stands a larger one, where frames grow because methods are rewritten. Any other
// program is taken for one that starts java and gets them through the variable JAVA_TOOL_OPTIONS, behind what is there
// already.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bursar::cli {

struct LaunchPlan {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // NAME=value
  bool through_environment = false;
};

// `path` is the file that `command.front()` stands for, behind all symbolic links.
bool is_java(std::string_view name, std::string_view path);

// What the mode does to the frames of methods.
enum class Frames : std::uint8_t { kGrown, kAsTheyAre };

LaunchPlan plan_launch(const std::vector<std::string>& command, std::vector<std::string> environment, bool java,
                       const std::vector<std::string>& jvm_options, Frames frames = Frames::kGrown);

// An option as one word of JAVA_TOOL_OPTIONS, where blanks separate, both quotes quote and nothing escapes.
std::string tool_option(std::string_view option);

}  // namespace bursar::cli
