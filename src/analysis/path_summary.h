// summarize_paths(): what `bursar paths` shows: the hottest paths by branch flow, branches with their outcomes,
// methods.
//
// Flow of a path is how often it ran times the branches along it (paper 003, section 6.3). Rows come hottest first;
// equal ones in canonical order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace bursar::analysis {

struct PathRow {
  std::size_t path;  // of ProfileData::paths
  double flow;
};

struct BranchRow {
  profile::MethodId method;
  std::uint32_t bci;
  std::size_t first, end;  // of ProfileData::branches: its outcomes
  double count;            // of all of them
  // What the outcome that was taken most often has of that, 0.5 to 1 for two outcomes.
  double bias;
};

struct MethodPaths {
  profile::MethodId method;
  double flow;
  std::size_t paths;  // different ones
  double runs;        // of paths
};

struct PathSummary {
  double runs = 0;  // of all paths that were looked at
  double flow = 0;
  std::vector<PathRow> paths;
  std::vector<BranchRow> branches;
  std::vector<MethodPaths> methods;
};

// Only of methods whose class and name hold `method_text` (as java.util.List.add), if that is not empty.
PathSummary summarize_paths(const profile::ProfileData& data, const std::string& method_text = "");

// The source line of a place, where it is known.
std::optional<std::uint32_t> line_at(const profile::Lines& lines, profile::MethodId method, std::uint32_t bci);

}  // namespace bursar::analysis
