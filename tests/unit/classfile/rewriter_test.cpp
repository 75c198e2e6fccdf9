#include "classfile/rewriter.h"

#include <gtest/gtest.h>

#include <functional>

#include "class_builder.h"
#include "class_rewrite_check.h"

namespace bursar::classfile {
namespace {

constexpr unsigned kStatic = 0x0009;

// An instrumentation made of lambdas: by default it counts in every method and puts a call at the places asked for.
class Probing : public Instrumentation {
 public:
  std::function<bool(const MethodView&)> wants = [](const MethodView&) { return true; };
  std::function<void(const ProbePoint&, Snippet&)> writes = [](const ProbePoint&, Snippet& snippet) { call(snippet); };
  std::vector<NewLocal> new_locals;
  std::vector<ProbePoint> points;
  std::vector<bool> ends;

  static void call(Snippet& snippet) { snippet.invoke_static("P", "p", "()V"); }

  bool begin(const MethodView& method) override { return wants(method); }
  std::span<const NewLocal> locals() const override { return new_locals; }
  void emit(const ProbePoint& point, Snippet& snippet) override {
    points.push_back(point);
    writes(point, snippet);
  }
  void end(bool rewritten) override { ends.push_back(rewritten); }
};

// Only the entry gets a probe, of about this many bytes.
Probing entry_of(std::size_t bytes) {
  Probing probing;
  probing.writes = [bytes](const ProbePoint& point, Snippet& snippet) {
    if (point.kind != ProbeKind::kEntry) return;
    for (std::size_t i = 0; i < bytes; i += 2) {
      snippet.push_null();
      snippet.simple(op::kPop);
    }
  };
  return probing;
}

std::uint64_t skipped(const Rewritten& result, SkipReason reason) {
  return result.counts.skipped[static_cast<std::size_t>(reason)];
}

CodeBuilder returning() {
  CodeBuilder code;
  code.op(op::kReturn);
  return code;
}

CodeBuilder of_size(std::size_t bytes) {
  CodeBuilder code;
  code.nops(bytes - 1);
  code.op(op::kReturn);
  return code;
}

Rewritten rewritten(const ByteVector& bytes, Instrumentation& probing, const RewriteOptions& options = {}) {
  auto result = rewrite(bytes, probing, options);
  EXPECT_TRUE(result.ok());
  return result.ok() ? *result : Rewritten{};
}

// The code of one method of a class file.
ByteVector code_of(const ByteVector& bytes, std::size_t method) {
  const ClassFile file = ClassFile::parse(bytes).value();
  const auto code = CodeAttribute::parse(file.methods.at(method).attributes.at(0).data, file.pool);
  const base::Bytes span = code->instructions.code();
  return {span.begin(), span.end()};
}

// Expects every check of tests/rewrite_oracle.h to hold in both placements, with this many methods rewritten.
void expect_sound(const ByteVector& bytes, std::uint64_t methods) {
  for (const LocalPlacement placement : {LocalPlacement::kAfterParameters, LocalPlacement::kAtEnd}) {
    ClassRewriteCheck check(bytes, {.placement = placement});
    EXPECT_EQ(check.difference(), std::nullopt);
    EXPECT_EQ(check.counts().rewritten, methods);
  }
}

TEST(Rewriter, refuses_a_malformed_class) {
  Probing probing;
  EXPECT_FALSE(rewrite(ByteVector{1, 2, 3}, probing).ok());
  ClassBuilder builder;
  builder.method(kStatic, "run", "()V", returning());
  ByteVector bytes = builder.build();
  bytes.pop_back();
  EXPECT_FALSE(rewrite(bytes, probing).ok());
  EXPECT_TRUE(probing.ends.empty());
}

TEST(Rewriter, gives_no_bytes_when_there_is_nothing_to_change) {
  ClassBuilder builder;
  builder.method(0x0401, "stub", "()V");
  Probing probing;
  const Rewritten result = rewritten(builder.build(), probing);
  EXPECT_TRUE(result.bytes.empty());
  EXPECT_EQ(result.counts.methods_with_code, 0U);
}

TEST(Rewriter, never_crosses_the_compile_limit_silently) {
  for (const std::size_t size : {7990U, 7991U, 8000U, 8001U}) {
    ClassBuilder builder;
    builder.method(kStatic, "run", "()V", of_size(size));
    const ByteVector bytes = builder.build();
    for (const std::size_t probe : {8U, 10U, 12U}) {
      Probing probing = entry_of(probe);
      const Rewritten result = rewritten(bytes, probing);
      const bool crosses = size <= 8000 && size + probe > 8000;
      EXPECT_EQ(skipped(result, SkipReason::kOverCompileLimit), crosses ? 1U : 0U) << size << " + " << probe;
      EXPECT_EQ(result.counts.rewritten, crosses ? 0U : 1U);
      EXPECT_EQ(result.bytes.empty(), crosses);
      EXPECT_EQ(result.counts.crossed_compile_limit, 0U);

      Probing again = entry_of(probe);
      const Rewritten forced = rewritten(bytes, again, {.cross_compile_limit = true});
      EXPECT_EQ(forced.counts.rewritten, 1U);
      EXPECT_EQ(forced.counts.crossed_compile_limit, crosses ? 1U : 0U);
    }
  }
}

TEST(Rewriter, counts_methods_that_outgrow_the_limits_of_inlining) {
  ClassBuilder builder;
  for (const std::size_t size : {10U, 34U, 36U, 324U, 326U}) {
    builder.method(kStatic, "m" + std::to_string(size), "()V", of_size(size));
  }
  Probing probing = entry_of(2);
  const Rewritten result = rewritten(builder.build(), probing);
  EXPECT_EQ(result.counts.rewritten, 5U);
  EXPECT_EQ(result.counts.crossed_inline_limit, 1U);
  EXPECT_EQ(result.counts.crossed_frequent_inline_limit, 1U);
  EXPECT_EQ(result.counts.old_code_bytes, 10U + 34 + 36 + 324 + 326);
  EXPECT_EQ(result.counts.new_code_bytes, result.counts.old_code_bytes + 10);
}

TEST(Rewriter, leaves_a_method_alone_that_the_instrumentation_declines) {
  ClassBuilder builder;
  builder.method(kStatic, "yes", "()V", returning());
  builder.method(kStatic, "no", "()V", returning());
  const ByteVector bytes = builder.build();
  Probing probing;
  probing.wants = [](const MethodView& method) { return method.name == "yes"; };
  const Rewritten result = rewritten(bytes, probing);
  EXPECT_EQ(result.counts.methods_with_code, 2U);
  EXPECT_EQ(result.counts.rewritten, 1U);
  EXPECT_EQ(code_of(result.bytes, 1), code_of(bytes, 1));
  EXPECT_NE(code_of(result.bytes, 0), code_of(bytes, 0));
  EXPECT_EQ(probing.ends, std::vector<bool>{true});
}

TEST(Rewriter, leaves_a_method_alone_for_which_nothing_was_written) {
  ClassBuilder builder;
  builder.method(kStatic, "run", "()V", returning());
  Probing probing;
  probing.writes = [](const ProbePoint&, Snippet&) {};
  const Rewritten result = rewritten(builder.build(), probing);
  EXPECT_TRUE(result.bytes.empty());
  EXPECT_EQ(result.counts.rewritten, 0U);
  EXPECT_EQ(probing.ends, std::vector<bool>{false});
}

TEST(Rewriter, declaring_locals_alone_changes_nothing) {
  ClassBuilder builder;
  builder.method(kStatic, "run", "()V", returning());
  Probing probing;
  probing.new_locals = {NewLocal{}};
  probing.writes = [](const ProbePoint&, Snippet&) {};
  const Rewritten result = rewritten(builder.build(), probing);
  EXPECT_TRUE(result.bytes.empty());
  EXPECT_EQ(result.counts.rewritten, 0U);
}

TEST(Rewriter, a_skipped_method_leaves_no_constants_behind) {
  ClassBuilder builder;
  builder.method(kStatic, "bad", "()V", returning());
  builder.method(kStatic, "good", "()V", returning());
  const ByteVector bytes = builder.build();
  std::string_view current;
  Probing probing;
  probing.wants = [&](const MethodView& method) { return current = method.name, true; };
  probing.writes = [&](const ProbePoint&, Snippet& snippet) {
    if (current == "bad") {
      snippet.invoke_static("Lost", "lost", "()J");  // leaves its result on the stack
    } else {
      Probing::call(snippet);
    }
  };
  const Rewritten result = rewritten(bytes, probing);
  EXPECT_EQ(skipped(result, SkipReason::kBadProbe), 1U);
  EXPECT_EQ(result.counts.rewritten, 1U);
  const ClassFile before = ClassFile::parse(bytes).value();
  const ClassFile after = ClassFile::parse(result.bytes).value();
  EXPECT_EQ(after.pool.count(), before.pool.count() + 6) << "one method reference and what it refers to";
  for (std::uint32_t i = 1; i < after.pool.count(); ++i) EXPECT_NE(after.pool.utf8(i), "Lost");
  EXPECT_EQ(probing.ends, (std::vector<bool>{false, true}));
}

TEST(Rewriter, one_bad_method_does_not_spoil_the_others) {
  ClassBuilder builder;
  CodeBuilder bad;
  bad.op(0xfe);
  CodeBuilder strange = returning();
  strange.attributes.push_back({"Strange", {}});
  builder.method(kStatic, "first", "()V", returning());
  builder.method(kStatic, "bad", "()V", bad);
  builder.method(kStatic, "strange", "()V", strange);
  builder.method(kStatic, "last", "()V", returning());
  const ByteVector bytes = builder.build();
  Probing probing;
  const Rewritten result = rewritten(bytes, probing);
  EXPECT_EQ(result.counts.rewritten, 2U);
  EXPECT_EQ(skipped(result, SkipReason::kMalformedCode), 1U);
  EXPECT_EQ(skipped(result, SkipReason::kUnknownAttribute), 1U);
  expect_sound(bytes, 2);
}

TEST(Rewriter, a_full_constant_pool_skips_and_says_so) {
  ClassBuilder builder;
  builder.method(kStatic, "run", "()V", returning());
  for (std::uint32_t i = 0; builder.count() < 65528; ++i) builder.integer(i);
  Probing probing;
  const Rewritten result = rewritten(builder.build(), probing);
  EXPECT_EQ(skipped(result, SkipReason::kConstantPoolFull), 1U);
  EXPECT_TRUE(result.bytes.empty());
}

TEST(Rewriter, hostile_exception_tables_are_too_complex) {
  CodeBuilder code;
  const auto start = code.here();
  for (int i = 0; i < 1100; ++i) code.jump(op::kIfeq, start);
  const auto end = code.here();
  code.op(op::kReturn);
  for (int i = 0; i < 1000; ++i) code.catches(start, end, end);
  ClassBuilder builder;
  builder.version = 49;
  builder.method(kStatic, "run", "()V", code);
  Probing probing;
  EXPECT_EQ(skipped(rewritten(builder.build(), probing), SkipReason::kTooComplex), 1U);
}

TEST(Rewriter, locals_that_the_entry_does_not_set_get_defaults) {
  ClassBuilder builder;
  builder.method(kStatic, "run", "()V", [] {
    CodeBuilder code = returning();
    code.max_locals = 0;
    return code;
  }());
  Probing probing;
  using Type = NewLocal::Type;
  probing.new_locals = {{Type::kInt, ""}, {Type::kLong, ""}, {Type::kObject, "P"}, {Type::kInt, ""}};
  probing.writes = [](const ProbePoint& point, Snippet& snippet) {
    if (point.kind != ProbeKind::kEntry) return;
    snippet.push_int(7);
    snippet.store(3);
    snippet.increment(0, 100000);  // reads it: the default must come first
  };
  const ByteVector after = code_of(rewritten(builder.build(), probing).bytes, 0);
  const ByteVector start = {0x03, 0x3b, 0x09, 0x40, 0x01, 0x4e, 0x10, 7, 0x36, 4, 0x1a};
  ASSERT_GE(after.size(), start.size());
  // iconst_0 istore_0, lconst_0 lstore_1, aconst_null astore_3, then the entry: bipush 7 istore 4, iload_0 …
  EXPECT_EQ(ByteVector(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(start.size())), start);
}

TEST(Rewriter, asks_for_places_in_bytecode_order_after_the_entry) {
  ClassBuilder builder;
  builder.version = 49;
  CodeBuilder code;
  const auto loop = code.here(), end = code.label();
  code.op2(op::kInvokestatic, builder.method_ref("A", "a", "()V"));  // 0
  code.op(op::kIload0);
  code.tableswitch(0, end, {loop, end, loop});  // 4
  code.bind(end);
  code.op(op::kReturn);
  builder.method(kStatic, "run", "(I)V", code);
  Probing probing;
  rewritten(builder.build(), probing);
  const std::uint32_t end_pc = code.pc_of(end);
  const std::vector<std::tuple<ProbeKind, std::uint32_t, std::uint32_t, std::uint32_t>> expected = {
      {ProbeKind::kEntry, 0, 0, 0},     {ProbeKind::kLoopHeader, 0, 0, 0}, {ProbeKind::kBeforeCall, 0, 0, 0},
      {ProbeKind::kAfterCall, 0, 0, 0}, {ProbeKind::kBranchEdge, 4, 0, 0}, {ProbeKind::kBranchEdge, 4, 1, end_pc},
      {ProbeKind::kExit, end_pc, 0, 0}, {ProbeKind::kUnwind, 0, 0, 0}};
  ASSERT_EQ(probing.points.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ProbePoint& point = probing.points[i];
    EXPECT_EQ(std::tuple(point.kind, point.pc, point.outcome, point.target), expected[i]) << i;
  }
}

TEST(Rewriter, an_entry_runs_once_though_the_first_instruction_is_a_loop_header) {
  ClassBuilder builder;
  CodeBuilder code;
  const auto start = code.here();
  code.iinc(0, -1);
  code.op(op::kIload0);
  code.jump(op::kIfeq + 1, start);
  code.op(op::kReturn);
  code.attributes.push_back({"StackMapTable", {0, 1, 0}});
  builder.method(kStatic, "run", "(I)V", code);
  expect_sound(builder.build(), 1);
}

TEST(Rewriter, a_constructor_keeps_its_uninitialized_this) {
  ClassBuilder builder;
  CodeBuilder code;
  const auto other = code.label(), join = code.label();
  code.op(op::kAload0);
  code.op1(op::kIload, 1);
  code.jump(op::kIfeq, other);
  code.op(op::kIconst0);
  code.jump(op::kGoto, join);
  code.bind(other);  // at 10: this on the stack
  code.op(op::kIconst0 + 1);
  code.bind(join);  // at 11: this and an int
  code.op2(op::kInvokespecial, builder.method_ref("A", "<init>", "(I)V"));
  code.op(op::kReturn);
  code.attributes.push_back({"StackMapTable", {0, 2, 64 + 10, 6, 255, 0, 0, 0, 2, 6, 1, 0, 2, 6, 1}});
  builder.super_name = "A";
  builder.method(0x0001, "<init>", "(I)V", code);
  expect_sound(builder.build(), 1);
}

TEST(Rewriter, subroutines_of_old_classes_are_rewritten) {
  ClassBuilder builder;
  builder.version = 48;
  CodeBuilder code;
  const auto start = code.here(), sub = code.label();
  code.iinc(0, 1);
  code.jump(op::kJsr, sub);
  code.op(op::kIload0);
  code.jump(op::kIfeq, start);
  code.op(op::kReturn);
  const auto end = code.here(), handler = code.here();
  code.op1(op::kAstore, 2);
  code.jump(op::kJsr, sub);
  code.op1(op::kAload, 2);
  code.op(op::kAthrow);
  code.bind(sub);
  code.op1(op::kAstore, 1);
  code.iinc(0, 1);
  code.op1(op::kRet, 1);
  code.catches(start, end, handler);
  builder.method(kStatic, "run", "(I)V", code);
  expect_sound(builder.build(), 1);
}

TEST(Rewriter, counts_add_up) {
  RewriteCounts a, b;
  a.methods_with_code = 2;
  a.rewritten = 1;
  a.skipped[3] = 1;
  b.methods_with_code = 3;
  b.skipped[3] = 2;
  b.crossed_compile_limit = 1;
  a += b;
  EXPECT_EQ(a.methods_with_code, 5U);
  EXPECT_EQ(a.rewritten, 1U);
  EXPECT_EQ(a.skipped[3], 3U);
  EXPECT_EQ(a.crossed_compile_limit, 1U);
}

}  // namespace
}  // namespace bursar::classfile
