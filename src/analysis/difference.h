// Difference: what got more and what got fewer between two profiles, by method and by context, noise left out.
//
// A change is noise if chance may make it: if it is not beyond the errors of both numbers. An estimate has its
// variance, and what it did not see that of what it saw as often as the other side did; a number of samples varies as
// its square root; an exact count not at all. Of thousands of numbers some are far off by chance alone, so a change
// must be beyond what the largest of so many would be (Bonferroni: the chance that there is any noise among the rows is
// at most 5 %).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/side_by_side.h"
#include "analysis/summary.h"
#include "base/result.h"
#include "profile/profile.h"

namespace bursar::analysis {

struct Change {
  Amount before;
  Amount after;

  double difference() const { return after.value - before.value; }
  double deviation() const;  // of the difference
};

struct MethodChange {
  profile::MethodId method;
  Change own;  // over all contexts
};

struct ContextChange {
  profile::ContextId context;
  Change own;
};

struct Difference {
  SideBySide sides;  // ids are those of sides.both
  Change total;
  // Largest change first, no noise; equally large ones in canonical order. The overflow is not among them.
  std::vector<MethodChange> methods;
  std::vector<ContextChange> contexts;
  std::size_t methods_within_error = 0;  // that changed, but no more than chance may explain
  std::size_t contexts_within_error = 0;
};

base::Result<Difference> difference(const profile::Profile& before, const profile::Profile& after,
                                    const std::string& metric = "");

// Deviations beyond which the largest of `numbers` is 95 times of a hundred not found.
double noise_limit(std::size_t numbers);

}  // namespace bursar::analysis
