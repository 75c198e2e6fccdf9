// Counts of what was seen become estimates of all that happened.
// Runs in: any thread that may allocate
#pragma once

#include <vector>

#include "core/gathering.h"
#include "profile/profile.h"

namespace bursar::agent {

struct Seen {
  double weight = 1;  // every call that was counted, weighted, stands for so many
  std::uint64_t weight_of_groups = 1;
  // What the groups of bursts counted, by row.
  const std::vector<core::ByGroup>& contexts;
  const std::vector<core::ByGroup>& edges;
};

// One column of counts, by rows of which groups counted so much.
void make_estimate(profile::Column& column, const std::vector<core::ByGroup>& rows, double weight,
                   std::uint64_t weight_of_groups);

// The variance is that between bursts, from what their groups differ by. A few groups tell little about one context, so
// each number is also told what those of its size show. It is stated so that 1.96 deviations are 95 %.
// The counter kUnseenAtMost says how often a context was called, at most (95 %), that no burst saw, if its calls come
// in clusters as others' do. What ran only once, for a moment, may have more.
void make_estimates(profile::ProfileData& data, const Seen& seen);

}  // namespace bursar::agent
