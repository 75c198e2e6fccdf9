// PathSampler: mode paths: asks threads for samples of their path registers at every tick, and counts them.
//
// A tick raises a flag that all probes look at. While it is up, threads note the paths they end, after some that they
// pass by. It is lowered when the threads that run have noted as many as they were asked for and the window is over, or
// after a millisecond. A thread's samples of one tick weigh as much, all together, as it ended paths in each
// millisecond: otherwise a slow phase of the program would have as many as a fast one that lasts as long, though it
// runs fewer paths. Weights are added up by the number of the path. With a window there are several ticks in each
// interval.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/agent_options.h"
#include "agent/path_registry.h"
#include "agent/tick_thread.h"
#include "core/path_samples.h"
#include "schemes/striding.h"

namespace bursar::agent {

class PathSampler {
 public:
  PathSampler(const PathRegistry& registry, const AgentOptions& options);

  // Empty, or why there will be no ticks.
  std::string start();
  void stop() { ticks_.stop(); }

  // Of an int that is not 0 while samples are taken; 0 if there is no memory.
  std::uint64_t flag() const { return reinterpret_cast<std::uint64_t>(flag_); }
  // Where threads without a place of their own put samples.
  std::uint64_t shared() const { return shared_->address(); }
  // A place for a new thread.
  std::uint64_t open();
  // The thread has ended; what it noted since the last tick is lost.
  void close(std::uint64_t place);

  // What a tick does, one step after the other: so tests can tick without a clock.
  void ask();
  void take(std::uint64_t window_ns);

  // The weight of each path so far, by number.
  std::vector<std::uint64_t> weights() const;
  struct Totals {
    std::uint64_t ticks = 0;
    std::uint64_t samples = 0;
    std::uint64_t cpu_ns = 0;
  };
  Totals totals() const;

 private:
  // Where there is a window: a few more moments tell more than many more paths of the same moment.
  static constexpr std::uint64_t kLooksPerInterval = 8;
  // Notes of one thread at one tick; what it ends beyond them is counted.
  static constexpr std::uint32_t kMostNotes = 1 << 14;

  using Place = std::unique_ptr<core::PathSamples>;

  Place make_place() const;
  void tick();
  void take(const core::PathSamples& place, std::uint64_t window_ns, std::uint32_t known);
  struct Progress {
    bool some_thread_runs = false;
    bool some_thread_is_to_note_more = false;  // of those
  };
  // Since the last call.
  Progress progress();

  const PathRegistry& registry_;
  schemes::Options options_;
  std::uint32_t samples_;  // at least, of a thread that runs
  std::uint64_t window_ns_, first_ns_;
  std::uint64_t start_ns_ = 0;
  bool sleeps_well_ = false;  // the tick thread's own
  std::int32_t* flag_;
  TickThread ticks_;

  mutable std::mutex lock_;
  const std::uint32_t stride_;
  schemes::Striding striding_;
  Place shared_;
  std::unordered_map<std::uint64_t, Place> open_;
  std::vector<Place> idle_;
  std::vector<std::uint64_t> weights_;
  std::vector<std::uint32_t> taken_;  // by the tick under way, of one place
  Totals totals_;
};

}  // namespace bursar::agent
