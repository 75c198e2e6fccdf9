#include "agent/gate_choice.h"

#include <gtest/gtest.h>

namespace bursar::agent {
namespace {

TEST(EnteredBetween, the_first_frame_that_was_not_there) {
  // The top first: (method, where it calls).
  const Stack before = {{3, 0}, {2, 7}, {1, 5}};
  EXPECT_EQ(entered_between(before, {{3, 0}, {2, 7}, {1, 5}}), core::kNoMethod);
  EXPECT_EQ(entered_between(before, {{4, 0}, {2, 7}, {1, 5}}), 4U);
  EXPECT_EQ(entered_between(before, {{9, 0}, {8, 1}, {2, 6}, {1, 5}}), 8U) << "from another place of the same frame";
  EXPECT_EQ(entered_between(before, {{1, 5}}), core::kNoMethod) << "frames were only left";
  EXPECT_EQ(entered_between({}, {{2, 0}, {1, 5}}), 1U);
}

// A burst of one method that calls others so often.
struct GatesWithin : testing::Test {
  core::MethodId method(const char* name, std::size_t sites) {
    core::Method entry{.class_name = "A", .name = name, .descriptor = "()V"};
    entry.sites.resize(sites);
    return methods.add(std::move(entry));
  }
  core::NodeAddress enter(core::NodeAddress parent, std::uint32_t slot, core::MethodId callee, int times) {
    core::NodeAddress node = 0;
    for (int i = 0; i < times; ++i) node = tree.enter({parent, slot}, callee);
    return node;
  }

  core::MethodTable methods;
  core::ContextBudget budget{1000};
  core::MethodId root = methods.add({.name = "[root]", .nature = core::MethodNature::kPseudo});
  core::ContextTree tree{methods, budget, root, {}};
};

TEST_F(GatesWithin, methods_whose_entries_lead_to_enough_calls) {
  const core::MethodId top = method("top", 2), middle = method("middle", 1), small = method("small", 1),
                       leaf = method("leaf", 0);
  const core::NodeAddress gate = enter(tree.root(), 0, top, 1);
  const core::NodeAddress in_middle = enter(gate, 1, middle, 10);
  enter(in_middle, 1, leaf, 50'000);  // 5,000 for each entry of middle
  const core::NodeAddress in_small = enter(gate, 2, small, 1000);
  enter(in_small, 1, leaf, 10'000);  // 10 for each entry of small
  EXPECT_EQ(gates_within(tree), (std::vector<core::MethodId>{top, middle}));
}

TEST_F(GatesWithin, entries_within_entries_of_the_same_method_count_each) {
  const core::MethodId recursive = method("recursive", 2), leaf = method("leaf", 0);
  core::NodeAddress node = enter(tree.root(), 0, recursive, 1);
  for (int depth = 0; depth < 99; ++depth) node = enter(node, 1, recursive, 1);
  enter(node, 2, leaf, 20'000);  // 200 for each of the hundred entries
  EXPECT_TRUE(gates_within(tree).empty());
}

}  // namespace
}  // namespace bursar::agent
