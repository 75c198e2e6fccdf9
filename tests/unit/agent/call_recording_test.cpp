#include "agent/call_recording.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "profile/freeze.h"

namespace bursar::agent {
namespace {

char g_ids[3];  // methods a, b, c
void* id(int number) {
  return &g_ids[number];
}
core::Method named(void* method) {
  const std::string name(1, static_cast<char>('a' + (static_cast<char*>(method) - g_ids)));
  return {.class_name = "C", .name = name, .descriptor = "()V", .code_bytes = 5};
}

AgentOptions options_with(schemes::Correction correction) {
  AgentOptions options;
  options.samples = 2;
  options.antibias = {.correction = correction, .lambda = 1'000'000};
  return options;
}

// Calls of `callee` by a, so many cycles apart.
CallWindow window_of(int callee, std::uint64_t apart) {
  CallWindow window;
  window.ran_ns = 1'000'000;
  window.samples.assign(2, {.caller = id(0), .bci = 3, .callee = id(callee)});
  window.calls = 1000;
  window.cycles = window.calls * apart;
  window.saw_calls = window.is_whole = true;
  return window;
}

profile::Profile recorded(schemes::Correction correction, const std::vector<CallWindow>& windows,
                          std::optional<std::uint64_t> calls = std::nullopt) {
  CallRecording recording(options_with(correction));
  recording.set_cost_of_call(250);
  for (const CallWindow& window : windows) {
    recording.add({.window = window, .time_ns = 1, .thread = "main", .calls = calls, .cycles_per_ns = 1}, named);
  }
  auto frozen = profile::freeze(recording.to_profile());
  EXPECT_TRUE(frozen) << frozen.error().message;
  return std::move(*frozen);
}

const profile::Column& column_of(const profile::Profile& profile, const std::string& metric) {
  const auto& metrics = profile->metrics;
  const auto at = std::find_if(metrics.begin(), metrics.end(), [&](const auto& each) { return each.name == metric; });
  EXPECT_NE(at, metrics.end()) << metric;
  return profile->edges.columns.at(static_cast<std::size_t>(at - metrics.begin()));
}

double ratio(const profile::Profile& profile, const std::string& metric) {
  const auto& value = column_of(profile, metric).value;
  return static_cast<double>(value.at(0)) / static_cast<double>(value.at(1));
}

TEST(CallRecordingTest, WithoutCorrectionAllTimeWeighsTheSame) {
  CallWindow long_after = window_of(2, 10'000);
  long_after.ran_ns *= 3;
  const profile::Profile profile = recorded(schemes::Correction::kNone, {window_of(1, 1000), long_after});
  EXPECT_EQ(column_of(profile, profile::kSamples).value, (std::vector<std::uint64_t>{2, 2}));
  EXPECT_NEAR(ratio(profile, profile::kWeight), 1.0 / 3, 0.001);
  EXPECT_EQ(profile->edges.site, (std::vector<std::uint32_t>{3, 3}));
}

TEST(CallRecordingTest, WhereCallsAreDenseSamplesWeighMore) {
  // What a call itself takes in the interpreter, 250 cycles here, is not the program's.
  const profile::Profile profile = recorded(schemes::Correction::kDensity, {window_of(1, 1250), window_of(2, 10'250)});
  EXPECT_NEAR(ratio(profile, profile::kWeight), 10, 0.01);
  EXPECT_DOUBLE_EQ(ratio(profile, profile::kSamples), 1);
}

TEST(CallRecordingTest, WeightsThatAreCorrectedHaveThoseWithoutCorrectionBesideThem) {
  CallWindow long_after = window_of(2, 10'250);
  long_after.ran_ns *= 3;
  const std::vector<CallWindow> windows = {window_of(1, 1250), long_after};
  const profile::Profile plain = recorded(schemes::Correction::kNone, windows);
  const profile::Profile corrected = recorded(schemes::Correction::kDensity, windows);
  EXPECT_EQ(column_of(corrected, kUncorrected), column_of(plain, profile::kWeight));
  EXPECT_NEAR(ratio(corrected, profile::kWeight), 10.0 / 3, 0.01);
  EXPECT_EQ(plain->metrics.size(), 2U);
}

TEST(CallRecordingTest, NoWindowIsTakenForMuchDenserThanCanBeSeen) {
  const profile::Profile profile = recorded(schemes::Correction::kDensity, {window_of(1, 260), window_of(2, 500)});
  EXPECT_DOUBLE_EQ(ratio(profile, profile::kWeight), 1);
}

TEST(CallRecordingTest, ACounterSaysHowManyCallsThereWere) {
  const profile::Profile profile =
      recorded(schemes::Correction::kDensity, {window_of(1, 1250), window_of(2, 10'250)}, std::uint64_t{5000});
  EXPECT_DOUBLE_EQ(ratio(profile, profile::kWeight), 1);
}

TEST(CallRecordingTest, WhatHadToBeWaitedForWeighsLess) {
  CallWindow late = window_of(2, 1250);
  late.latency = 9000;  // α is 1000: nine λ
  const profile::Profile profile = recorded(schemes::Correction::kDensityAndLatency, {window_of(1, 1250), late});
  EXPECT_NEAR(ratio(profile, profile::kWeight), 10, 0.01);
}

TEST(CallRecordingTest, AWindowThatWasTakenBackStandsForAsManyCalls) {
  CallWindow half = window_of(2, 1250);
  half.samples.pop_back();
  const profile::Profile profile = recorded(schemes::Correction::kDensity, {window_of(1, 1250), half});
  EXPECT_NEAR(ratio(profile, profile::kWeight), 1, 0.01);
}

TEST(CallRecordingTest, VarianceIsThatBetweenWindows) {
  const profile::Profile one = recorded(schemes::Correction::kDensity, {window_of(1, 1250)});
  const profile::Column& column = column_of(one, profile::kWeight);
  const double value = static_cast<double>(column.value[0]);
  EXPECT_NEAR(static_cast<double>(column.variance[0]) / (value * value), 1, 0.01);
}

TEST(CallRecordingTest, KeepsDensityAndLatencyOverTime) {
  const profile::Profile profile = recorded(schemes::Correction::kDensity, {window_of(1, 1250)});
  ASSERT_EQ(profile->series.size(), 2U);
  EXPECT_EQ(profile->series[0].name, "call_density");
  EXPECT_DOUBLE_EQ(profile->series[0].value.at(0), 1);
  EXPECT_EQ(profile->series[1].name, "sampling_latency");
  EXPECT_EQ(profile->threads.at(0).name, "main");
}

TEST(CallRecordingTest, CallsFromNativeCodeAreNoEdgesButCounted) {
  CallWindow window = window_of(1, 1250);
  window.samples[0].caller = nullptr;
  const profile::Profile profile = recorded(schemes::Correction::kDensity, {window});
  EXPECT_EQ(profile->dropped.at("call-without-caller"), 1U);
  EXPECT_EQ(column_of(profile, profile::kSamples).value, std::vector<std::uint64_t>{1});
}

}  // namespace
}  // namespace bursar::agent
