#include "cli/record_modes.h"

namespace bursar::cli {

const std::vector<RecordMode>& record_modes() {
  static const std::vector<RecordMode> kModes = {
      {.name = "exact"},
  };
  return kModes;
}

std::vector<std::string> record_mode_names() {
  std::vector<std::string> names;
  for (const RecordMode& mode : record_modes()) names.push_back(mode.name);
  return names;
}

}  // namespace bursar::cli
