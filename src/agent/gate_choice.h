// Which methods should be gates, from what is known of the program.
//
// A burst should see enough calls to be worth walking the stack for, and not so many that few bursts are all there is:
// the calls that one entry of a gate makes, down to the gates within, should lie between kFewest and kMost.
// Runs in: the gatekeeper
#pragma once

#include <vector>

#include "agent/bursts.h"
#include "core/context_tree.h"

namespace bursar::agent {

inline constexpr double kFewestCalls = 1'500;
inline constexpr double kMostCalls = 100'000;

// What should become gates below a gate whose burst this tree saw, most important first.
std::vector<core::MethodId> gates_within(const core::ContextTree& burst);

// Two stacks of one thread, some time apart: the method whose frame came since, nearest to the root; kNoMethod if none
// did.
core::MethodId entered_between(const Stack& before, const Stack& after);

}  // namespace bursar::agent
