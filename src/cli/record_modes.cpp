#include "cli/record_modes.h"

#include "cli/recording_options.h"

namespace bursar::cli {

// A class that is loaded cannot get fields any more (JVMTI, RetransformClasses), and Thread is among the first.
constexpr const char* kAddsFields =
    "it adds fields to java.lang.Thread, which HotSpot lets nobody do once that class is loaded";
// can_generate_method_entry_events: HotSpot grants it to agents that are there when it starts, and to no others.
constexpr const char* kAsksForCalls = "it asks for calls as events, which HotSpot must know of before it starts";

const std::vector<RecordMode>& record_modes() {
  static const std::vector<RecordMode> kModes = {
      {.name = kAdaptiveMode, .from_start = kAddsFields},
      {.name = kExactMode, .from_start = kAddsFields},
      {.name = kSampleMode},
      {.name = kBurstMode, .from_start = kAddsFields},
      {.name = kCbsMode, .from_start = kAsksForCalls},
      {.name = kTraceMode, .counts_calls = false, .from_start = kAddsFields},
      {.name = kPathsMode, .counts_calls = false, .from_start = kAddsFields},
      {.name = kExactPathsMode, .counts_calls = false, .from_start = kAddsFields},
  };
  return kModes;
}

std::vector<std::string> record_mode_names() {
  std::vector<std::string> names;
  for (const RecordMode& mode : record_modes()) names.push_back(mode.name);
  return names;
}

}  // namespace bursar::cli
