#include "profile/class_name.h"

#include <gtest/gtest.h>

namespace bursar::profile {
namespace {

TEST(ClassName, loses_the_number_and_address_of_a_lambda) {
  for (const char* name :
       {"a.B$$Lambda$14/0x0000000800c03000", "a.B$$Lambda/0x00007f0c4c001000", "a.B$$Lambda$14.1234567",
        "a.B$$Lambda$14", "a.B$$Lambda+0x00ff", "a.B$$Lambda.0x00ff", "a.B$$Lambda"}) {
    EXPECT_EQ(normalised_class_name(name), "a.B$$Lambda") << name;
  }
}

TEST(ClassName, loses_the_address_of_other_hidden_classes) {
  EXPECT_EQ(normalised_class_name("java.lang.invoke.LambdaForm$MH/0x0000000800c01400"),
            "java.lang.invoke.LambdaForm$MH");
  EXPECT_EQ(normalised_class_name("app.Hidden/0x01"), "app.Hidden");
}

TEST(ClassName, loses_the_numbers_of_proxies_and_accessors) {
  EXPECT_EQ(normalised_class_name("jdk.proxy2.$Proxy17"), "jdk.proxy.$Proxy");
  EXPECT_EQ(normalised_class_name("com.sun.proxy.$Proxy3"), "com.sun.proxy.$Proxy");
  EXPECT_EQ(normalised_class_name("jdk.internal.reflect.GeneratedMethodAccessor9"),
            "jdk.internal.reflect.GeneratedMethodAccessor");
  EXPECT_EQ(normalised_class_name("jdk.internal.reflect.GeneratedSerializationConstructorAccessor12"),
            "jdk.internal.reflect.GeneratedSerializationConstructorAccessor");
}

TEST(ClassName, keeps_what_a_programmer_or_compiler_named) {
  for (const char* name :
       {"java.util.Map$Entry", "a.B$1", "a.Outer$1Local2", "a.Sha256", "Version2", "jdk.proxy.Other",
        "jdk.proxyfactory.X", "java.lang.invoke.BoundMethodHandle$Species_L3", "", "/0x1", "a.0xyz"}) {
    EXPECT_EQ(normalised_class_name(name), name) << name;
  }
}

TEST(ClassName, shows_which_classes_the_jvm_made_up) {
  for (const char* name :
       {"a.B$$Lambda$14/0x0000000800c03000", "java.lang.invoke.LambdaForm$DMH/0x08", "jdk.proxy2.$Proxy17",
        "jdk.internal.reflect.GeneratedMethodAccessor9", "java.lang.String$$StringConcat/0x08"}) {
    EXPECT_TRUE(is_generated_class(normalised_class_name(name))) << name;
  }
  for (const char* name :
       {"java.lang.invoke.LambdaForm$Name", "java.lang.invoke.LambdaForm", "a.B$1", "a.Lambda", ""}) {
    EXPECT_FALSE(is_generated_class(normalised_class_name(name))) << name;
  }
}

TEST(ClassName, is_idempotent) {
  for (const char* name :
       {"a.B$$Lambda$14/0x08/0x09", "jdk.proxy2.$Proxy17", "a.B$$Lambda$1$$Lambda$2/0x1", "x.1.2.3"}) {
    const std::string once = normalised_class_name(name);
    EXPECT_EQ(normalised_class_name(once), once) << name;
  }
}

}  // namespace
}  // namespace bursar::profile
