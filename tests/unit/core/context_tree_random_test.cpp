#include <gtest/gtest.h>

#include "core/context_tree.h"
#include "random_calls.h"

namespace bursar::core {
namespace {

constexpr std::uint64_t kPlenty = 10'000'000;

void expect_same_as_oracle(ContextTree::Options options) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    MethodTable methods;
    ContextBudget budget(kPlenty);
    const RandomProgram program(methods, seed);
    ContextTree tree(methods, budget, program.root, options);
    RandomCalls calls(program, tree, options.call_sites, seed);
    calls.run(10'000, 4 + seed % 8);
    EXPECT_EQ(counts_of(tree, options.call_sites), calls.counts()) << "seed " << seed;
    EXPECT_EQ(tree.overflow_calls(), 0U);
  }
}

TEST(ContextTreeRandom, counts_every_chain_of_calls) {
  expect_same_as_oracle({false, false});
}

TEST(ContextTreeRandom, tells_call_sites_apart) {
  expect_same_as_oracle({true, false});
}

TEST(ContextTreeRandom, counts_the_same_when_it_is_shared) {
  expect_same_as_oracle({false, true});
  expect_same_as_oracle({true, true});
}

TEST(ContextTreeRandom, loses_no_call_beyond_the_budget) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    MethodTable methods;
    ContextBudget budget(50);
    const RandomProgram program(methods, seed);
    ContextTree tree(methods, budget, program.root, {seed % 2 == 0, false});
    RandomCalls calls(program, tree, seed % 2 == 0, seed);
    calls.only_plain_calls();
    calls.run(2'000, 8);
    const CallCounts seen = counts_of(tree, seed % 2 == 0);
    EXPECT_LE(tree.contexts(), 50U);
    EXPECT_EQ(total_of(seen) + tree.overflow_calls(), total_of(calls.counts())) << "seed " << seed;
    for (const auto& [chain, count] : seen) {
      ASSERT_TRUE(calls.counts().contains(chain)) << "seed " << seed;
      EXPECT_LE(count, calls.counts().at(chain));
    }
    const bool fits = calls.counts().size() <= 50;
    EXPECT_EQ(fits, tree.overflow_calls() == 0) << "seed " << seed;
    EXPECT_EQ(fits, seen == calls.counts()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace bursar::core
