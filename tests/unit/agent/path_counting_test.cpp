#include "agent/path_counting.h"

#include <gtest/gtest.h>

#include <thread>

#include "built_class.h"

namespace bursar::agent {
namespace {

// A registry with the numbers 0 and 1.
void fill(PathRegistry& registry) {
  CodeBuilder code;
  const auto end = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfne, end);
  code.op(op::kNop);
  code.bind(end);
  code.op(op::kReturn);
  ClassBuilder builder;
  builder.method(kStatic, "run", "(I)V", code);
  const ByteVector bytes = builder.build();
  const auto file = classfile::ClassFile::parse(bytes).value();
  const auto attribute = classfile::CodeAttribute::parse(file.methods.at(0).attributes.at(0).data, file.pool).value();
  const auto flow = classfile::ControlFlow::of(attribute).value();
  const auto graph = classfile::PathGraph::of(attribute, flow);
  registry.add({.class_name = "A", .name = "run", .descriptor = "(I)V"},
               std::get<classfile::PathNumbering>(classfile::PathNumbering::of(std::get<classfile::PathGraph>(graph))),
               {});
}

void count(std::uint64_t counters, std::uint32_t path, std::uint64_t times) {
  auto* const counter = reinterpret_cast<std::uint64_t*>(counters) + path;
  for (std::uint64_t i = 0; i < times; ++i) __atomic_store_n(counter, *counter + 1, __ATOMIC_RELAXED);
}

TEST(PathCounting, adds_up_all_threads_those_that_ended_included) {
  PathRegistry registry;
  fill(registry);
  PathCounting counting(registry);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&counting, i] {
      for (int again = 0; again < 20; ++again) {
        const std::uint64_t counters = counting.open();
        count(counters, 0, 1000);
        count(counters, 1, 1);
        if (again < 19 || i % 2 == 0) counting.close(counters);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counting.counts(), (std::vector<std::uint64_t>{8 * 20 * 1000, 8 * 20}));
}

TEST(PathCounting, has_counters_to_share) {
  PathRegistry registry;
  fill(registry);
  PathCounting counting(registry);
  ASSERT_NE(counting.shared(), 0U);
  count(counting.shared(), 1, 5);
  EXPECT_EQ(counting.counts(), (std::vector<std::uint64_t>{0, 5}));
}

}  // namespace
}  // namespace bursar::agent
