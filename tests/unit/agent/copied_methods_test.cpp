#include "agent/copied_methods.h"

#include <gtest/gtest.h>

#include <string>

namespace bursar::agent {
namespace {

TEST(CopiedMethods, all_but_those_of_object_and_class_initialisers) {
  EXPECT_TRUE(has_copy("run", "()V"));
  EXPECT_TRUE(has_copy("<init>", "(I)V"));
  EXPECT_FALSE(has_copy("<clinit>", "()V"));
  for (const char* name : {"toString", "hashCode", "equals", "clone", "finalize"}) {
    EXPECT_TRUE(has_copy(name, "(IJ)V")) << name << ": an overload";
  }
  EXPECT_FALSE(has_copy("toString", "()Ljava/lang/String;"));
  EXPECT_FALSE(has_copy("hashCode", "()I"));
  EXPECT_FALSE(has_copy("equals", "(Ljava/lang/Object;)Z"));
  EXPECT_FALSE(has_copy("wait", "(J)V"));
}

TEST(CopiedMethods, none_where_there_is_no_room_for_another_argument) {
  EXPECT_TRUE(has_copy("f", "(" + std::string(253, 'I') + ")V"));
  EXPECT_FALSE(has_copy("f", "(" + std::string(254, 'I') + ")V"));
}

TEST(CopiedMethods, calls_that_the_vm_looks_at_name_none) {
  EXPECT_TRUE(names_copy("A", "f", "()V"));
  EXPECT_FALSE(names_copy("[I", "clone", "()Ljava/lang/Object;"));
  EXPECT_FALSE(names_copy("java/lang/Object", "<init>", "()V"));
  EXPECT_FALSE(names_copy("jdk/internal/reflect/Reflection", "getCallerClass", "()Ljava/lang/Class;"));
  EXPECT_FALSE(names_copy("java/security/AccessController", "executePrivileged", "()V"));
}

TEST(CopiedMethods, methods_without_a_copy_have_an_inner_body) {
  EXPECT_TRUE(has_inner_body("A", "toString", "()Ljava/lang/String;"));
  EXPECT_FALSE(has_inner_body("A", "f", "()V"));
  EXPECT_FALSE(has_inner_body("A", "<clinit>", "()V"));
  EXPECT_FALSE(has_inner_body("A", "finalize", "()V"));
}

}  // namespace
}  // namespace bursar::agent
