#include "simulation/simulation.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <random>

#include "profile/freeze.h"
#include "profile/profile_file.h"

namespace bursar::simulation {
namespace {

using schemes::Kind;
using schemes::Options;

// A trace of random calls of two threads, in a file.
class SimulationTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kMethods = 12;

  SimulationTest() : path(testing::TempDir() + "simulation_test_" + std::to_string(getpid())) {
    const auto writer = std::move(trace::TraceWriter::create(path, 1 << 30).value());
    std::vector<profile::Method> methods;
    for (std::uint32_t i = 0; i < kMethods; ++i) methods.push_back({"A", "m" + std::to_string(i), "()V"});
    writer->methods(methods);
    writer->thread(0, "main");
    writer->thread(1, "worker");
    std::mt19937 random(1);
    trace::EventEncoder encoders[2];
    int depth[2] = {0, 0};
    std::uint64_t now = 0;
    for (int i = 0; i < 400'000; ++i) {
      now += 16 + random() % 200;
      const std::uint32_t thread = i / 100 % 3 == 0 ? 1 : 0;
      if (depth[thread] > 0 && (depth[thread] == 6 || random() % 2 == 0)) {
        encoders[thread].ret(now);
        --depth[thread];
      } else {
        const auto method = static_cast<std::uint32_t>(std::min(random() % kMethods, random() % kMethods));
        encoders[thread].call(method, depth[thread] == 0 ? trace::kNoSite : method * 3, now);
        ++depth[thread];
        ++calls;
      }
      if (i % 1000 == 999) {
        for (std::uint32_t t = 0; t < 2; ++t) {
          const std::uint64_t start = encoders[t].pending_start();
          writer->events(t, start, encoders[t].take_pending());
        }
      }
    }
    EXPECT_TRUE(writer->finish().ok());
  }
  ~SimulationTest() override { std::remove(path.c_str()); }

  std::vector<profile::Profile> profiles(const std::vector<Options>& schemes, Clock clock = {}) {
    const auto reader = std::move(trace::TraceReader::open(path).value());
    Simulation simulation(schemes, clock);
    trace::Events events;
    while (reader->next(events)) {
      EXPECT_TRUE(simulation.feed(events, static_cast<std::uint32_t>(reader->methods().size()))) << simulation.error();
    }
    EXPECT_EQ(reader->shortcoming(), "");
    std::vector<profile::Profile> found;
    for (std::size_t i = 0; i < schemes.size(); ++i) {
      found.push_back(profile::freeze(simulation.profile(i, *reader, true)).value());
      totals.push_back(simulation.totals(i));
    }
    return found;
  }
  profile::Profile one(const Options& scheme, Clock clock = {}) { return profiles({scheme}, clock)[0]; }
  static double total(const profile::Profile& profile) {
    double sum = 0;
    for (const std::uint64_t value : profile->contexts.columns[0].value) sum += static_cast<double>(value);
    return sum / static_cast<double>(1U << profile->metrics[0].scale_log2);
  }

  const std::string path;
  std::uint64_t calls = 0;
  std::vector<Simulation::Totals> totals;
};

constexpr Options kFast = {.interval_ns = 100'000, .burst_ns = 10'000};

Options with(Kind kind, Options options = kFast) {
  options.kind = kind;
  return options;
}

TEST_F(SimulationTest, exhaustive_counts_every_call) {
  const profile::Profile profile = one(with(Kind::kExhaustive));
  EXPECT_EQ(profile->metrics[0].kind, profile::MetricKind::kExact);
  EXPECT_EQ(total(profile), static_cast<double>(calls));
  EXPECT_EQ(profile->threads.size(), 2U);
  std::uint64_t edges = 0, roots = 0;
  for (const std::uint64_t value : profile->edges.columns[0].value) edges += value;
  for (std::size_t i = 0; i < profile->contexts.size(); ++i) {
    if (profile->contexts.parent[i] == profile::kNone) roots += profile->contexts.columns[0].value[i];
  }
  EXPECT_EQ(edges + roots, calls);
}

TEST_F(SimulationTest, bursts_as_long_as_the_interval_are_exhaustive) {
  Options options = with(Kind::kStatic);
  options.burst_ns = options.interval_ns;
  EXPECT_EQ(one(options), one(with(Kind::kExhaustive)));
  options.burst_ns *= 2;
  EXPECT_EQ(one(options), one(with(Kind::kExhaustive)));
}

TEST_F(SimulationTest, reenabling_all_is_static) {
  Options options = with(Kind::kAdaptive);
  options.reenable = 1;
  EXPECT_EQ(one(options), one(with(Kind::kStatic)));
}

TEST_F(SimulationTest, reenabling_none_leaves_what_came_first) {
  Options options = with(Kind::kAdaptive);
  options.reenable = 0;
  const profile::Profile profile = one(options);
  EXPECT_EQ(totals[0].counts.reenabled, 0U);
  EXPECT_GT(totals[0].counts.suppressed, 100U);
  EXPECT_GT(profile->contexts.size(), 0U);
}

TEST_F(SimulationTest, the_same_seed_gives_the_same_bytes) {
  Options options = with(Kind::kAdaptive);
  options.reenable = 0.3;
  for (const Kind kind : {Kind::kAdaptive, Kind::kCounter}) {
    options = with(kind, options);
    options.seed = 1;
    const auto bytes = profile::encode(one(options));
    EXPECT_EQ(bytes, profile::encode(one(options)));
    options.seed = 2;
    EXPECT_NE(bytes, profile::encode(one(options)));
  }
}

TEST_F(SimulationTest, several_schemes_in_one_pass_are_what_each_is_alone) {
  Options adaptive = with(Kind::kAdaptive);
  adaptive.reenable = 0.2;
  const std::vector<Options> all = {with(Kind::kStatic), adaptive, with(Kind::kStackWalk), with(Kind::kCounter)};
  const std::vector<profile::Profile> together = profiles(all);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(together[i], one(all[i])) << i;
}

TEST_F(SimulationTest, estimates_are_near_the_truth) {
  Options adaptive = with(Kind::kAdaptive);
  adaptive.reenable = 0.25;
  const std::vector<profile::Profile> found = profiles({with(Kind::kStatic), adaptive});
  for (const profile::Profile& profile : found) {
    EXPECT_EQ(profile->metrics[0].kind, profile::MetricKind::kEstimate);
    EXPECT_NEAR(total(profile) / static_cast<double>(calls), 1, 0.15);
  }
  EXPECT_LT(totals[1].seen, totals[0].seen);
  EXPECT_NEAR(static_cast<double>(totals[0].seen) / static_cast<double>(calls), 0.1, 0.02);
}

TEST_F(SimulationTest, counter_sampling_of_all_calls_is_exhaustive) {
  Options options = with(Kind::kCounter);
  options.correction = schemes::Correction::kNone;
  options.stride = 1;
  options.jitter = 0;
  // A tick at every moment that an event can have.
  options.interval_ns = trace::kTimeUnitNs;
  options.samples = 1;
  const profile::Profile exhaustive = one(with(Kind::kExhaustive));
  for (const profile::Profile& all : {one(options), one([&] {
                                        options.samples = 1'000'000'000;
                                        return options;
                                      }())}) {
    EXPECT_EQ(all->metrics[0].kind, profile::MetricKind::kSamples) << "samples, also where nothing is left out";
    EXPECT_EQ(all->edges, exhaustive->edges);
    EXPECT_EQ(all->contexts, exhaustive->contexts);
  }
}

TEST_F(SimulationTest, counter_sampling_takes_so_many_samples_for_each_burst) {
  Options options = with(Kind::kCounter);
  options.correction = schemes::Correction::kNone;
  const profile::Profile profile = one(options);
  EXPECT_EQ(total(profile), static_cast<double>(totals[0].seen));
  EXPECT_NEAR(static_cast<double>(totals[0].seen), 8.0 * static_cast<double>(totals[0].counts.bursts), 16);
  EXPECT_GE(totals[0].counts.ticks, totals[0].counts.bursts);
}

TEST_F(SimulationTest, corrected_samples_are_estimates_of_all_calls) {
  for (const schemes::Correction correction :
       {schemes::Correction::kDensity, schemes::Correction::kDensityAndLatency}) {
    Options options = with(Kind::kCounter);
    options.correction = correction;
    const profile::Profile profile = one(options);
    EXPECT_EQ(profile->metrics[0].name, profile::kCalls);
    EXPECT_EQ(profile->metrics[0].kind, profile::MetricKind::kEstimate);
    EXPECT_NEAR(total(profile) / static_cast<double>(calls), 1, 0.001);
  }
}

TEST_F(SimulationTest, walking_stacks_gives_a_sample_for_each_tick) {
  const profile::Profile profile = one(with(Kind::kStackWalk));
  EXPECT_EQ(profile->metrics[0].kind, profile::MetricKind::kSamples);
  EXPECT_LE(total(profile), static_cast<double>(totals[0].counts.ticks));
  EXPECT_GT(total(profile), 0.7 * static_cast<double>(totals[0].counts.ticks));
}

TEST(ThreadRun, ticks_before_its_first_call_find_no_thread) {
  schemes::HistoryTable history(64, schemes::Collision::kReplace);
  for (const Kind kind : {Kind::kAdaptive, Kind::kCounter}) {
    const auto run = make_thread_run(with(kind), history, 0);
    constexpr std::uint64_t kLate = 1'000'000'000;
    run->event({trace::EventKind::kCall, trace::kRoot, 1, kLate, schemes::kEmptyStack});
    EXPECT_EQ(run->counts().ticks, 0U);
    run->event({trace::EventKind::kCall, 1, 2, kLate + 10 * kFast.interval_ns, 1});
    EXPECT_EQ(run->counts().ticks, 10U);
  }
}

TEST_F(SimulationTest, a_clock_of_events_or_a_faster_one_changes_what_is_seen) {
  const profile::Profile by_time = one(with(Kind::kStatic));
  EXPECT_NE(by_time, one(with(Kind::kStatic), {.kind = Clock::Kind::kEvents, .event_ns = 100}));
  one(with(Kind::kStatic), {.slowdown = 10});
  EXPECT_NEAR(static_cast<double>(totals[2].counts.ticks), static_cast<double>(totals[0].counts.ticks) / 10,
              static_cast<double>(totals[0].counts.ticks) / 50);
  EXPECT_EQ(one(with(Kind::kExhaustive)), one(with(Kind::kExhaustive), {.slowdown = 10}));
}

}  // namespace
}  // namespace bursar::simulation
