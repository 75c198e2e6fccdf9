// Methods that get no probe and are not shown: our own, and those that move a virtual thread between its carriers.
//
// Half-way through the latter the current thread changes, and with it the cursor: what they call would be counted in
// one thread and left in another. What the virtual thread itself does around them has probes. Runs in: any
#pragma once

#include <string_view>

namespace bursar::agent {

bool is_left_alone(std::string_view class_name, std::string_view method);

}  // namespace bursar::agent
