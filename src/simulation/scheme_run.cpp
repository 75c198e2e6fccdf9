#include "simulation/scheme_run.h"

namespace bursar::simulation {

void SchemeRun::tick(const Event& event) {
  using Action = schemes::ThreadScheme::Action;
  // A thread that waited long has missed many ticks: all found it where it is. Where it was in no method, above all
  // before its first, it was not running.
  for (; ticker_.next_ns() <= event.now_ns; ticker_.advance()) {
    if (event.stack == trace::kRoot) continue;
    const Action action = scheme_.tick(event.signature, ticker_.next_ns());
    if (action == Action::kNone) continue;
    estimates_.begin_burst();
    if (action == Action::kSample) estimates_.count(event.stack, 1);
  }
}

}  // namespace bursar::simulation
