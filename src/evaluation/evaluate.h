// evaluate(): the whole of an evaluation, from a folder for its results to the report in it.
#pragma once

#include "base/result.h"
#include "evaluation/config.h"
#include "evaluation/json.h"
#include "evaluation/planned_runs.h"

namespace bursar::evaluation {

struct Outcome {
  Json evaluation;           // of what has been measured so far
  bool interrupted = false;  // somebody asked us to stop: not all that was asked for is there
};

// Goes on where the folder's files end. Leaves DIR/report.html, after an interruption too. Failed runs are part of the
// outcome; an error is what makes going on senseless: a program cannot be started at all, the folder holds results with
// other settings, the disk is full.
base::Result<Outcome> evaluate(const Config& config, const Observer& observer);

}  // namespace bursar::evaluation
