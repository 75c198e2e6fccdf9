// The viewer's page: the built viewer (viewer/) with the numbers of a profile in it. One HTML file that needs nothing
// else, neither network nor other files.
//
// The numbers are two blocks of the page. `facts` is JSON: metrics, names of methods and threads, what was lost, paths
// (view_paths.h), and for each run what was measured over time (view_series.h).
// `columns` is base64 of LEB128 numbers, which viewer/src/data.ts reads; for n nodes in pre-order:
//
//   n                          depth: levels by which the node's parent lies above the node before it
//   n                          method + 1; 0 for a node that stands for contexts left out
//   as many as there are 0s    contexts left out
//   n                          call site + 1, 0 for none; only if facts.callSites
//   for each metric            n own numbers; n standard deviations if it is an estimate (both in fixed point)
//   for each thread that has any
//                              k; k differences of ascending nodes; for each metric k numbers (and k deviations)
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "export/pruned_tree.h"
#include "export/sink.h"
#include "export/view_paths.h"
#include "profile/profile.h"

namespace bursar::exports {

struct ViewedName {
  std::string package;  // with its last dot
  std::string rest;
};

// A run that the page tells about.
struct ViewedRun {
  const profile::Profile* profile = nullptr;
  std::string file;
};

struct ViewRequest {
  const profile::Profile* profile = nullptr;  // whose tree is shown
  std::vector<ViewedRun> runs;                // one; or the two that are compared, before and after
  std::string compared;                       // the metric that the two are compared by
  std::vector<ViewedName> names;              // by MethodId
  TreeLimits limits;
  std::string title;
  SourceLine source;  // of paths; may be empty
};

// `viewer` is the page as Vite built it. Returns what was left out.
Pruned write_view_page(const ViewRequest& request, std::string_view viewer, const Sink& sink);

}  // namespace bursar::exports
