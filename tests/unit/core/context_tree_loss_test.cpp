// Every way in which a tree may run out of room: the calls go to the overflow and are counted there.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>

#include "call_counts.h"
#include "core/context_tree.h"
#include "probe.h"

namespace bursar::core {
namespace {

class ContextTreeLoss : public testing::Test {
 protected:
  MethodTable methods_;
  MethodId root_ = methods_.add(method_with("", "[thread]", 0, MethodNature::kPseudo));
  MethodId main_ = methods_.add(method_with("p/C", "main", 2));
  MethodId callee_ = methods_.add(method_with("p/C", "callee", 1));
  MethodId native_ = methods_.add(method_with("p/C", "native", 0, MethodNature::kNative));
};

TEST_F(ContextTreeLoss, beyond_the_budget_calls_stay_in_the_overflow_until_they_return) {
  ContextBudget budget(1);
  ContextTree tree(methods_, budget, root_, {});
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main_);
  probe.call(frame, 1);
  const Probe::Frame refused = probe.enter(callee_);
  EXPECT_EQ(refused.node, CommonNodes::instance().overflow);
  probe.call(refused, 1);
  const Probe::Frame deeper = probe.enter(main_);
  EXPECT_EQ(deeper.node, refused.node);
  probe.leave(deeper);
  probe.leave(refused);
  EXPECT_EQ(tree.overflow_calls(), 2U);
  probe.leave(frame);
  EXPECT_EQ(probe.cursor(), tree.root());
  probe.enter(main_);
  EXPECT_EQ(counts_of(tree, false), (CallCounts{{{{main_, 0}}, 2}}));
}

TEST_F(ContextTreeLoss, beyond_the_budget_callbacks_and_natives_are_counted_as_overflow_too) {
  ContextBudget budget(1);
  ContextTree tree(methods_, budget, root_, {});
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main_);
  for (const Route route : {Route{native_, false}, Route{kNoMethod, true}}) {
    probe.call(frame, 1);
    EXPECT_EQ(probe.enter_slowly(callee_, route).node, CommonNodes::instance().overflow);
  }
  probe.call(frame, 2);
  EXPECT_EQ(probe.enter_at_site(native_).node, CommonNodes::instance().overflow);
  EXPECT_EQ(tree.overflow_calls(), 3U);
  EXPECT_EQ(node_at(CommonNodes::instance().overflow).flags(), 0U);
}

TEST_F(ContextTreeLoss, a_native_method_without_room_for_its_callback_stays) {
  ContextBudget budget(2);
  ContextTree tree(methods_, budget, root_, {});
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main_);
  probe.call(frame, 1);
  EXPECT_EQ(probe.enter_slowly(callee_, {native_, false}).node, CommonNodes::instance().overflow);
  probe.call(frame, 1);
  EXPECT_NE(probe.enter_at_site(native_).node, CommonNodes::instance().overflow);
  EXPECT_EQ(tree.overflow_calls(), 1U);
}

TEST_F(ContextTreeLoss, a_method_that_has_no_number_goes_to_the_overflow) {
  ContextBudget budget(10);
  ContextTree tree(methods_, budget, root_, {});
  EXPECT_EQ(tree.enter({tree.root(), 0}, kNoMethod), CommonNodes::instance().overflow);
  EXPECT_EQ(tree.enter({tree.root(), 0}, methods_.size()), CommonNodes::instance().overflow);
  EXPECT_EQ(tree.overflow_calls(), 2U);
}

// Enters until the system refuses a chunk; 0 if the tree then does what it should.
int run_out_of_memory(const MethodTable& methods, MethodId root, MethodId self) {
  ContextBudget budget(1'000'000);
  ContextTree tree(methods, budget, root, {});
  Probe probe(tree);
  rlimit no_more = {0, 0};
  if (setrlimit(RLIMIT_AS, &no_more) != 0) return 2;
  const ContextTree none(methods, budget, root, {});
  if (none.root() != 0) return 3;
  none.for_each_entry([](NodeAddress, std::uint32_t, NodeAddress, std::uint64_t) { std::_Exit(4); });
  std::uint64_t entered = 0;
  while (tree.overflow_calls() == 0 && entered < 1'000'000) {
    probe.call(probe.enter(self), 1);
    ++entered;
  }
  if (tree.overflow_calls() != 1 || tree.contexts() + 1 != entered) return 5;
  if (!CommonNodes::instance().is_overflow(probe.cursor())) return 6;
  for (std::uint64_t i = 0; i < 999'999 - tree.contexts(); ++i) {
    if (!budget.take()) return 7;
  }
  return budget.take() && !budget.take() ? 0 : 8;
}

TEST_F(ContextTreeLoss, without_memory_calls_go_to_the_overflow) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer itself needs memory meanwhile";
#endif
  EXPECT_EXIT(std::_Exit(run_out_of_memory(methods_, root_, callee_)), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace bursar::core
