// Profile: the frozen result of one run (or of several, merged). The one thing both worlds know.
//
// Measuring code fills a ProfileData and freezes it; everything else only reads. Invariant of a Profile, established by
// freeze() and checked by the reader and by validate(): it is in canonical form, so that equal profiles are equal byte
// for byte, in memory and on disk.
//   metrics   sorted by name, no two alike
//   methods   sorted by (class name, name, descriptor, kind), no two alike, none that nobody names; without descriptors
//             a Java and a native method of one name are one Java method
//   contexts  in pre-order (a parent comes before its children, subtrees are contiguous), siblings sorted by
//             (method, site), no two alike; a root has no site
//   edges     sorted by (caller, site, callee), no two alike;  branches  by (method, bci, outcome), no two alike
//   lines     sorted by (method, bci), no two alike; of methods that something else names
//   paths     sorted by (method, blocks), no two alike;  threads  by name, no two alike, contexts ascending
//   series    by name, no two alike; points sorted by (time, thread, value), no negative zero
//   an empty table of paths or branches has the kind kExact
//   every id lies inside its table; every column is as long as its table; there is a Column for every metric
//
// All numbers are unsigned integers and add up with saturation, which is commutative and associative: that is what
// makes merge() exact. An estimate is a fixed-point number (value / 2^scale_log2) with the variance of that number, so
// that independent runs add up as well (variance is counted in units of 4^-scale_log2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace bursar::profile {

using MethodId = std::uint32_t;
using ContextId = std::uint32_t;
__extension__ using Uint128 = unsigned __int128;

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
// A call site is the original bytecode index of the call in its caller; kNoSite where it is not known or not kept.
inline constexpr std::uint32_t kNoSite = kNone;

enum class MethodKind : std::uint8_t {
  kJava,      // has bytecode
  kNative,    // a native method
  kPseudo,    // a named stand-in: a root for calls of the VM itself, a failed stack walk
  kOverflow,  // calls beyond --max-contexts; never matches anything when profiles are compared
};

// A method as two runs agree on it: no loader, suffixes of generated classes normalised.
struct Method {
  std::string class_name;  // binary name with dots: java.util.Map$Entry; empty for pseudo methods
  std::string name;
  std::string descriptor;  // (I)V; empty where not known (imported profiles) or not kept
  MethodKind kind = MethodKind::kJava;
  std::uint32_t code_bytes = 0;  // of its bytecode as loaded; 0 where not known. Not part of its identity

  bool operator==(const Method&) const = default;
  // By identity.
  bool operator<(const Method& other) const {
    return std::tie(class_name, name, descriptor, kind) <
           std::tie(other.class_name, other.name, other.descriptor, other.kind);
  }
};

enum class MetricKind : std::uint8_t {
  kExact,     // every event was counted
  kEstimate,  // scaled up from what was seen; has a variance
  kSamples,   // how often a sample found it: not a number of calls
};

constexpr std::string_view kind_word(MetricKind kind) {
  switch (kind) {
    case MetricKind::kExact:
      return "exact";
    case MetricKind::kEstimate:
      return "estimate";
    case MetricKind::kSamples:
      return "samples";
  }
  return "unknown";
}

struct Metric {
  std::string name;  // calls, samples, bytecodes, allocations …
  std::string unit;
  MetricKind kind = MetricKind::kExact;
  std::uint8_t scale_log2 = 0;  // at most 32; 0 for exact metrics and samples

  bool operator==(const Metric&) const = default;
};

inline constexpr std::size_t kMaxMetrics = 64;
inline constexpr const char* kCalls = "calls";
// A counter: of an estimate, how often a context was called, at most, that is not in it.
inline constexpr const char* kUnseenAtMost = "unseen_at_most";
inline constexpr const char* kSamples = "samples";
inline constexpr const char* kWeight = "weight";            // of calls against each other, by samples of them
inline constexpr const char* kActivations = "activations";  // that samples found, each once as far as is known

// The numbers of one metric over one table.
struct Column {
  std::vector<std::uint64_t> value;
  std::vector<Uint128> variance;  // empty unless the metric is an estimate

  bool operator==(const Column&) const = default;
};

struct Contexts {
  std::vector<ContextId> parent;  // kNone for the first frame of a thread
  std::vector<MethodId> method;
  std::vector<std::uint32_t> site;  // in the parent's method; kNoSite everywhere unless Identity::call_sites
  std::vector<Column> columns;      // one for each metric: the context's own number, not its subtree's

  std::size_t size() const { return parent.size(); }
  bool operator==(const Contexts&) const = default;
};

// Totals of (caller, site, callee) over all contexts.
struct Edges {
  std::vector<MethodId> caller;
  std::vector<std::uint32_t> site;
  std::vector<MethodId> callee;
  std::vector<Column> columns;  // one for each metric

  std::size_t size() const { return caller.size(); }
  bool operator==(const Edges&) const = default;
};

// The tree of one thread: a part of the whole tree with its own numbers.
struct Thread {
  std::string name;  // unique within the profile
  std::vector<ContextId> context;
  std::vector<Column> columns;  // one for each metric, as long as `context`

  bool operator==(const Thread&) const = default;
};

// How often each acyclic path ran. A path is its method and the original bytecode index of every block it runs through,
// so that it is the same whatever the numbering of the run that found it.
struct Paths {
  std::vector<MethodId> method;
  std::vector<std::uint64_t> first_block;  // size() + 1 entries (none if there are no paths): path i is
                                           // blocks[first_block[i] … first_block[i + 1])
  std::vector<std::uint32_t> blocks;
  std::vector<std::uint32_t> branches;  // decisions along the path: its length in branch flow
  Column count;
  MetricKind kind = MetricKind::kExact;

  std::size_t size() const { return method.size(); }
  bool operator==(const Paths&) const = default;
};

// How often each outcome of each branch was taken: 0 not taken, 1 taken; a switch numbers its distinct targets in
// bytecode order.
struct Branches {
  std::vector<MethodId> method;
  std::vector<std::uint32_t> bci;
  std::vector<std::uint32_t> outcome;
  Column count;
  MetricKind kind = MetricKind::kExact;

  std::size_t size() const { return method.size(); }
  bool operator==(const Branches&) const = default;
};

// Source lines, where they are known and something names the place: of blocks and branches.
struct Lines {
  std::vector<MethodId> method;
  std::vector<std::uint32_t> bci;
  std::vector<std::uint32_t> line;

  std::size_t size() const { return method.size(); }
  bool operator==(const Lines&) const = default;
};

// Something measured over time: call density, sampling latency, the sampling interval.
struct Series {
  std::string name;
  std::string unit;
  std::vector<std::uint64_t> time_ns;  // since the start of the run
  std::vector<std::uint32_t> thread;   // index into ProfileData::threads, or kNone
  std::vector<double> value;           // finite

  bool operator==(const Series&) const = default;
};

// What a context of this profile is. compare and merge bring both sides to what they share.
struct Identity {
  bool call_sites = false;        // links carry their call site
  bool descriptors = true;        // methods carry their descriptor
  bool folded_recursion = false;  // a recursive call shares its ancestor's context

  bool operator==(const Identity&) const = default;
};

struct ProfileData {
  Identity identity;
  std::vector<Metric> metrics;
  std::vector<Method> methods;
  Contexts contexts;
  Edges edges;
  std::vector<Thread> threads;
  Paths paths;
  Branches branches;
  Lines lines;
  std::vector<Series> series;

  // Facts about the run(s). Merging unites the sets and adds the counters.
  std::map<std::string, std::set<std::string>> info;  // mode, jvm, command, tool, seed …
  std::map<std::string, std::uint64_t> counters;      // threads, rewritten_methods, profiler_cpu_ns, process_cpu_ns …
  std::map<std::string, std::uint64_t> dropped;       // events lost, by reason
  std::map<std::string, std::uint64_t> skipped_methods;  // methods left unchanged, by reason

  bool operator==(const ProfileData&) const = default;
};

class Profile {
 public:
  Profile() = default;

  const ProfileData& data() const { return data_; }
  const ProfileData* operator->() const { return &data_; }
  bool operator==(const Profile&) const = default;

 private:
  friend class Freezer;  // freeze.cpp: the only way to make one that is not empty
  explicit Profile(ProfileData data) : data_(std::move(data)) {}

  ProfileData data_;
};

}  // namespace bursar::profile
