#include "core/sample_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "core/gathering.h"
#include "profile/freeze.h"

namespace bursar::core {
namespace {

using Frame = SampleTree::Frame;
using Stack = std::vector<Frame>;
using Chain = std::vector<std::pair<std::string, std::uint32_t>>;

constexpr std::uint64_t kPlenty = 1'000'000;

std::map<Chain, std::uint64_t> chains_of(const profile::ProfileData& data) {
  std::map<Chain, std::uint64_t> result;
  std::vector<Chain> chains;
  for (std::size_t i = 0; i < data.contexts.size(); ++i) {
    Chain chain;
    if (data.contexts.parent[i] != profile::kNone) chain = chains[data.contexts.parent[i]];
    chain.emplace_back(data.methods[data.contexts.method[i]].name, data.contexts.site[i]);
    chains.push_back(chain);
    if (data.contexts.columns[0].value[i] > 0) result[chain] = data.contexts.columns[0].value[i];
  }
  return result;
}

class SampleTreeTest : public testing::Test {
 protected:
  void SetUp() override {
    for (char name = 'a'; name < 'a' + 8; ++name) methods_.add({.class_name = "C", .name = std::string(1, name)});
  }
  profile::ProfileData frozen(const SampleTree& tree, const SampleTree::ThreadNames& names = {}) {
    auto profile = profile::freeze(tree.to_profile(names));
    EXPECT_TRUE(profile.ok());
    return profile->data();
  }

  MethodTable methods_;
};

// Random stacks, most of which share their outer end with the one before, against a map of chains.
TEST_F(SampleTreeTest, equals_a_naive_count_of_stacks) {
  for (const bool call_sites : {false, true}) {
    std::mt19937 random(5);
    SampleTree tree(methods_, call_sites, kPlenty);
    std::map<Chain, std::uint64_t> expected;
    std::map<std::tuple<std::string, std::uint32_t, std::string>, std::uint64_t> edges;
    Stack stack;
    for (int i = 0; i < 3000; ++i) {
      stack.resize(random() % (stack.size() + 1));
      for (std::size_t more = 1 + random() % 4; more > 0; --more) {
        stack.push_back({.method = static_cast<MethodId>(random() % 8),
                         .site = stack.empty() ? profile::kNoSite : static_cast<std::uint32_t>(random() % 3)});
      }
      tree.add(static_cast<std::uint32_t>(random() % 3), stack);
      Chain chain;
      for (const Frame& frame : stack) {
        chain.emplace_back(methods_[frame.method].name, call_sites ? frame.site : profile::kNoSite);
      }
      ++expected[chain];
      if (stack.size() > 1) {
        ++edges[{methods_[stack[stack.size() - 2].method].name, stack.back().site, methods_[stack.back().method].name}];
      }
    }
    EXPECT_EQ(tree.samples(), 3000U);
    const profile::ProfileData data = frozen(tree);
    EXPECT_EQ(chains_of(data), expected);
    std::map<std::tuple<std::string, std::uint32_t, std::string>, std::uint64_t> found;
    for (std::size_t i = 0; i < data.edges.size(); ++i) {
      found[{data.methods[data.edges.caller[i]].name, data.edges.site[i], data.methods[data.edges.callee[i]].name}] =
          data.edges.columns[0].value[i];
    }
    EXPECT_EQ(found, edges);
  }
}

// The same for activations: of the frames that the test says are new, in all contexts, edges and threads.
TEST_F(SampleTreeTest, equals_a_naive_count_of_new_activations) {
  std::mt19937 random(6);
  SampleTree tree(methods_, true, kPlenty, true);
  std::map<Chain, std::uint64_t> samples, activations;
  std::map<std::string, std::uint64_t> by_thread, edges;
  Stack stack;
  for (int i = 0; i < 3000; ++i) {
    stack.resize(random() % (stack.size() + 1));
    const std::size_t seen = stack.size();
    for (std::size_t more = 1 + random() % 4; more > 0; --more) {
      stack.push_back({.method = static_cast<MethodId>(random() % 8),
                       .site = stack.empty() ? profile::kNoSite : static_cast<std::uint32_t>(random() % 3)});
    }
    const auto thread = static_cast<std::uint32_t>(random() % 3);
    tree.add(thread, stack, stack.size() - seen);
    Chain chain;
    for (std::size_t k = 0; k < stack.size(); ++k) {
      chain.emplace_back(methods_[stack[k].method].name, stack[k].site);
      if (k < seen) continue;
      ++activations[chain];
      ++by_thread[std::string(1, static_cast<char>('0' + thread))];
      if (k > 0) ++edges[methods_[stack[k - 1].method].name + methods_[stack[k].method].name];
    }
    ++samples[chain];
    if (i == 1500) tree.close(0, "0");
  }
  profile::ProfileData data = frozen(tree, {{0, "0"}, {1, "1"}, {2, "2"}});
  ASSERT_EQ(data.metrics.size(), 2U);
  ASSERT_EQ(data.metrics[0].name, profile::kActivations);
  EXPECT_EQ(data.metrics[0].kind, profile::MetricKind::kSamples);
  EXPECT_EQ(chains_of(data), activations);
  std::map<std::string, std::uint64_t> found_edges, found_threads;
  for (std::size_t i = 0; i < data.edges.size(); ++i) {
    found_edges[data.methods[data.edges.caller[i]].name + data.methods[data.edges.callee[i]].name] +=
        data.edges.columns[0].value[i];
  }
  std::erase_if(found_edges, [](const auto& edge) { return edge.second == 0; });
  EXPECT_EQ(found_edges, edges);
  for (const profile::Thread& thread : data.threads) {
    for (const std::uint64_t count : thread.columns[0].value) found_threads[thread.name] += count;
  }
  EXPECT_EQ(found_threads, by_thread);
  std::swap(data.contexts.columns[0], data.contexts.columns[1]);
  EXPECT_EQ(chains_of(data), samples) << "samples are what they are without";
}

TEST_F(SampleTreeTest, a_sample_without_frames_is_none) {
  SampleTree tree(methods_, false, kPlenty);
  tree.add(1, {});
  EXPECT_EQ(tree.samples(), 0U);
}

TEST_F(SampleTreeTest, threads_add_up_to_the_whole) {
  SampleTree tree(methods_, false, kPlenty);
  const Stack stack = {{.method = 0}, {.method = 1, .site = 4}};
  for (std::uint32_t thread = 0; thread < 5; ++thread) tree.add(thread, stack);
  for (std::uint32_t thread = 0; thread < 3; ++thread) tree.close(thread, "pool");
  tree.close(77, "never sampled");
  const profile::ProfileData data = frozen(tree, {{3, "main"}, {4, "pool"}});
  std::map<std::string, std::uint64_t> by_name;
  for (const profile::Thread& thread : data.threads) by_name[thread.name] += thread.columns[0].value.at(0);
  EXPECT_EQ(by_name, (std::map<std::string, std::uint64_t>{{"main", 1}, {"pool", 4}}));
}

TEST_F(SampleTreeTest, more_names_than_are_kept_share_one) {
  SampleTree tree(methods_, false, kPlenty);
  const Stack stack = {{.method = 0}};
  for (std::uint32_t thread = 0; thread < kMaxThreads + 50; ++thread) {
    tree.add(thread, stack);
    tree.close(thread, "thread " + std::to_string(thread));
  }
  const profile::ProfileData data = frozen(tree);
  EXPECT_EQ(data.threads.size(), kMaxThreads + 1);
  for (const profile::Thread& thread : data.threads) {
    EXPECT_EQ(thread.columns[0].value.at(0), thread.name == kOtherThreads ? 50U : 1U);
  }
}

// More contexts than there is room for, of which a few are hot: first some of them, later others.
TEST_F(SampleTreeTest, what_is_hot_now_is_kept_and_nothing_is_lost) {
  std::mt19937 random(8);
  constexpr std::uint64_t kRoom = 64;
  SampleTree tree(methods_, true, kRoom, true);
  std::map<Chain, std::uint64_t> samples;
  std::map<std::string, std::uint64_t> threads;
  std::uint64_t activations = 0;
  for (int i = 0; i < 20'000; ++i) {
    const bool is_late = i >= 10'000;
    Stack stack;
    if (random() % 2 == 0) {
      const std::uint32_t hot = (is_late ? 4 : 0) + static_cast<std::uint32_t>(random() % 4);
      stack = {{.method = 0}, {.method = hot, .site = hot}, {.method = 7, .site = 9}};
    } else {
      for (std::size_t depth = 1 + random() % 6; stack.size() < depth;) {
        stack.push_back({.method = static_cast<MethodId>(random() % 8),
                         .site = stack.empty() ? profile::kNoSite : static_cast<std::uint32_t>(random() % 50)});
      }
    }
    const auto thread = static_cast<std::uint32_t>(random() % 3);
    const std::size_t unseen = random() % (stack.size() + 1);
    tree.add(thread, stack, unseen);
    activations += unseen;
    ++threads[std::string(1, static_cast<char>('0' + thread))];
    Chain chain;
    for (const Frame& frame : stack) chain.emplace_back(methods_[frame.method].name, frame.site);
    ++samples[chain];
    if (i == 15'000) tree.close(0, "0");
  }
  EXPECT_EQ(tree.lost(), 0U);
  EXPECT_GT(tree.forgotten(), 5'000U);
  profile::ProfileData data = frozen(tree, {{0, "0"}, {1, "1"}, {2, "2"}});
  EXPECT_LE(data.contexts.size(), kRoom + 1);
  ASSERT_EQ(data.metrics[1].name, profile::kSamples);
  const auto sum = [](const std::vector<std::uint64_t>& values) {
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
  };
  EXPECT_EQ(sum(data.contexts.columns[0].value), activations);
  EXPECT_EQ(sum(data.contexts.columns[1].value), 20'000U);
  std::map<std::string, std::uint64_t> found_threads;
  for (const profile::Thread& thread : data.threads) found_threads[thread.name] += sum(thread.columns[1].value);
  EXPECT_EQ(found_threads, threads);
  std::uint64_t edges = 0;
  for (const auto& [chain, count] : samples) edges += chain.size() > 1 ? count : 0;
  EXPECT_EQ(sum(data.edges.columns[1].value), edges) << "edges forget nothing";
  std::swap(data.contexts.columns[0], data.contexts.columns[1]);
  std::map<Chain, std::uint64_t> found = chains_of(data);
  found.erase({{"[overflow]", profile::kNoSite}});
  for (const auto& [chain, count] : found) EXPECT_LE(count, samples[chain]);
  for (std::uint32_t hot = 4; hot < 8; ++hot) {
    const Chain chain = {{"a", profile::kNoSite}, {methods_[hot].name, hot}, {"h", 9}};
    EXPECT_GT(found[chain], 0.95 * static_cast<double>(samples[chain]))
        << "hot since the middle: " << methods_[hot].name;
  }
}

TEST_F(SampleTreeTest, beyond_the_limit_there_is_the_overflow) {
  SampleTree tree(methods_, false, 3);
  const Stack deep = {{.method = 0}, {.method = 1}, {.method = 2}, {.method = 3}, {.method = 4}};
  tree.add(1, deep);
  tree.add(1, deep);
  tree.add(1, std::span(deep).first(3));
  const profile::ProfileData data = frozen(tree);
  EXPECT_EQ(data.contexts.size(), 4U);
  std::uint64_t overflow = 0, kept = 0;
  for (std::size_t i = 0; i < data.contexts.size(); ++i) {
    const bool is_overflow = data.methods[data.contexts.method[i]].kind == profile::MethodKind::kOverflow;
    (is_overflow ? overflow : kept) += data.contexts.columns[0].value[i];
  }
  EXPECT_EQ(overflow, 2U);
  EXPECT_EQ(kept, 1U);
}

}  // namespace
}  // namespace bursar::core
