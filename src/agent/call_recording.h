// CallRecording: from windows of calls to a profile of (caller, site, callee) with weights (Lee 2015).
//
// A window's samples stand for the calls that the thread made since its window before, less where the tick had to wait
// for them (schemes/antibias.h). Where nothing counted those calls they are taken to be as dense as the window's. One
// user at a time, under the owner's lock. Owner: mode cbs. Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent_options.h"
#include "agent/call_watch.h"
#include "agent/filter.h"
#include "agent/named_methods.h"
#include "core/count_table.h"
#include "core/gathered_methods.h"
#include "profile/profile.h"
#include "schemes/antibias.h"

namespace bursar::agent {

// A metric of profiles whose weights are corrected: what they would be without.
inline constexpr const char* kUncorrected = "uncorrected";

class CallRecording {
 public:
  explicit CallRecording(const AgentOptions& options);

  struct Seen {
    const CallWindow& window;
    std::uint64_t time_ns;  // of its tick, since the start of the run
    const std::string& thread;
    // That the thread made since its window before, where something counted them.
    std::optional<std::uint64_t> calls;
    double cycles_per_ns;  // of the time-stamp counter
  };
  void add(const Seen& seen, const NamedMethods::Namer& namer);
  // What a call itself takes in a window, in cycles; a usual one unless this is called.
  void set_cost_of_call(double cycles) { cost_of_call_ = cycles; }

  std::uint64_t samples() const { return samples_; }
  // Edges with the metrics "samples", "weight" and, if that is corrected, kUncorrected; call density and sampling
  // latency over time. Not yet frozen. Stays usable.
  profile::ProfileData to_profile() const;

 private:
  struct Weight {
    double value = 0, variance = 0;

    // What windows differ by: calls of one are seen together.
    void add_window(double of_window) {
      value += of_window;
      variance += of_window * of_window;
    }
  };
  struct EdgeWeights {
    Weight weight, uncorrected;
  };
  // Something over time, thinned out so that it does not grow without end.
  struct Curve {
    std::vector<std::uint64_t> time_ns;
    std::vector<std::uint32_t> thread;
    std::vector<double> value;
    std::uint64_t seen = 0, every = 1;

    void add(std::uint64_t at_ns, std::uint32_t of_thread, double number);
  };
  double density_in(const CallWindow& window) const;
  std::uint32_t thread_of(const std::string& name);
  profile::Series series_of(const Curve& curve, const char* name, const char* unit) const;

  const Filter filter_;
  const schemes::Antibias antibias_;
  const std::uint32_t usual_samples_;
  NamedMethods methods_;
  core::GatheredMethods gathered_;
  core::CountTable edges_;              // (caller, site, callee); counts are samples
  std::vector<EdgeWeights> weights_;    // by row of edges_
  std::vector<std::uint32_t> touched_;  // rows, by the window that is being added
  std::map<std::string, std::uint32_t> threads_;
  double cost_of_call_ = 400;
  Curve density_, latency_;
  std::uint64_t samples_ = 0, without_caller_ = 0, left_out_ = 0, no_memory_ = 0;
};

}  // namespace bursar::agent
