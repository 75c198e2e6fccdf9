// Random profile data for tests: small, of the right shape, in no particular order, full of things that coincide.
//
// The same seed and options give the same data. Few distinct names, sites and blocks, so that siblings, methods,
// edges, paths and threads coincide often, within one profile and between two.
#pragma once

#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "profile/freeze.h"
#include "profile/profile.h"

namespace bursar::profile {

struct RandomProfileOptions {
  std::size_t contexts = 60;
  std::size_t methods = 12;
  std::size_t edges = 20;
  std::size_t threads = 3;
  std::size_t paths = 10;
  std::size_t branches = 10;
  std::size_t series = 2;
  Identity identity;
  std::vector<Metric> metrics = {{kCalls, "", MetricKind::kExact, 0}};
  MetricKind path_kind = MetricKind::kExact;  // of paths and branches
  bool extreme_numbers = false;               // some close to the largest, so that sums saturate
};

class RandomProfile {
 public:
  using Options = RandomProfileOptions;

  explicit RandomProfile(std::uint64_t seed, Options options = {}) : random_(seed), options_(std::move(options)) {}

  ProfileData data() {
    ProfileData data;
    data.identity = options_.identity;
    data.metrics = options_.metrics;
    add_methods(data);
    add_contexts(data);
    add_edges(data);
    add_threads(data);
    add_paths(data);
    add_branches(data);
    add_lines(data);
    add_series(data);
    add_facts(data);
    return data;
  }

  Profile profile() { return freeze(data()).value(); }

  std::uint64_t below(std::uint64_t limit) {
    return std::uniform_int_distribution<std::uint64_t>(0, limit - 1)(random_);
  }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

 private:
  template <std::size_t N>
  std::string pick(const char* const (&names)[N]) {
    return names[below(N)];
  }

  std::uint32_t site() { return one_in(3) ? kNoSite : static_cast<std::uint32_t>(below(4) * 7); }

  std::uint64_t number() {
    if (options_.extreme_numbers && one_in(4)) return ~std::uint64_t{0} - below(5);
    return below(std::uint64_t{1} << below(40));
  }

  Column column(MetricKind kind, std::size_t rows) {
    Column column;
    for (std::size_t i = 0; i < rows; ++i) {
      column.value.push_back(number());
      if (kind == MetricKind::kEstimate) column.variance.push_back(Uint128{number()} << below(65));
    }
    return column;
  }

  std::vector<Column> columns(std::size_t rows) {
    std::vector<Column> columns;
    for (const Metric& metric : options_.metrics) columns.push_back(column(metric.kind, rows));
    return columns;
  }

  MethodId method() { return static_cast<MethodId>(below(options_.methods)); }

  void add_methods(ProfileData& data) {
    static constexpr const char* kClasses[] = {"a.B", "a.B$C", "java.util.Map$Entry", "z.Größe", "a"};
    static constexpr const char* kNames[] = {"<init>", "run", "get", "lambda$get$0"};
    static constexpr const char* kDescriptors[] = {"()V", "(I)V", "(Ljava/lang/Object;)Z"};
    for (std::size_t i = 0; i < options_.methods; ++i) {
      const auto kind = one_in(4) ? static_cast<MethodKind>(below(4)) : MethodKind::kJava;
      data.methods.push_back({pick(kClasses), pick(kNames), pick(kDescriptors), kind});
    }
  }

  // A random tree whose ids are then shuffled, so that a parent may come after its child.
  void add_contexts(ProfileData& data) {
    const std::size_t size = options_.methods == 0 ? 0 : options_.contexts;
    std::vector<ContextId> shuffled(size);
    std::iota(shuffled.begin(), shuffled.end(), 0U);
    for (std::size_t i = size; i > 1; --i) std::swap(shuffled[i - 1], shuffled[below(i)]);
    Contexts& contexts = data.contexts;
    contexts.parent.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      const bool root = i == 0 || one_in(10);
      // Half of the time the newest one, for long chains.
      contexts.parent[shuffled[i]] = root ? kNone : shuffled[one_in(2) ? i - 1 : below(i)];
      contexts.method.push_back(method());
      contexts.site.push_back(site());
    }
    contexts.columns = columns(size);
  }

  void add_edges(ProfileData& data) {
    const std::size_t size = options_.methods == 0 ? 0 : options_.edges;
    for (std::size_t i = 0; i < size; ++i) {
      data.edges.caller.push_back(method());
      data.edges.site.push_back(site());
      data.edges.callee.push_back(method());
    }
    data.edges.columns = columns(size);
  }

  void add_threads(ProfileData& data) {
    static constexpr const char* kNames[] = {"main", "worker-1", "worker-2", "Finalizer", ""};
    for (std::size_t t = 0; t < options_.threads; ++t) {
      Thread thread;
      thread.name = pick(kNames);
      const std::size_t size = data.contexts.size() == 0 ? 0 : below(data.contexts.size() + 1);
      for (std::size_t i = 0; i < size; ++i) {
        thread.context.push_back(static_cast<ContextId>(below(data.contexts.size())));
      }
      thread.columns = columns(size);
      data.threads.push_back(std::move(thread));
    }
  }

  void add_paths(ProfileData& data) {
    Paths& paths = data.paths;
    paths.kind = options_.path_kind;
    const std::size_t size = options_.methods == 0 ? 0 : options_.paths;
    if (size > 0) paths.first_block.push_back(0);
    for (std::size_t i = 0; i < size; ++i) {
      paths.method.push_back(method());
      for (std::uint64_t b = below(4); b > 0; --b) paths.blocks.push_back(static_cast<std::uint32_t>(below(3) * 5));
      paths.first_block.push_back(paths.blocks.size());
      paths.branches.push_back(static_cast<std::uint32_t>(below(4)));
    }
    paths.count = column(paths.kind, size);
  }

  void add_branches(ProfileData& data) {
    Branches& branches = data.branches;
    branches.kind = options_.path_kind;
    const std::size_t size = options_.methods == 0 ? 0 : options_.branches;
    for (std::size_t i = 0; i < size; ++i) {
      branches.method.push_back(method());
      branches.bci.push_back(static_cast<std::uint32_t>(below(3) * 11));
      branches.outcome.push_back(static_cast<std::uint32_t>(below(2)));
    }
    branches.count = column(branches.kind, size);
  }

  void add_lines(ProfileData& data) {
    const std::size_t size = options_.methods == 0 ? 0 : options_.branches;
    for (std::size_t i = 0; i < size; ++i) {
      data.lines.method.push_back(method());
      data.lines.bci.push_back(static_cast<std::uint32_t>(below(3) * 11));
      data.lines.line.push_back(static_cast<std::uint32_t>(below(9)));
    }
  }

  void add_series(ProfileData& data) {
    static constexpr const char* kNames[] = {"call_density", "latency", "interval"};
    for (std::size_t s = 0; s < options_.series; ++s) {
      Series series{pick(kNames), "ns", {}, {}, {}};
      for (std::uint64_t points = below(20); points > 0; --points) {
        series.time_ns.push_back(below(10) * 1'000'000);
        const bool anybody = data.threads.empty() || one_in(3);
        series.thread.push_back(anybody ? kNone : static_cast<std::uint32_t>(below(data.threads.size())));
        series.value.push_back(static_cast<double>(below(7)) * -0.125);
      }
      data.series.push_back(std::move(series));
    }
  }

  void add_facts(ProfileData& data) {
    static constexpr const char* kModes[] = {"exact", "adaptive", "sample"};
    static constexpr const char* kReasons[] = {"ring_full", "depth_exceeded", "arena_full"};
    data.info["mode"].insert(pick(kModes));
    if (one_in(2)) data.info["command"].insert("java -jar app" + std::to_string(below(3)) + ".jar");
    data.counters["threads"] = below(9);
    if (one_in(2)) data.counters["rewritten_methods"] = number();
    for (std::uint64_t i = below(3); i > 0; --i) data.dropped[pick(kReasons)] = number();
    for (std::uint64_t i = below(3); i > 0; --i) data.skipped_methods[pick(kReasons)] = number();
  }

  std::mt19937_64 random_;
  Options options_;
};

}  // namespace bursar::profile
