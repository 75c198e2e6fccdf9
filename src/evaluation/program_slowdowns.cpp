#include "evaluation/program_slowdowns.h"

#include "evaluation/config.h"
#include "evaluation/interval.h"
#include "evaluation/plan.h"

namespace bursar::evaluation {

namespace {

// What the runs of each round measured, with the profiler and without.
struct Pairs {
  std::vector<double> baseline, variant;
};

Pairs pairs_of(const std::vector<Json>& rows, const std::string& profiler, const char* measure) {
  Pairs pairs;
  for (std::uint32_t round = 1;; ++round) {
    const Json* alone = find_row(rows, {kProgram, kBaseline, round});
    if (alone == nullptr) return pairs;
    const Json* profiled = find_row(rows, {kProgram, profiler, round});
    if (profiled == nullptr) continue;
    if (!(*profiled)["failure"].is_null() || !(*alone)["failure"].is_null()) return {};
    pairs.baseline.push_back(alone->value(measure, 0.0));
    pairs.variant.push_back(profiled->value(measure, 0.0));
  }
}

}  // namespace

Json program_slowdowns(const std::vector<Json>& rows, const std::vector<std::string>& profilers) {
  Json variants = Json::object();
  for (const std::string& profiler : profilers) {
    const Pairs cpu = pairs_of(rows, profiler, "cpu_s"), memory = pairs_of(rows, profiler, "max_rss_kb");
    variants[profiler] = {{"rounds", cpu.baseline.size()},
                          {"whole_process", paired_ratio(cpu.baseline, cpu.variant)},
                          {"memory", paired_ratio(memory.baseline, memory.variant)}};
  }
  return {{"workloads", {{kProgram, {{"variants", variants}}}}}};
}

}  // namespace bursar::evaluation
