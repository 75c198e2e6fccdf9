#include "simulation/thread_run.h"

namespace bursar::simulation {

void ThreadRun::tick(std::uint32_t stack, std::uint64_t now_ns, schemes::Signature signature) {
  using Action = schemes::ThreadScheme::Action;
  // A thread that waited long has missed many ticks: all found it where it is. Where it was in no method, above all
  // before its first, it was not running.
  for (; ticker_.next_ns() <= now_ns; ticker_.advance()) {
    if (stack == trace::kRoot) continue;
    const Action action = scheme_.tick(signature, ticker_.next_ns());
    if (action == Action::kNone) continue;
    ++burst_;
    if (action == Action::kSample) count(stack, 1);
  }
}

}  // namespace bursar::simulation
