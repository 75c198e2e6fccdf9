// lcov's tracefile, which genhtml and most editors read: how often source lines, branches and methods ran, from paths.
//
// A line has the number of the block on it that ran most often; lines inside a block are not in the profile, and not
// in the file. Methods without line numbers are left out. Two methods on a line that are named alike have their
// descriptors to tell them apart.
#pragma once

#include "export/exporter.h"

namespace bursar::exports {

Pruned export_lcov(const ExportRequest& request, const Sink& sink);

}  // namespace bursar::exports
