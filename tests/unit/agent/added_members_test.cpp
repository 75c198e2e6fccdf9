#include "agent/added_members.h"

#include <gtest/gtest.h>

#include "agent/embedded_classes.h"
#include "built_class.h"
#include "classfile/annotations.h"

namespace bursar::agent {
namespace {

using classfile::CodeAttribute;
using classfile::Member;

constexpr unsigned kSynthetic = 0x1000, kTransient = 0x0080, kVarargs = 0x0080;

ByteVector with_methods(bool traced) {
  ClassBuilder builder = class_named(kObjectClass, "");
  builder.method(kPublic, "<init>", "()V", just_return());
  const ByteVector bytes = builder.build();
  classfile::ClassFile file = classfile::ClassFile::parse(bytes).value();
  EXPECT_TRUE(add_probe_methods(file, traced));
  return file.write();
}

ReadClass probe_class() {
  const std::span<const std::uint8_t> bytes = embedded::probe_class();
  return ReadClass(ByteVector(bytes.begin(), bytes.end()));
}

TEST(AddedMembers, thread_gets_its_fields) {
  ClassBuilder builder = class_named(kThreadClass);
  builder.field(kPrivate, "name", "Ljava/lang/String;");
  const ByteVector bytes = builder.build();
  classfile::ClassFile file = classfile::ClassFile::parse(bytes).value();
  ASSERT_TRUE(add_thread_fields(file));
  const ReadClass read(file.write());
  ASSERT_EQ(read.file.fields.size(), 8U);
  EXPECT_EQ(read.file.member_name(read.file.fields[0]), "name");
  EXPECT_EQ(read.file.member_name(read.file.fields[1]), "bursarSlot");
  EXPECT_EQ(read.file.member_descriptor(read.file.fields[1]), "J");
  EXPECT_EQ(read.file.member_name(read.file.fields[2]), "bursarTree");
  EXPECT_EQ(read.file.member_descriptor(read.file.fields[2]), "J");
  EXPECT_EQ(read.file.member_name(read.file.fields[3]), "bursarMember");
  EXPECT_EQ(read.file.member_descriptor(read.file.fields[3]), "Ljava/lang/Object;");
  EXPECT_EQ(read.file.member_name(read.file.fields[4]), "bursarLog");
  EXPECT_EQ(read.file.member_descriptor(read.file.fields[4]), "J");
  EXPECT_EQ(read.file.member_name(read.file.fields[5]), "bursarCountdown");
  EXPECT_EQ(read.file.member_name(read.file.fields[6]), "bursarLeft");
  EXPECT_EQ(read.file.member_name(read.file.fields[7]), "bursarInto");
  for (const std::size_t i : {1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
    // Not private: BursarProbe uses them.
    EXPECT_EQ(read.file.fields[i].access, kSynthetic | kTransient);
    EXPECT_TRUE(read.file.fields[i].attributes.empty());
  }
}

void expect_copies(bool traced) {
  const ReadClass read(with_methods(traced));
  const ReadClass probes = probe_class();
  EXPECT_EQ(probes.file.name(), kProbeClass);
  ASSERT_EQ(read.file.methods.size(), 1 + kProbeMethods.size());
  for (const ProbeMethod& probe : kProbeMethods) {
    SCOPED_TRACE(probe.method.name);
    const Member* const original = probes.find(traced ? probe.traced : probe.original, probe.method.descriptor);
    const Member* const method = read.find(probe.method.name, probe.method.descriptor);
    ASSERT_NE(original, nullptr);
    ASSERT_NE(method, nullptr);
    EXPECT_EQ(method->access, kPublic | kStatic | kSynthetic | (original->access & kVarargs));
    const CodeAttribute code = read.code_of(*method), original_code = probes.code_of(*original);
    ASSERT_EQ(code.instructions.size(), original_code.instructions.size());
    for (std::size_t i = 0; i < code.instructions.size(); ++i) {
      EXPECT_EQ(code.instructions[i].opcode, original_code.instructions[i].opcode);
    }
  }
}

TEST(AddedMembers, object_gets_a_copy_of_every_probe) {
  expect_copies(false);
}

TEST(AddedMembers, object_gets_copies_that_make_notes_in_mode_trace) {
  expect_copies(true);
}

// Object's methods reach fields and natives of BursarProbe: nothing there may be private.
TEST(AddedMembers, copies_may_use_all_of_the_probe_class) {
  const ReadClass probes = probe_class();
  const auto is_open = [&](const Member& member) {
    return (member.access & kPrivate) == 0 || member.attributes.size() == 1;  // a constant: its value was copied
  };
  for (const Member& field : probes.file.fields) {
    EXPECT_TRUE(is_open(field)) << probes.file.member_name(field);
  }
  for (const Member& method : probes.file.methods) {
    if (probes.file.member_name(method) == "<init>") continue;
    EXPECT_EQ(method.access & kPrivate, 0U) << probes.file.member_name(method);
  }
}

TEST(AddedMembers, copies_are_inlined_as_their_originals_and_not_in_stack_traces) {
  const ReadClass read(with_methods(false));
  const ReadClass probes = probe_class();
  for (const ProbeMethod& probe : kProbeMethods) {
    SCOPED_TRACE(probe.method.name);
    const Member* const original = probes.find(probe.original, probe.method.descriptor);
    const Member* const method = read.find(probe.method.name, probe.method.descriptor);
    constexpr const char* kForceInline = "Ljdk/internal/vm/annotation/ForceInline;";
    EXPECT_EQ(classfile::has_annotation(read.file, method->attributes, kForceInline),
              classfile::has_annotation(probes.file, original->attributes, kForceInline));
    EXPECT_TRUE(classfile::has_annotation(read.file, method->attributes, "Ljdk/internal/vm/annotation/Hidden;"));
  }
}

TEST(AddedMembers, a_full_constant_pool_is_noticed) {
  ClassBuilder builder = class_named(kObjectClass, "");
  while (builder.count() < 65'530) builder.integer(builder.count());
  const ByteVector bytes = builder.build();
  classfile::ClassFile file = classfile::ClassFile::parse(bytes).value();
  EXPECT_FALSE(add_probe_methods(file, false));
  EXPECT_FALSE(add_thread_fields(file));
}

}  // namespace
}  // namespace bursar::agent
