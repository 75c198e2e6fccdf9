#include "agent/copying_rewriter.h"

#include <gtest/gtest.h>

#include "agent/gates.h"
#include "classfile/method_copies.h"
#include "listing.h"

namespace bursar::agent {
namespace {

// for (;;) as many calls.
ClassBuilder loop_of(int calls) {
  ClassBuilder builder = class_named("A");
  const auto f = builder.method_ref("B", "f", "()V"), g = builder.method_ref("B", "g", "()I");
  CodeBuilder code;
  code.op(op::kNop);
  const auto loop = code.here();
  for (int i = 0; i < calls; ++i) code.op2(op::kInvokestatic, f);
  code.op2(op::kInvokestatic, g);
  code.jump(op::kIfeq, loop);
  code.op(op::kReturn);
  code.attributes.push_back({"StackMapTable", {0, 1, 1}});  // nothing at 1
  builder.method(kPublic | kStatic, "run", "()V", code);
  return builder;
}

std::size_t times(std::string_view word, std::string_view text) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

struct Gated {
  std::size_t in_method, in_copy;
};

Gated gates_of_loop(int calls) {
  core::MethodTable methods;
  Filter filter;
  ClassRegistry registry{methods, filter};
  Gates gates;
  ClassRewriter rewriter{methods, registry, false, &gates};
  const ReadClass read(rewriter.rewrite(loop_of(calls).build(), false));
  const std::string copy = classfile::descriptor_of_copy("()V");
  EXPECT_EQ(rewriter.totals().counts.methods_with_code, 1U);
  EXPECT_EQ(rewriter.totals().counts.rewritten, 1U) << "however often it was tried";
  return {times("passOrTurn", Listing(read, *read.find("run", "()V")).text()),
          times("passInCopy", Listing(read, *read.find("run", copy)).text())};
}

TEST(CopyingRewriter, a_method_and_its_copy_have_the_same_gates) {
  const Gated few = gates_of_loop(10);
  EXPECT_GT(few.in_method, 0U);
  EXPECT_EQ(few.in_copy, few.in_method);
}

TEST(CopyingRewriter, neither_has_gates_where_the_method_has_no_room_for_them) {
  const Gated many = gates_of_loop(1500);  // 4,500 bytes without, and far more than the JIT compiles with them
  EXPECT_EQ(many.in_method, 0U);
  EXPECT_EQ(many.in_copy, 0U);
}

// What ends a path: the loop's header and the return.
TEST(CopyingRewriter, only_the_copy_counts_paths) {
  core::MethodTable methods;
  Filter filter;
  ClassRegistry registry{methods, filter};
  Gates gates;
  PathRegistry paths;
  ClassRewriter rewriter{methods, registry, false, &gates, &paths};
  const std::vector<std::uint8_t> original = loop_of(2).build();
  const ReadClass read(rewriter.rewrite(original, false));
  const std::string copy = classfile::descriptor_of_copy("()V");
  EXPECT_EQ(times("countPath", Listing(read, *read.find("run", copy)).text()), 2U);
  const std::string method = Listing(read, *read.find("run", "()V")).text();
  EXPECT_EQ(times("countPath", method), 0U);
  EXPECT_GT(times("passOrTurn", method), 0U) << "it has gates all the same";
  EXPECT_EQ(paths.size(), 3U) << "to the header, round the loop, out of it";
  rewriter.rewrite(original, false);
  EXPECT_EQ(paths.size(), 3U) << "loaded again, a class has the numbers it had";
}

TEST(CopyingRewriter, no_paths_are_counted_unless_asked_for) {
  core::MethodTable methods;
  Filter filter;
  ClassRegistry registry{methods, filter};
  Gates gates;
  ClassRewriter rewriter{methods, registry, false, &gates};
  const ReadClass read(rewriter.rewrite(loop_of(2).build(), false));
  EXPECT_EQ(times("countPath", Listing(read, *read.find("run", classfile::descriptor_of_copy("()V"))).text()), 0U);
}

}  // namespace
}  // namespace bursar::agent
