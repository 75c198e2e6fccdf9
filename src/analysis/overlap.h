// Overlap: how much two distributions of weight over the same items have in common (paper 000, section 3.1; Arnold and
// Ryder's measure, used by papers 001, 003 and 004 as well).
//
// The items are the edges of the calling-context trees (every context is the edge from its parent, the first frame of a
// thread the edge from one virtual root), of the call graphs, the outcomes of branches, or the counters of a CC-Map:
// who joins two profiles decides, the sum is the same.
#pragma once

#include "analysis/paired_weights.h"

namespace bursar::analysis {

// 100 · Σ min(share in the truth, share in the estimate). Symmetric, 0 to 100, and the same however either side is
// scaled. 0 where a side has no weight at all: it shares nothing.
double overlap(const PairedWeights& weights);

}  // namespace bursar::analysis
