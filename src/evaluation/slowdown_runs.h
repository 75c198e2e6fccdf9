// Slowdowns: measured by bench/slowdown, which knows how to interleave runs, when a program is warm and what an
// interval is. This only tells it what to run, and takes its results file and JSON.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "evaluation/config.h"
#include "evaluation/json.h"
#include "evaluation/process_linux.h"

namespace bursar::evaluation {

std::vector<std::string> slowdown_command(const Config& config);

struct SlowdownEnd {
  bool interrupted = false;
  std::string problem;  // why it could not measure; what it says itself is on stderr
};
// Continues DIR/slowdown.jsonl. Its progress and messages go to our stderr.
SlowdownEnd run_slowdowns(const Config& config, AwaitedSignals& signals);

// What DIR/slowdown.jsonl holds so far, summarised by bench/slowdown; null if there is none.
base::Result<Json> read_slowdowns(const Config& config, AwaitedSignals& signals);

}  // namespace bursar::evaluation
