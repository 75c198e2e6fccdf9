#include "classfile/class_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "class_builder.h"

namespace bursar::classfile {
namespace {

const std::filesystem::path kCorpus = "tests/fuzz/corpus/classfile";

ByteVector read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

ByteVector small_class(std::uint32_t version = 61) {
  ClassBuilder builder;
  builder.version = version;
  builder.name = "a/Small";
  builder.field(0x0002, "count", "J");
  CodeBuilder code;
  code.op(op::kReturn);
  builder.method(0x0001, "run", "()V", code);
  builder.method(0x0401, "stub", "()V");
  builder.attributes.push_back({"SourceFile", {0, 1}});
  return builder.build();
}

TEST(ClassFile, survives_a_round_trip_unchanged) {
  std::size_t classes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
    const ByteVector bytes = read(entry.path());
    const auto file = ClassFile::parse(bytes);
    ASSERT_TRUE(file.ok()) << entry.path() << ": " << file.error().message;
    EXPECT_EQ(file->write(), bytes) << entry.path();
    ++classes;
  }
  EXPECT_GE(classes, 15U);
}

TEST(ClassFile, cut_short_at_any_byte_is_refused) {
  for (const char* name : {"java17-Exceptions.class", "java17-Annotated.class", "module-module-info.class"}) {
    const ByteVector bytes = read(kCorpus / name);
    ASSERT_FALSE(bytes.empty()) << name;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      // A copy of just this length, so that a sanitizer sees any read past it.
      const ByteVector cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
      EXPECT_FALSE(ClassFile::parse(cut).ok()) << name << " at " << length;
    }
  }
}

TEST(ClassFile, is_refused_with_bytes_after_its_end) {
  ByteVector bytes = small_class();
  ASSERT_TRUE(ClassFile::parse(bytes).ok());
  bytes.push_back(0);
  const auto file = ClassFile::parse(bytes);
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message.find("after the end"), std::string::npos);
}

TEST(ClassFile, is_refused_if_newer_than_java_25) {
  EXPECT_TRUE(ClassFile::parse(small_class(69)).ok());
  const auto file = ClassFile::parse(small_class(70));
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message.find("70"), std::string::npos);
}

TEST(ClassFile, reads_the_oldest_versions) {
  for (const std::uint32_t version : {45U, 46U, 47U, 48U, 49U, 50U})
    EXPECT_TRUE(ClassFile::parse(small_class(version)).ok());
}

TEST(ClassFile, needs_its_magic_number) {
  ByteVector bytes = small_class();
  bytes[3] ^= 1;
  EXPECT_FALSE(ClassFile::parse(bytes).ok());
  EXPECT_FALSE(ClassFile::parse({}).ok());
}

TEST(ClassFile, knows_its_names) {
  const ByteVector bytes = small_class();
  const auto file = ClassFile::parse(bytes);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->name(), "a/Small");
  ASSERT_EQ(file->fields.size(), 1U);
  EXPECT_EQ(file->member_name(file->fields[0]), "count");
  ASSERT_EQ(file->methods.size(), 2U);
  EXPECT_EQ(file->member_name(file->methods[0]), "run");
  EXPECT_EQ(file->member_descriptor(file->methods[0]), "()V");
  ASSERT_EQ(file->attributes.size(), 1U);
  EXPECT_EQ(file->attribute_name(file->attributes[0]), "SourceFile");
}

TEST(ClassFile, finds_the_code_of_a_method) {
  ClassBuilder builder;
  CodeBuilder code;
  code.op(op::kReturn);
  builder.method(0x0001, "late", "()V", {{"Deprecated", {}}, {"Code", code.attribute(builder)}});
  builder.method(0x0401, "none", "()V");
  const ByteVector bytes = builder.build();
  const auto file = ClassFile::parse(bytes);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->code_attribute(file->methods[0]), 1);
  EXPECT_EQ(file->code_attribute(file->methods[1]), -1);
}

TEST(ClassFile, must_name_itself_by_a_class_constant) {
  ClassBuilder builder;
  const std::uint32_t text = builder.utf8("text");
  ByteVector bytes = builder.build();
  const std::size_t this_class = bytes.size() - 14 + 2;  // access, this, super, then five counts of zero
  ASSERT_TRUE(ClassFile::parse(bytes).ok());
  bytes[this_class + 1] = static_cast<std::uint8_t>(text);
  EXPECT_FALSE(ClassFile::parse(bytes).ok());
}

TEST(ClassFile, only_java_lang_object_has_no_superclass_but_none_may_be_of_another_kind) {
  ClassBuilder builder;
  builder.super_name.clear();
  ByteVector bytes = builder.build();
  ASSERT_TRUE(ClassFile::parse(bytes).ok());
  bytes[bytes.size() - 14 + 5] = 1;  // a Utf8 constant
  EXPECT_FALSE(ClassFile::parse(bytes).ok());
}

TEST(ClassFile, refuses_an_attribute_whose_name_is_no_text) {
  ClassBuilder builder;
  builder.attributes.push_back({"X", {1, 2, 3}});
  ByteVector bytes = builder.build();
  ASSERT_TRUE(ClassFile::parse(bytes).ok());
  bytes[bytes.size() - 9] = 0;  // name index, length (4), contents (3)
  bytes[bytes.size() - 8] = 0;
  EXPECT_FALSE(ClassFile::parse(bytes).ok());
}

TEST(ClassFile, refuses_an_attribute_longer_than_the_file) {
  ClassBuilder builder;
  builder.attributes.push_back({"X", {1, 2, 3}});
  ByteVector bytes = builder.build();
  for (const std::uint8_t length : ByteVector{2, 4}) {
    bytes[bytes.size() - 4] = length;
    EXPECT_FALSE(ClassFile::parse(bytes).ok()) << int{length};
  }
  bytes[bytes.size() - 7] = 0xff;
  EXPECT_FALSE(ClassFile::parse(bytes).ok());
}

TEST(ClassFile, keeps_the_bytes_it_was_given_where_they_are) {
  const ByteVector bytes = small_class();
  auto file = ClassFile::parse(bytes);
  ASSERT_TRUE(file.ok());
  const base::Bytes first = file->keep({1, 2, 3});
  for (int i = 0; i < 1000; ++i) file->keep(ByteVector(100, 7));
  const ClassFile moved = *std::move(file);
  EXPECT_EQ(ByteVector(first.begin(), first.end()), (ByteVector{1, 2, 3}));
}

}  // namespace
}  // namespace bursar::classfile
