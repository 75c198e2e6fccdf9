#include "agent/added_members.h"

#include <gtest/gtest.h>

#include "agent/embedded_classes.h"
#include "built_class.h"
#include "classfile/annotations.h"
#include "classfile/descriptor.h"

namespace bursar::agent {
namespace {

using classfile::CodeAttribute;
using classfile::Instruction;
using classfile::Member;

constexpr unsigned kSynthetic = 0x1000, kTransient = 0x0080;

ByteVector with_methods() {
  ClassBuilder builder = class_named(kObjectClass, "");
  builder.method(kPublic, "<init>", "()V", just_return());
  const ByteVector bytes = builder.build();
  classfile::ClassFile file = classfile::ClassFile::parse(bytes).value();
  EXPECT_TRUE(add_probe_methods(file));
  return file.write();
}

// The kind of a value, by the letter of the instruction that loads it.
char kind_of(std::string_view type) {
  return type == "J" ? 'l' : type.front() == 'L' || type.front() == '[' ? 'a' : 'i';
}

TEST(AddedMembers, thread_gets_its_fields) {
  ClassBuilder builder = class_named(kThreadClass);
  builder.field(kPrivate, "name", "Ljava/lang/String;");
  const ByteVector bytes = builder.build();
  classfile::ClassFile file = classfile::ClassFile::parse(bytes).value();
  ASSERT_TRUE(add_thread_fields(file));
  const ReadClass read(file.write());
  ASSERT_EQ(read.file.fields.size(), 3U);
  EXPECT_EQ(read.file.member_name(read.file.fields[0]), "name");
  EXPECT_EQ(read.file.member_name(read.file.fields[1]), "bursarCursor");
  EXPECT_EQ(read.file.member_descriptor(read.file.fields[1]), "[J");
  EXPECT_EQ(read.file.member_name(read.file.fields[2]), "bursarMember");
  EXPECT_EQ(read.file.member_descriptor(read.file.fields[2]), "Ljava/lang/Object;");
  for (const std::size_t i : {1U, 2U}) {
    // Not private: BursarProbe uses them.
    EXPECT_EQ(read.file.fields[i].access, kSynthetic | kTransient);
    EXPECT_TRUE(read.file.fields[i].attributes.empty());
  }
}

TEST(AddedMembers, every_method_of_object_forwards_to_its_entry_point) {
  const ReadClass read(with_methods());
  ASSERT_EQ(read.file.methods.size(), 1 + kProbeMethods.size());
  for (const ProbeMethod& probe : kProbeMethods) {
    SCOPED_TRACE(probe.method.name);
    const Member* const method = read.find(probe.method.name, probe.method.descriptor);
    ASSERT_NE(method, nullptr);
    EXPECT_EQ(method->access, kPublic | kStatic | kSynthetic);
    const CodeAttribute code = read.code_of(*method);
    EXPECT_TRUE(code.exceptions.empty());
    EXPECT_TRUE(code.attributes.empty());

    std::vector<std::string_view> parameters;
    std::string_view rest = std::string_view(probe.method.descriptor).substr(1);
    while (rest.front() != ')') parameters.push_back(*classfile::take_field_type(rest));
    const std::string_view result = rest.substr(1);
    const auto shape = *classfile::call_shape(probe.method.descriptor);
    EXPECT_EQ(code.max_locals, shape.argument_slots);
    EXPECT_GE(code.max_stack, std::max(shape.argument_slots, shape.result_slots));

    ASSERT_EQ(code.instructions.size(), parameters.size() + 2);
    unsigned slot = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Instruction& load = code.instructions[i];
      const char kind = kind_of(parameters[i]);
      EXPECT_EQ(load.opcode, kind == 'l' ? op::kLload : kind == 'a' ? op::kAload : op::kIload);
      EXPECT_EQ(load.local, slot);
      slot += kind == 'l' ? 2 : 1;
    }
    const Instruction& call = code.instructions[parameters.size()];
    EXPECT_EQ(call.opcode, op::kInvokestatic);
    const auto ref = read.file.pool.member_ref(ReadClass::operand(code, call));
    ASSERT_TRUE(ref);
    EXPECT_EQ(ref->class_name, kProbeClass);
    EXPECT_EQ(ref->name, probe.entry_point);
    EXPECT_EQ(ref->descriptor, probe.method.descriptor);
    const unsigned return_kind = kind_of(result) == 'l' ? 1 : kind_of(result) == 'a' ? 4 : 0;
    EXPECT_EQ(code.instructions[parameters.size() + 1].opcode,
              result == "V" ? op::kReturn : op::kIreturn + return_kind);
  }
}

TEST(AddedMembers, methods_of_object_are_inlined_and_not_in_stack_traces) {
  const ReadClass read(with_methods());
  for (const Member& method : read.file.methods) {
    const bool added = read.file.member_name(method) != "<init>";
    for (const char* type : {"Ljdk/internal/vm/annotation/ForceInline;", "Ljdk/internal/vm/annotation/Hidden;"}) {
      EXPECT_EQ(classfile::has_annotation(read.file, method.attributes, type), added);
    }
  }
}

TEST(AddedMembers, the_probe_class_has_every_entry_point) {
  const std::span<const std::uint8_t> bytes = embedded::probe_class();
  const ReadClass probe(ByteVector(bytes.begin(), bytes.end()));
  EXPECT_EQ(probe.file.name(), kProbeClass);
  for (const ProbeMethod& method : kProbeMethods) {
    const Member* const entry_point = probe.find(method.entry_point, method.method.descriptor);
    ASSERT_NE(entry_point, nullptr) << method.entry_point;
    EXPECT_EQ(entry_point->access & (kStatic | kPrivate), kStatic) << method.entry_point;
  }
}

TEST(AddedMembers, a_full_constant_pool_is_noticed) {
  ClassBuilder builder = class_named(kObjectClass, "");
  while (builder.count() < 65'530) builder.integer(builder.count());
  const ByteVector bytes = builder.build();
  classfile::ClassFile file = classfile::ClassFile::parse(bytes).value();
  EXPECT_FALSE(add_probe_methods(file));
  EXPECT_FALSE(add_thread_fields(file));
}

}  // namespace
}  // namespace bursar::agent
