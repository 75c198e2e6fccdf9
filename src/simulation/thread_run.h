// ThreadRun: one scheme over the events of one thread: which calls it would have seen, and what it would have made of
// them.
//
// The thread's tree and the signatures of its contexts belong to the caller, since all schemes over one trace share
// them. Runs in: the command
#pragma once

#include <cstdint>
#include <memory>

#include "schemes/history_table.h"
#include "schemes/options.h"
#include "schemes/signature.h"
#include "schemes/thread_scheme.h"
#include "simulation/estimates.h"
#include "trace/events.h"

namespace bursar::simulation {

struct Event {
  trace::EventKind kind;
  std::uint32_t stack;  // the context before it
  std::uint32_t node;   // the one that is entered or left
  std::uint64_t now_ns;
  schemes::Signature signature;  // of `stack`
};

class ThreadRun {
 public:
  virtual ~ThreadRun() = default;

  // In the order of time.
  virtual void event(const Event& event) = 0;
  virtual schemes::ThreadScheme::Counts counts() const = 0;
  // From ticks to their first samples, all together, where threads that wait are sampled too.
  virtual std::uint64_t latency_ns() const { return 0; }

  const Estimates& estimates() const { return estimates_; }
  std::uint64_t calls() const { return calls_; }

 protected:
  Estimates estimates_;
  std::uint64_t calls_ = 0;
};

// Of the kind that the options ask for. `history` must outlive it.
std::unique_ptr<ThreadRun> make_thread_run(const schemes::Options& options, schemes::HistoryTable& history,
                                           std::uint64_t thread);

}  // namespace bursar::simulation
