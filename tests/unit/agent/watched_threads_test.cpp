#include "agent/watched_threads.h"

#include <gtest/gtest.h>

#include <map>

namespace bursar::agent {
namespace {

constexpr std::uint64_t kInterval = 10'000'000;

// What the VM would answer. Threads are any addresses.
struct FakeVm : ThreadQueries {
  struct Thread {
    std::uint64_t cpu_ns = 0;
    bool runs = true, tells = false, is_gone = false;
  };
  std::map<jthread, Thread> threads;

  std::optional<std::uint64_t> cpu_ns(jthread thread) override {
    return threads[thread].is_gone ? std::nullopt : std::optional(threads[thread].cpu_ns);
  }
  bool runs_java(jthread thread) override { return threads[thread].runs; }
  bool tells_calls(jthread thread, bool wanted) override {
    threads[thread].tells = wanted;
    return !threads[thread].is_gone;
  }
};

struct FakeCounter : CallCounter {
  explicit FakeCounter(const std::uint64_t& calls) : calls_(calls) {}
  std::optional<std::uint64_t> read() const override { return calls_; }

 private:
  const std::uint64_t& calls_;
};

std::uint64_t no_time() {
  return 0;
}

struct WatchedThreadsTest : testing::Test {
  FakeVm vm;
  WatchedThreads threads{vm, 1, 1, 1};
  std::uint64_t now_ns = 1'000'000'000;
  std::vector<std::optional<std::uint64_t>> ended;  // by calls counted
  std::vector<jthread> dropped;
  char memory[200] = {};

  jthread thread(int number) { return reinterpret_cast<jthread>(&memory[number]); }
  CallWatch* add(int number, std::unique_ptr<CallCounter> counter = nullptr) {
    return threads.add(thread(number), "thread", std::move(counter));
  }
  std::size_t step() {
    collect();
    return threads.begin(now_ns, kInterval, 1);
  }
  void collect() {
    threads.collect(
        now_ns, [&](const WatchedThreads::Ended& one) { ended.push_back(one.calls); },
        [&](jthread gone) { dropped.push_back(gone); });
  }
  void run(int number, std::uint64_t ns) {
    vm.threads[thread(number)].cpu_ns += ns;
    now_ns += ns;
  }
  static void call(CallWatch& watch) {
    ASSERT_EQ(watch.called(1, no_time), CallWatch::Look::kSample);
    watch.sample({});
    watch.left(2, no_time);
  }
};

TEST_F(WatchedThreadsTest, AThreadThatRanForAnIntervalGetsAWindow) {
  CallWatch* const watch = add(0);
  EXPECT_EQ(step(), 0U);  // seen for the first time
  run(0, kInterval / 3);
  EXPECT_EQ(step(), 0U);
  run(0, 2 * kInterval);
  EXPECT_EQ(step(), 1U);
  EXPECT_TRUE(vm.threads[thread(0)].tells);
  call(*watch);
  collect();
  EXPECT_EQ(ended.size(), 1U);
  EXPECT_EQ(threads.counts().windows, 1U);
  EXPECT_EQ(threads.counts().taken_back, 0U);
}

TEST_F(WatchedThreadsTest, OneThatWaitsOrIsInNativeCodeGetsNone) {
  add(0);
  step();
  run(0, 2 * kInterval);
  vm.threads[thread(0)].runs = false;
  EXPECT_EQ(step(), 0U);
  EXPECT_EQ(threads.counts().not_running, 1U);
  EXPECT_FALSE(vm.threads[thread(0)].tells);
  vm.threads[thread(0)].runs = true;
  EXPECT_EQ(step(), 1U);
}

TEST_F(WatchedThreadsTest, AWindowThatLastsTooLongIsTakenBack) {
  add(0);
  step();
  run(0, 2 * kInterval);
  step();
  run(0, WatchedThreads::kLongestWindowNs + 1);
  collect();
  EXPECT_EQ(threads.counts().taken_back, 1U);
  EXPECT_FALSE(vm.threads[thread(0)].tells);
  // The longer it was, the longer the thread has peace.
  run(0, 3 * kInterval / 2 - 1);
  EXPECT_EQ(step(), WatchedThreads::kLeastApart * WatchedThreads::kLongestWindowNs < 3 * kInterval / 2 - 1 ? 1U : 0U);
}

TEST_F(WatchedThreadsTest, OneInWhichTheThreadWaitsIsTakenBackLater) {
  add(0);
  step();
  run(0, 2 * kInterval);
  step();
  now_ns += WatchedThreads::kLongestWindowNs + 1;
  collect();
  EXPECT_EQ(threads.counts().taken_back, 0U);
  now_ns += WatchedThreads::kLongestWaitNs;
  collect();
  EXPECT_EQ(threads.counts().taken_back, 1U);
}

TEST_F(WatchedThreadsTest, CountsCallsBetweenWindowsWhereThereIsACounter) {
  std::uint64_t calls = 100;
  CallWatch* const watch = add(0, std::make_unique<FakeCounter>(calls));
  step();
  calls = 1100;
  run(0, 2 * kInterval);
  step();
  calls = 1200;  // in the window
  call(*watch);
  collect();
  calls = 1500;
  run(0, 2 * kInterval);
  step();
  call(*watch);
  collect();
  EXPECT_EQ(ended, (std::vector<std::optional<std::uint64_t>>{1000, 300}));
}

TEST_F(WatchedThreadsTest, ForgetsThreadsThatEnd) {
  CallWatch* const watch = add(0);
  add(1);
  step();
  run(0, 2 * kInterval);
  step();
  vm.threads[thread(0)].is_gone = true;
  threads.remove(watch);
  collect();
  EXPECT_EQ(dropped, std::vector{thread(0)});
  collect();
  EXPECT_EQ(dropped.size(), 1U);
}

TEST_F(WatchedThreadsTest, LooksAtSomeOfVeryManyAndGetsRoundToAll) {
  for (int i = 0; i < 150; ++i) add(i);
  for (int i = 0; i < 3; ++i) step();
  for (int i = 0; i < 150; ++i) run(i, 2 * kInterval);
  EXPECT_EQ(step(), WatchedThreads::kMostLooks);
}

TEST_F(WatchedThreadsTest, BeginsNoneWhenClosed) {
  add(0);
  step();
  run(0, 2 * kInterval);
  step();
  threads.close();
  collect();
  EXPECT_EQ(threads.counts().taken_back, 1U);
  run(0, 20 * kInterval);
  EXPECT_EQ(step(), 0U);
}

}  // namespace
}  // namespace bursar::agent
