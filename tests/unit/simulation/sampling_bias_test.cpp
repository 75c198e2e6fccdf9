// The two programs of Lee 2015 (figures 1 and 3) as traces: what counter-based sampling makes of them, by edge.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "schemes/ticker.h"
#include "schemes/yieldpoint_sampler.h"
#include "simulation/thread_run.h"

namespace bursar::simulation {
namespace {

using schemes::Correction;
using schemes::Kind;
using schemes::Options;

constexpr std::uint64_t kMicrosecond = 1'000, kMillisecond = 1'000'000;
// Contexts: a method of which everything else is called, and the two call sites of interest.
constexpr std::uint32_t kWork = 1, kFirst = 2, kSecond = 3;

struct Call {
  std::uint32_t node;
  std::uint64_t time_ns;
};

// The weights of both sites, over all threads; each is a list of calls.
using Weights = std::array<double, 2>;
Weights sampled(const std::vector<std::vector<Call>>& threads, const Options& options) {
  Weights sums = {0, 0};
  schemes::HistoryTable unused(1, schemes::Collision::kReplace);
  for (const std::vector<Call>& calls : threads) {
    const auto run = make_thread_run(options, unused, 0);
    run->event({trace::EventKind::kCall, trace::kRoot, kWork, calls.front().time_ns, schemes::kEmptyStack});
    for (const Call& call : calls) run->event({trace::EventKind::kCall, kWork, call.node, call.time_ns, 1});
    sums[0] += run->estimates().of(kFirst).weight;
    sums[1] += run->estimates().of(kSecond).weight;
  }
  return sums;
}

// Of the first site's weight to the second's, where ticks come at several moments.
double ratio(const std::vector<std::vector<Call>>& threads, Options options) {
  Weights sums = {0, 0};
  for (options.seed = 1; options.seed <= 8; ++options.seed) {
    const Weights found = sampled(threads, options);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += found[i];
  }
  return sums[0] / sums[1];
}

Options counting(Correction correction) {
  Options options = schemes::usual_options(Kind::kCounter);
  options.correction = correction;
  return options;
}

// Calls of one site, one in each tenth of a microsecond, then as many of the other that take twice as long.
std::vector<std::vector<Call>> dense_and_sparse() {
  constexpr std::uint64_t kCalls = 3'000'000, kDenseNs = 100;
  std::vector<Call> calls;
  std::uint64_t now = 0;
  for (std::uint64_t i = 0; i < kCalls; ++i) calls.push_back({kFirst, now += kDenseNs});
  for (std::uint64_t i = 0; i < kCalls; ++i) calls.push_back({kSecond, now += 2 * kDenseNs});
  return {std::move(calls)};
}

// Four threads that contend for a lock; within it each makes 50 calls of one site, then 50 of the other. As with real
// locks, who gives it back mostly has it again before the others are awake.
std::vector<std::vector<Call>> contended_lock() {
  constexpr int kSections = 20'000, kCalls = 50;
  std::vector<std::vector<Call>> threads(4);
  std::mt19937 random(1);
  std::uint64_t now = 0;
  std::size_t holder = 0;
  for (int section = 0; section < kSections; ++section) {
    if (random() % 20 == 0) {
      holder = random() % threads.size();
      now += 5 * kMicrosecond;
    }
    for (int i = 0; i < 2 * kCalls; ++i) {
      threads[holder].push_back({i < kCalls ? kFirst : kSecond, now += kMicrosecond});
    }
  }
  return threads;
}

TEST(SamplingBias, sparse_calls_are_sampled_too_often_and_density_corrects_it) {
  const auto threads = dense_and_sparse();
  EXPECT_NEAR(ratio(threads, counting(Correction::kNone)), 0.5, 0.02);
  EXPECT_NEAR(ratio(threads, counting(Correction::kDensity)), 1, 0.02);
  EXPECT_NEAR(ratio(threads, counting(Correction::kDensityAndLatency)), 1, 0.05);
}

TEST(SamplingBias, calls_behind_a_wait_are_sampled_too_often_and_latency_corrects_it) {
  const auto threads = contended_lock();
  EXPECT_GT(ratio(threads, counting(Correction::kNone)), 2);
  EXPECT_GT(ratio(threads, counting(Correction::kDensity)), 2) << "density alone does not";
  EXPECT_NEAR(ratio(threads, counting(Correction::kDensityAndLatency)), 1, 0.1);
}

TEST(SamplingBias, a_larger_alpha_corrects_more) {
  const auto threads = contended_lock();
  double before = 1e9;
  for (const double alpha : {0.0, 10.0, 100.0, 1000.0}) {
    Options options = counting(Correction::kDensityAndLatency);
    options.alpha = alpha;
    const double now = ratio(threads, options);
    EXPECT_LT(now, before) << alpha;
    before = now;
  }
  Options none = counting(Correction::kDensityAndLatency);
  none.alpha = 0;
  EXPECT_DOUBLE_EQ(ratio(threads, none), ratio(threads, counting(Correction::kDensity)));
}

// Word by word what the paper says, with all ticks at hand and looked through for every call.
Weights naive(const std::vector<Call>& calls, const std::vector<std::uint64_t>& ticks, const Options& options) {
  Weights sums = {0, 0};
  std::size_t burst_began = 0;  // how many calls were made up to the first of the last burst
  std::uint64_t ticks_done_ns = calls.front().time_ns - 1;
  std::uint32_t bursts = 0, taken = 0, passed_by = 0, first = 0;
  bool in_burst = false;
  double weight = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto due = std::find_if(ticks.begin(), ticks.end(),
                                  [&](std::uint64_t tick) { return tick > ticks_done_ns && tick <= calls[i].time_ns; });
    if (due != ticks.end()) {
      const double latency = static_cast<double>(calls[i].time_ns - *due) * schemes::kCyclesPerNs;
      weight = schemes::weight_of(schemes::antibias_of(options), static_cast<double>(i + 1 - burst_began), latency);
      burst_began = i + 1;
      ticks_done_ns = calls[i].time_ns;
      first = bursts++ % options.stride;
      taken = passed_by = 0;
      in_burst = true;
    }
    if (!in_burst || taken == options.samples) continue;
    if (passed_by >= first && (passed_by - first) % options.stride == 0) {
      if (calls[i].node != kWork) sums[calls[i].node - kFirst] += weight;
      ++taken;
    }
    ++passed_by;
  }
  return sums;
}

TEST(SamplingBias, is_what_an_implementation_without_tricks_has) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    Options options = schemes::usual_options(Kind::kCounter);
    options.interval_ns = 20 * kMicrosecond;
    options.samples = static_cast<std::uint32_t>(1 + random() % 12);
    options.stride = static_cast<std::uint32_t>(1 + random() % 5);
    options.correction = static_cast<Correction>(random() % 3);
    options.seed = random();
    std::uint64_t now = 1 + random() % kMillisecond;
    std::vector<Call> calls = {{kWork, now}};
    calls.push_back({kFirst, now});
    for (int i = 0; i < 1'000; ++i) {
      now += random() % 10 == 0 ? random() % (100 * kMicrosecond) : random() % kMicrosecond;
      calls.push_back({random() % 3 == 0 ? kFirst : kSecond, now});
    }
    std::vector<std::uint64_t> ticks;
    for (schemes::Ticker ticker(options, 0); ticker.next_ns() <= now; ticker.advance())
      ticks.push_back(ticker.next_ns());
    const Weights expected = naive(calls, ticks, options);
    calls.erase(calls.begin());
    const Weights found = sampled({calls}, options);
    EXPECT_DOUBLE_EQ(found[0], expected[0]) << round;
    EXPECT_DOUBLE_EQ(found[1], expected[1]) << round;
  }
}

}  // namespace
}  // namespace bursar::simulation
