// YieldpointRun: counter-based sampling over the events of one thread: ticks also find it waiting.
//
// The thread is there from its first event on. Runs in: the command
#pragma once

#include "schemes/ticker.h"
#include "schemes/yieldpoint_sampler.h"
#include "simulation/thread_run.h"

namespace bursar::simulation {

class YieldpointRun final : public ThreadRun {
 public:
  explicit YieldpointRun(const schemes::Options& options) : sampler_(options), ticker_(options, 0) {}

  void event(const Event& event) override {
    if (event.now_ns >= ticker_.next_ns()) tick(event.now_ns);
    is_there_ = true;
    if (event.kind != trace::EventKind::kCall) return;
    ++calls_;
    if (const double weight = sampler_.call(event.now_ns); weight > 0) count(event.node, weight);
  }

  schemes::ThreadScheme::Counts counts() const override;
  std::uint64_t latency_ns() const override { return sampler_.counts().latency_ns; }

 private:
  void tick(std::uint64_t now_ns);
  void count(std::uint32_t node, double weight);

  schemes::YieldpointSampler sampler_;
  schemes::Ticker ticker_;
  bool is_there_ = false;
  std::uint64_t bursts_ = 0;  // that gave a sample
};

}  // namespace bursar::simulation
