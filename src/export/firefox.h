// The Firefox Profiler's processed format, version 49. Its table of stacks is our tree, so a file is as large as the
// tree has nodes.
//
// The format knows weights in samples, bytes and milliseconds only: numbers of calls go by "samples" there, and the
// name of the one thread says what they are.
#pragma once

#include "export/exporter.h"

namespace bursar::exports {

Pruned export_firefox(const ExportRequest& request, const Sink& sink);

}  // namespace bursar::exports
