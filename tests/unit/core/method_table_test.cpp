#include "core/method_table.h"

#include <gtest/gtest.h>

#include <thread>

#include "call_counts.h"

namespace bursar::core {
namespace {

TEST(MethodTable, numbers_methods_from_0_and_keeps_them) {
  MethodTable methods;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    ASSERT_EQ(methods.add(method_with("p/C", "m" + std::to_string(i), i % 3)), i);
    ASSERT_EQ(methods.size(), i + 1);
  }
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    ASSERT_EQ(methods[i].name, "m" + std::to_string(i));
    ASSERT_EQ(methods[i].sites.size(), i % 3);
  }
}

TEST(MethodTable, a_method_stays_where_it_is) {
  MethodTable methods;
  const Method* first = &methods[methods.add(method_with("p/C", "first", 0))];
  for (std::uint32_t i = 0; i < 10'000; ++i) methods.add(method_with("p/C", "m", 0));
  EXPECT_EQ(first, &methods[0]);
  EXPECT_EQ(first->name, "first");
}

TEST(MethodTable, is_read_without_a_lock_while_others_add) {
  MethodTable methods;
  constexpr std::uint32_t kEach = 6'000;
  const auto add = [&](const std::string& name) {
    for (std::uint32_t i = 0; i < kEach; ++i) methods.add(method_with("p/C", name, 1));
  };
  std::thread one(add, "one");
  std::thread two(add, "two");
  std::uint32_t seen = 0;
  while (seen < 2 * kEach) {
    for (const std::uint32_t size = methods.size(); seen < size; ++seen) {
      const Method& method = methods[seen];
      EXPECT_TRUE(method.name == "one" || method.name == "two");
      EXPECT_EQ(method.sites.size(), 1U);
    }
  }
  one.join();
  two.join();
}

}  // namespace
}  // namespace bursar::core
