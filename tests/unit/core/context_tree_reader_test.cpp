// Trees that are read while their owner goes on.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "core/context_tree.h"
#include "core/gathering.h"
#include "random_calls.h"

namespace bursar::core {
namespace {

// Reads until the owner is done; every count that was seen once stays or grows.
void read_all_along(const ContextTree& tree, const std::atomic<bool>& done) {
  CallCounts before;
  for (bool last = false; !last;) {
    last = done.load();
    CallCounts now = counts_of(tree, true);
    for (const auto& [chain, count] : before) {
      const auto found = now.find(chain);
      ASSERT_TRUE(found != now.end());
      ASSERT_GE(found->second, count);
    }
    before = std::move(now);
  }
}

TEST(ContextTreeReader, sees_counts_that_never_shrink) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    MethodTable methods;
    ContextBudget budget(1'000'000);
    const RandomProgram program(methods, seed);
    ContextTree tree(methods, budget, program.root, {true, false});
    RandomCalls calls(program, tree, true, seed);
    std::atomic<bool> done = false;
    std::thread reader([&] { read_all_along(tree, done); });
    for (int i = 0; i < 100; ++i) calls.run(200, 3);
    done = true;
    reader.join();
    EXPECT_EQ(counts_of(tree, true), calls.counts());
  }
}

TEST(ContextTreeReader, loses_no_count_that_moves_out_of_a_slot) {
  MethodTable methods;
  ContextBudget budget(1'000);
  const MethodId root = methods.add(method_with("", "[thread]", 0, MethodNature::kPseudo));
  const MethodId main = methods.add(method_with("p/C", "main", 1));
  const std::vector<MethodId> callees = {methods.add(method_with("p/C", "a", 0)),
                                         methods.add(method_with("p/C", "b", 0))};
  ContextTree tree(methods, budget, root, {true, false});
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main);
  std::atomic<bool> done = false;
  std::thread reader([&] { read_all_along(tree, done); });
  constexpr std::uint64_t kRuns = 60'000;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    for (int i = 0; i < 40; ++i) {
      probe.call(frame, 1);
      probe.leave(probe.enter(callees[run % 2]));
    }
  }
  done = true;
  reader.join();
  for (const MethodId callee : callees) {
    EXPECT_EQ((counts_of(tree, true)[{{main, 0}, {callee, 1}}]), kRuns / 2 * 40);
  }
}

TEST(ContextTreeReader, reads_a_shared_tree_that_many_threads_write_in_turn) {
  MethodTable methods;
  ContextBudget budget(1'000'000);
  const RandomProgram program(methods, 5);
  ContextTree tree(methods, budget, program.root, {true, true});
  std::mutex lock;
  std::vector<CallCounts> counts(3);
  std::atomic<bool> done = false;
  std::thread reader([&] { read_all_along(tree, done); });
  std::vector<std::thread> writers;
  for (std::size_t w = 0; w < counts.size(); ++w) {
    writers.emplace_back([&, w] {
      RandomCalls calls(program, tree, true, w);
      for (int i = 0; i < 50; ++i) {
        const std::lock_guard<std::mutex> hold(lock);
        calls.run(100, 3);
      }
      counts[w] = calls.counts();
    });
  }
  for (std::thread& writer : writers) writer.join();
  done = true;
  reader.join();
  CallCounts expected;
  for (const CallCounts& some : counts) {
    for (const auto& [chain, count] : some) expected[chain] += count;
  }
  EXPECT_EQ(counts_of(tree, true), expected);
}

TEST(ContextTreeReader, gathers_a_tree_whose_thread_goes_on) {
  MethodTable methods;
  ContextBudget budget(1'000'000);
  const RandomProgram program(methods, 8);
  ContextTree tree(methods, budget, program.root, {});
  RandomCalls calls(program, tree, false, 8);
  std::atomic<bool> done = false;
  std::thread reader([&] {
    while (!done.load()) {
      Gathering gathering(methods, false);
      gathering.add(tree, "main");
    }
  });
  for (int i = 0; i < 100; ++i) calls.run(200, 6);
  done = true;
  reader.join();
  EXPECT_EQ(counts_of(tree, false), calls.counts());
}

}  // namespace
}  // namespace bursar::core
