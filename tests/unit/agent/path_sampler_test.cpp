#include "agent/path_sampler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "built_class.h"

namespace bursar::agent {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

// What BursarPaths.sample does while the flag is up.
void end_path(std::uint64_t place, std::int32_t path) {
  auto* const words = reinterpret_cast<std::int32_t*>(place);
  const std::int32_t left = --words[0];
  if (left >= 0) words[2 + left] = path;
}

// A registry with the numbers 0 … 3.
class PathSamplerTest : public testing::Test {
 protected:
  PathSamplerTest() {
    CodeBuilder code;
    for (int i = 0; i < 2; ++i) {
      const auto next = code.label();
      code.op(op::kIload0);
      code.jump(op::kIfne, next);
      code.op(op::kNop);
      code.bind(next);
    }
    code.op(op::kReturn);
    ClassBuilder builder;
    builder.method(kStatic, "run", "(I)V", code);
    const ByteVector bytes = builder.build();
    const auto file = classfile::ClassFile::parse(bytes).value();
    const auto attribute = classfile::CodeAttribute::parse(file.methods.at(0).attributes.at(0).data, file.pool).value();
    const auto flow = classfile::ControlFlow::of(attribute).value();
    const auto graph = classfile::PathGraph::of(attribute, flow);
    registry_.add(
        {.class_name = "A", .name = "run", .descriptor = "(I)V"},
        std::get<classfile::PathNumbering>(classfile::PathNumbering::of(std::get<classfile::PathGraph>(graph))), {});
  }

  static AgentOptions options(std::uint32_t samples, std::uint32_t stride, std::uint64_t window_ns) {
    AgentOptions options;
    options.samples = samples;
    options.stride = stride;
    options.window_ns = window_ns;
    return options;
  }

  PathRegistry registry_;
};

TEST_F(PathSamplerTest, passes_by_as_many_as_the_stride_says_and_takes_as_many_as_it_was_asked_for) {
  PathSampler sampler(registry_, options(2, 3, 0));
  const std::uint64_t place = sampler.open();
  const std::int32_t order[] = {0, 1, 2, 3, 0, 1, 2, 3};
  for (int tick = 0; tick < 3; ++tick) {
    sampler.ask();
    for (const std::int32_t path : order) end_path(place, path);
    sampler.take(8 * kMillisecond);
  }
  // 0 and 1; then 1 and 2; then 2 and 3. Eight ends in 8 ms are one in each, which two samples share: at least 1.
  EXPECT_EQ(sampler.weights(), (std::vector<std::uint64_t>{1, 2, 2, 1}));
  EXPECT_EQ(sampler.totals().samples, 6U);
  EXPECT_EQ(sampler.totals().ticks, 3U);
}

TEST_F(PathSamplerTest, a_fast_phase_weighs_more_than_a_slow_one_that_lasts_as_long) {
  PathSampler sampler(registry_, options(1, 1, 0));
  const std::uint64_t place = sampler.open();
  sampler.ask();
  for (int i = 0; i < 1000; ++i) end_path(place, 1);
  sampler.take(kMillisecond);
  sampler.ask();
  for (int i = 0; i < 10; ++i) end_path(place, 2);
  sampler.take(kMillisecond);
  EXPECT_EQ(sampler.weights(), (std::vector<std::uint64_t>{0, 1000, 10, 0}));
}

TEST_F(PathSamplerTest, within_the_window_all_is_sampled) {
  PathSampler sampler(registry_, options(1, 1, 20'000));
  const std::uint64_t place = sampler.open();
  sampler.ask();
  for (int i = 0; i < 300; ++i) end_path(place, i % 3);
  sampler.take(kMillisecond);
  EXPECT_EQ(sampler.totals().samples, 300U);
  EXPECT_EQ(sampler.weights(), (std::vector<std::uint64_t>{100, 100, 100, 0}));
}

TEST_F(PathSamplerTest, without_time_to_sample_nobody_is_asked) {
  AgentOptions never = options(1, 1, 0);
  never.first_ns = 0;
  PathSampler sampler(registry_, never);
  EXPECT_EQ(sampler.start(), "");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  sampler.stop();
  EXPECT_EQ(sampler.totals().ticks, 0U);
}

TEST_F(PathSamplerTest, threads_that_did_not_run_or_ended_give_nothing) {
  PathSampler sampler(registry_, options(2, 1, 0));
  const std::uint64_t idle = sampler.open(), ends = sampler.open();
  sampler.ask();
  end_path(ends, 3);
  sampler.close(ends);
  end_path(sampler.shared(), 0);
  sampler.take(kMillisecond);
  EXPECT_EQ(sampler.weights(), (std::vector<std::uint64_t>{1, 0, 0, 0}));
  EXPECT_EQ(sampler.open(), ends) << "what a thread left is there for the next";
  sampler.close(idle);
}

TEST_F(PathSamplerTest, a_number_that_nobody_gave_away_is_not_counted) {
  PathSampler sampler(registry_, options(2, 1, 0));
  const std::uint64_t place = sampler.open();
  sampler.ask();
  end_path(place, 4);
  end_path(place, -1);
  sampler.take(kMillisecond);
  EXPECT_TRUE(sampler.weights().empty());
}

}  // namespace
}  // namespace bursar::agent
