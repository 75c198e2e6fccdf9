#include "core/gathering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "profile/class_name.h"
#include "profile/freeze.h"
#include "random_calls.h"

namespace bursar::core {
namespace {

constexpr std::uint64_t kPlenty = 10'000'000;

// Everything a profile says about calls, by name.
struct Books {
  using Step = std::pair<std::string, std::uint32_t>;
  using Counts = std::map<std::vector<Step>, std::uint64_t>;

  Counts whole;
  std::map<std::string, Counts> threads;
  std::map<std::tuple<std::string, std::uint32_t, std::string>, std::uint64_t> edges;

  bool operator==(const Books&) const = default;
};

std::string full_name(const profile::Method& method) {
  return method.class_name + "." + method.name + method.descriptor + "/" +
         std::to_string(static_cast<unsigned>(method.kind));
}

Books books_of(const profile::ProfileData& data) {
  Books books;
  std::vector<std::vector<Books::Step>> chains;
  for (std::size_t i = 0; i < data.contexts.size(); ++i) {
    std::vector<Books::Step> chain;
    if (data.contexts.parent[i] != profile::kNone) chain = chains[data.contexts.parent[i]];
    chain.emplace_back(full_name(data.methods[data.contexts.method[i]]), data.contexts.site[i]);
    chains.push_back(chain);
    if (const std::uint64_t calls = data.contexts.columns[0].value[i]; calls > 0) books.whole[chain] = calls;
  }
  for (const profile::Thread& thread : data.threads) {
    Books::Counts& counts = books.threads[thread.name];
    for (std::size_t i = 0; i < thread.context.size(); ++i) {
      counts[chains[thread.context[i]]] = thread.columns[0].value[i];
    }
  }
  for (std::size_t i = 0; i < data.edges.size(); ++i) {
    books.edges[{full_name(data.methods[data.edges.caller[i]]), data.edges.site[i],
                 full_name(data.methods[data.edges.callee[i]])}] = data.edges.columns[0].value[i];
  }
  return books;
}

profile::ProfileData frozen(const Gathering& gathering) {
  const base::Result<profile::Profile> profile = profile::freeze(gathering.to_profile());
  EXPECT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(profile::validate(profile->data()), std::vector<std::string>());
  return profile->data();
}

class GatheringTest : public testing::Test {
 protected:
  // What a thread's own books (with call sites) come to.
  void note(Books& books, const CallCounts& counts, const std::string& thread, bool call_sites) const {
    for (const auto& [chain, count] : counts) {
      std::vector<Books::Step> steps;
      for (std::size_t i = 0; i < chain.size(); ++i) {
        const std::uint32_t site = i == 0 ? profile::kNoSite : bci_of(chain[i - 1].first, chain[i].second);
        steps.emplace_back(name_of(chain[i].first), call_sites ? site : profile::kNoSite);
      }
      books.whole[steps] += count;
      books.threads[thread][steps] += count;
      if (chain.size() == 1) continue;
      const auto& [caller, slot] = *(chain.end() - 2);
      books.edges[{name_of(caller), bci_of(caller, chain.back().second), name_of(chain.back().first)}] += count;
    }
  }
  std::string name_of(MethodId id) const {
    const Method& method = methods_[id];
    std::string class_name = method.class_name;
    std::replace(class_name.begin(), class_name.end(), '/', '.');
    return full_name(
        {profile::normalised_class_name(class_name), method.name, method.descriptor,
         method.nature == MethodNature::kNative ? profile::MethodKind::kNative : profile::MethodKind::kJava});
  }
  std::uint32_t bci_of(MethodId caller, std::uint32_t slot) const {
    return slot == 0 ? profile::kNoSite : methods_[caller].sites[slot - 1].bci;
  }

  MethodTable methods_;
  ContextBudget budget_{kPlenty};
};

// The tree keeps call sites or not; the oracle always does, as edges need them.
TEST_F(GatheringTest, says_what_the_threads_did) {
  for (const bool call_sites : {false, true}) {
    Gathering gathering(methods_, call_sites);
    Books expected;
    std::uint64_t tree_contexts = 0, tree_bytes = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      // The same names under new numbers, again and again.
      const RandomProgram program(methods_, seed % 5);
      ContextTree tree(methods_, budget_, program.root, {call_sites, seed % 3 == 0});
      RandomCalls calls(program, tree, true, seed);
      calls.run(500, 8);
      const std::string name = "thread " + std::to_string(seed % 4);
      gathering.add(tree, name);
      note(expected, calls.counts(), name, call_sites);
      tree_contexts += tree.contexts();
      tree_bytes += tree.bytes();
    }
    const profile::ProfileData data = frozen(gathering);
    EXPECT_TRUE(books_of(data) == expected);
    EXPECT_EQ(data.identity.call_sites, call_sites);
    EXPECT_EQ(data.counters.at("threads"), 30U);
    EXPECT_EQ(data.counters.at("tree_contexts"), tree_contexts);
    EXPECT_EQ(data.counters.at("tree_bytes"), tree_bytes);
    EXPECT_EQ(gathering.threads(), 30U);
    EXPECT_EQ(data.metrics, (std::vector<profile::Metric>{{"calls", "", profile::MetricKind::kExact, 0}}));
  }
}

TEST_F(GatheringTest, a_tree_that_forgot_its_counts_serves_another_thread) {
  for (const bool call_sites : {false, true}) {
    Gathering gathering(methods_, call_sites);
    Books expected;
    const RandomProgram program(methods_, 1);
    ContextTree tree(methods_, budget_, program.root, {call_sites, false});
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const std::string name = "thread " + std::to_string(seed % 2);
      RandomCalls calls(program, tree, true, seed);
      calls.run(500, 8);
      EXPECT_GT(gathering.add(tree, name), 0U);
      note(expected, calls.counts(), name, call_sites);
      tree.forget_counts();
      EXPECT_EQ(counts_of(tree, call_sites), CallCounts());
      EXPECT_EQ(gathering.add(tree, name), 0U);
    }
    EXPECT_TRUE(books_of(frozen(gathering)) == expected);
  }
}

TEST_F(GatheringTest, of_nothing_is_a_sound_profile) {
  const profile::ProfileData data = frozen(Gathering(methods_, false));
  EXPECT_EQ(data.contexts.size(), 0U);
  EXPECT_EQ(data.threads.size(), 0U);
}

TEST_F(GatheringTest, stays_usable_after_a_profile_was_made) {
  const RandomProgram program(methods_, 1);
  Gathering gathering(methods_, true);
  Books expected;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    ContextTree tree(methods_, budget_, program.root, {true, false});
    RandomCalls calls(program, tree, true, seed);
    calls.run(500, 8);
    gathering.add(tree, "t");
    note(expected, calls.counts(), "t", true);
    EXPECT_TRUE(books_of(frozen(gathering)) == expected) << "seed " << seed;
  }
}

TEST_F(GatheringTest, makes_one_method_of_the_generated_classes_of_one_place) {
  const MethodId root = methods_.add(method_with("", "[thread]", 0, MethodNature::kPseudo));
  Method one = method_with("p/A$$Lambda$14+0x0000000800c03000", "run", 0);
  Method two = method_with("p/A$$Lambda$15+0x0000000800c04000", "run", 0);
  one.code_bytes = 7;
  two.code_bytes = 9;
  ContextTree tree(methods_, budget_, root, {});
  for (const MethodId id : {methods_.add(one), methods_.add(two)}) tree.enter({tree.root(), 0}, id);
  Gathering gathering(methods_, false);
  gathering.add(tree, "main");
  const profile::ProfileData data = frozen(gathering);
  ASSERT_EQ(data.methods.size(), 1U);
  EXPECT_EQ(data.methods[0], (profile::Method{"p.A$$Lambda", "run", "()V", profile::MethodKind::kJava, 9}));
  EXPECT_EQ(data.contexts.columns[0].value, std::vector<std::uint64_t>{2});
}

TEST_F(GatheringTest, has_the_kinds_of_methods) {
  const MethodId root = methods_.add(method_with("", "[thread]", 0, MethodNature::kPseudo));
  const MethodId pseudo = methods_.add(method_with("", "[class loading]", 0, MethodNature::kPseudo));
  const MethodId native = methods_.add(method_with("p/A", "f", 0, MethodNature::kNative));
  ContextTree tree(methods_, budget_, root, {});
  const NodeAddress node = tree.enter({tree.root(), 0}, pseudo);
  tree.enter_at_site({node, 0}, native);
  Gathering gathering(methods_, false);
  gathering.add(tree, "main");
  const profile::ProfileData data = frozen(gathering);
  ASSERT_EQ(data.methods.size(), 2U);
  EXPECT_EQ(data.methods[0].name, "[class loading]");
  EXPECT_EQ(data.methods[0].kind, profile::MethodKind::kPseudo);
  EXPECT_EQ(data.methods[1].kind, profile::MethodKind::kNative);
}

TEST_F(GatheringTest, keeps_a_native_method_that_was_not_counted_yet) {
  const MethodId root = methods_.add(method_with("", "[thread]", 0, MethodNature::kPseudo));
  const MethodId main = methods_.add(method_with("p/A", "main", 2));
  const MethodId native = methods_.add(method_with("p/A", "f", 0, MethodNature::kNative));
  const MethodId callback = methods_.add(method_with("p/A", "g", 1));
  for (const bool call_sites : {false, true}) {
    ContextTree tree(methods_, budget_, root, {call_sites, false});
    tree.enter({tree.enter({tree.root(), 0}, main), 2}, callback, {native, false});
    Gathering gathering(methods_, call_sites);
    gathering.add(tree, "main");
    const profile::ProfileData data = frozen(gathering);
    EXPECT_EQ(data.contexts.columns[0].value, (std::vector<std::uint64_t>{1, 0, 1}));
    EXPECT_EQ(data.contexts.site[1], call_sites ? 20 : profile::kNoSite);
    EXPECT_EQ(data.contexts.site[2], profile::kNoSite);
    EXPECT_EQ(data.edges.size(), 1U);
  }
}

TEST_F(GatheringTest, finds_what_a_slot_counts_without_a_node) {
  const MethodId root = methods_.add({.name = "root"});
  const MethodId object = methods_.add({.class_name = "Object", .name = "<init>"});
  const MethodId back = methods_.add({.class_name = "Finalizer", .name = "register"});
  const MethodId main = methods_.add({.class_name = "A", .name = "<init>", .sites = {{.bci = 1, .callee = object}}});
  ContextTree tree(methods_, budget_, root, {});
  Probe probe(tree);
  const Probe::Frame frame = probe.enter(main);
  const auto chain = [&](std::vector<MethodId> ids) {
    std::vector<Books::Step> steps;
    for (const MethodId id : ids) steps.emplace_back(name_of(id), profile::kNoSite);
    return steps;
  };
  store64(frame.node + 16, 3);
  Gathering gathering(methods_, false);
  EXPECT_EQ(gathering.add(tree, "t"), 1U) << "nodes";
  EXPECT_EQ(books_of(frozen(gathering)).whole, (Books::Counts{{chain({main}), 1}, {chain({main, object}), 3}}));
  EXPECT_EQ(tree.contexts(), 1U);

  // Something is called by it: now it has a node, under which the slot goes on counting.
  const Probe::Frame called = probe.enter_from_node(frame, 1, back, object);
  EXPECT_EQ(called.resume, frame.node) << "the cursor was not at the slot";
  store64(frame.node + 16, 4);
  Gathering later(methods_, false);
  later.add(tree, "t");
  EXPECT_EQ(books_of(frozen(later)).whole,
            (Books::Counts{{chain({main}), 1}, {chain({main, object}), 4}, {chain({main, object, back}), 1}}));
}

TEST_F(GatheringTest, a_slot_that_counts_without_a_node_forgets_too) {
  const MethodId root = methods_.add({.name = "root"});
  const MethodId object = methods_.add({.class_name = "Object", .name = "<init>"});
  const MethodId main = methods_.add({.class_name = "A", .name = "<init>", .sites = {{.bci = 1, .callee = object}}});
  ContextTree tree(methods_, budget_, root, {});
  Probe probe(tree);
  store64(probe.enter(main).node + 16, 3);
  tree.forget_counts();
  Gathering gathering(methods_, false);
  gathering.add(tree, "t");
  EXPECT_EQ(books_of(frozen(gathering)).whole, Books::Counts());
}

TEST_F(GatheringTest, puts_calls_beyond_the_budget_of_the_trees_into_the_overflow) {
  const RandomProgram program(methods_, 4);
  ContextBudget small(10);
  ContextTree tree(methods_, small, program.root, {});
  RandomCalls calls(program, tree, false, 4);
  calls.only_plain_calls();
  calls.run(1'000, 8);
  ASSERT_GT(tree.overflow_calls(), 0U);
  Gathering gathering(methods_, false);
  gathering.add(tree, "main");
  const Books books = books_of(frozen(gathering));
  const std::vector<Books::Step> overflow = {{".[overflow]/3", profile::kNoSite}};
  EXPECT_EQ(books.whole.at(overflow), tree.overflow_calls());
  EXPECT_EQ(books.threads.at("main").at(overflow), tree.overflow_calls());
  std::uint64_t total = 0;
  for (const auto& [chain, count] : books.whole) total += count;
  EXPECT_EQ(total, total_of(calls.counts()));
}

TEST_F(GatheringTest, puts_contexts_beyond_its_own_limit_into_the_overflow) {
  const RandomProgram program(methods_, 4);
  Gathering gathering(methods_, true, 25);
  std::uint64_t expected = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    ContextTree tree(methods_, budget_, program.root, {true, false});
    RandomCalls calls(program, tree, true, seed);
    calls.run(300, 8);
    expected += total_of(calls.counts());
    gathering.add(tree, "t" + std::to_string(seed));
  }
  const profile::ProfileData data = frozen(gathering);
  EXPECT_EQ(data.contexts.size(), 26U);
  const Books books = books_of(data);
  std::uint64_t whole = 0;
  for (const auto& [chain, count] : books.whole) whole += count;
  EXPECT_EQ(whole, expected);
  std::uint64_t by_thread = 0;
  for (const auto& [name, counts] : books.threads) {
    for (const auto& [chain, count] : counts) by_thread += count;
  }
  EXPECT_EQ(by_thread, expected);
  EXPECT_GT((books.whole.at({{".[overflow]/3", profile::kNoSite}})), 0U);
}

TEST_F(GatheringTest, keeps_threads_beyond_the_limit_together) {
  const RandomProgram program(methods_, 2);
  Gathering gathering(methods_, false);
  constexpr std::uint64_t kThreads = 3 * kMaxThreads;
  std::map<std::string, std::uint64_t> expected;
  for (std::uint64_t i = 0; i < kThreads; ++i) {
    ContextTree tree(methods_, budget_, program.root, {});
    RandomCalls calls(program, tree, false, i % 3);
    calls.run(50, 8);
    // The last thousand have names of the first again.
    const std::string name = "t" + std::to_string(i % (2 * kMaxThreads));
    gathering.add(tree, name);
    expected[i % (2 * kMaxThreads) < kMaxThreads ? name : std::string(kOtherThreads)] += total_of(calls.counts());
  }
  const profile::ProfileData data = frozen(gathering);
  EXPECT_EQ(data.threads.size(), kMaxThreads + 1);
  EXPECT_EQ(data.counters.at("threads"), kThreads);
  std::map<std::string, std::uint64_t> seen;
  for (const profile::Thread& thread : data.threads) {
    for (const std::uint64_t calls : thread.columns[0].value) seen[thread.name] += calls;
  }
  EXPECT_EQ(seen, expected);
}

}  // namespace
}  // namespace bursar::core
