// ThreadRun: one scheme over the events of one thread: which calls it would have seen, and what it would have made of
// them.
//
// The thread's tree and the signatures of its contexts belong to the caller, since all schemes over one trace share
// them. Runs in: the command
#pragma once

#include <cstdint>
#include <vector>

#include "schemes/thread_scheme.h"
#include "schemes/ticker.h"
#include "trace/events.h"

namespace bursar::simulation {

// What a scheme knows of one context.
struct Estimate {
  double weight = 0;        // of the calls it saw, or its samples
  double squares = 0;       // of its weight in each burst that is over, summed: bursts are what varies
  double burst_weight = 0;  // in the burst at hand
  std::uint64_t burst = 0;
};

class ThreadRun {
 public:
  ThreadRun(const schemes::Options& options, schemes::HistoryTable& history, std::uint64_t thread)
      : scheme_(options, history, thread), ticker_(options, 0) {}

  // `stack`: the context before the event; `node`: the one that is entered or left.
  void event(trace::EventKind kind, std::uint32_t stack, std::uint32_t node, std::uint64_t now_ns,
             const std::vector<schemes::Signature>& signatures) {
    if (now_ns >= ticker_.next_ns()) tick(stack, now_ns, signatures[stack]);
    if (kind != trace::EventKind::kCall) return;
    ++calls_;
    if (const double weight = scheme_.weight(now_ns); weight > 0) count(node, weight);
  }

  // As many as the tree has nodes, or less: the others were not seen.
  const std::vector<Estimate>& estimates() const { return estimates_; }
  const schemes::ThreadScheme::Counts& counts() const { return scheme_.counts(); }
  std::uint64_t calls() const { return calls_; }
  std::uint64_t seen() const { return seen_; }

 private:
  void tick(std::uint32_t stack, std::uint64_t now_ns, schemes::Signature signature);
  void count(std::uint32_t node, double weight) {
    if (node >= estimates_.size()) estimates_.resize(node + 1);
    Estimate& estimate = estimates_[node];
    if (estimate.burst != burst_) {
      estimate.squares += estimate.burst_weight * estimate.burst_weight;
      estimate.burst_weight = 0;
      estimate.burst = burst_;
    }
    estimate.burst_weight += weight;
    estimate.weight += weight;
    ++seen_;
  }

  schemes::ThreadScheme scheme_;
  schemes::Ticker ticker_;
  std::vector<Estimate> estimates_;
  std::uint64_t burst_ = 0;
  std::uint64_t calls_ = 0, seen_ = 0;
};

}  // namespace bursar::simulation
