#include "core/context_tree.h"

#include <gtest/gtest.h>

#include <vector>

#include "call_counts.h"
#include "probe.h"

namespace bursar::core {
namespace {

class ContextTreeTest : public testing::Test {
 protected:
  MethodId method(std::uint32_t sites, MethodNature nature = MethodNature::kJava) {
    return methods_.add(method_with("p/C", "m" + std::to_string(methods_.size()), sites, nature));
  }
  // Calls `callee` through a slot of a frame, and returns.
  static void call(Probe& probe, const Probe::Frame& frame, std::uint32_t slot, MethodId callee) {
    probe.call(frame, slot);
    probe.leave(probe.enter(callee));
  }

  MethodTable methods_;
  ContextBudget budget_{100'000};
  MethodId root_ = methods_.add(method_with("", "[thread]", 0, MethodNature::kPseudo));
};

TEST_F(ContextTreeTest, has_the_documented_bytes) {
  ContextTree tree(methods_, budget_, root_, {true, false});
  const MethodId main = method(3);
  const MethodId callee = method(0);
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main);
  EXPECT_EQ(load64(frame.node - 24), 0U) << "no links";
  EXPECT_EQ(load64(frame.node - 16), tree.root());
  EXPECT_EQ(load32(frame.node - 8), main);
  EXPECT_EQ(load32(frame.node - 4), 0U) << "no flags, entry";
  EXPECT_EQ(load64(frame.node), CommonNodes::instance().nobody);
  for (const std::uint64_t k : {1U, 2U, 3U}) {
    EXPECT_EQ(load64(frame.node - 8 + 16 * k), CommonNodes::instance().nobody);
  }

  call(probe, frame, 2, callee);
  call(probe, frame, 2, callee);
  const NodeAddress child = load64(frame.node + 24);
  EXPECT_EQ(load64(frame.node + 32), 2U);
  EXPECT_EQ(load32(child - 4), 2U << 16) << "no flags, site 2";
  EXPECT_EQ(load64(child - 16), frame.node);
}

TEST_F(ContextTreeTest, probes_find_a_word_by_any_node) {
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
  const auto word = [](NodeAddress node) { return load64((node & ~(kChunk - 1)) + 16); };
  ContextTree tree(methods_, budget_, root_, {.word = 4711});
  const ContextTree none(methods_, budget_, root_, {});
  EXPECT_EQ(word(tree.root()), 4711U);
  for (const NodeAddress node : {none.root(), CommonNodes::instance().asleep, CommonNodes::instance().mute})
    EXPECT_EQ(word(node), 0U);
  // So in every chunk of the tree.
  const MethodId large = method(60'000 / 3);
  const NodeAddress node = tree.enter({tree.root(), 0}, large);
  const NodeAddress next = tree.enter({node, 1}, large), after = tree.enter({next, 1}, large);
  const NodeAddress last = tree.enter({after, 1}, large);
  EXPECT_NE(last & ~(kChunk - 1), node & ~(kChunk - 1));
  EXPECT_EQ(word(last), 4711U);
}

TEST_F(ContextTreeTest, knows_the_parent_of_every_node) {
  ContextTree tree(methods_, budget_, root_, {true, false});
  const MethodId main = method(3), callee = method(1);
  const MethodId native = method(0, MethodNature::kNative), other = method(0, MethodNature::kNative);
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main);
  EXPECT_EQ(tree.parent_of(tree.root()), tree.root());
  EXPECT_EQ(tree.parent_of(frame.node), tree.root());
  EXPECT_EQ(tree.parent_of(tree.enter({frame.node, 2}, callee)), frame.node);
  EXPECT_EQ(tree.parent_of(tree.enter({frame.node, 2}, callee, {.via_vm = true})), frame.node);
  for (const MethodId through : {native, other}) {
    const NodeAddress caller = tree.enter_at_site({frame.node, 3}, through);
    EXPECT_EQ(tree.parent_of(tree.enter({frame.node, 3}, callee, {.through = through})), caller);
    EXPECT_EQ(tree.parent_of(tree.enter({frame.node, 3}, main, {.through = through, .from_node = true})), caller);
  }
}

TEST_F(ContextTreeTest, locates_every_slot_and_nothing_else) {
  ContextTree tree(methods_, budget_, root_, {});
  Probe probe(tree);
  for (const std::uint32_t sites : {0U, 1U, 7U, 200U, kMaxSites}) {
    probe.call({tree.root(), 0}, 0);
    const NodeAddress node = probe.enter(method(sites)).node;
    for (std::uint32_t k = 0; k <= sites; ++k) {
      const ContextTree::Place place = ContextTree::locate(slot_address(node, k));
      ASSERT_EQ(place.node, node);
      ASSERT_EQ(place.slot, k);
    }
    EXPECT_EQ(ContextTree::locate(node + 16).node, 0U);
  }
  EXPECT_EQ(ContextTree::locate(0).node, 0U);
  EXPECT_EQ(ContextTree::locate(CommonNodes::instance().mute).node, 0U);
  EXPECT_EQ(ContextTree::locate(slot_address(CommonNodes::instance().overflow, 10)).node, 0U);
}

TEST_F(ContextTreeTest, is_asked_once_for_a_call_site_with_one_callee) {
  ContextTree tree(methods_, budget_, root_, {});
  const MethodId main = method(1);
  const MethodId callee = method(0);
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main);
  for (int i = 0; i < 1'000; ++i) call(probe, frame, 1, callee);
  EXPECT_EQ(probe.slow_entries(), 2U);
  EXPECT_EQ(counts_of(tree, false), (CallCounts{{{{main, 0}}, 1}, {{{main, 0}, {callee, 0}}, 1'000}}));
}

TEST_F(ContextTreeTest, makes_one_child_of_a_callee_of_two_sites_unless_it_keeps_call_sites) {
  const MethodId main = method(2);
  const MethodId callee = method(0);
  for (const bool call_sites : {false, true}) {
    ContextTree tree(methods_, budget_, root_, {call_sites, false});
    Probe probe(tree);
    const Probe::Frame frame = probe.enter(main);
    call(probe, frame, 1, callee);
    call(probe, frame, 2, callee);
    EXPECT_EQ(load64(frame.node + 8) == load64(frame.node + 24), !call_sites);
    EXPECT_EQ(tree.contexts(), call_sites ? 3U : 2U);
  }
}

TEST_F(ContextTreeTest, keeps_the_callee_of_most_calls_in_the_slot) {
  ContextTree tree(methods_, budget_, root_, {});
  const MethodId main = method(1);
  const std::vector<MethodId> callees = {method(0), method(0), method(0)};
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main);
  for (int i = 0; i < 3'000; ++i) call(probe, frame, 1, callees[static_cast<std::size_t>(i) % 3]);
  // In turn: a third of the calls finds its callee in the slot, most of the others in a link.
  EXPECT_LE(probe.slow_entries(), 260U);
  for (const MethodId callee : callees) {
    EXPECT_EQ((counts_of(tree, false)[{{main, 0}, {callee, 0}}]), 1'000U);
  }
}

TEST_F(ContextTreeTest, gives_the_slot_to_a_new_callee_after_a_few_calls) {
  ContextTree tree(methods_, budget_, root_, {});
  const MethodId main = method(1);
  const std::vector<MethodId> callees = {method(0), method(0), method(0)};
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main);
  for (int phase = 0; phase < 12; ++phase) {
    const std::uint64_t before = probe.slow_entries();
    for (int i = 0; i < 1'000; ++i) call(probe, frame, 1, callees[static_cast<std::size_t>(phase) % 3]);
    EXPECT_LE(probe.slow_entries() - before, 20U) << "phase " << phase;
  }
  for (const MethodId callee : callees) {
    EXPECT_EQ((counts_of(tree, false)[{{main, 0}, {callee, 0}}]), 4'000U);
  }
}

TEST_F(ContextTreeTest, goes_back_to_the_slot_from_a_call_that_the_vm_made) {
  for (const bool call_sites : {false, true}) {
    ContextTree tree(methods_, budget_, root_, {call_sites, false});
    const MethodId main = method(2);
    const MethodId callee = method(0);
    Probe probe(tree);
    const Probe::Frame frame = probe.enter(main);
    probe.call(frame, 2);
    const Probe::Frame by_vm = probe.enter_slowly(callee, {kNoMethod, true});
    EXPECT_EQ(by_vm.resume, frame.node + 24);
    EXPECT_EQ(node_at(by_vm.node).flags(), kViaVm);
    probe.leave(by_vm);
    const Probe::Frame real = probe.enter(callee);
    EXPECT_NE(real.node, by_vm.node) << "it goes back elsewhere";
    EXPECT_EQ(real.resume, frame.node);
    EXPECT_EQ(load64(frame.node + 24), real.node);
    probe.leave(real);
    EXPECT_EQ((counts_of(tree, true)[{{main, 0}, {callee, 2}}]), 2U);
  }
}

TEST_F(ContextTreeTest, puts_a_callback_under_the_method_that_made_it) {
  ContextTree tree(methods_, budget_, root_, {});
  const MethodId main = method(2);
  const MethodId native = method(0, MethodNature::kNative);
  const MethodId callback = method(0);
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main);
  for (const std::uint32_t slot : {1U, 2U}) {
    probe.call(frame, slot);
    const Probe::Frame back = probe.enter_slowly(callback, {native, false});
    EXPECT_EQ(back.resume, frame.node - 8 + 16 * slot);
    probe.leave(back);
    EXPECT_EQ((counts_of(tree, false).count({{main, 0}, {native, 0}})), slot - 1) << "its call site counts it";
    const Probe::Frame called = probe.enter_at_site(native);
    EXPECT_EQ(node_at(called.node).flags(), kCountedAtSite);
    probe.leave(called);
  }
  const CallCounts expected = {
      {{{main, 0}}, 1}, {{{main, 0}, {native, 0}}, 2}, {{{main, 0}, {native, 0}, {callback, 0}}, 2}};
  EXPECT_EQ(counts_of(tree, false), expected);
}

TEST_F(ContextTreeTest, visits_a_node_that_was_not_counted_yet) {
  ContextTree tree(methods_, budget_, root_, {});
  const MethodId native = method(0, MethodNature::kNative);
  Probe probe(tree);
  probe.enter_slowly(method(0), {native, false});
  std::vector<MethodId> visited;
  tree.for_each_entry([&](NodeAddress, std::uint32_t, NodeAddress child, std::uint64_t count) {
    if (count == 0) visited.push_back(node_at(child).method);
  });
  EXPECT_EQ(visited, std::vector<MethodId>{native});
}

TEST_F(ContextTreeTest, a_shared_tree_names_a_stranger_in_its_slots) {
  ContextTree tree(methods_, budget_, root_, {false, true});
  const MethodId main = method(1);
  const MethodId callee = method(0);
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main);
  for (int i = 0; i < 100; ++i) call(probe, frame, 1, callee);
  EXPECT_EQ(load64(frame.node + 8), CommonNodes::instance().stranger);
  EXPECT_EQ(probe.slow_entries(), 101U);
  EXPECT_EQ((counts_of(tree, false)[{{main, 0}, {callee, 0}}]), 100U);
}

TEST_F(ContextTreeTest, takes_a_recursion_of_10000_frames) {
  ContextTree tree(methods_, budget_, root_, {});
  const MethodId self = method(2);
  Probe probe(tree);
  for (int time = 0; time < 2; ++time) {
    std::vector<Probe::Frame> frames;
    for (int depth = 0; depth < 10'000; ++depth) {
      frames.push_back(probe.enter(self));
      probe.call(frames.back(), 1);
    }
    for (; !frames.empty(); frames.pop_back()) probe.leave(frames.back());
    EXPECT_EQ(probe.cursor(), tree.root());
  }
  EXPECT_EQ(tree.contexts(), 10'000U);
  std::uint64_t nodes = 0;
  tree.for_each_entry([&](NodeAddress, std::uint32_t, NodeAddress, std::uint64_t count) {
    if (count == 0) return;
    EXPECT_EQ(count, 2U);
    ++nodes;
  });
  EXPECT_EQ(nodes, 10'000U);
}

TEST_F(ContextTreeTest, finds_one_of_many_children) {
  std::vector<MethodId> callees;
  for (int i = 0; i < 3'000; ++i) callees.push_back(method(1));
  const MethodId main = method(20);
  for (const bool call_sites : {false, true}) {
    ContextTree tree(methods_, budget_, root_, {call_sites, false});
    Probe probe(tree);
    const Probe::Frame frame = probe.enter(main);
    for (std::uint32_t time = 0; time < 3; ++time) {
      // Without call sites, another slot leads to the same child.
      const std::uint32_t shift = call_sites ? 0 : time;
      for (std::uint32_t i = 0; i < callees.size(); ++i) call(probe, frame, 1 + (i + shift) % 20, callees[i]);
    }
    EXPECT_EQ(tree.contexts(), 3'001U);
    EXPECT_EQ(counts_of(tree, call_sites).size(), 3'001U);
    for (const auto& [chain, count] : counts_of(tree, call_sites)) EXPECT_EQ(count, chain.size() == 1 ? 1U : 3U);
  }
}

TEST_F(ContextTreeTest, gives_its_contexts_back_to_the_budget) {
  ContextBudget budget(2);
  const MethodId main = method(1);
  const MethodId callee = method(0);
  for (int time = 0; time < 3; ++time) {
    ContextTree tree(methods_, budget, root_, {});
    Probe probe(tree);
    call(probe, probe.enter(main), 1, callee);
    EXPECT_EQ(tree.overflow_calls(), 0U);
    EXPECT_EQ(tree.contexts(), 2U);
  }
}

TEST_F(ContextTreeTest, knows_its_size) {
  ContextTree tree(methods_, budget_, root_, {});
  EXPECT_LE(tree.bytes(), 2 * 8'192U);
  Probe probe(tree);
  const MethodId self = method(1);
  probe.call(probe.enter(self), 1);
  const std::uint64_t with_one = tree.bytes();
  for (int depth = 0; depth < 1'000; ++depth) probe.call(probe.enter(self), 1);
  EXPECT_EQ(tree.bytes() - with_one, 1'000U * (32 + 16));
}

}  // namespace
}  // namespace bursar::core
