// speedscope's file format (https://www.speedscope.app/file-format-schema.json), as events: a context opens where its
// calls begin on an axis of calls, and closes behind those of everything below it. So a file is as large as the tree
// has nodes, however deep they are.
#pragma once

#include "export/exporter.h"

namespace bursar::exports {

Pruned export_speedscope(const ExportRequest& request, const Sink& sink);

}  // namespace bursar::exports
