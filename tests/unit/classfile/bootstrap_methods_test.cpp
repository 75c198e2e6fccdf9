#include "classfile/bootstrap_methods.h"

#include <gtest/gtest.h>

#include "class_builder.h"

namespace bursar::classfile {
namespace {

using Entry = BootstrapMethods::Entry;

ByteVector class_with(ByteVector table) {
  ClassBuilder builder;
  builder.attributes.push_back({"BootstrapMethods", std::move(table)});
  return builder.build();
}

// The class's table, read from the bytes that it is written as.
BootstrapMethods written(const ClassFile& file) {
  static std::vector<std::uint8_t> bytes;
  bytes = file.write();
  return BootstrapMethods(ClassFile::parse(bytes).value());
}

TEST(BootstrapMethods, finds_what_came_with_the_class) {
  const ByteVector bytes = class_with({0, 2, 0, 7, 0, 0, 0, 8, 0, 2, 0, 1, 0, 3});
  const ClassFile file = ClassFile::parse(bytes).value();
  const BootstrapMethods methods(file);
  ASSERT_NE(methods.find(0), nullptr);
  EXPECT_EQ(*methods.find(0), (Entry{7, {}}));
  EXPECT_EQ(*methods.find(1), (Entry{8, {1, 3}}));
  EXPECT_EQ(methods.find(2), nullptr);
}

TEST(BootstrapMethods, what_is_added_stands_behind_what_came_and_is_shared) {
  const ByteVector bytes = class_with({0, 1, 0, 7, 0, 0});
  ClassFile file = ClassFile::parse(bytes).value();
  BootstrapMethods methods(file);
  EXPECT_EQ(methods.add({9, {4}}), 1U);
  EXPECT_EQ(methods.add({7, {}}), 2U) << "what came is the class's own";
  EXPECT_EQ(methods.add({9, {4}}), 1U);
  ASSERT_TRUE(methods.write_to(file));
  const BootstrapMethods read = written(file);
  EXPECT_EQ(*read.find(0), (Entry{7, {}}));
  EXPECT_EQ(*read.find(1), (Entry{9, {4}}));
  EXPECT_EQ(*read.find(2), (Entry{7, {}}));
  EXPECT_EQ(read.find(3), nullptr);
}

TEST(BootstrapMethods, a_class_without_a_table_gets_one) {
  const ByteVector bytes = ClassBuilder().build();
  ClassFile file = ClassFile::parse(bytes).value();
  BootstrapMethods methods(file);
  EXPECT_EQ(methods.find(0), nullptr);
  EXPECT_EQ(methods.add({9, {4, 5}}), 0U);
  ASSERT_TRUE(methods.write_to(file));
  EXPECT_EQ(*written(file).find(0), (Entry{9, {4, 5}}));
}

TEST(BootstrapMethods, without_additions_a_class_stays_as_it_is) {
  for (const ByteVector& bytes : {class_with({0, 1, 0, 7, 0, 0}), ClassBuilder().build()}) {
    ClassFile file = ClassFile::parse(bytes).value();
    EXPECT_TRUE(BootstrapMethods(file).write_to(file));
    EXPECT_EQ(file.write(), bytes);
  }
}

TEST(BootstrapMethods, nothing_is_added_to_a_malformed_table) {
  const ByteVector two_tables = [] {
    ClassBuilder builder;
    builder.attributes.push_back({"BootstrapMethods", {0, 1, 0, 7, 0, 0}});
    builder.attributes.push_back({"BootstrapMethods", {0, 1, 0, 7, 0, 0}});
    return builder.build();
  }();
  for (const ByteVector& bytes : {class_with({0, 2, 0, 7, 0, 0}), class_with({0, 1, 0, 7, 0, 3, 0}), two_tables}) {
    ClassFile file = ClassFile::parse(bytes).value();
    BootstrapMethods methods(file);
    EXPECT_EQ(methods.find(0), nullptr);
    EXPECT_EQ(methods.add({9, {}}), std::nullopt);
    EXPECT_TRUE(methods.write_to(file));
    EXPECT_EQ(file.write(), bytes);
  }
}

}  // namespace
}  // namespace bursar::classfile
