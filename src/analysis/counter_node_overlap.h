// Overlap over the counters of a Call Context Map (paper 004, section 5): methods, calls and contexts in one sum.
//
// The counters are those the map would hold had it been filled with the profile's contexts:
//   MethodProfile   the total of a method
//   Callee          the total of (caller, site, callee), for contexts that have a caller
//   CalleeRef       the number of one context that has a caller
// Each weighs its share of all counters of its side. The map of the paper may hold more references (for every sub-path
// of a context); a profile keeps the contexts from the thread's first frame only.
#pragma once

#include "analysis/joint_tree.h"

namespace bursar::analysis {

// 0 to 100; 0 where a side has no weight. The overflow of a side never matches but stays in its total.
double counter_node_overlap(const JointTree& tree);

}  // namespace bursar::analysis
