// AgentOptions: what -agentpath:…/libbursar.so=OPTIONS says.
//
// key=value, joined by commas; in values ',' '%' and '=' are written %2C %25 %3D. `bursar record` writes them, people
// may. Keys: mode, output (%p is the process id), call_sites, max_contexts, include, exclude (both may repeat),
// interval_ns, seed, action, command, status; in mode sample clock, walks, tune, min_interval_ns and max_interval_ns;
// in mode trace max_size (bytes) and skip_ms; in modes burst and adaptive burst_ns and gate (may repeat), in adaptive
// reenable, history and collision; in mode paths samples, stride, window_ns, first_ns and placement; in mode cbs
// samples, stride, correct, lambda, alpha and density.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schemes/antibias.h"
#include "schemes/options.h"

namespace bursar::agent {

inline constexpr std::uint64_t kDefaultMaxContexts = 20'000'000;
inline constexpr std::uint64_t kDefaultMaxSize = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kLeastMaxSize = 1 << 16;
inline constexpr std::uint64_t kLongestSkipMs = 1'000'000'000;
inline constexpr std::uint64_t kMostContexts = 4'000'000'000;  // a profile numbers them in 32 bits

inline constexpr std::uint64_t kDefaultIntervalNs = 10'000'000;
inline constexpr std::uint64_t kDefaultPathIntervalNs = 20'000'000;
inline constexpr std::uint32_t kDefaultPathSamples = 64, kDefaultPathStride = 17;
inline constexpr std::uint64_t kDefaultCallIntervalNs = 4'000'000;
// A stride that is prime: most programs have rhythms of few calls, and all of their beats should be sampled.
inline constexpr std::uint32_t kDefaultCallSamples = 100, kDefaultCallStride = 17;
inline constexpr std::uint64_t kDefaultWindowNs = 10'000, kLongestWindowNs = 1'000'000;
inline constexpr std::uint64_t kNoLimitNs = 0x7fffffffffffffff;
inline constexpr std::uint64_t kMostSamples = 65'536, kLongestStride = 65'536;
inline constexpr std::uint64_t kDefaultBurstNs = 40'000;
inline constexpr std::uint64_t kDefaultFirstIntervalNs = 1'000'000;  // of mode adaptive; later ones are longer
inline constexpr std::uint64_t kDefaultMinIntervalNs = 1'000'000, kDefaultMaxIntervalNs = 1'000'000'000;
inline constexpr double kDefaultReenable = 0.5;
inline constexpr std::uint64_t kShortestBurstNs = 1'000, kLargestHistory = 1 << 28;
inline constexpr std::uint64_t kShortestIntervalNs = 100'000, kLongestIntervalNs = 10'000'000'000;

inline constexpr const char* kExactMode = "exact";
inline constexpr const char* kSampleMode = "sample";
inline constexpr const char* kTraceMode = "trace";
inline constexpr const char* kBurstMode = "burst";
inline constexpr const char* kAdaptiveMode = "adaptive";
inline constexpr const char* kExactPathsMode = "exact-paths";
inline constexpr const char* kPathsMode = "paths";
inline constexpr const char* kCbsMode = "cbs";

// What `bursar attach` asks of a running JVM, and `bursar advise` (recompile: the classes that `include` names).
enum class AttachAction : std::uint8_t { kStart, kStop, kDump, kStatus, kRecompile };

// What mode sample samples: time on a processor, or all time that passes.
enum class SampleClock : std::uint8_t { kCpu, kWall };

// How far mode sample walks a stack: all of it; as far as it is new; or so and all of it too, to see that it agrees.
enum class SampleWalks : std::uint8_t { kFull, kNew, kCheck };

// What tells mode cbs how dense calls are: a counter of the processor, the windows themselves, or the one if there is
// one and otherwise the other.
enum class DensitySource : std::uint8_t { kAny, kHardware, kSoftware };

// Which edges of a method add nothing to mode paths' register: those that fall through; those that were sampled most,
// once that is known; or, to see what placement gives, those that do not fall through.
enum class PathPlacement : std::uint8_t { kCode, kProfile, kWorst };

struct AgentOptions {
  std::string mode = kExactMode;
  std::string output = "bursar-%p.bursar";
  bool names_output = false;  // it was given
  bool call_sites = false;
  std::uint64_t max_contexts = kDefaultMaxContexts;
  std::uint64_t max_size = kDefaultMaxSize;
  std::uint64_t skip_ms = 0;
  std::vector<std::string> include, exclude;
  std::uint64_t interval_ns = kDefaultIntervalNs;  // between ticks
  std::uint64_t seed = 1;
  SampleClock clock = SampleClock::kCpu;
  SampleWalks walks = SampleWalks::kFull;
  // Mode sample: the interval is found while it runs, within these.
  bool tunes_interval = false;
  std::uint64_t min_interval_ns = kDefaultMinIntervalNs, max_interval_ns = kDefaultMaxIntervalNs;
  AttachAction action = AttachAction::kStart;
  // Modes burst and adaptive. An interval and a seed that are given are those above.
  schemes::Options bursts{.interval_ns = kDefaultIntervalNs, .burst_ns = kDefaultBurstNs, .reenable = kDefaultReenable};
  // Mode paths: of each thread at each tick, and how many path ends are passed by before, at most one less; and how
  // long further ones are sampled. Mode cbs: of calls, and every how many of them is one.
  std::uint32_t samples = kDefaultPathSamples, stride = kDefaultPathStride;
  std::uint64_t window_ns = kDefaultWindowNs;
  bool path_ticks = false;  // it is to sample like that, and not to count in bursts as mode adaptive
  PathPlacement placement = PathPlacement::kCode;
  std::uint64_t first_ns = kNoLimitNs;  // mode paths: no sample later than this
  schemes::Antibias antibias;           // mode cbs; a lambda of 0 is the interval
  DensitySource density = DensitySource::kAny;
  std::vector<std::string> gates;  // mode burst: these methods and no others: java.util.List.add
  std::string command;             // for the profile's info
  std::string status;              // a file that `record` reads; empty: messages go to stderr

  // Beside calls, in bursts.
  bool counts_paths() const { return mode == kPathsMode && !path_ticks; }
  bool in_bursts() const { return mode == kBurstMode || mode == kAdaptiveMode || counts_paths(); }
};

base::Result<AgentOptions> parse_agent_options(std::string_view text);

}  // namespace bursar::agent
