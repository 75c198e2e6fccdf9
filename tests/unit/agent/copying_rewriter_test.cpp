#include "agent/copying_rewriter.h"

#include <gtest/gtest.h>

#include "agent/gates.h"
#include "classfile/bootstrap_methods.h"
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

// Calls by what they are linked by: the class's own code, and what became of it.
class HandleTest : public testing::Test {
 protected:
  void rewrite(ClassBuilder builder, const CodeBuilder& code, std::string_view descriptor, bool hidden = false) {
    builder.method(kPublic | kStatic, "run", descriptor, code);
    bytes_ = rewriter_.rewrite(builder.build(), hidden);
    read_.emplace(bytes_);
  }
  std::string text(std::string_view descriptor) { return Listing(*read_, *read_->find("run", descriptor)).text(); }
  const classfile::ClassFile& file() const { return read_->file; }
  // Of the only dynamic call of a method.
  const classfile::BootstrapMethods::Entry* linkage(std::string_view descriptor) {
    const classfile::CodeAttribute code = read_->code_of(*read_->find("run", descriptor));
    const classfile::BootstrapMethods* const methods = &bootstraps_.emplace(file());
    for (const classfile::Instruction& instruction : code.instructions) {
      if (instruction.opcode != op::kInvokedynamic) continue;
      constant_ = ReadClass::operand(code, instruction);
      return methods->find(file().pool.bootstrap_method(constant_).value());
    }
    return nullptr;
  }

  core::MethodTable methods_;
  Filter filter_;
  ClassRegistry registry_{methods_, filter_};
  Gates gates_;
  ClassRewriter rewriter_{methods_, registry_, false, &gates_};
  ByteVector bytes_;
  std::optional<ReadClass> read_;
  std::optional<classfile::BootstrapMethods> bootstraps_;
  std::uint32_t constant_ = 0;
};

const std::string kCopyOfNothing = classfile::descriptor_of_copy("()V");

TEST_F(HandleTest, the_copy_of_an_invokedynamic_is_linked_by_us_with_what_the_class_says) {
  ClassBuilder builder = class_named("A");
  const std::uint32_t own = builder.method_handle(6, builder.method_ref("B", "link", "()V"));
  const std::uint32_t text = builder.referring(8, builder.utf8("text"));
  builder.attributes.push_back({"BootstrapMethods",
                                {0, 1, static_cast<std::uint8_t>(own >> 8), static_cast<std::uint8_t>(own), 0, 1,
                                 static_cast<std::uint8_t>(text >> 8), static_cast<std::uint8_t>(text)}});
  const std::uint32_t dynamic = builder.referring(18, 0, builder.name_and_type("f", "()V"));
  CodeBuilder code;
  code.op2(op::kInvokedynamic, dynamic);
  code.bytes({0, 0});
  code.op(op::kReturn);
  rewrite(std::move(builder), code, "()V");
  ASSERT_NE(linkage("()V"), nullptr);
  EXPECT_EQ(linkage("()V")->method, own) << "the method itself is linked as ever";
  const auto* const ours = linkage(kCopyOfNothing);
  ASSERT_NE(ours, nullptr);
  EXPECT_NE(ours->method, own);
  EXPECT_EQ(ours->arguments,
            (std::vector<std::uint16_t>{static_cast<std::uint16_t>(own), static_cast<std::uint16_t>(text)}));
  EXPECT_EQ(file().pool.member_ref(constant_)->name, "f");
  EXPECT_EQ(file().pool.member_ref(constant_)->descriptor, "()V");
}

TEST_F(HandleTest, the_copy_of_a_call_of_a_method_handle_is_dynamic_and_takes_it_first) {
  ClassBuilder builder = class_named("A");
  CodeBuilder code;
  code.op(op::kAconstNull);
  code.op(op::kIconst0);
  code.op2(op::kInvokevirtual, builder.method_ref("java/lang/invoke/MethodHandle", "invokeExact", "(I)V"));
  code.op(op::kReturn);
  rewrite(std::move(builder), code, "()V");
  EXPECT_EQ(linkage("()V"), nullptr);
  const auto* const ours = linkage(kCopyOfNothing);
  ASSERT_NE(ours, nullptr);
  ASSERT_EQ(ours->arguments.size(), 1U);
  EXPECT_EQ(file().pool.class_name(ours->arguments[0]), "java/lang/invoke/MethodHandle");
  EXPECT_EQ(file().pool.member_ref(constant_)->descriptor, "(Ljava/lang/invoke/MethodHandle;I)V");
}

TEST_F(HandleTest, methods_of_variable_handles_that_are_like_others_are_called_like_others) {
  ClassBuilder builder = class_named("A");
  CodeBuilder code;
  code.op2(op::kInvokestatic, builder.method_ref("java/lang/invoke/VarHandle", "fullFence", "()V"));
  code.op(op::kReturn);
  rewrite(std::move(builder), code, "()V");
  EXPECT_EQ(linkage(kCopyOfNothing), nullptr);
}

TEST_F(HandleTest, what_makes_method_handles_does_not_need_them_in_bursts) {
  ClassBuilder builder = class_named("java/lang/invoke/A");
  CodeBuilder code;
  code.op(op::kAconstNull);
  code.op2(op::kInvokevirtual, builder.method_ref("java/lang/invoke/MethodHandle", "invokeExact", "()V"));
  code.op(op::kReturn);
  rewrite(std::move(builder), code, "()V");
  EXPECT_EQ(linkage(kCopyOfNothing), nullptr);
}

TEST_F(HandleTest, an_adapters_copy_calls_the_twin_of_what_the_adapter_calls) {
  ClassBuilder builder = class_named("java/lang/invoke/LambdaForm$MH");
  const std::string descriptor = "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MemberName;)V";
  CodeBuilder code;
  code.op(op::kAload0);
  code.op(op::kIconst0);
  code.op2(op::kInvokevirtual, builder.method_ref("java/lang/invoke/MethodHandle", "invokeBasic", "(I)V"));
  code.op(op::kIconst0);
  code.op(op::kAload0 + 1);
  code.op2(op::kInvokestatic,
           builder.method_ref("java/lang/invoke/MethodHandle", "linkToStatic", "(ILjava/lang/invoke/MemberName;)V"));
  code.op(op::kReturn);
  rewrite(std::move(builder), code, descriptor, true);
  EXPECT_EQ(times("calledByTwin", text(descriptor)), 0U);
  const std::string copy = text(classfile::descriptor_of_copy(descriptor));
  EXPECT_EQ(times("calledByTwin", copy), 2U) << copy;
  EXPECT_EQ(times("BursarLinks.twinOf", copy), 1U) << copy;
  EXPECT_EQ(times("MethodHandle.linkToStatic", copy), 3U) << copy;  // the call as it is, and those of twins
  EXPECT_EQ(times("MethodHandle.invokeBasic", copy), 1U) << copy;
}

TEST_F(HandleTest, classes_too_old_for_dynamic_calls_have_none) {
  ClassBuilder builder = class_named("A");
  builder.version = 50;
  CodeBuilder code;
  code.op(op::kAconstNull);
  code.op2(op::kInvokevirtual, builder.method_ref("java/lang/invoke/MethodHandle", "invokeExact", "()V"));
  code.op(op::kReturn);
  rewrite(std::move(builder), code, "()V");
  EXPECT_EQ(linkage(kCopyOfNothing), nullptr);
}

}  // namespace
}  // namespace bursar::agent
