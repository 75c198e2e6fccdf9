#include "classfile/constant_pool.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "class_builder.h"
#include "classfile/class_file.h"

namespace bursar::classfile {
namespace {

// The pool as it stands in a class file: a count and the entries, given as bytes.
struct RawPool {
  explicit RawPool(std::uint32_t count, const std::vector<ByteVector>& entries = {}) {
    base::ByteWriter out;
    out.u2_be(count);
    for (const ByteVector& entry : entries) out.append(entry);
    bytes = out.take();
  }
  base::Result<ConstantPool> parse() const {
    base::ByteReader reader(bytes);
    return ConstantPool::parse(reader, bytes);
  }
  ByteVector bytes;
};

const ByteVector kUtf8Ab = {1, 0, 2, 'A', 'b'};
const ByteVector kClassOf1 = {7, 0, 1};
const ByteVector kNameAndTypeOf1 = {12, 0, 1, 0, 1};

ByteVector written(const ConstantPool& pool) {
  base::ByteWriter out;
  pool.write(out);
  return out.take();
}

TEST(ConstantPool, reads_every_kind_of_constant) {
  const std::vector<std::pair<ConstantTag, ByteVector>> entries = {
      {ConstantTag::kUtf8, kUtf8Ab},                         // 1
      {ConstantTag::kClass, kClassOf1},                      // 2
      {ConstantTag::kNameAndType, kNameAndTypeOf1},          // 3
      {ConstantTag::kInteger, {3, 0, 0, 0, 1}},              // 4
      {ConstantTag::kFloat, {4, 0, 0, 0, 1}},                // 5
      {ConstantTag::kString, {8, 0, 1}},                     // 6
      {ConstantTag::kFieldref, {9, 0, 2, 0, 3}},             // 7
      {ConstantTag::kMethodref, {10, 0, 2, 0, 3}},           // 8
      {ConstantTag::kInterfaceMethodref, {11, 0, 2, 0, 3}},  // 9
      {ConstantTag::kMethodHandle, {15, 1, 0, 7}},           // 10
      {ConstantTag::kMethodType, {16, 0, 1}},                // 11
      {ConstantTag::kDynamic, {17, 0, 99, 0, 3}},            // 12
      {ConstantTag::kInvokeDynamic, {18, 0, 99, 0, 3}},      // 13
      {ConstantTag::kModule, {19, 0, 1}},                    // 14
      {ConstantTag::kPackage, {20, 0, 1}},                   // 15
      {ConstantTag::kLong, {5, 0, 0, 0, 0, 0, 0, 0, 1}},     // 16, 17
      {ConstantTag::kDouble, {6, 0, 0, 0, 0, 0, 0, 0, 1}},   // 18, 19
  };
  std::vector<ByteVector> bytes;
  for (const auto& entry : entries) bytes.push_back(entry.second);
  const RawPool raw(20, bytes);
  const auto pool = raw.parse();
  ASSERT_TRUE(pool.ok()) << pool.error().message;
  EXPECT_EQ(pool->count(), 20U);
  for (std::uint32_t i = 0; i < 15; ++i) EXPECT_EQ(pool->tag(i + 1), entries[i].first) << i + 1;
  EXPECT_EQ(pool->tag(16), ConstantTag::kLong);
  EXPECT_EQ(pool->tag(18), ConstantTag::kDouble);
  for (const std::uint32_t unusable : {0U, 17U, 19U, 20U, 65535U, 0xffffffffU}) {
    EXPECT_EQ(pool->tag(unusable), ConstantTag::kUnusable) << unusable;
  }
  EXPECT_EQ(written(*pool), raw.bytes);
}

TEST(ConstantPool, follows_references_to_text) {
  const RawPool raw(7, {kUtf8Ab, kClassOf1, {1, 0, 1, 'f'}, {1, 0, 1, 'I'}, {12, 0, 3, 0, 4}, {9, 0, 2, 0, 5}});
  const auto pool = raw.parse();
  ASSERT_TRUE(pool.ok());
  EXPECT_EQ(pool->utf8(1), "Ab");
  EXPECT_EQ(pool->class_name(2), "Ab");
  const auto member = pool->member_ref(6);
  ASSERT_TRUE(member);
  EXPECT_EQ(member->class_name, "Ab");
  EXPECT_EQ(member->name, "f");
  EXPECT_EQ(member->descriptor, "I");
}

TEST(ConstantPool, gives_nothing_for_an_index_of_another_kind) {
  const RawPool raw(3, {kUtf8Ab, kClassOf1});
  const auto pool = raw.parse();
  ASSERT_TRUE(pool.ok());
  EXPECT_FALSE(pool->utf8(2));
  EXPECT_FALSE(pool->class_name(1));
  EXPECT_FALSE(pool->member_ref(2));
  for (const std::uint32_t outside : {0U, 3U, 70000U}) {
    EXPECT_FALSE(pool->utf8(outside));
    EXPECT_FALSE(pool->class_name(outside));
    EXPECT_FALSE(pool->member_ref(outside));
  }
}

TEST(ConstantPool, a_dynamic_constant_has_a_name_but_no_class) {
  for (const std::uint8_t tag : ByteVector{17, 18}) {
    const RawPool raw(4, {kUtf8Ab, kNameAndTypeOf1, {tag, 0, 0, 0, 2}});
    const auto pool = raw.parse();
    ASSERT_TRUE(pool.ok());
    ASSERT_TRUE(pool->member_ref(3));
    EXPECT_EQ(pool->member_ref(3)->class_name, "");
    EXPECT_EQ(pool->member_ref(3)->name, "Ab");
  }
}

TEST(ConstantPool, refuses_references_to_the_wrong_kind) {
  const ByteVector integer = {3, 0, 0, 0, 0};
  // Behind Utf8 (1), Class (2), NameAndType (3), Integer (4): each has one reference that does not fit.
  const std::vector<ByteVector> wrong = {{7, 0, 4},
                                         {7, 0, 0},
                                         {7, 0, 9},
                                         {7, 0, 5},
                                         {8, 0, 2},
                                         {16, 0, 3},
                                         {19, 0, 4},
                                         {20, 0, 2},
                                         {9, 0, 1, 0, 3},
                                         {9, 0, 2, 0, 1},
                                         {10, 0, 3, 0, 3},
                                         {10, 0, 2, 0, 2},
                                         {11, 0, 2, 0, 4},
                                         {11, 0, 0, 0, 3},
                                         {12, 0, 1, 0, 2},
                                         {12, 0, 4, 0, 1},
                                         {17, 0, 0, 0, 1},
                                         {18, 0, 0, 0, 2},
                                         {18, 0, 0, 0xff, 0xff}};
  for (const ByteVector& entry : wrong) {
    const RawPool raw(6, {kUtf8Ab, kClassOf1, kNameAndTypeOf1, integer, entry});
    const auto pool = raw.parse();
    ASSERT_FALSE(pool.ok()) << "tag " << int{entry[0]};
    EXPECT_NE(pool.error().message.find("constant 5"), std::string::npos) << pool.error().message;
  }
}

TEST(ConstantPool, refuses_a_reference_to_the_second_half_of_a_long) {
  const RawPool raw(4, {{5, 0, 0, 0, 0, 0, 0, 0, 0}, {7, 0, 2}});
  EXPECT_FALSE(raw.parse().ok());
}

TEST(ConstantPool, refuses_unknown_tags) {
  for (const std::uint8_t tag : ByteVector{0, 2, 13, 14, 21, 255}) {
    EXPECT_FALSE(RawPool(2, {{tag, 0, 0, 0, 0, 0, 0, 0, 0}}).parse().ok()) << int{tag};
  }
}

TEST(ConstantPool, refuses_a_long_without_its_second_slot) {
  const ByteVector number = {5, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_FALSE(RawPool(2, {number}).parse().ok());
  EXPECT_TRUE(RawPool(3, {number}).parse().ok());
}

TEST(ConstantPool, refuses_a_count_of_zero_and_accepts_an_empty_pool) {
  EXPECT_FALSE(RawPool(0).parse().ok());
  EXPECT_TRUE(RawPool(1).parse().ok());
}

TEST(ConstantPool, refuses_a_pool_cut_short) {
  const RawPool whole(4, {kUtf8Ab, kClassOf1, kNameAndTypeOf1});
  ASSERT_TRUE(whole.parse().ok());
  for (std::size_t length = 0; length < whole.bytes.size(); ++length) {
    const ByteVector cut(whole.bytes.begin(), whole.bytes.begin() + static_cast<std::ptrdiff_t>(length));
    base::ByteReader reader(cut);
    EXPECT_FALSE(ConstantPool::parse(reader, cut).ok()) << length;
  }
}

TEST(ConstantPool, adds_behind_the_old_constants_and_leaves_those_alone) {
  const RawPool raw(3, {kUtf8Ab, kClassOf1});
  auto pool = raw.parse();
  ASSERT_TRUE(pool.ok());
  EXPECT_EQ(pool->add_utf8("xyz"), 3);
  EXPECT_EQ(pool->add_integer(-2), 4);
  const ByteVector bytes = written(*pool);
  const ByteVector expected_end = {1, 0, 3, 'x', 'y', 'z', 3, 0xff, 0xff, 0xff, 0xfe};
  EXPECT_EQ(bytes[1], 5);
  EXPECT_TRUE(std::equal(raw.bytes.begin() + 2, raw.bytes.end(), bytes.begin() + 2));
  EXPECT_EQ(ByteVector(bytes.begin() + static_cast<std::ptrdiff_t>(raw.bytes.size()), bytes.end()), expected_end);
}

TEST(ConstantPool, shares_what_it_added_itself) {
  const RawPool raw(3, {kUtf8Ab, kClassOf1});
  auto pool = raw.parse();
  ASSERT_TRUE(pool.ok());
  const auto method = pool->add_method_ref("C", "m", "()V");
  const std::uint32_t count = pool->count();
  EXPECT_EQ(count, 3U + 6U);  // class name, class, name, descriptor, name-and-type, reference
  EXPECT_EQ(pool->add_method_ref("C", "m", "()V"), method);
  EXPECT_TRUE(pool->add_class("C"));
  EXPECT_TRUE(pool->add_utf8("()V"));
  EXPECT_EQ(pool->count(), count);
  EXPECT_NE(pool->add_field_ref("C", "m", "()V"), method);
  EXPECT_EQ(pool->count(), count + 1);
}

TEST(ConstantPool, what_it_writes_reads_back) {
  const RawPool raw(1);
  auto pool = raw.parse();
  ASSERT_TRUE(pool.ok());
  const auto text = pool->add_utf8("text"), cls = pool->add_class("C"), number = pool->add_long(-3);
  const auto field = pool->add_field_ref("C", "f", "J"), method = pool->add_method_ref("C", "m", "(I)V");
  const ByteVector bytes = written(*pool);
  base::ByteReader reader(bytes);
  const auto again = ConstantPool::parse(reader, bytes);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->utf8(*text), "text");
  EXPECT_EQ(again->class_name(*cls), "C");
  EXPECT_EQ(again->tag(*number), ConstantTag::kLong);
  EXPECT_EQ(again->tag(*number + 1U), ConstantTag::kUnusable);
  EXPECT_EQ(again->tag(*field), ConstantTag::kFieldref);
  EXPECT_EQ(again->member_ref(*field)->descriptor, "J");
  EXPECT_EQ(again->tag(*method), ConstantTag::kMethodref);
  EXPECT_EQ(again->member_ref(*method)->name, "m");
  EXPECT_EQ(again->count(), pool->count());
}

TEST(ConstantPool, a_method_like_another_has_the_same_class_constant) {
  ClassBuilder builder;
  const std::uint32_t first = builder.cls("A"), ref = builder.member(11, "A", "m", "()V");
  const ByteVector bytes = builder.build();
  ClassFile file = ClassFile::parse(bytes).value();
  const auto like = file.pool.add_method_ref_like(ref, "(I)V");
  ASSERT_TRUE(like);
  const ByteVector edited = file.write();
  const ConstantPool pool = ClassFile::parse(edited)->pool;
  EXPECT_EQ(pool.tag(*like), ConstantTag::kInterfaceMethodref);
  EXPECT_EQ(pool.member_ref(*like)->name, "m");
  EXPECT_EQ(pool.member_ref(*like)->descriptor, "(I)V");
  std::size_t classes = 0;
  for (std::uint32_t i = 1; i < pool.count(); ++i) classes += pool.class_name(i) == "A" ? 1U : 0U;
  EXPECT_EQ(classes, 1U) << "constant " << first;
}

TEST(ConstantPool, adds_what_dynamic_calls_need) {
  const RawPool raw(1);
  auto pool = raw.parse();
  ASSERT_TRUE(pool.ok());
  const auto handle = pool->add_static_method_handle(*pool->add_method_ref("A", "link", "()V"));
  const auto call = pool->add_invoke_dynamic(7, "run", "()I");
  ASSERT_TRUE(handle && call);
  const ByteVector bytes = written(*pool);
  base::ByteReader reader(bytes);
  const auto again = ConstantPool::parse(reader, bytes);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->tag(*handle), ConstantTag::kMethodHandle);
  EXPECT_EQ(again->tag(*call), ConstantTag::kInvokeDynamic);
  EXPECT_EQ(again->bootstrap_method(*call), 7U);
  EXPECT_EQ(again->member_ref(*call)->descriptor, "()I");
  EXPECT_EQ(again->bootstrap_method(*handle), std::nullopt);
}

TEST(ConstantPool, a_long_takes_two_slots) {
  const RawPool raw(1);
  auto pool = raw.parse();
  ASSERT_TRUE(pool.ok());
  EXPECT_EQ(pool->add_long(std::int64_t{1} << 40), 1);
  EXPECT_EQ(pool->add_utf8("x"), 3);
}

TEST(ConstantPool, says_when_it_is_full) {
  std::vector<ByteVector> entries(65532, {3, 0, 0, 0, 0});
  const RawPool raw(65533, entries);
  auto pool = raw.parse();
  ASSERT_TRUE(pool.ok());
  EXPECT_EQ(pool->add_utf8("a"), 65533);
  EXPECT_FALSE(pool->add_long(1LL << 40));
  EXPECT_FALSE(pool->add_class("b"));  // room for its name, not for the class
  EXPECT_FALSE(pool->add_integer(7));
  EXPECT_EQ(pool->add_utf8("a"), 65533) << "what is there needs no room";
  EXPECT_EQ(pool->count(), 65535U);
}

TEST(ConstantPool, refuses_text_that_is_too_long) {
  const RawPool raw(1);
  auto pool = raw.parse();
  ASSERT_TRUE(pool.ok());
  EXPECT_FALSE(pool->add_utf8(std::string(65536, 'x')));
  EXPECT_EQ(pool->count(), 1U);
  EXPECT_TRUE(pool->add_utf8(std::string(65535, 'x')));
}

TEST(ConstantPool, truncation_forgets_exactly_what_came_later) {
  const RawPool raw(1);
  auto pool = raw.parse();
  ASSERT_TRUE(pool.ok());
  const auto kept = pool->add_utf8("kept");
  const std::uint32_t count = pool->count();
  const ByteVector before = written(*pool);
  pool->add_long(1LL << 40);
  pool->add_method_ref("C", "kept", "()V");
  pool->truncate(count);
  EXPECT_EQ(pool->count(), count);
  EXPECT_EQ(written(*pool), before);
  EXPECT_EQ(pool->add_utf8("kept"), kept);
  EXPECT_EQ(pool->add_utf8("C"), count) << "a forgotten constant is made anew";
}

}  // namespace
}  // namespace bursar::classfile
