// Which run comes next: a pure function of what is asked for and of the runs already made.
//
// A workload's first run is the truth (mode exact), its second one the same again: how far two truths agree is the most
// that an estimate can reach. Then come the estimates, one of each profiler in turn, and at last a trace. Slowdowns
// of workloads have a plan of their own (bench/measure/schedule.py). Of a user's program all of a run is measured, so
// that the same runs serve both: in rounds, each of the program alone and under every profiler, in random order; only
// the first begins with the program alone and the truth. Repeated runs, to be compared with each other, are all there
// is if they are asked for: one of each profiler in turn. Where advice is to be taken, what it is taken from is
// recorded first; then one run without advice and one for each way to take it tell what the compiler makes of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "evaluation/config.h"
#include "evaluation/json.h"

namespace bursar::evaluation {

struct Step {
  std::string workload;
  std::string profiler;
  std::uint32_t run = 1;  // from 1

  bool is_truth() const { return is_exact(profiler) && run == 1; }
  bool operator==(const Step&) const = default;
};

std::vector<Step> planned(const Config& config);

// The newest row of a step, or null.
const Json* find_row(const std::vector<Json>& rows, const Step& step);

// What is left of `steps`. A (workload, profiler) that failed is not tried again, and nothing is compared with a truth
// or a baseline that failed; failures among the first `forgiven` rows are as if they had never been. A truth counts as
// made only while its profile is there.
std::vector<Step> remaining(const std::vector<Step>& steps, const std::vector<Json>& rows, std::size_t forgiven,
                            const std::function<bool(const std::string& workload)>& has_truth);

// How long `steps` will take, judged by the rows of the same workload and profiler, else by the mean of all; 0 if
// nothing is known.
double seconds_left(const std::vector<Step>& steps, const std::vector<Json>& rows);

}  // namespace bursar::evaluation
