#include "agent/left_alone.h"

#include <gtest/gtest.h>

#include "class_builder.h"

namespace bursar::agent {
namespace {

using classfile::ClassBuilder;
using classfile::CodeBuilder;
namespace op = classfile::op;

// A method of this name that calls `callee` of the same class.
bool left_alone(const char* class_name, const char* method, const char* callee = "other") {
  ClassBuilder builder;
  builder.name = class_name;
  CodeBuilder code;
  code.op2(op::kInvokestatic, builder.method_ref(class_name, callee, "()V"));
  code.op(op::kReturn);
  builder.method(classfile::kAccStatic, method, "()V", code);
  const std::vector<std::uint8_t> bytes = builder.build();
  const auto file = classfile::ClassFile::parse(bytes);
  return is_left_alone(*file, file->methods[0]);
}

TEST(LeftAlone, our_own_class_and_no_other_of_its_package) {
  EXPECT_TRUE(left_alone("java/lang/BursarProbe", "enter"));
  EXPECT_TRUE(left_alone("java/lang/BursarProbe", "<clinit>"));
  EXPECT_FALSE(left_alone("java/lang/BursarProbes", "enter"));
  EXPECT_FALSE(left_alone("java/lang/Object", "toString"));
}

TEST(LeftAlone, what_moves_a_virtual_thread_but_not_what_it_runs) {
  EXPECT_TRUE(left_alone("java/lang/VirtualThread", "mount"));
  EXPECT_TRUE(left_alone("java/lang/VirtualThread", "switchToCarrierThread"));
  EXPECT_FALSE(left_alone("java/lang/VirtualThread", "run"));
  EXPECT_FALSE(left_alone("java/lang/VirtualThread$VThreadContinuation", "mount"));
  EXPECT_TRUE(left_alone("jdk/internal/vm/Continuation", "run"));
  EXPECT_TRUE(left_alone("jdk/internal/vm/Continuation", "yield"));
  EXPECT_FALSE(left_alone("jdk/internal/vm/Continuation", "enter"));
  EXPECT_FALSE(left_alone("jdk/internal/vm/ContinuationScope", "run"));
}

TEST(LeftAlone, what_calls_a_method_that_moves_a_virtual_thread) {
  EXPECT_TRUE(left_alone("java/lang/VirtualThread", "yieldContinuation", "unmount"));
  EXPECT_TRUE(left_alone("java/lang/VirtualThread", "executeOnCarrierThread", "switchToCarrierThread"));
  EXPECT_FALSE(left_alone("java/lang/VirtualThread", "park", "yieldContinuation"));
  EXPECT_FALSE(left_alone("app/VirtualThread", "yieldContinuation", "unmount"));
}

}  // namespace
}  // namespace bursar::agent
