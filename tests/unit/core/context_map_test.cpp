#include "core/context_map.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "paper_map.h"

namespace bursar::core {
namespace {

using Index = ContextMap::Index;
constexpr Index kNone = ContextMap::kNone;
constexpr ContextMap::Options kSubPaths = {.shape = ContextMap::Shape::kSubPaths, .max_sub_path = 100};

// Every node is in the list of what it refers to, once, and lists hold nothing else.
void expect_links_both_ways(const ContextMap& map) {
  std::size_t listed = 0;
  for (Index c = 0; c < map.callees().size(); ++c) {
    std::set<Index> refs;
    for (Index p = map.callees()[c].first_pair; p != kNone; p = map.pairs()[p].next_of_after) {
      const ContextMap::CallPair& pair = map.pairs()[p];
      EXPECT_EQ(pair.after, c);
      EXPECT_EQ(map.find_pair(pair.before, c), p);
      std::size_t of_pair = 0;
      std::uint64_t total = 0;
      for (Index r = pair.first_ref; r != kNone; r = map.refs()[r].next_of_pair) {
        EXPECT_EQ(map.refs()[r].callee, c);
        EXPECT_EQ(map.refs()[r].pair, p);
        EXPECT_EQ(map.refs()[r].above, map.refs()[map.refs()[r].parent].pair);
        const bool tree = map.options().shape == ContextMap::Shape::kTree;
        EXPECT_EQ(pair.before, tree ? map.refs()[map.refs()[r].parent].callee : kNone);
        EXPECT_TRUE(refs.insert(r).second);
        total += map.refs()[r].count;
        ++of_pair;
      }
      EXPECT_EQ(pair.total, total);
      EXPECT_EQ(pair.refs, of_pair);
    }
    EXPECT_EQ(refs.size(), map.callees()[c].refs);
    listed += refs.size();
  }
  std::size_t roots = 0;
  std::map<std::pair<Index, Index>, std::uint64_t> triples;
  for (Index r = 0; r < map.refs().size(); ++r) {
    const ContextMap::CalleeRef& ref = map.refs()[r];
    const bool has_triple = ref.above != kNone && map.pairs()[ref.above].before != kNone;
    EXPECT_EQ(ref.triple != kNone, has_triple);
    if (has_triple) triples[{ref.above, ref.pair}] += ref.count;
    if (ref.parent == kNone) {
      ++roots;
      EXPECT_EQ(map.find_root(ref.method), r);
      continue;
    }
    EXPECT_LT(ref.parent, r);
    EXPECT_EQ(map.find_ref(ref.parent, ref.callee), r);
    EXPECT_EQ(map.site_refs()[ref.site_ref].context, ref.parent);
    EXPECT_EQ(map.site_refs()[ref.site_ref].site, map.callees()[ref.callee].site);
  }
  EXPECT_EQ(listed + roots, map.refs().size());
  EXPECT_EQ(triples.size(), map.triples().size());
  for (const auto& [pairs, total] : triples) {
    const Index triple = map.find_triple(pairs.first, pairs.second);
    ASSERT_NE(triple, kNone);
    EXPECT_EQ(map.triples()[triple].total, total);
  }
  for (Index c = 0; c < map.callees().size(); ++c) {
    const Index first = map.find_call(map.sites()[map.callees()[c].site].caller, map.callees()[c].method);
    std::size_t times = 0;
    for (Index at = first; at != kNone; at = map.callees()[at].next_of_methods) times += at == c ? 1 : 0;
    EXPECT_EQ(times, 1U) << "among the calls of the same methods";
  }
  std::size_t site_refs = 0;
  for (Index s = 0; s < map.sites().size(); ++s) {
    std::uint64_t total = 0;
    for (Index c = map.sites()[s].first_callee; c != kNone; c = map.callees()[c].next_of_site) {
      EXPECT_EQ(map.callees()[c].site, s);
      total += map.callees()[c].total;
    }
    EXPECT_EQ(map.sites()[s].total, total);
    for (Index r = map.sites()[s].first_ref; r != kNone; r = map.site_refs()[r].next_of_site) {
      EXPECT_EQ(map.site_refs()[r].site, s);
      EXPECT_EQ(map.find_site_ref(map.site_refs()[r].context, s), r);
      ++site_refs;
    }
  }
  EXPECT_EQ(site_refs, map.site_refs().size());
  std::size_t incoming = 0;
  for (Index m = 0; m < map.methods().size(); ++m) {
    for (Index c = map.methods()[m].first_incoming; c != kNone; c = map.callees()[c].next_incoming) {
      EXPECT_EQ(map.callees()[c].method, m);
      ++incoming;
    }
  }
  EXPECT_EQ(incoming, map.callees().size());
}

void expect_same(const PaperMap& actual, const PaperMap& expected) {
  EXPECT_EQ(actual.methods, expected.methods);
  EXPECT_EQ(actual.callees, expected.callees);
  EXPECT_EQ(actual.refs, expected.refs);
}

std::uint64_t total_of(const ContextMap& map, char caller, char callee) {
  return ContextQuestions(map).calls(static_cast<Index>(caller - 'A'), static_cast<Index>(callee - 'A'));
}

TEST(ContextMap, figure_1_tells_that_b_calls_c_four_times) {
  ContextMap map(kSubPaths);
  for (const char* sample : {"ABC", "ABC", "BCD", "BC"}) map.add_sample(stack_of_letters(sample));
  EXPECT_EQ(total_of(map, 'B', 'C'), 4U);
  const ContextQuestions questions(map);
  EXPECT_EQ(questions.count_of(path_of_letters("ABC")), 2U);
  EXPECT_EQ(questions.count_of(path_of_letters("BCD")), 1U);
  EXPECT_EQ(questions.count_of(path_of_letters("ACD")), 0U);
}

// Samples of Figure 2a; the figure is lost, the text says that BCD runs 8 times, below A, below E and at the outer end.
TEST(ContextMap, figure_2a_has_the_hot_path_in_all_contexts) {
  ContextMap map(kSubPaths);
  PaperMap paper;
  const std::pair<const char*, std::uint64_t> samples[] = {{"ABCD", 3}, {"ABCF", 1}, {"EBCD", 3},
                                                           {"EBCF", 1}, {"BCD", 2},  {"BCF", 1}};
  for (const auto& [letters, count] : samples) {
    map.add_sample(stack_of_letters(letters), false, count);
    paper.add_sample(stack_of_letters(letters), false, count);
  }
  expect_same(in_words(map), paper);
  const ContextQuestions questions(map);
  EXPECT_EQ(questions.count_of(path_of_letters("BCD")), 8U);
  EXPECT_EQ(questions.count_of(path_of_letters("BCF")), 3U);
  EXPECT_EQ(questions.count_of(path_of_letters("ABCD")), 3U);
  EXPECT_EQ(questions.count_of(path_of_letters("EBCD")), 3U);
}

// Figure 2b: BCD as often, but never from E, where EBCF is hot.
TEST(ContextMap, figure_2b_tells_contexts_apart) {
  ContextMap map(kSubPaths);
  PaperMap paper;
  const std::pair<const char*, std::uint64_t> samples[] = {{"ABCD", 6}, {"EBCF", 3}, {"BCD", 2}};
  for (const auto& [letters, count] : samples) {
    map.add_sample(stack_of_letters(letters), false, count);
    paper.add_sample(stack_of_letters(letters), false, count);
  }
  expect_same(in_words(map), paper);
  const ContextQuestions questions(map);
  EXPECT_EQ(questions.count_of(path_of_letters("BCD")), 8U);
  EXPECT_EQ(questions.count_of(path_of_letters("EBCD")), 0U);
  EXPECT_EQ(questions.count_of(path_of_letters("EBCF")), 3U);
  EXPECT_EQ(questions.count_of(path_of_letters("ABCF")), 0U);
}

TEST(ContextMap, an_old_frame_calls_but_is_not_counted_again) {
  ContextMap map(kSubPaths);
  map.add_sample(stack_of_letters("AB"));
  map.add_sample(stack_of_letters("BC"), true);
  EXPECT_EQ(map.methods()[1].total, 1U);
  EXPECT_EQ(total_of(map, 'B', 'C'), 1U);
  map.add_sample(stack_of_letters("C"), true);  // nothing new at all
  EXPECT_EQ(map.methods()[2].total, 1U);
}

TEST(ContextMap, random_samples_equal_the_papers_pseudocode) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStacks random(seed);
    const std::uint32_t longest = 2 + random.below(6);
    ContextMap map({.shape = ContextMap::Shape::kSubPaths, .max_sub_path = longest});
    PaperMap paper;
    for (int i = 0; i < 60; ++i) {
      const Stack stack = random.stack(5, 2, 9);
      const bool old = random.below(3) == 0;
      const std::uint64_t count = 1 + random.below(3);
      map.add_sample(stack, old, count);
      paper.add_sample(stack, old, count, longest);
    }
    expect_same(in_words(map), paper);
    expect_links_both_ways(map);
    EXPECT_EQ(map.losses().contexts, 0U);
  }
}

TEST(ContextMap, a_tree_has_each_context_once) {
  ContextMap map;
  std::map<Chain, std::uint64_t> expected;
  RandomStacks random(7);
  for (int i = 0; i < 300; ++i) {
    Index at = kNone;
    std::uint32_t caller = kNone;
    Chain chain;
    for (const ContextMap::Frame& frame : random.stack(4, 2, 7)) {
      const std::uint64_t count = random.below(4);
      at = map.add_context(at, caller, frame, count);
      caller = frame.method;
      chain.emplace_back(frame.method, frame.site);
      expected[chain] += count;
    }
  }
  std::map<Chain, std::uint64_t> actual;
  for (Index i = 0; i < map.refs().size(); ++i) actual[chain_of(map, i)] = map.refs()[i].count;
  EXPECT_EQ(actual, expected);
  expect_links_both_ways(map);
  map.sort_by_heat();
  EXPECT_TRUE(map.is_sorted_by_heat());
  expect_links_both_ways(map);
  for (const ContextMap::CallPair& pair : map.pairs()) {
    for (Index r = pair.first_ref; map.refs()[r].next_of_pair != kNone; r = map.refs()[r].next_of_pair) {
      EXPECT_GE(map.refs()[r].count, map.refs()[map.refs()[r].next_of_pair].count);
    }
  }
  map.add_context(kNone, kNone, {0}, 1);
  EXPECT_FALSE(map.is_sorted_by_heat());
}

TEST(ContextMap, what_is_not_counted_any_more_goes_and_totals_of_methods_stay) {
  ContextMap map(kSubPaths);
  map.add_sample(stack_of_letters("ABC"), false, 1000);
  map.next_epoch();
  map.add_sample(stack_of_letters("ADC"));
  EXPECT_EQ(map.remove_cold(2), 0U);  // both epochs are recent enough
  EXPECT_EQ(map.remove_cold(1), 4U);  // A-B, A-B-C, B, B-C
  expect_links_both_ways(map);
  PaperMap paper;
  paper.add_sample(stack_of_letters("ADC"), false, 1);
  const PaperMap words = in_words(map);
  EXPECT_EQ(words.refs, paper.refs);
  EXPECT_EQ(words.callees, paper.callees);
  EXPECT_EQ(words.methods.at(1), 1000U);
  EXPECT_EQ(map.losses().removed_contexts, 4U);
  EXPECT_EQ(map.losses().removed_calls, 2U);
  map.add_sample(stack_of_letters("ABC"));  // and may come back
  EXPECT_EQ(ContextQuestions(map).count_of(path_of_letters("ABC")), 1U);
}

TEST(ContextMap, a_cold_context_stays_above_a_warm_one) {
  ContextMap map;
  const Index a = map.add_context(kNone, kNone, {0}, 5);
  const Index b = map.add_context(a, 0, {1}, 5);
  map.next_epoch();
  map.add_context(b, 1, {2}, 1);
  EXPECT_EQ(map.remove_cold(1), 0U);
  EXPECT_EQ(map.refs().size(), 3U);
}

// Whatever is fed, there are never more contexts than allowed; what is left counts no more than the truth, the warmest
// survive, and every other total is exact.
TEST(ContextMap, samples_beyond_the_limit_push_out_what_is_cold) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomStacks random(seed);
    ContextMap map({.shape = ContextMap::Shape::kSubPaths, .max_sub_path = 4, .max_contexts = 60});
    PaperMap paper;
    for (int i = 0; i < 400; ++i) {
      if (i % 20 == 0) map.next_epoch();
      const Stack stack = i % 2 == 0 ? stack_of_letters("ABCDE") : random.stack(12, 2, 6);
      map.add_sample(stack);
      paper.add_sample(stack, false, 1, 4);
      EXPECT_LE(map.refs().size(), 60U);
    }
    const PaperMap words = in_words(map);
    EXPECT_EQ(words.methods, paper.methods);
    EXPECT_EQ(words.callees, paper.callees);
    for (const auto& [chain, count] : words.refs) EXPECT_LE(count, paper.refs.at(chain));
    EXPECT_GE(ContextQuestions(map).count_of(path_of_letters("ABCD")), 190U) << seed;
    EXPECT_GT(map.losses().removed_contexts, 0U);
    EXPECT_EQ(map.losses().contexts, 0U);
    expect_links_both_ways(map);
  }
}

TEST(ContextMap, a_tree_beyond_the_limit_counts_in_totals_and_says_so) {
  ContextMap map({.max_contexts = 2});
  const Index a = map.add_context(kNone, kNone, {0}, 1);
  const Index b = map.add_context(a, 0, {1}, 2);
  const Index c = map.add_context(b, 1, {2}, 3);
  EXPECT_EQ(c, kNone);
  EXPECT_EQ(map.add_context(c, 2, {3}, 4), kNone);
  EXPECT_EQ(map.losses().contexts, 7U);
  EXPECT_EQ(map.methods()[3].total, 4U);
  EXPECT_EQ(total_of(map, 'C', 'D'), 4U);
}

TEST(ContextMap, calls_beyond_their_limit_are_counted_as_lost) {
  ContextMap map({.shape = ContextMap::Shape::kSubPaths, .max_sub_path = 3, .max_calls = 1});
  map.add_sample(stack_of_letters("ABC"));
  EXPECT_EQ(total_of(map, 'A', 'B'), 1U);
  EXPECT_EQ(total_of(map, 'B', 'C'), 0U);
  EXPECT_EQ(map.losses().calls, 1U);
  EXPECT_EQ(map.losses().contexts, 2U);  // A-B-C and B-C
  EXPECT_EQ(map.methods()[2].total, 1U);
}

TEST(ContextMap, a_limit_below_one_path_loses_and_lives) {
  ContextMap map({.shape = ContextMap::Shape::kSubPaths, .max_sub_path = 4, .max_contexts = 2});
  for (int i = 0; i < 10; ++i) map.add_sample(stack_of_letters("ABCDEF"));
  EXPECT_LE(map.refs().size(), 2U);
  EXPECT_GT(map.losses().contexts, 0U);
  EXPECT_EQ(total_of(map, 'E', 'F'), 10U);
}

}  // namespace
}  // namespace bursar::core
