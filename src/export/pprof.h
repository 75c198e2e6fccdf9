// pprof's profile.proto (https://github.com/google/pprof/blob/main/proto/profile.proto), packed by gzip.
//
// Written: every metric as a sample type, the chosen one as default; one location and one function for each method. A
// function's system name has the descriptor too, where it is known; else it is empty, because pprof cuts parentheses
// off names that equal their system name.
//
// Read: every sample type as a metric; of one named "calls" all events were counted, of others samples were taken.
#pragma once

#include <string_view>

#include "base/result.h"
#include "export/exporter.h"

namespace bursar::exports {

Pruned export_pprof(const ExportRequest& request, const Sink& sink);

// Packed or not. An error says what is wrong with the file.
base::Result<profile::Profile> import_pprof(std::string_view bytes);

}  // namespace bursar::exports
