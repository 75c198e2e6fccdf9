// Callgrind's format, which KCachegrind and callgrind_annotate read: a call graph, not a tree.
//
// A function's own cost is its number over all contexts. A call has how often it was made (at least 1: a profile
// of samples does not know, and readers take the cost of 0 calls for the caller's own) and the cost of everything below
// it; below a call that is recursive, that counts with the
// outermost one, so that no cost counts twice for a call. Readers that add calls up to the inclusive cost of a function
// may still count it twice in recursion: the format knows no better.
#pragma once

#include "export/exporter.h"

namespace bursar::exports {

Pruned export_callgrind(const ExportRequest& request, const Sink& sink);

// Of a profile that has paths and no stacks: the event is a block that ran, by source line, and branches are jumps.
Pruned export_callgrind_flow(const ExportRequest& request, const Sink& sink);

}  // namespace bursar::exports
