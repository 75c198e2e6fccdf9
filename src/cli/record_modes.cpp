#include "cli/record_modes.h"

#include "cli/recording_options.h"

namespace bursar::cli {

const std::vector<RecordMode>& record_modes() {
  static const std::vector<RecordMode> kModes = {
      {.name = kAdaptiveMode},
      {.name = kExactMode},
      {.name = kSampleMode},
      {.name = kBurstMode},
      {.name = kCbsMode},
      {.name = kTraceMode, .counts_calls = false},
      {.name = kPathsMode, .counts_calls = false},
      {.name = kExactPathsMode, .counts_calls = false},
  };
  return kModes;
}

std::vector<std::string> record_mode_names() {
  std::vector<std::string> names;
  for (const RecordMode& mode : record_modes()) names.push_back(mode.name);
  return names;
}

}  // namespace bursar::cli
