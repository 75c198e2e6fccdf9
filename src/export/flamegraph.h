// The flame graph: a profile as one HTML page that needs nothing else, neither network nor other files.
//
// flamegraph.html is the page; this puts the title and the numbers into it. Contexts too small to be seen are left out
// and the page says how many, with a grey box wherever some are missing.
#pragma once

#include <cstddef>
#include <string>

#include "export/sink.h"
#include "export/subtree.h"
#include "profile/profile.h"

namespace bursar::exports {

struct FlamegraphOptions {
  std::size_t metric = 0;  // index into ProfileData::metrics
  double min_share_percent = 0.01;
  std::string title = "Bursar";
};

// Returns what was left out.
Pruned export_flamegraph(const profile::Profile& profile, const FlamegraphOptions& options, const Sink& sink);

}  // namespace bursar::exports
