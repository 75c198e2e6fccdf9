#include "schemes/signature.h"

#include <gtest/gtest.h>

#include <set>

namespace bursar::schemes {
namespace {

TEST(Signature, tells_methods_sites_and_order_apart) {
  const auto two = [](std::uint32_t a, std::uint32_t at_a, std::uint32_t b, std::uint32_t at_b) {
    return with_frame(with_frame(kEmptyStack, a, at_a), b, at_b);
  };
  const std::set<Signature> all = {kEmptyStack,
                                   with_frame(kEmptyStack, 0, 0),
                                   with_frame(kEmptyStack, 1, 0),
                                   two(1, 0, 2, 3),
                                   two(2, 0, 1, 3),
                                   two(1, 3, 2, 0),
                                   two(1, 0, 2, 4),
                                   two(0, 0, 0, 0),
                                   two(1, 0, 3, 3)};
  EXPECT_EQ(all.size(), 9U);
  EXPECT_EQ(two(1, 0, 2, 3), two(1, 0, 2, 3));
}

TEST(Signature, of_recursion_differs_at_every_depth) {
  std::set<Signature> all;
  Signature at = kEmptyStack;
  for (int depth = 0; depth < 100'000; ++depth) all.insert(at = with_frame(at, 7, 12));
  EXPECT_EQ(all.size(), 100'000U);
}

}  // namespace
}  // namespace bursar::schemes
