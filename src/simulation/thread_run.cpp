#include "simulation/thread_run.h"

#include "simulation/scheme_run.h"
#include "simulation/yieldpoint_run.h"

namespace bursar::simulation {

std::unique_ptr<ThreadRun> make_thread_run(const schemes::Options& options, schemes::HistoryTable& history,
                                           std::uint64_t thread) {
  if (options.kind == schemes::Kind::kCounter) return std::make_unique<YieldpointRun>(options);
  return std::make_unique<SchemeRun>(options, history, thread);
}

}  // namespace bursar::simulation
