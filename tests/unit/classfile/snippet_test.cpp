#include "classfile/snippet.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "class_builder.h"
#include "classfile/class_file.h"
#include "classfile/opcode.h"

namespace bursar::classfile {
namespace {

class SnippetTest : public testing::Test {
 protected:
  SnippetTest() : bytes_(ClassBuilder().build()), file_(ClassFile::parse(bytes_).value()) {}

  Snippet snippet() { return Snippet(file_.pool, locals_, slots_); }
  ByteVector code(const std::function<void(Snippet&)>& write) {
    Snippet result = snippet();
    write(result);
    return {result.code().begin(), result.code().end()};
  }
  // What keeps it from being used, or nothing.
  std::optional<SkipReason> refusal(const std::function<void(Snippet&)>& write) {
    Snippet result = snippet();
    write(result);
    SkipReason reason{};
    return result.usable(reason) ? std::nullopt : std::optional(reason);
  }
  // The bytes of the constant that an added index stands for.
  ByteVector constant(std::uint32_t index) {
    base::ByteWriter out;
    file_.pool.write(out);
    const ByteVector pool = out.take();
    base::ByteReader reader(pool, 2);
    for (std::uint32_t i = 1; i < index; ++i) {
      const std::uint8_t tag = reader.u1();
      reader.skip(tag == 1 ? reader.u2_be() : tag == 5 ? 8 : tag == 3 || tag >= 9 ? 4 : 2);
      if (tag == 5) ++i;
    }
    return {pool.begin() + static_cast<std::ptrdiff_t>(reader.position()), pool.end()};
  }

  ByteVector bytes_;
  ClassFile file_;
  std::vector<NewLocal> locals_ = {
      {NewLocal::Type::kInt, ""}, {NewLocal::Type::kLong, ""}, {NewLocal::Type::kObject, "C"}};
  std::vector<std::uint16_t> slots_ = {1, 2, 3};
};

TEST_F(SnippetTest, pushes_ints_in_the_shortest_way) {
  const auto push = [&](std::int32_t value) { return code([=](Snippet& s) { s.push_int(value); }); };
  EXPECT_EQ(push(-1), (ByteVector{0x02}));
  EXPECT_EQ(push(0), (ByteVector{0x03}));
  EXPECT_EQ(push(5), (ByteVector{0x08}));
  EXPECT_EQ(push(6), (ByteVector{0x10, 6}));
  EXPECT_EQ(push(-2), (ByteVector{0x10, 0xfe}));
  EXPECT_EQ(push(127), (ByteVector{0x10, 0x7f}));
  EXPECT_EQ(push(-128), (ByteVector{0x10, 0x80}));
  EXPECT_EQ(push(128), (ByteVector{0x11, 0x00, 0x80}));
  EXPECT_EQ(push(-129), (ByteVector{0x11, 0xff, 0x7f}));
  EXPECT_EQ(push(32767), (ByteVector{0x11, 0x7f, 0xff}));
  EXPECT_EQ(push(-32768), (ByteVector{0x11, 0x80, 0x00}));
}

TEST_F(SnippetTest, pushes_other_ints_from_the_constant_pool) {
  for (const std::int32_t value :
       {32768, -32769, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
    const std::uint32_t index = file_.pool.count();
    EXPECT_EQ(code([=](Snippet& s) { s.push_int(value); }), (ByteVector{0x13, 0, static_cast<std::uint8_t>(index)}));
    const auto bits = static_cast<std::uint32_t>(value);
    EXPECT_EQ(constant(index),
              (ByteVector{3, static_cast<std::uint8_t>(bits >> 24), static_cast<std::uint8_t>(bits >> 16),
                          static_cast<std::uint8_t>(bits >> 8), static_cast<std::uint8_t>(bits)}));
  }
}

TEST_F(SnippetTest, pushes_longs_in_the_shortest_way) {
  const auto push = [&](std::int64_t value) { return code([=](Snippet& s) { s.push_long(value); }); };
  EXPECT_EQ(push(0), (ByteVector{0x09}));
  EXPECT_EQ(push(1), (ByteVector{0x0a}));
  EXPECT_EQ(push(-1), (ByteVector{0x02, 0x85}));
  EXPECT_EQ(push(32767), (ByteVector{0x11, 0x7f, 0xff, 0x85}));
  EXPECT_EQ(push(-32768), (ByteVector{0x11, 0x80, 0x00, 0x85}));
  const auto index = static_cast<std::uint8_t>(file_.pool.count());
  EXPECT_EQ(push(32768), (ByteVector{0x14, 0, index}));
  EXPECT_EQ(constant(index), (ByteVector{5, 0, 0, 0, 0, 0, 0, 0x80, 0}));
  EXPECT_EQ(push(std::numeric_limits<std::int64_t>::min()),
            (ByteVector{0x14, 0, static_cast<std::uint8_t>(index + 2)}));
}

TEST_F(SnippetTest, reaches_locals_in_any_slot) {
  const auto load_and_store = [&](std::size_t local) {
    return code([=](Snippet& s) {
      s.load(local);
      s.store(local);
    });
  };
  EXPECT_EQ(load_and_store(0), (ByteVector{0x1b, 0x3c}));  // iload_1, istore_1
  EXPECT_EQ(load_and_store(1), (ByteVector{0x20, 0x41}));  // lload_2, lstore_2
  EXPECT_EQ(load_and_store(2), (ByteVector{0x2d, 0x4e}));  // aload_3, astore_3
  slots_ = {4, 255, 5};
  EXPECT_EQ(load_and_store(0), (ByteVector{0x15, 4, 0x36, 4}));
  EXPECT_EQ(load_and_store(1), (ByteVector{0x16, 255, 0x37, 255}));
  EXPECT_EQ(load_and_store(2), (ByteVector{0x19, 5, 0x3a, 5}));
  slots_ = {256, 300, 65534};
  EXPECT_EQ(load_and_store(0), (ByteVector{0xc4, 0x15, 1, 0, 0xc4, 0x36, 1, 0}));
  EXPECT_EQ(load_and_store(1), (ByteVector{0xc4, 0x16, 1, 44, 0xc4, 0x37, 1, 44}));
  EXPECT_EQ(load_and_store(2), (ByteVector{0xc4, 0x19, 0xff, 0xfe, 0xc4, 0x3a, 0xff, 0xfe}));
}

TEST_F(SnippetTest, increments_by_any_amount) {
  const auto by = [&](std::int32_t amount) { return code([=](Snippet& s) { s.increment(0, amount); }); };
  EXPECT_EQ(by(127), (ByteVector{0x84, 1, 0x7f}));
  EXPECT_EQ(by(-128), (ByteVector{0x84, 1, 0x80}));
  EXPECT_EQ(by(128), (ByteVector{0xc4, 0x84, 0, 1, 0, 0x80}));
  EXPECT_EQ(by(-129), (ByteVector{0xc4, 0x84, 0, 1, 0xff, 0x7f}));
  EXPECT_EQ(by(32767), (ByteVector{0xc4, 0x84, 0, 1, 0x7f, 0xff}));
  EXPECT_EQ(by(-32768), (ByteVector{0xc4, 0x84, 0, 1, 0x80, 0}));
  const auto index = static_cast<std::uint8_t>(file_.pool.count());
  EXPECT_EQ(by(32768), (ByteVector{0x1b, 0x13, 0, index, 0x60, 0x3c}));  // iload_1, ldc_w, iadd, istore_1
  slots_[0] = 256;
  EXPECT_EQ(by(1), (ByteVector{0xc4, 0x84, 1, 0, 0, 1}));
}

TEST_F(SnippetTest, names_fields_and_methods_by_added_constants) {
  const ByteVector get = code([](Snippet& s) { s.get_static("C", "f", "J"); });
  ASSERT_EQ(get.size(), 3U);
  EXPECT_EQ(get[0], op::kGetstatic);
  EXPECT_EQ(constant(get[2])[0], 9);
  const ByteVector call = code([](Snippet& s) { s.invoke_static("C", "m", "()V"); });
  ASSERT_EQ(call.size(), 3U);
  EXPECT_EQ(call[0], op::kInvokestatic);
  EXPECT_EQ(constant(call[2])[0], 10);
  EXPECT_EQ(code([](Snippet& s) { s.get_static("C", "f", "J"); }), get) << "constants are shared";
}

TEST_F(SnippetTest, counts_the_stack_it_needs) {
  const auto depth = [&](const std::function<void(Snippet&)>& write) {
    Snippet result = snippet();
    write(result);
    return result.max_stack();
  };
  EXPECT_EQ(depth([](Snippet&) {}), 0U);
  EXPECT_EQ(depth([](Snippet& s) { s.push_long(100); }), 2U);
  EXPECT_EQ(depth([](Snippet& s) { s.increment(0, 1); }), 0U);
  EXPECT_EQ(depth([](Snippet& s) { s.increment(0, 100000); }), 2U);
  EXPECT_EQ(depth([](Snippet& s) { s.invoke_static("C", "m", "()J"); }), 2U);
  EXPECT_EQ(depth([](Snippet& s) {
              s.load(2);
              s.simple(op::kDup);
              s.get_field("C", "f", "J");
              s.push_long(1);
              s.simple(op::kLadd);
              s.put_field("C", "f", "J");
            }),
            5U);
}

TEST_F(SnippetTest, is_usable_when_it_leaves_the_stack_as_it_was) {
  EXPECT_EQ(refusal([](Snippet&) {}), std::nullopt);
  EXPECT_EQ(refusal([](Snippet& s) {
              s.get_static("C", "counts", "[J");
              s.push_int(7);
              s.simple(op::kDup2);
              s.simple(op::kLaload);
              s.push_long(1);
              s.simple(op::kLadd);
              s.simple(op::kLastore);
              s.push_null();
              s.put_static("C", "last", "LC;");
              s.push_int(3);
              s.load(1);
              s.load(2);
              s.invoke_static("C", "m", "(IJLC;)V");
            }),
            std::nullopt);
}

TEST_F(SnippetTest, is_a_bad_probe_when_it_is_unbalanced) {
  EXPECT_EQ(refusal([](Snippet& s) { s.push_int(1); }), SkipReason::kBadProbe) << "leaves something";
  EXPECT_EQ(refusal([](Snippet& s) { s.store(0); }), SkipReason::kBadProbe) << "takes what is not its own";
  EXPECT_EQ(refusal([](Snippet& s) {
              s.simple(op::kPop);
              s.push_int(1);
            }),
            SkipReason::kBadProbe)
      << "balanced in the end, but reaches below in between";
  EXPECT_EQ(refusal([](Snippet& s) {
              s.push_int(1);
              s.invoke_static("C", "m", "(J)V");
            }),
            SkipReason::kBadProbe);
  EXPECT_EQ(refusal([](Snippet& s) { s.invoke_static("C", "m", "not a descriptor"); }), SkipReason::kBadProbe);
}

TEST_F(SnippetTest, is_a_bad_probe_with_an_instruction_that_may_not_be_in_it) {
  for (const std::uint8_t opcode :
       ByteVector{op::kGoto, op::kReturn, op::kAthrow, op::kIload, op::kNew, op::kInvokestatic, 0xff}) {
    EXPECT_EQ(refusal([=](Snippet& s) { s.simple(opcode); }), SkipReason::kBadProbe) << int{opcode};
  }
}

TEST_F(SnippetTest, may_copy_the_reference_it_found) {
  const auto pass_on = [](Snippet& s) {
    s.peek_reference();
    s.push_int(1);
    s.invoke_static("C", "m", "(Ljava/lang/Object;I)V");
  };
  EXPECT_EQ(refusal(pass_on), std::nullopt);
  Snippet result = snippet();
  pass_on(result);
  EXPECT_EQ(result.code()[0], op::kDup);
  EXPECT_EQ(result.max_stack(), 2U) << "beyond what it found";
  EXPECT_EQ(refusal([](Snippet& s) { s.peek_reference(); }), SkipReason::kBadProbe) << "leaves the copy";
  EXPECT_EQ(refusal([](Snippet& s) {
              s.push_int(1);
              s.peek_reference();
              s.simple(op::kPop2);
            }),
            SkipReason::kBadProbe)
      << "would be a copy of its own int";
}

TEST_F(SnippetTest, says_when_the_constant_pool_had_no_room) {
  for (std::int32_t i = 0; file_.pool.add_integer(i); ++i) continue;
  EXPECT_EQ(refusal([](Snippet& s) { s.invoke_static("C", "m", "()V"); }), SkipReason::kConstantPoolFull);
  EXPECT_EQ(refusal([](Snippet& s) { s.increment(0, 1); }), std::nullopt) << "needs none";
}

TEST_F(SnippetTest, sets_a_local_only_if_it_does_not_read_it_first) {
  Snippet result = snippet();
  result.push_int(1);
  result.store(0);
  result.load(0);
  EXPECT_TRUE(result.stores(0));
  EXPECT_FALSE(result.stores(1));
  result.load(1);
  result.store(1);
  EXPECT_FALSE(result.stores(1)) << "reads it before";
  Snippet far = snippet();
  far.increment(0, 100000);
  EXPECT_FALSE(far.stores(0)) << "an increment reads it, however it is written";
}

TEST_F(SnippetTest, may_skip_its_end) {
  const auto guarded = [](Snippet& s) {
    s.push_int(1);
    s.push_long(1);
    s.store(1);
    s.begin_if_false();
    s.push_long(1);
    s.store(1);
    s.end_if();
  };
  // iconst_1, lconst_1, lstore_2, ifne to the end, lconst_1, lstore_2
  EXPECT_EQ(code(guarded), (ByteVector{0x04, 0x0a, 0x41, 0x9a, 0, 5, 0x0a, 0x41}));
  EXPECT_EQ(refusal(guarded), std::nullopt);
  Snippet result = snippet();
  EXPECT_FALSE(result.jumps());
  guarded(result);
  EXPECT_TRUE(result.jumps());
}

TEST_F(SnippetTest, is_refused_if_it_jumps_anywhere_but_to_its_end) {
  EXPECT_EQ(refusal([](Snippet& s) {
              s.push_int(1);
              s.begin_if_false();
            }),
            SkipReason::kBadProbe);
  EXPECT_EQ(refusal([](Snippet& s) {
              s.begin_if_false();
              s.end_if();
            }),
            SkipReason::kBadProbe)
      << "there is nothing to decide by";
  EXPECT_EQ(refusal([](Snippet& s) { s.end_if(); }), SkipReason::kBadProbe);
  EXPECT_EQ(refusal([](Snippet& s) {
              s.push_int(1);
              s.begin_if_false();
              s.end_if();
              s.push_null();
              s.simple(op::kPop);
            }),
            SkipReason::kBadProbe);
  EXPECT_EQ(refusal([](Snippet& s) {
              s.push_int(1);
              s.begin_if_false();
              s.push_null();
              s.end_if();
              s.simple(op::kPop);
            }),
            SkipReason::kBadProbe);
}

TEST_F(SnippetTest, what_a_fork_leaves_on_the_stack_are_arguments_of_the_copy) {
  const auto fork = [](Snippet& s) {
    s.push_int(1);
    s.begin_fork();
    s.drop_last_argument();
    s.push_null();
    s.load(2);
    s.call_copy();
  };
  EXPECT_EQ(refusal(fork), std::nullopt);
  EXPECT_EQ(code(fork), (ByteVector{0x04, 0x57, 0x01, 0x2d}));
}

TEST_F(SnippetTest, only_a_fork_drops_an_argument_and_it_does_so_first) {
  EXPECT_EQ(refusal([](Snippet& s) { s.drop_last_argument(); }), SkipReason::kBadProbe);
  EXPECT_EQ(refusal([](Snippet& s) {
              s.push_int(1);
              s.begin_fork();
              s.push_null();
              s.drop_last_argument();
              s.call_copy();
            }),
            SkipReason::kBadProbe);
}

}  // namespace
}  // namespace bursar::classfile
