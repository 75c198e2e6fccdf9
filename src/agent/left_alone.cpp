#include "agent/left_alone.h"

#include <algorithm>
#include <array>

#include "agent/added_members.h"

namespace bursar::agent {

bool is_left_alone(std::string_view class_name, std::string_view method) {
  if (class_name == kProbeClass) return true;
  if (class_name == "jdk/internal/vm/Continuation") return method != "enter" && method != "enter0";
  if (class_name != "java/lang/VirtualThread") return false;
  static constexpr std::array<std::string_view, 6> kMoving = {
      "runContinuation", "mount", "unmount", "afterYield", "switchToCarrierThread", "switchToVirtualThread"};
  return std::find(kMoving.begin(), kMoving.end(), method) != kMoving.end();
}

}  // namespace bursar::agent
