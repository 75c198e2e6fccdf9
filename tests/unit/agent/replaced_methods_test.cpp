#include "agent/replaced_methods.h"

#include <gtest/gtest.h>

#include "built_class.h"

namespace bursar::agent {
namespace {

bool is_replaced(const std::string& cls, std::string_view method, bool marked = true) {
  ClassBuilder builder = class_named(cls);
  if (marked) {
    intrinsic(builder, kStatic, method, "()V", just_return());
  } else {
    builder.method(kStatic, method, "()V", just_return());
  }
  const ReadClass read(builder.build());
  return is_replaced_by_jit(read.file, read.file.methods.at(0));
}

TEST(ReplacedMethods, are_those_that_the_class_library_marks) {
  EXPECT_TRUE(is_replaced("java/lang/Math", "sin"));
  EXPECT_FALSE(is_replaced("java/lang/Math", "sin", false));
  EXPECT_TRUE(is_replaced("java/lang/Object", "hashCode"));
}

TEST(ReplacedMethods, marked_ones_that_the_jit_only_recognises_are_not) {
  EXPECT_FALSE(is_replaced("java/lang/Object", "<init>"));
  EXPECT_FALSE(is_replaced("java/lang/reflect/Method", "invoke"));
  EXPECT_TRUE(is_replaced("java/lang/reflect/Method", "other"));
  EXPECT_FALSE(is_replaced("java/lang/invoke/MethodHandle", "invokeBasic"));
  EXPECT_FALSE(is_replaced("jdk/internal/vm/Continuation", "doYield"));
}

TEST(ReplacedMethods, those_that_options_of_record_turn_off_are_not) {
  EXPECT_FALSE(is_replaced("java/lang/StringBuilder", "append"));
  EXPECT_FALSE(is_replaced("java/lang/String", "<init>"));
  EXPECT_TRUE(is_replaced("java/lang/String", "indexOf"));
  EXPECT_FALSE(is_replaced("java/lang/Integer", "valueOf"));
  EXPECT_FALSE(is_replaced("java/lang/Integer", "intValue"));
  EXPECT_TRUE(is_replaced("java/lang/Integer", "bitCount"));
}

TEST(ReplacedMethods, other_annotations_do_not_mark) {
  ClassBuilder builder = class_named("java/lang/Math");
  builder.method(kStatic | kNative, "sin", "()V", {annotation(builder, "Ljdk/internal/vm/annotation/ForceInline;")});
  builder.method(kStatic | kNative, "cos", "()V", {annotation(builder, kIntrinsicCandidate)});
  const ReadClass read(builder.build());
  EXPECT_FALSE(is_replaced_by_jit(read.file, read.file.methods.at(0)));
  EXPECT_TRUE(is_replaced_by_jit(read.file, read.file.methods.at(1)));
}

}  // namespace
}  // namespace bursar::agent
