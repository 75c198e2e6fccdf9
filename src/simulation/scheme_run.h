// SchemeRun: the schemes of ThreadScheme over the events of one thread: its ticks find threads that run.
// Runs in: the command
#pragma once

#include "schemes/ticker.h"
#include "simulation/thread_run.h"

namespace bursar::simulation {

class SchemeRun final : public ThreadRun {
 public:
  SchemeRun(const schemes::Options& options, schemes::HistoryTable& history, std::uint64_t thread)
      : scheme_(options, history, thread), ticker_(options, 0) {}

  void event(const Event& event) override {
    if (event.now_ns >= ticker_.next_ns()) tick(event);
    if (event.kind != trace::EventKind::kCall) return;
    ++calls_;
    if (const double weight = scheme_.weight(event.now_ns); weight > 0) estimates_.count(event.node, weight);
  }

  schemes::ThreadScheme::Counts counts() const override { return scheme_.counts(); }

 private:
  void tick(const Event& event);

  schemes::ThreadScheme scheme_;
  schemes::Ticker ticker_;
};

}  // namespace bursar::simulation
