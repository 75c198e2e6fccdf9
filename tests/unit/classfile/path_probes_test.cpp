#include "classfile/path_probes.h"

#include <gtest/gtest.h>

#include "built_method.h"
#include "classfile/rewriter.h"
#include "little_machine.h"
#include "random_method.h"

namespace bursar::classfile {
namespace {

constexpr std::uint32_t kFirst = 300;

class Sink : public PathSink {
 public:
  explicit Sink(NumberingOptions options = {}) : options_(options) {}

  bool wants(const MethodView&) override { return true; }
  void refused(const MethodView&, PathRefusal refusal) override { refusals.push_back(refusal); }
  NumberingOptions options(const MethodView&, const PathGraph&) override { return options_; }
  std::optional<std::uint32_t> add(const MethodView&, PathNumbering numbers) override {
    if (full) return std::nullopt;
    numbering = std::move(numbers);
    return kFirst;
  }

  bool full = false;
  std::optional<PathNumbering> numbering;
  std::vector<PathRefusal> refusals;

 private:
  NumberingOptions options_;
};

ByteVector class_of(const CodeBuilder& code) {
  ClassBuilder builder;
  builder.version = 48;
  builder.method(0x0009, "run", "(I)I", code);
  return builder.build();
}

ByteVector code_of(const ByteVector& class_bytes, std::uint32_t& max_locals) {
  const ClassFile file = ClassFile::parse(class_bytes).value();
  const CodeAttribute code = CodeAttribute::parse(file.methods.at(0).attributes.at(0).data, file.pool).value();
  max_locals = code.max_locals;
  return {code.instructions.code().begin(), code.instructions.code().end()};
}

// The paths that a run took, from its steps alone: cut where the numbering says.
std::vector<std::vector<std::uint32_t>> paths_of(const LittleMachine::Run& run, const CodeAttribute& code,
                                                 const ControlFlow& flow, const PathNumbering& numbering) {
  std::vector<std::vector<std::uint32_t>> paths;
  std::vector<std::uint32_t> path = {0};
  const auto arrive = [&] {
    if (!numbering.is_cut(path.back())) return;
    paths.push_back(path);
    path = {path.back()};
  };
  arrive();
  for (const LittleMachine::Step& step : run.steps) {
    const std::uint32_t to = code.instructions.index_at(step.to);
    const std::uint32_t block = flow.block_of(to);
    if (flow.blocks()[block].first != to) continue;
    path.push_back(block);
    arrive();
  }
  if (run.result) paths.push_back(path);
  return paths;
}

TEST(PathProbesRandom, every_run_counts_the_paths_it_took) {
  std::size_t checked = 0, paths_checked = 0, with_loops = 0, ended = 0;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const RandomMethod method(seed, 0);
    const ByteVector before = class_of(method.code());
    const std::uint32_t most = seed % 3 == 0 ? 2 : 1024;
    Sink sink({.max_paths_from_block = most});
    PathProbes probes(sink, "Hit", "hit");
    const auto rewritten = rewrite(before, probes, {.placement = LocalPlacement::kAtEnd});
    ASSERT_TRUE(rewritten.ok());
    if (!sink.numbering) continue;
    ASSERT_EQ(rewritten->counts.rewritten, 1U) << "seed " << seed;
    const ClassFile file = ClassFile::parse(before).value();
    const CodeAttribute code = CodeAttribute::parse(file.methods.at(0).attributes.at(0).data, file.pool).value();
    const ControlFlow flow = ControlFlow::of(code).value();
    std::uint32_t old_locals = 0, new_locals = 0;
    const ByteVector old_code = code_of(before, old_locals), new_code = code_of(rewritten->bytes, new_locals);
    ASSERT_EQ(new_locals, old_locals + 1);
    ++checked;
    for (const std::int32_t argument : {0, 1, 2, -3, 1000}) {
      constexpr std::size_t kSteps = 2000;
      const auto old_run = LittleMachine(old_code, old_locals).run(argument, kSteps, kSteps, true);
      const auto new_run = LittleMachine(new_code, new_locals, true).run(argument, 10 * kSteps, kSteps, false);
      if (old_run.result) {
        ASSERT_EQ(old_run.result, new_run.result) << "seed " << seed;
      }
      const auto expected = paths_of(old_run, code, flow, *sink.numbering);
      if (old_run.result) {
        ++ended;
        ASSERT_EQ(new_run.hits.size(), expected.size()) << "seed " << seed;
      }
      with_loops += expected.size() > 2;
      for (std::size_t i = 0; i < expected.size() && i < new_run.hits.size(); ++i) {
        ASSERT_GE(new_run.hits[i], kFirst);
        const auto path = sink.numbering->path(new_run.hits[i] - kFirst);
        ASSERT_TRUE(path.has_value()) << "seed " << seed;
        ASSERT_EQ(path->blocks, expected[i]) << "seed " << seed << ", path " << i;
        ++paths_checked;
      }
    }
  }
  EXPECT_GT(checked, 500U);
  EXPECT_GT(paths_checked, 20'000U);
  EXPECT_GT(with_loops, 500U);
  EXPECT_GT(ended, 500U);
}

// if (x == 0) throw null; return x
CodeBuilder throws() {
  CodeBuilder code;
  const auto end = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfne, end);
  code.op(op::kAconstNull);
  code.op(op::kAthrow);
  code.bind(end);
  code.op(op::kIload0);
  code.op(op::kIreturn);
  return code;
}

std::size_t probes_in(const ByteVector& code) {
  const auto instructions = Instructions::parse(code, 100).value();
  std::size_t count = 0;
  for (const Instruction& instruction : instructions) count += instruction.opcode == op::kInvokestatic;
  return count;
}

TEST(PathProbes, a_throw_ends_a_path_as_a_return_does) {
  Sink sink;
  PathProbes probes(sink, "Hit", "hit");
  const auto rewritten = rewrite(class_of(throws()), probes);
  std::uint32_t locals = 0;
  EXPECT_EQ(probes_in(code_of(rewritten->bytes, locals)), 2U);
  EXPECT_EQ(sink.numbering->paths(), 2U);
}

TEST(PathProbes, a_method_that_decides_nothing_is_left_alone_and_not_counted_as_refused) {
  CodeBuilder code;
  code.op(op::kIload0);
  code.op(op::kIreturn);
  Sink sink;
  PathProbes probes(sink, "Hit", "hit");
  EXPECT_TRUE(rewrite(class_of(code), probes)->bytes.empty());
  EXPECT_TRUE(sink.refusals.empty());
}

TEST(PathProbes, where_the_sink_has_no_room_the_method_is_left_alone) {
  Sink sink;
  sink.full = true;
  PathProbes probes(sink, "Hit", "hit");
  EXPECT_TRUE(rewrite(class_of(throws()), probes)->bytes.empty());
  EXPECT_EQ(sink.refusals, std::vector<PathRefusal>{PathRefusal::kTooManyPaths});
}

}  // namespace
}  // namespace bursar::classfile
