#include "agent/path_rewriter.h"

#include <gtest/gtest.h>

#include "built_class.h"

namespace bursar::agent {
namespace {

CodeBuilder deciding() {
  CodeBuilder code;
  const auto end = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfne, end);
  code.op(op::kNop);
  code.bind(end);
  code.op(op::kReturn);
  return code;
}

CodeBuilder with_subroutine() {
  CodeBuilder code;
  const auto start = code.label(), end = code.label();
  code.max_locals = 3;
  code.op(op::kIload0);
  code.jump(op::kIfne, end);
  code.jump(op::kJsr, start);
  code.bind(end);
  code.op(op::kReturn);
  code.bind(start);
  code.op1(op::kAstore, 2);
  code.op1(op::kRet, 2);
  return code;
}

ByteVector class_with(std::string name, const CodeBuilder& code) {
  ClassBuilder builder = class_named(std::move(name));
  builder.version = 48;
  builder.method(kStatic, "run", "(I)V", code);
  return builder.build();
}

class PathRewriterTest : public testing::Test {
 protected:
  PathRegistry registry_;
  Filter filter_;
  PathRewriter rewriter_{registry_, filter_, kCountPath};
};

TEST_F(PathRewriterTest, a_class_that_comes_again_has_its_numbers_again) {
  const ByteVector bytes = class_with("a/A", deciding());
  const auto once = rewriter_.rewrite(bytes);
  EXPECT_FALSE(once.empty());
  EXPECT_EQ(registry_.size(), 2U);
  EXPECT_EQ(rewriter_.rewrite(bytes), once);
  EXPECT_EQ(registry_.size(), 2U);
  rewriter_.rewrite(class_with("a/B", deciding()));
  EXPECT_EQ(registry_.size(), 4U);
}

TEST_F(PathRewriterTest, a_method_that_is_renumbered_has_other_numbers_from_then_on) {
  const ByteVector bytes = class_with("a/A", deciding());
  const auto once = rewriter_.rewrite(bytes);
  rewriter_.renumber(0, {{1, 9}});
  const auto again = rewriter_.rewrite(bytes);
  EXPECT_NE(again, once);
  EXPECT_EQ(registry_.size(), 4U);
  EXPECT_EQ(rewriter_.totals().renumbered, 1U);
  EXPECT_EQ(rewriter_.rewrite(bytes), again) << "by what it was numbered by";
  EXPECT_EQ(registry_.size(), 4U);
  // Taking the branch is 1 in the first numbering, and 0 in the second.
  const auto counted = registry_.to_profile({0, 7, 5, 0}, profile::MetricKind::kExact);
  EXPECT_EQ(counted.branches.outcome, std::vector<std::uint32_t>{1});
  EXPECT_EQ(counted.branches.count.value, std::vector<std::uint64_t>{12});
}

TEST_F(PathRewriterTest, what_cannot_be_numbered_is_left_alone_and_counted) {
  EXPECT_TRUE(rewriter_.rewrite(class_with("a/A", with_subroutine())).empty());
  const auto totals = rewriter_.totals();
  EXPECT_EQ(totals.refused[static_cast<std::size_t>(classfile::PathRefusal::kSubroutine)], 1U);
  EXPECT_EQ(totals.counts.rewritten, 0U);
  EXPECT_TRUE(rewriter_.rewrite(class_with("a/B", just_return())).empty());
  EXPECT_EQ(rewriter_.totals().refused[static_cast<std::size_t>(classfile::PathRefusal::kNoBranch)], 0U);
}

TEST_F(PathRewriterTest, object_and_thread_get_what_probes_need) {
  const auto object = rewriter_.rewrite(class_with("java/lang/Object", just_return()));
  const auto file = classfile::ClassFile::parse(object).value();
  std::size_t found = 0;
  for (const auto& method : file.methods) {
    found += file.member_name(method) == kCountPath.name || file.member_name(method) == kSamplePath.name;
  }
  EXPECT_EQ(found, 2U);
  const auto thread = rewriter_.rewrite(class_with("java/lang/Thread", just_return()));
  const auto with_fields = classfile::ClassFile::parse(thread).value();
  EXPECT_EQ(with_fields.member_name(with_fields.fields.back()), kPathsField.name);
}

TEST_F(PathRewriterTest, our_own_classes_are_left_alone) {
  EXPECT_TRUE(rewriter_.rewrite(class_with(kPathsClass, deciding())).empty());
  EXPECT_EQ(registry_.size(), 0U);
}

TEST_F(PathRewriterTest, a_malformed_class_is_refused) {
  EXPECT_TRUE(rewriter_.rewrite(ByteVector{0xca, 0xfe}).empty());
  EXPECT_EQ(rewriter_.totals().refused_classes, 1U);
}

}  // namespace
}  // namespace bursar::agent
