// Call density and sampling latency over the run of a profile that holds them (mode cbs): Table I and Figures 4 to 6 of
// paper 001, as JSON.
#pragma once

#include "evaluation/json.h"
#include "profile/profile.h"

namespace bursar::evaluation {

// Null unless there are both.
//   call_density (calls per 1000 cycles) and sampling_latency (cycles): points (how many there were), least, most,
//   median,
//     mean, quantiles (of 0, 5, 10 … 100 %)
//   over_time: threads (the names of those with most points; the rest is none of them), and no more points than a plot
//     can show, each [seconds, density, latency, index into threads or -1]
Json sampling_facts(const profile::Profile& profile);

}  // namespace bursar::evaluation
