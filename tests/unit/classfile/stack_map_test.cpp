#include "classfile/stack_map.h"

#include <gtest/gtest.h>

#include "class_builder.h"
#include "classfile/class_file.h"

namespace bursar::classfile {
namespace {

using enum VerificationType::Tag;
using ParseResult = StackMap::ParseResult;
using InsertResult = StackMap::InsertResult;

constexpr std::uint16_t kThisClass = 2;
const VerificationType kInt{kInteger}, kWideInt{kLong}, kUnset{kTop};

StackMap map_of(std::string_view descriptor, bool is_static = true, bool is_constructor = false) {
  return StackMap::initial(descriptor, is_static, is_constructor, kThisClass).value();
}

// The attribute's contents: a count, then the frames as given.
ByteVector table(std::uint32_t count, const ByteVector& frames) {
  base::ByteWriter out;
  out.u2_be(count);
  out.append(frames);
  return out.take();
}

// A pool that begins empty but for its own class, and can be read back.
class StackMapTest : public testing::Test {
 protected:
  StackMapTest() : bytes_(ClassBuilder().build()), file_(ClassFile::parse(bytes_).value()) {}

  ByteVector write(const StackMap& map) {
    const auto written = map.write(file_.pool);
    EXPECT_TRUE(written);
    return written.value_or(ByteVector{});
  }
  // Parses one frame behind nothing but the parameters, and expects it to be written as it came.
  Frame only_frame(StackMap map, const ByteVector& frame) {
    EXPECT_EQ(map.parse(table(1, frame)), ParseResult::kOk);
    EXPECT_EQ(write(map), table(1, frame));
    return map.frames.at(0);
  }
  std::string added_class(std::uint32_t index) {
    base::ByteWriter out;
    file_.pool.write(out);
    const ByteVector pool = out.take();
    base::ByteReader reader(pool);
    return std::string(ConstantPool::parse(reader, pool)->class_name(index).value_or("none"));
  }

  ByteVector bytes_;
  ClassFile file_;
};

TEST_F(StackMapTest, begins_with_the_types_of_the_parameters) {
  const StackMap map = map_of("(ZBCSIFJDLa/B;[I[[La/C;)V");
  const Types expected = {{kInteger}, {kInteger}, {kInteger},      {kInteger},      {kInteger},     {kFloat},
                          {kLong},    {kDouble},  {kParameter, 0}, {kParameter, 1}, {kParameter, 2}};
  EXPECT_EQ(map.initial_locals(), expected);
  EXPECT_EQ(map.parameter_slots(), 13U);
}

TEST_F(StackMapTest, begins_with_the_receiver_of_an_instance_method) {
  EXPECT_EQ(map_of("(J)V", false).initial_locals(), (Types{{kObject, kThisClass}, {kLong}}));
  EXPECT_EQ(map_of("(J)V", false, true).initial_locals(), (Types{{kUninitializedThis}, {kLong}}));
  EXPECT_EQ(map_of("(J)V", false).parameter_slots(), 3U);
}

TEST_F(StackMapTest, needs_a_sound_descriptor) {
  for (const char* descriptor : {"", "()", "(Q)V", "(I", "(L;"}) {
    EXPECT_FALSE(StackMap::initial(descriptor, true, false, kThisClass)) << descriptor;
  }
}

TEST_F(StackMapTest, reads_and_writes_every_kind_of_frame) {
  const StackMap map = map_of("(IJF)V");
  const Types parameters = {{kInteger}, {kLong}, {kFloat}};

  Frame frame = only_frame(map, {5});  // same
  EXPECT_EQ(frame.position, 5U);
  EXPECT_EQ(frame.locals, parameters);
  EXPECT_TRUE(frame.stack.empty());

  frame = only_frame(map, {63});
  EXPECT_EQ(frame.position, 63U);

  frame = only_frame(map, {64 + 7, 5});  // same locals, one stack item: null
  EXPECT_EQ(frame.position, 7U);
  EXPECT_EQ(frame.stack, (Types{{kNull}}));

  EXPECT_EQ(only_frame(map, {64 + 63, 5}).position, 63U);
  EXPECT_EQ(only_frame(map, {247, 0, 64, 5}).position, 64U);

  frame = only_frame(map, {247, 0x01, 0x00, 7, 0, 2});  // the same, extended: an object
  EXPECT_EQ(frame.position, 256U);
  EXPECT_EQ(frame.stack, (Types{{kObject, 2}}));
  EXPECT_EQ(frame.locals, parameters);

  frame = only_frame(map, {251, 0x00, 0x40});  // same, extended
  EXPECT_EQ(frame.position, 64U);
  EXPECT_EQ(frame.locals, parameters);

  frame = only_frame(map, {252, 0, 3, 1});  // append one, two, three
  EXPECT_EQ(frame.locals, (Types{{kInteger}, {kLong}, {kFloat}, {kInteger}}));
  frame = only_frame(map, {253, 0, 3, 4, 0});
  EXPECT_EQ(frame.locals, (Types{{kInteger}, {kLong}, {kFloat}, {kLong}, {kTop}}));
  frame = only_frame(map, {254, 0, 3, 3, 6, 8, 0, 9});
  EXPECT_EQ(frame.locals, (Types{{kInteger}, {kLong}, {kFloat}, {kDouble}, {kUninitializedThis}, {kUninitialized, 9}}));
  EXPECT_EQ(frame.position, 3U);

  frame = only_frame(map, {255, 0, 1, 0, 2, 2, 3, 0, 2, 1, 4});  // full
  EXPECT_EQ(frame.locals, (Types{{kFloat}, {kDouble}}));
  EXPECT_EQ(frame.stack, (Types{{kInteger}, {kLong}}));
}

TEST_F(StackMapTest, chops_into_the_parameters) {
  const StackMap map = map_of("(IJF)V");
  EXPECT_EQ(only_frame(map, {250, 0, 1}).locals, (Types{{kInteger}, {kLong}}));
  EXPECT_EQ(only_frame(map, {249, 0, 1}).locals, (Types{{kInteger}}));
  EXPECT_EQ(only_frame(map, {248, 0, 1}).locals, Types{});
  StackMap small = map_of("(IJ)V");
  EXPECT_EQ(small.parse(table(1, {248, 0, 1})), ParseResult::kMalformed) << "three of two";
}

TEST_F(StackMapTest, each_frame_counts_from_the_one_before) {
  StackMap map = map_of("(I)V");
  const ByteVector bytes = table(4, {5, 252, 0, 9, 2, 64, 1, 250, 0, 0});
  ASSERT_EQ(map.parse(bytes), ParseResult::kOk);
  ASSERT_EQ(map.frames.size(), 4U);
  EXPECT_EQ(map.frames[0].position, 5U);
  EXPECT_EQ(map.frames[1].position, 15U);
  EXPECT_EQ(map.frames[2].position, 16U);
  EXPECT_EQ(map.frames[3].position, 17U);
  EXPECT_EQ(map.frames[2].locals, (Types{{kInteger}, {kFloat}}));
  EXPECT_EQ(map.frames[2].stack, (Types{{kInteger}}));
  EXPECT_EQ(map.frames[3].locals, (Types{{kInteger}}));
  EXPECT_EQ(write(map), bytes);
}

TEST_F(StackMapTest, writes_the_shortest_form) {
  StackMap map = map_of("(I)V");
  // Full and extended frames where short ones would do.
  ASSERT_EQ(map.parse(table(3, {255, 0, 1, 0, 1, 1, 0, 0, 247, 0, 1, 2, 251, 0, 1})), ParseResult::kOk);
  EXPECT_EQ(write(map), table(3, {1, 64 + 1, 2, 1}));
}

TEST_F(StackMapTest, refuses_what_is_malformed) {
  const std::vector<ByteVector> wrong = {
      {},           // no count
      {0},          // half a count
      {0, 1},       // a frame is missing
      {0, 1, 128},  // reserved kinds
      {0, 1, 246},
      {0, 1, 64, 9},     // no such type
      {0, 1, 64, 100},   // the tag we use for parameters
      {0, 1, 64, 7, 0},  // half an object
      {0, 1, 251, 0},    // half a distance
      {0, 1, 255, 0, 0, 0, 2, 1},
      {0, 1, 5, 5},  // bytes behind the end
      {0, 0, 0},
  };
  for (const ByteVector& bytes : wrong) {
    StackMap map = map_of("(I)V");
    EXPECT_EQ(map.parse(bytes), ParseResult::kMalformed) << testing::PrintToString(bytes);
  }
}

TEST_F(StackMapTest, refuses_a_table_that_would_expand_beyond_its_bound) {
  // One full frame of many locals, then short frames that each repeat them.
  const std::uint32_t locals = 60000;
  ByteVector frames = {255, 0, 0, static_cast<std::uint8_t>(locals >> 8), static_cast<std::uint8_t>(locals & 0xff)};
  frames.insert(frames.end(), locals, 1);
  frames.insert(frames.end(), 2, 0);
  ByteVector many = frames;
  frames.insert(frames.end(), 15, 0);
  many.insert(many.end(), 17, 0);
  StackMap fits = map_of("()V");
  EXPECT_EQ(fits.parse(table(16, frames)), ParseResult::kOk);
  StackMap too_large = map_of("()V");
  EXPECT_EQ(too_large.parse(table(18, many)), ParseResult::kTooLarge);
}

// Frames with these locals, with `types` inserted at a slot.
std::optional<Types> inserted(const Types& locals, std::uint32_t slot, const Types& types) {
  StackMap map = map_of("()V");
  map.frames.push_back({.position = 1, .locals = locals, .stack = {{kNull}}});
  if (map.insert_locals(slot, types) != InsertResult::kOk) return std::nullopt;
  EXPECT_EQ(map.frames[0].stack, (Types{{kNull}}));
  return map.frames[0].locals;
}

TEST_F(StackMapTest, inserts_locals_at_every_slot) {
  const Types locals = {{kFloat}, {kLong}, {kNull}};  // slots 0, 1 and 2, 3
  const Types added = {kInt, kWideInt};
  EXPECT_EQ(inserted(locals, 0, added), (Types{kInt, kWideInt, {kFloat}, {kLong}, {kNull}}));
  EXPECT_EQ(inserted(locals, 1, added), (Types{{kFloat}, kInt, kWideInt, {kLong}, {kNull}}));
  EXPECT_EQ(inserted(locals, 2, added), std::nullopt) << "inside the long";
  EXPECT_EQ(inserted(locals, 3, added), (Types{{kFloat}, {kLong}, kInt, kWideInt, {kNull}}));
  EXPECT_EQ(inserted(locals, 4, added), (Types{{kFloat}, {kLong}, {kNull}, kInt, kWideInt}));
  EXPECT_EQ(inserted(locals, 6, added), (Types{{kFloat}, {kLong}, {kNull}, kUnset, kUnset, kInt, kWideInt}));
  EXPECT_EQ(inserted({}, 2, added), (Types{kUnset, kUnset, kInt, kWideInt}));
  EXPECT_EQ(inserted({{kDouble}}, 1, added), std::nullopt) << "the last entry reaches across";
}

TEST_F(StackMapTest, says_why_locals_cannot_be_inserted) {
  StackMap map = map_of("()V");
  map.frames.push_back({.position = 1, .locals = {{kLong}}, .stack = {}});
  EXPECT_EQ(map.insert_locals(1, Types{kInt}), InsertResult::kLiesAcross);
  // Every frame would grow to 65,536 entries: a class of a few kilobytes would take gigabytes.
  StackMap many = map_of("()V");
  for (std::uint32_t i = 0; i < 1000; ++i) many.frames.push_back({.position = i, .locals = {}, .stack = {}});
  EXPECT_EQ(many.insert_locals(65535, Types{kInt}), InsertResult::kTooLarge);
}

TEST_F(StackMapTest, parameters_left_in_place_need_no_constant) {
  StackMap map = map_of("(La/B;[I)V");
  ASSERT_EQ(map.parse(table(2, {5, 250, 0, 0})), ParseResult::kOk);
  const std::uint32_t constants = file_.pool.count();
  ASSERT_EQ(map.insert_locals(2, Types{kInt}), InsertResult::kOk);
  // Append the int; then the array gives way to an unset slot, and nothing short says that.
  const ByteVector bytes = write(map);
  EXPECT_EQ(ByteVector(bytes.begin(), bytes.begin() + 6), (ByteVector{0, 2, 252, 0, 5, 1}));
  EXPECT_EQ(bytes[6], 255);
  EXPECT_EQ(file_.pool.count(), constants + 2) << "only the full frame spells out a/B";
}

TEST_F(StackMapTest, spells_parameters_out_where_a_full_frame_needs_them) {
  StackMap map = map_of("(La/B;[[La/C;)V");
  ASSERT_EQ(map.parse(table(1, {64, 5})), ParseResult::kOk);
  ASSERT_EQ(map.insert_locals(2, Types{kInt}), InsertResult::kOk);
  const ByteVector bytes = write(map);
  ASSERT_EQ(bytes.size(), 2U + 3U + 2U + 3U + 3U + 1U + 2U + 1U);
  EXPECT_EQ(bytes[2], 255);
  EXPECT_EQ(bytes[7], kObject);
  EXPECT_EQ(added_class(bytes[9]), "a/B");
  EXPECT_EQ(bytes[10], kObject);
  EXPECT_EQ(added_class(bytes[12]), "[[La/C;");
  EXPECT_EQ(bytes[13], kInteger);
}

TEST_F(StackMapTest, cannot_spell_out_when_the_pool_is_full) {
  StackMap map = map_of("(La/B;)V");
  ASSERT_EQ(map.parse(table(1, {64, 5})), ParseResult::kOk);
  ASSERT_EQ(map.insert_locals(0, Types{kInt}), InsertResult::kOk);
  for (std::int32_t i = 0; file_.pool.add_integer(i); ++i) continue;
  EXPECT_FALSE(map.write(file_.pool));
}

TEST_F(StackMapTest, cannot_write_frames_out_of_order) {
  StackMap map = map_of("()V");
  map.frames = {{.position = 5, .locals = {}, .stack = {}}, {.position = 5, .locals = {}, .stack = {}}};
  EXPECT_FALSE(map.write(file_.pool));
}

}  // namespace
}  // namespace bursar::classfile
