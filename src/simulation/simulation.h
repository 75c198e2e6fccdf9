// Simulation: schemes over a trace, as if the program ran under each of them. The same trace, options and seed give the
// same profile, byte for byte.
//
// Feed it the trace's events in order; then ask for a profile by scheme. One pass over the trace serves all schemes.
// Runs in: the command
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "schemes/options.h"
#include "simulation/thread_run.h"
#include "trace/events.h"
#include "trace/trace_file.h"

namespace bursar::simulation {

// What time it is for the schemes: the recorded time divided by how much recording slowed the program, or so much time
// for each event.
struct Clock {
  enum class Kind : std::uint8_t { kTime, kEvents };
  Kind kind = Kind::kTime;
  double slowdown = 1;
  double event_ns = 10;
};

class Simulation {
 public:
  Simulation(std::vector<schemes::Options> schemes, Clock clock);

  // False if the events make no sense; error() then says why.
  bool feed(const trace::Events& events, std::uint32_t methods);
  const std::string& error() const { return error_; }

  std::uint64_t events() const { return events_; }
  std::size_t threads() const { return threads_.size(); }
  struct Totals {
    schemes::ThreadScheme::Counts counts;
    std::uint64_t calls = 0;
    std::uint64_t seen = 0;  // of them
    double weight = 0;       // of what was seen
    std::uint64_t latency_ns = 0;
  };
  Totals totals(std::size_t scheme) const;

  // Calls (exact where every call was seen, else estimated) or samples, by context, edge and thread; not yet frozen.
  // Samples with antibias weights become calls: the scheme has counted all of them, to tell how dense they are, and its
  // weights tell how they are spread.
  profile::ProfileData profile(std::size_t scheme, const trace::TraceReader& trace, bool call_sites) const;

 private:
  struct Thread {
    std::uint32_t number = 0;
    trace::EventDecoder decoder;
    std::vector<schemes::Signature> signatures = {schemes::kEmptyStack};
    std::uint64_t events = 0;
    std::vector<std::unique_ptr<ThreadRun>> runs;  // one for each scheme
  };

  Thread& thread_of(std::uint32_t number);

  std::vector<schemes::Options> schemes_;
  Clock clock_;
  std::deque<schemes::HistoryTable> histories_;  // one for each scheme
  std::map<std::uint32_t, Thread> threads_;
  std::uint64_t events_ = 0;
  std::string error_;
};

}  // namespace bursar::simulation
