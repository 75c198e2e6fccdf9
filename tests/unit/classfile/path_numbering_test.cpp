#include "classfile/path_numbering.h"

#include <gtest/gtest.h>

#include <random>

#include "built_method.h"
#include "path_oracle.h"
#include "random_graph.h"

namespace bursar::classfile {
namespace {

std::variant<PathGraph, PathRefusal> graph_of(const CodeBuilder& code, std::uint32_t version = 49) {
  const BuiltMethod method(code, {.descriptor = "(I)V", .version = version});
  const auto flow = ControlFlow::of(method.code);
  return PathGraph::of(method.code, flow.value());
}

PathGraph graph(const CodeBuilder& code) {
  return std::get<PathGraph>(graph_of(code));
}

PathNumbering numbered(const PathGraph& graph, const NumberingOptions& options = {}) {
  return std::get<PathNumbering>(PathNumbering::of(graph, options));
}

// if … else …, so many times in a row.
CodeBuilder diamonds(int count) {
  CodeBuilder code;
  for (int i = 0; i < count; ++i) {
    const auto other = code.label(), join = code.label();
    code.op(op::kIload0);
    code.jump(op::kIfeq, other);
    code.jump(op::kGoto, join);
    code.bind(other);
    code.op(op::kNop);
    code.bind(join);
  }
  code.op(op::kReturn);
  return code;
}

// A loop with an if … else … in it.
CodeBuilder loop() {
  CodeBuilder code;
  const auto head = code.label(), other = code.label(), join = code.label(), end = code.label();
  code.op(op::kNop);
  code.bind(head);
  code.op(op::kIload0);
  code.jump(op::kIfeq, end);
  code.op(op::kIload0);
  code.jump(op::kIfeq, other);
  code.jump(op::kGoto, join);
  code.bind(other);
  code.op(op::kNop);
  code.bind(join);
  code.jump(op::kGoto, head);
  code.bind(end);
  code.op(op::kReturn);
  return code;
}

TEST(PathNumbering, two_diamonds_have_four_paths) {
  const PathGraph g = graph(diamonds(2));
  const PathNumbering n = numbered(g);
  EXPECT_EQ(n.paths(), 4U);
  // Falling through costs nothing; the last diamond tells 0 from 1, the first 0 from 2.
  EXPECT_EQ(n.value(0, 0), 0U);
  EXPECT_EQ(n.value(0, 1), 2U);
  EXPECT_EQ(n.value(3, 1), 1U);
  const BlockPath last = n.path(3).value();
  EXPECT_EQ(last.outcomes, (std::vector<std::uint32_t>{1, 0, 1, 0}));
  EXPECT_EQ(n.decisions(last), 2U);
  EXPECT_FALSE(n.path(4).has_value());
}

TEST(PathNumbering, another_numbering_spares_what_hot_edges_add) {
  const PathGraph g = graph(diamonds(2));
  const PathNumbering by_code = numbered(g);
  EdgeWeights weights(g.blocks.size());
  weights[0] = {10, 90};  // the hot edge adds
  weights[3] = {70, 30};  // it does not
  EXPECT_EQ(by_code.spared_by(weights), 80U);
  EXPECT_EQ(numbered(g, {.weights = weights}).spared_by(weights), 0U);
  weights[3] = {70};  // not of this graph
  EXPECT_EQ(by_code.spared_by(weights), 80U);
  EXPECT_EQ(by_code.spared_by({}), 0U);
}

TEST(PathNumbering, paths_end_and_begin_at_a_loop_header) {
  const PathGraph g = graph(loop());
  const PathNumbering n = numbered(g);
  // entry → header; header → either side → header; header → return
  EXPECT_EQ(n.paths(), 4U);
  EXPECT_TRUE(n.is_cut(1));
  EXPECT_EQ(n.path(n.start_value(PathStart::kEntry, 0))->blocks, (std::vector<std::uint32_t>{0, 1}));
  const std::uint32_t first = n.start_value(PathStart::kCut, 1);
  EXPECT_EQ(n.path(first)->blocks.front(), 1U);
  EXPECT_EQ(n.path(first)->blocks.back(), 1U);
  EXPECT_STREQ(numbering_fault(g, n), "");
}

TEST(PathNumbering, a_method_that_begins_with_its_loop_has_an_empty_first_path) {
  CodeBuilder code;
  const auto head = code.here();
  code.op(op::kIload0);
  code.jump(op::kIfeq, head);
  code.op(op::kReturn);
  const PathGraph g = graph(code);
  const PathNumbering n = numbered(g);
  EXPECT_EQ(n.path(n.start_value(PathStart::kEntry, 0))->blocks, std::vector<std::uint32_t>{0});
  EXPECT_EQ(n.paths(), 3U);
}

TEST(PathNumbering, a_handler_begins_a_path_and_exceptions_are_no_edges) {
  CodeBuilder code;
  const auto start = code.here(), other = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, other);
  code.op(op::kNop);
  code.bind(other);
  code.op(op::kNop);
  const auto end = code.here();
  code.op(op::kReturn);
  const auto handler = code.here();
  code.op(op::kPop);
  code.op(op::kReturn);
  code.catches(start, end, handler);
  const PathGraph g = graph(code);
  const PathNumbering n = numbered(g);
  EXPECT_EQ(n.paths(), 3U);
  EXPECT_EQ(n.path(n.start_value(PathStart::kHandler, 4))->blocks, std::vector<std::uint32_t>{4});
}

TEST(PathNumbering, the_hottest_edge_costs_nothing_or_the_coldest_if_asked_for) {
  CodeBuilder code;
  const auto a = code.label(), b = code.label(), c = code.label();
  code.op(op::kIload0);
  code.tableswitch(0, a, {b, c});
  for (const auto label : {a, b, c}) {
    code.bind(label);
    code.op(op::kReturn);
  }
  const PathGraph g = graph(code);
  const std::vector<std::vector<std::uint64_t>> weights = {{5, 70, 20}};
  const auto values = [&](EdgeOrder order) {
    const PathNumbering n = numbered(g, {.weights = weights, .order = order});
    return std::vector<std::uint32_t>{n.value(0, 0), n.value(0, 1), n.value(0, 2)};
  };
  EXPECT_EQ(values(EdgeOrder::kHottestFirst), (std::vector<std::uint32_t>{2, 0, 1}));
  EXPECT_EQ(values(EdgeOrder::kColdestFirst), (std::vector<std::uint32_t>{0, 2, 1}));
}

TEST(PathNumbering, where_there_are_too_many_paths_they_are_cut) {
  const PathGraph g = graph(diamonds(40));
  const PathNumbering n = numbered(g, {.max_paths_from_block = 64});
  EXPECT_LT(n.paths(), 40U * 2 * 64);
  EXPECT_STREQ(numbering_fault(g, n), "");
  EXPECT_STREQ(partial_fault(g, n), "");
  // Whatever is cut, from the entry to the end there is a way on by paths.
  std::uint32_t at = 0;
  for (PathStart start = PathStart::kEntry; !g.blocks[at].successors.empty(); start = PathStart::kCut) {
    at = n.path(n.start_value(start, at))->blocks.back();
  }
}

TEST(PathNumbering, a_method_with_too_many_paths_is_refused) {
  const PathGraph g = graph(diamonds(40));
  const auto refused = PathNumbering::of(g, {.max_paths_from_block = 64, .max_paths = 100});
  EXPECT_EQ(std::get<PathRefusal>(refused), PathRefusal::kTooManyPaths);
}

TEST(PathNumbering, what_cannot_be_numbered_says_why) {
  CodeBuilder straight;
  straight.op(op::kReturn);
  EXPECT_EQ(std::get<PathRefusal>(graph_of(straight)), PathRefusal::kNoBranch);

  CodeBuilder subroutine;
  const auto start = subroutine.label(), behind = subroutine.label();
  subroutine.max_locals = 3;
  subroutine.op(op::kIload0);
  subroutine.jump(op::kIfeq, behind);
  subroutine.jump(op::kJsr, start);
  subroutine.bind(behind);
  subroutine.op(op::kReturn);
  subroutine.bind(start);
  subroutine.op1(op::kAstore, 2);
  subroutine.op1(op::kRet, 2);
  EXPECT_EQ(std::get<PathRefusal>(graph_of(subroutine)), PathRefusal::kSubroutine);

  CodeBuilder tangle;
  const auto one = tangle.label(), other = tangle.label();
  tangle.op(op::kIload0);
  tangle.jump(op::kIfeq, other);
  tangle.bind(one);
  tangle.op(op::kNop);
  tangle.bind(other);
  tangle.op(op::kIload0);
  tangle.jump(op::kIfeq, one);
  tangle.op(op::kReturn);
  EXPECT_EQ(std::get<PathRefusal>(graph_of(tangle)), PathRefusal::kIrreducible);
  EXPECT_EQ(name(PathRefusal::kIrreducible), "irreducible");
}

TEST(PathNumberingRandom, numbers_are_those_of_all_paths_by_brute_force) {
  std::size_t checked = 0, with_handlers = 0, with_loops = 0, cut = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const auto made = graph_of(random_graph(seed));
    const auto* const g = std::get_if<PathGraph>(&made);
    if (g == nullptr) continue;
    std::mt19937_64 random(seed);
    std::vector<std::vector<std::uint64_t>> weights(g->blocks.size());
    for (std::size_t b = 0; b < weights.size(); ++b) {
      if (random() % 4 == 0) continue;
      for (std::size_t i = 0; i < g->blocks[b].successors.size(); ++i) weights[b].push_back(random() % 5);
    }
    const NumberingOptions options = {.weights = weights,
                                      .order = seed % 2 == 0 ? EdgeOrder::kHottestFirst : EdgeOrder::kColdestFirst,
                                      .max_paths_from_block = seed % 3 == 0 ? 2U : 1024U};
    const PathNumbering n = numbered(*g, options);
    ASSERT_STREQ(numbering_fault(*g, n), "") << "seed " << seed;
    ASSERT_STREQ(partial_fault(*g, n), "") << "seed " << seed;
    ASSERT_FALSE(n.path(n.paths()).has_value());
    ++checked;
    for (std::uint32_t b = 0; b < g->blocks.size(); ++b) {
      with_handlers += g->blocks[b].is_handler;
      with_loops += g->blocks[b].is_header;
      cut += n.is_cut(b) && !g->blocks[b].is_header;
    }
  }
  EXPECT_GT(checked, 1000U);
  EXPECT_GT(with_handlers, 200U);
  EXPECT_GT(with_loops, 200U);
  EXPECT_GT(cut, 50U);
}

}  // namespace
}  // namespace bursar::classfile
