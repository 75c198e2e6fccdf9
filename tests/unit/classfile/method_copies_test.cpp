#include "classfile/method_copies.h"

#include <gtest/gtest.h>

#include "class_builder.h"
#include "class_rewrite_check.h"
#include "classfile/two_bodies.h"

namespace bursar::classfile {
namespace {

constexpr unsigned kPublic = 0x0001, kStatic = 0x0008, kNative = 0x0100, kAbstract = 0x0400;

// Counts entries, and lets every call lead to a copy.
class Redirecting : public Instrumentation {
 public:
  bool begin(const MethodView&) override { return wants; }
  void emit(const ProbePoint& point, Snippet& snippet) override {
    if (point.kind == ProbeKind::kEntry) snippet.invoke_static("P", "p", "()V");
  }
  bool redirects(std::uint32_t) override { return true; }
  void end(bool) override {}

  bool wants = true;
};

TEST(MethodCopies, have_a_descriptor_that_leads_back) {
  EXPECT_EQ(descriptor_of_copy("(I)V"), "(I[[[[[[[Z)V");
  EXPECT_EQ(descriptor_of_original("(I[[[[[[[Z)V"), "(I)V");
  EXPECT_EQ(descriptor_of_original(descriptor_of_copy("()Ljava/lang/String;")), "()Ljava/lang/String;");
  EXPECT_FALSE(descriptor_of_original("(I)V"));
  EXPECT_FALSE(descriptor_of_original("([Z)V"));
}

struct MethodCopy : testing::Test {
  // The copy of the class's only method, read from a class that was written.
  void copy(ClassBuilder& builder) {
    original = builder.build();
    ClassFile first = ClassFile::parse(original).value();
    auto copy = copy_of(first, first.methods.at(0), instrumentation, {}, counts);
    ASSERT_TRUE(copy);
    first.methods.push_back(copy->member);
    written = first.write();
    file = ClassFile::parse(written).value();
  }
  const Member& copied() const { return file.methods.at(1); }
  CodeAttribute code() const {
    const int at = file.code_attribute(copied());
    return CodeAttribute::parse(copied().attributes.at(static_cast<std::size_t>(at)).data, file.pool).value();
  }
  std::string callee(std::uint32_t pc) const {
    const base::Bytes bytes = code().instructions.code();
    const auto ref = file.pool.member_ref(static_cast<std::uint32_t>(bytes[pc + 1] << 8 | bytes[pc + 2]));
    return std::string(ref->class_name) + "." + std::string(ref->name) + std::string(ref->descriptor);
  }

  Redirecting instrumentation;
  RewriteCounts counts;
  ByteVector original, written;
  ClassFile file;
};

TEST_F(MethodCopy, of_an_abstract_method_calls_it_where_that_is_wanted) {
  constexpr unsigned kInterface = 0x0200;
  ClassBuilder builder;
  builder.name = "A";
  builder.version = 61;
  builder.access = kPublic | kInterface | kAbstract;
  builder.method(kPublic | kAbstract, "get", "(IJ)Ljava/lang/String;");
  original = builder.build();
  ClassFile first = ClassFile::parse(original).value();
  EXPECT_TRUE(may_forward_abstract_copies(first));
  auto copy = copy_of(first, first.methods.at(0), instrumentation, {}, counts, AbstractCopies::kForward);
  ASSERT_TRUE(copy);
  first.methods.push_back(copy->member);
  written = first.write();
  file = ClassFile::parse(written).value();
  EXPECT_EQ(copied().access & kAbstract, 0u);
  // aload 0, iload 1, lload 2
  EXPECT_EQ(callee(6), "A.get(IJ)Ljava/lang/String;");
  const base::Bytes bytes = code().instructions.code();
  EXPECT_EQ(bytes[6], op::kInvokeinterface);
  EXPECT_EQ(bytes[9], 4u) << "slots of the arguments";
}

TEST(MethodCopies, forward_only_in_interfaces_that_have_nothing_to_initialise) {
  constexpr unsigned kInterface = 0x0200;
  const auto may_forward = [](unsigned access, std::uint16_t version, bool initialises) {
    ClassBuilder builder;
    builder.name = "A";
    builder.version = version;
    builder.access = access;
    CodeBuilder body;
    body.op(op::kReturn);
    if (initialises) builder.method(kStatic, "<clinit>", "()V", body);
    const ByteVector bytes = builder.build();
    return may_forward_abstract_copies(ClassFile::parse(bytes).value());
  };
  EXPECT_TRUE(may_forward(kPublic | kInterface | kAbstract, 61, false));
  EXPECT_FALSE(may_forward(kPublic | kInterface | kAbstract, 61, true));
  EXPECT_FALSE(may_forward(kPublic | kInterface | kAbstract, 51, false)) << "no code in such interfaces";
  EXPECT_FALSE(may_forward(kPublic | kAbstract, 61, false));
}

TEST_F(MethodCopy, calls_copies_with_one_argument_more) {
  ClassBuilder builder;
  builder.name = "A";
  CodeBuilder body;
  body.op(op::kIconst0);
  body.op2(op::kInvokestatic, builder.method_ref("B", "f", "(I)V"));
  body.op(op::kReturn);
  builder.method(kPublic | kStatic, "run", "()V", body);
  copy(builder);
  EXPECT_EQ(file.member_name(copied()), "run");
  EXPECT_EQ(file.member_descriptor(copied()), "([[[[[[[Z)V");
  const CodeAttribute edited = code();
  // The probe, iconst_0, aconst_null, the call, return.
  ASSERT_EQ(edited.instructions.size(), 5U);
  EXPECT_EQ(edited.instructions[2].opcode, op::kAconstNull);
  EXPECT_EQ(callee(edited.instructions[3].pc), "B.f(I[[[[[[[Z)V");
  EXPECT_GE(edited.max_stack, 2U);
  EXPECT_EQ(counts.rewritten, 1U);
}

TEST_F(MethodCopy, of_an_interface_call_passes_one_slot_more) {
  ClassBuilder builder;
  builder.name = "A";
  CodeBuilder body;
  body.op(op::kAload0);
  body.op2(op::kInvokeinterface, builder.member(11, "I", "f", "()V"));
  body.bytes({1, 0});
  body.op(op::kReturn);
  builder.method(kPublic | kStatic, "run", "(LI;)V", body);
  copy(builder);
  const CodeAttribute edited = code();
  const std::uint32_t pc = edited.instructions[3].pc;
  EXPECT_EQ(edited.instructions[3].opcode, op::kInvokeinterface);
  EXPECT_EQ(callee(pc), "I.f([[[[[[[Z)V");
  EXPECT_EQ(edited.instructions.code()[pc + 3], 2U);
}

TEST_F(MethodCopy, of_an_abstract_method_is_abstract) {
  ClassBuilder builder;
  builder.name = "A";
  builder.method(kPublic | kAbstract, "f", "()V", std::vector<NamedBytes>{});
  copy(builder);
  EXPECT_NE(copied().access & kAbstract, 0);
  EXPECT_EQ(file.code_attribute(copied()), -1);
}

TEST_F(MethodCopy, of_a_native_method_calls_it) {
  ClassBuilder builder;
  builder.name = "A";
  builder.method(kPublic | kNative, "f", "(IJ)D", std::vector<NamedBytes>{});
  copy(builder);
  EXPECT_EQ(copied().access & kNative, 0);
  const CodeAttribute forward = code();
  ASSERT_EQ(forward.instructions.size(), 5U);  // this, int, long, the call, dreturn
  EXPECT_EQ(forward.instructions[3].opcode, op::kInvokespecial);
  EXPECT_EQ(callee(forward.instructions[3].pc), "A.f(IJ)D");
  EXPECT_EQ(forward.max_locals, 5U);
}

TEST_F(MethodCopy, of_what_is_not_wanted_is_the_same_code) {
  instrumentation.wants = false;
  ClassBuilder builder;
  builder.name = "A";
  CodeBuilder body;
  body.max_locals = 0;
  body.op2(op::kInvokestatic, builder.method_ref("B", "f", "()V"));
  body.op(op::kReturn);
  builder.method(kPublic | kStatic, "run", "()V", body);
  copy(builder);
  EXPECT_EQ(callee(0), "B.f()V");
  EXPECT_EQ(code().max_locals, 1U) << "room for the argument";
}

TEST_F(MethodCopy, of_two_bodies_passes_their_frames_on) {
  ClassBuilder builder;
  builder.name = "A";
  CodeBuilder body;
  body.op(op::kReturn);
  builder.method(kPublic | kStatic, "run", "()V", body);
  original = builder.build();
  ClassFile first = ClassFile::parse(original).value();
  const int at = first.code_attribute(first.methods[0]);
  Attribute& attribute = first.methods[0].attributes.at(static_cast<std::size_t>(at));
  const auto both = two_bodies(first, first.methods[0], {.class_name = "C", .name = "choose", .argument = 70'000},
                               attribute.data, attribute.data);
  ASSERT_TRUE(both);
  attribute.data = first.keep(*both);
  written = first.write();
  file = ClassFile::parse(written).value();
  const auto read = CodeAttribute::parse(file.methods[0].attributes.at(static_cast<std::size_t>(at)).data, file.pool);
  ASSERT_TRUE(read.ok());
  const Instructions& code = read->instructions;
  // nop, nop, ldc_w, invokestatic, ifeq, goto_w, return, nop × 3, return
  ASSERT_EQ(code.size(), 11U);
  EXPECT_EQ(code[4].opcode, op::kIfeq);
  EXPECT_EQ(code[code[4].target].pc, kFirstBody);
  EXPECT_EQ(code[code[5].target].pc, kFirstBody + 1) << "where nothing is done up to the second body";
  EXPECT_EQ(code[10].pc % 4, 0U);
}

}  // namespace
}  // namespace bursar::classfile
