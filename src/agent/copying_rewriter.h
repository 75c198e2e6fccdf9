// A class with a copy of each method, in which calls are counted, and gates that lead there.
//
// The methods themselves stay as they are but for gates, so that outside bursts a program runs as if nothing were
// there. Copies call copies, and at gates copies or methods. Methods that have no copy (copied_methods.h) have two
// bodies: they run the one that counts when they are called in a burst. Runs in: any thread that may allocate
#pragma once

#include "agent/call_positions.h"
#include "agent/class_paths.h"
#include "agent/exact_probes.h"
#include "base/byte_reader.h"
#include "base/result.h"
#include "classfile/rewriter.h"

namespace bursar::agent {

// `paths`: are counted as well, unless it is null. `positions`: of the calls in what it wrote. `early`: hidden classes
// that implement the class may have no copies, so its own must not be abstract.
base::Result<classfile::Rewritten> rewrite_with_copies(base::Bytes class_file, ExactProbes& probes, ClassPaths* paths,
                                                       CallPositions& positions, bool early = false);

}  // namespace bursar::agent
