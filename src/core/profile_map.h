// The Call Context Map of a profile.
//
// Contexts become one tree with its cross-links: CalleeRef i is context i of the profile. Numbers are those of the
// metric as stored (fixed-point for estimates). Where the metric says in which context samples ended (it is named
// "samples"), a call counts as often as a sample found it on the stack: the sum of the context and all below it. Sorted
// by heat. Runs in: any thread that may allocate
#pragma once

#include <cstddef>

#include "core/context_map.h"
#include "profile/profile.h"

namespace bursar::core {

// Whether a call's count is that of its context and all below it.
bool counts_whole_stacks(const profile::Metric& metric);

ContextMap map_of_contexts(const profile::Profile& profile, std::size_t metric);

// Totals of methods, call sites and callees alone, from the edges that the profile keeps beside its tree: they may know
// call sites where contexts do not.
ContextMap map_of_edges(const profile::Profile& profile, std::size_t metric);

}  // namespace bursar::core
