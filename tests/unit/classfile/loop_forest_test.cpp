#include "classfile/loop_forest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "built_method.h"
#include "random_graph.h"

namespace bursar::classfile {
namespace {

class Loops {
 public:
  explicit Loops(const CodeBuilder& code)
      : code_(code),
        method_(code, {.descriptor = "(I)V", .version = 49}),
        flow_(ControlFlow::of(method_.code).value()),
        forest_(flow_) {}

  std::uint32_t at(CodeBuilder::Label label) const {
    return flow_.block_of(method_.instructions().index_at(code_.pc_of(label)));
  }
  // The innermost loop around a label, or null.
  const Loop* around(CodeBuilder::Label label) const {
    const std::uint32_t loop = forest_.loop_of(at(label));
    return loop == kNoLoop ? nullptr : &forest_.loops()[loop];
  }
  const ControlFlow& flow() const { return flow_; }
  const LoopForest& forest() const { return forest_; }

 private:
  const CodeBuilder& code_;
  BuiltMethod method_;
  ControlFlow flow_;
  LoopForest forest_;
};

TEST(LoopForest, nested_loops_know_what_is_around_them) {
  CodeBuilder code;
  const auto before = code.here();
  code.op(op::kNop);
  const auto outer = code.here();
  code.op(op::kNop);
  const auto inner = code.here();
  code.op(op::kIload0);
  code.jump(op::kIfeq, inner);
  const auto rest = code.here();
  code.op(op::kIload0);
  code.jump(op::kIfeq, outer);
  const auto after = code.here();
  code.op(op::kReturn);
  const Loops loops(code);

  ASSERT_EQ(loops.forest().loops().size(), 2U);
  EXPECT_EQ(loops.around(before), nullptr);
  EXPECT_EQ(loops.around(after), nullptr);
  ASSERT_NE(loops.around(inner), nullptr);
  EXPECT_EQ(loops.around(inner)->depth, 2U);
  EXPECT_EQ(loops.around(inner)->header, loops.at(inner));
  ASSERT_NE(loops.around(rest), nullptr);
  EXPECT_EQ(loops.around(rest)->depth, 1U);
  EXPECT_EQ(loops.around(rest), loops.around(outer));
  EXPECT_EQ(&loops.forest().loops()[loops.around(inner)->parent], loops.around(outer));
  EXPECT_EQ(loops.around(outer)->parent, kNoLoop);
  EXPECT_EQ(loops.around(outer)->latches, std::vector<std::uint32_t>{loops.at(rest)});
}

TEST(LoopForest, two_latches_of_one_header_are_one_loop) {
  CodeBuilder code;
  const auto head = code.here(), second = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, second);
  const auto first = code.here();
  code.jump(op::kGoto, head);
  code.bind(second);
  code.jump(op::kGoto, head);
  const Loops loops(code);
  ASSERT_EQ(loops.forest().loops().size(), 1U);
  EXPECT_EQ(loops.forest().loops()[0].latches.size(), 2U);
  EXPECT_EQ(loops.around(first), loops.around(second));
  EXPECT_TRUE(loops.forest().loops()[0].reducible);
}

TEST(LoopForest, a_loop_with_two_entries_is_not_reducible_and_holds_its_header_only) {
  CodeBuilder code;
  const auto one = code.label(), other = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, other);
  code.bind(one);
  code.op(op::kNop);
  code.bind(other);
  code.op(op::kIload0);
  code.jump(op::kIfeq, one);
  code.op(op::kReturn);
  const Loops loops(code);
  ASSERT_EQ(loops.forest().loops().size(), 1U);
  const Loop& loop = loops.forest().loops()[0];
  EXPECT_FALSE(loop.reducible);
  EXPECT_EQ(loops.forest().loop_of(loop.header), 0U);
  EXPECT_EQ(loops.forest().loop_of(loops.at(one) == loop.header ? loops.at(other) : loops.at(one)), kNoLoop);
}

TEST(LoopForest, a_handler_is_dominated_by_what_can_throw_to_it) {
  CodeBuilder code;
  const auto start = code.here();
  code.op(op::kNop);
  const auto end = code.here();
  code.op(op::kReturn);
  const auto handler = code.here();
  code.op(op::kPop);
  code.op(op::kReturn);
  code.catches(start, end, handler);
  const Loops loops(code);
  EXPECT_EQ(loops.forest().immediate_dominator(loops.at(handler)), loops.at(start));
  EXPECT_EQ(loops.forest().immediate_dominator(loops.at(start)), kNoBlock);
  EXPECT_TRUE(loops.forest().dominates(loops.at(start), loops.at(handler)));
  EXPECT_FALSE(loops.forest().dominates(loops.at(end), loops.at(handler)));
  EXPECT_TRUE(loops.forest().dominates(loops.at(handler), loops.at(handler)));
}

using Blocks = std::set<std::uint32_t>;

// What can be reached from `work` along edges that `next` gives, without entering `without`.
template <class Next>
Blocks reach(std::vector<std::uint32_t> work, std::uint32_t without, Next&& next) {
  Blocks seen;
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    if (b == without || !seen.insert(b).second) continue;
    for (const std::uint32_t to : next(b)) work.push_back(to);
  }
  return seen;
}

Blocks reachable_without(const ControlFlow& flow, std::uint32_t without) {
  return reach({0}, without, [&](std::uint32_t b) {
    std::vector<std::uint32_t> all = flow.blocks()[b].successors;
    all.insert(all.end(), flow.blocks()[b].handlers.begin(), flow.blocks()[b].handlers.end());
    return all;
  });
}

TEST(LoopForestRandom, dominators_are_what_cannot_be_avoided) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const CodeBuilder code = random_graph(seed);
    const Loops loops(code);
    const ControlFlow& flow = loops.flow();
    const auto count = static_cast<std::uint32_t>(flow.blocks().size());
    const Blocks reachable = reachable_without(flow, kNoBlock);
    std::vector<Blocks> avoiding;
    for (std::uint32_t d = 0; d < count; ++d) avoiding.push_back(reachable_without(flow, d));
    for (std::uint32_t b = 0; b < count; ++b) {
      ASSERT_EQ(flow.blocks()[b].reachable, reachable.contains(b)) << "seed " << seed;
      if (!reachable.contains(b)) {
        ASSERT_EQ(loops.forest().immediate_dominator(b), kNoBlock);
        continue;
      }
      std::uint32_t strict = 0;
      for (std::uint32_t d = 0; d < count; ++d) {
        const bool expected = reachable.contains(d) && !avoiding[d].contains(b);
        ASSERT_EQ(loops.forest().dominates(d, b), expected) << "seed " << seed << ": " << d << " over " << b;
        strict += expected && d != b;
      }
      // The immediate one has one strict dominator less.
      const std::uint32_t nearest = loops.forest().immediate_dominator(b);
      ASSERT_EQ(nearest == kNoBlock, strict == 0) << "seed " << seed;
      if (strict == 0) continue;
      std::uint32_t above = 0;
      for (std::uint32_t d = 0; d < count; ++d) above += d != nearest && loops.forest().dominates(d, nearest);
      ASSERT_EQ(above, strict - 1) << "seed " << seed;
    }
  }
}

TEST(LoopForestRandom, without_loop_headers_nothing_goes_round) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const CodeBuilder code = random_graph(seed);
    const Loops loops(code);
    const std::vector<Block>& blocks = loops.flow().blocks();
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      if (!blocks[b].reachable || blocks[b].is_loop_header) continue;
      const Blocks round = reach(blocks[b].successors, kNoBlock, [&](std::uint32_t at) {
        return blocks[at].is_loop_header ? std::vector<std::uint32_t>{} : blocks[at].successors;
      });
      ASSERT_FALSE(round.contains(b)) << "seed " << seed << ": block " << b << " is on a cycle without a header";
    }
  }
}

TEST(LoopForestRandom, a_loop_is_what_reaches_its_latches_without_passing_its_header) {
  std::size_t nested = 0, irreducible = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const CodeBuilder code = random_graph(seed);
    const Loops loops(code);
    const std::vector<Block>& blocks = loops.flow().blocks();
    const auto predecessors = [&](std::uint32_t b) {
      std::vector<std::uint32_t> result;
      for (std::uint32_t from = 0; from < blocks.size(); ++from) {
        const auto& next = blocks[from].successors;
        if (blocks[from].reachable && std::find(next.begin(), next.end(), b) != next.end()) result.push_back(from);
      }
      return result;
    };
    const bool throws = std::any_of(blocks.begin(), blocks.end(), [](const Block& b) { return b.is_handler; });
    const std::vector<Loop>& all = loops.forest().loops();
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      nested += all[i].depth > 1;
      irreducible += !all[i].reducible;
      ASSERT_EQ(all[i].depth, all[i].parent == kNoLoop ? 1 : all[all[i].parent].depth + 1);
      if (!all[i].reducible) continue;
      Blocks body = reach(all[i].latches, all[i].header, predecessors);
      body.insert(all[i].header);
      for (std::uint32_t b = 0; b < blocks.size(); ++b) {
        std::uint32_t loop = loops.forest().loop_of(b);
        while (loop != kNoLoop && loop != i) loop = all[loop].parent;
        if (body.contains(b)) {
          ASSERT_EQ(loop, i) << "seed " << seed << ": block " << b;
        } else if (!throws) {
          // Where only an exception joins two loops, one may have been taken in as a whole.
          ASSERT_NE(loop, i) << "seed " << seed << ": block " << b;
        }
      }
    }
  }
  EXPECT_GT(nested, 500U);
  EXPECT_GT(irreducible, 100U);
}

}  // namespace
}  // namespace bursar::classfile
