#include "agent/leaf_methods.h"

#include <gtest/gtest.h>

#include <functional>

#include "built_class.h"

namespace bursar::agent {
namespace {

constexpr std::uint8_t kThis = op::kAload0, kOther = op::kAload0 + 1, kReturnInt = op::kIreturn;

using Write = std::function<void(ClassBuilder&, CodeBuilder&)>;

struct Shape {
  unsigned access = kPublic;
  std::string name = "m", descriptor = "(LA;II)I";
};

// The method of a class A with a field `x` and a static one `s`.
bool leaf(const Write& write, const Shape& shape = {}) {
  ClassBuilder a = class_named("A");
  a.version = 49;
  a.field(0, "x", "I");
  a.field(kStatic, "s", "I");
  CodeBuilder code;
  write(a, code);
  a.method(shape.access, shape.name, shape.descriptor, code);
  const std::vector<std::uint8_t> bytes = a.build();
  const auto file = classfile::ClassFile::parse(bytes);
  EXPECT_TRUE(file.ok());
  return is_leaf(*file, file->methods[0]);
}

Write ops(std::initializer_list<unsigned> opcodes) {
  const std::vector<unsigned> all = opcodes;
  return [all](ClassBuilder&, CodeBuilder& code) {
    for (const unsigned opcode : all) code.op(opcode);
  };
}

// `before` pushes what the access takes; a field of this class that it declares unless said otherwise.
Write field(std::uint8_t opcode, std::initializer_list<unsigned> before, const char* cls = "A",
            const char* other_name = nullptr) {
  const std::vector<unsigned> all = before;
  const bool is_static = opcode == op::kGetstatic || opcode == op::kPutstatic;
  const char* const name = other_name != nullptr ? other_name : is_static ? "s" : "x";
  return [=](ClassBuilder& a, CodeBuilder& code) {
    for (const unsigned push : all) code.op(push);
    code.op2(opcode, a.member(9, cls, name, "I"));
    if (opcode == op::kPutfield || opcode == op::kPutstatic) code.op(op::kIconst0);
    code.op(kReturnInt);
  };
}

TEST(LeafMethods, small_sums_and_decisions_are) {
  EXPECT_TRUE(leaf(ops({op::kIconst0, kReturnInt})));
  EXPECT_TRUE(leaf(ops({op::kIload0 + 2, op::kIload0 + 3, op::kIadd, kReturnInt})));
  EXPECT_TRUE(leaf([](ClassBuilder&, CodeBuilder& code) {
    const auto smaller = code.label();
    code.op(op::kIload0 + 2);
    code.jump(op::kIfeq, smaller);
    code.op(op::kIload0 + 2);
    code.op(kReturnInt);
    code.bind(smaller);
    code.op(op::kIload0 + 3);
    code.op(kReturnInt);
  }));
}

TEST(LeafMethods, what_may_throw_is_not) {
  for (const unsigned opcode : {op::kIdiv, op::kIrem}) {
    EXPECT_FALSE(leaf(ops({op::kIconst0, op::kIconst0, opcode, kReturnInt}))) << opcode;
  }
  EXPECT_FALSE(leaf(ops({kOther, op::kIconst0, op::kIaload, kReturnInt})));
  EXPECT_FALSE(leaf(ops({kOther, op::kAthrow})));
  EXPECT_FALSE(leaf(ops({kOther, 0xbe, kReturnInt}))) << "the length of an array";
  EXPECT_FALSE(leaf(ops({kOther, 0xc2, op::kIconst0, kReturnInt}))) << "a lock";
}

TEST(LeafMethods, what_calls_or_makes_the_vm_call_is_not) {
  EXPECT_FALSE(leaf([](ClassBuilder& a, CodeBuilder& code) {
    code.op2(op::kInvokestatic, a.method_ref("A", "f", "()V"));
    code.op(op::kIconst0);
    code.op(kReturnInt);
  }));
  EXPECT_FALSE(leaf([](ClassBuilder& a, CodeBuilder& code) {
    code.op2(op::kNew, a.cls("A"));
    code.op(op::kPop);
    code.op(op::kIconst0);
    code.op(kReturnInt);
  }));
  EXPECT_FALSE(leaf([](ClassBuilder& a, CodeBuilder& code) {
    code.op2(op::kLdcW, a.cls("A"));
    code.op(op::kPop);
    code.op(op::kIconst0);
    code.op(kReturnInt);
  })) << "a class may have to be loaded";
  EXPECT_FALSE(leaf(field(op::kGetstatic, {}, "B"))) << "a class may have to be initialised";
  EXPECT_FALSE(leaf(field(op::kGetstatic, {}, "A", "inherited"))) << "an interface may have to be initialised";
}

TEST(LeafMethods, fields_of_this_and_static_ones_of_the_class_may_be_read_and_set) {
  EXPECT_TRUE(leaf(field(op::kGetfield, {kThis})));
  EXPECT_TRUE(leaf(field(op::kPutfield, {kThis, op::kIload0 + 2})));
  EXPECT_TRUE(leaf(field(op::kGetfield, {kThis}, "A", "inherited")));
  EXPECT_TRUE(leaf(field(op::kGetstatic, {})));
  EXPECT_TRUE(leaf(field(op::kPutstatic, {op::kIconst0})));
}

TEST(LeafMethods, fields_of_others_may_not_they_may_be_null) {
  EXPECT_FALSE(leaf(field(op::kGetfield, {kOther})));
  EXPECT_FALSE(leaf(field(op::kPutfield, {kOther, op::kIconst0})));
  EXPECT_FALSE(leaf(field(op::kGetfield, {kThis}, "B"))) << "a class may have to be loaded";
  EXPECT_FALSE(leaf(field(op::kGetfield, {kThis}), {.access = kStatic})) << "there is no this";
  EXPECT_FALSE(leaf(field(op::kGetfield, {kOther, op::kAstore3 - 3, kThis}))) << "this is another one now";
  EXPECT_FALSE(leaf([](ClassBuilder& a, CodeBuilder& code) {
    const auto with_other = code.label();
    code.op(kOther);
    code.op(op::kIload0 + 2);
    code.jump(op::kIfeq, with_other);
    code.op(op::kPop);
    code.op(kThis);
    code.bind(with_other);
    code.op2(op::kGetfield, a.member(9, "A", "x", "I"));
    code.op(kReturnInt);
  })) << "control may come from elsewhere";
}

TEST(LeafMethods, what_the_vm_calls_or_locks_or_catches_is_not) {
  const Write nothing = ops({op::kReturn});
  EXPECT_TRUE(leaf(nothing, {.descriptor = "()V"}));
  for (const char* name : {"<init>", "<clinit>", "loadClass", "finalize"}) {
    EXPECT_FALSE(leaf(nothing, {.name = name, .descriptor = "()V"})) << name;
  }
  EXPECT_FALSE(leaf(nothing, {.access = classfile::kAccSynchronized, .descriptor = "()V"}));
  EXPECT_FALSE(leaf([](ClassBuilder&, CodeBuilder& code) {
    const auto start = code.here();
    code.op(op::kIconst0);
    code.op(kReturnInt);
    const auto end = code.here();
    code.op(op::kAthrow);
    code.catches(start, end, end);
  }));
}

TEST(LeafMethods, of_native_ones_a_few_are) {
  const auto native = [](const char* cls, const char* name) {
    ClassBuilder builder = class_named(cls);
    builder.method(kPublic | kNative, name, "()V");
    const std::vector<std::uint8_t> bytes = builder.build();
    const auto file = classfile::ClassFile::parse(bytes);
    return is_leaf(*file, file->methods[0]);
  };
  EXPECT_TRUE(native("java/lang/Object", "getClass"));
  EXPECT_TRUE(native("java/lang/System", "nanoTime"));
  EXPECT_FALSE(native("java/lang/System", "arraycopy")) << "it throws";
  EXPECT_FALSE(native("java/lang/Object", "hashCode")) << "it may be overridden";
  EXPECT_FALSE(native("A", "getClass"));
}

TEST(LeafMethods, are_short) {
  ClassBuilder a = class_named("A");
  a.method(kStatic, "m", "()V", return_at_last());
  const std::vector<std::uint8_t> bytes = a.build();
  const auto file = classfile::ClassFile::parse(bytes);
  EXPECT_FALSE(is_leaf(*file, file->methods[0]));
}

}  // namespace
}  // namespace bursar::agent
