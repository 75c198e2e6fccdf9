#include "agent/exact_probes.h"

#include <gtest/gtest.h>

#include "listing.h"

namespace bursar::agent {
namespace {

using core::CallKind;

const std::string kSetSlot1 = "n #8 call ";
const std::string kBackToNode = "n move ";
const std::string kLeave = "n leave ";
const std::string kUnwind = " " + kLeave + "athrow";
const std::string kMuted = "mute move ";

std::string entry(unsigned id) {
  const std::string number = "#" + std::to_string(id);
  return number + " enter slot =n ifne " + number + " findNode =n ";
}

// A class A whose method run() pushes what the callee takes, by opcodes, and calls it.
struct Caller {
  unsigned opcode = op::kInvokestatic;
  std::string cls, name, descriptor = "()V";
  std::vector<unsigned> pushes = {};
  unsigned access = kStatic;

  ClassBuilder build() const {
    ClassBuilder a = class_named("A");
    a.version = 49;
    CodeBuilder code;
    for (const unsigned push : pushes) code.op(push);
    code.op2(opcode, a.method_ref(cls, name, descriptor));
    if (opcode == op::kInvokeinterface || opcode == op::kInvokedynamic) code.bytes({1, 0});
    code.op(op::kReturn);
    a.method(access, "run", "()V", code);
    return a;
  }
};

struct ExactProbesTest : testing::Test {
  // Its id is the number of methods known before.
  std::string run_of(const Caller& caller) {
    id = r.methods.size();
    return r.listing(caller.build(), "run", "()V");
  }
  const core::CallSite& site() const { return r.methods[id].sites.at(0); }
  std::string body(const Caller& caller) {
    const std::string text = run_of(caller);
    EXPECT_TRUE(text.starts_with(entry(id))) << text;
    EXPECT_TRUE(text.ends_with(kLeave + "return" + kUnwind)) << text;
    const std::size_t tail = (kLeave + "return" + kUnwind).size();
    return text.substr(entry(id).size(), text.size() - entry(id).size() - tail);
  }
  void load_natives() {
    ClassBuilder n = class_named("N");
    n.method(kStatic | kNative, "fixed", "()V");
    n.method(kFinal | kNative, "on", "()V");
    n.method(kFinal | kNative, "onTwo", "(IJ)V");
    n.method(kPublic | kNative, "open", "()V");
    n.method(kPublic | kNative, "openTwo", "(IJ)V");
    r.rewrite(n);
  }

  Rewriting r;
  core::MethodId id = core::kNoMethod;
};

TEST_F(ExactProbesTest, a_method_that_cannot_throw_has_no_unwind) {
  ClassBuilder a = class_named("A");
  a.method(kStatic, "run", "()V", just_return());
  const ReadClass read(r.rewrite(a));
  const Listing listing(read, *read.find("run", "()V"));
  EXPECT_EQ(listing.text(), entry(0) + kLeave + "return");
  EXPECT_TRUE(listing.code().exceptions.empty());
}

TEST_F(ExactProbesTest, an_unknown_callee_is_relied_on_to_count_itself) {
  EXPECT_EQ(body({.cls = "B", .name = "f"}), kSetSlot1 + "B.f n #8 trusted ");
  EXPECT_EQ(site().kind, CallKind::kDirect);
  EXPECT_EQ(site().bci, 0U);
  EXPECT_TRUE(site().initialises);
  EXPECT_EQ(site().class_name, "B");
  EXPECT_EQ(site().name, "f");
  EXPECT_EQ(site().descriptor, "()V");
}

// A class whose run() calls later(), which comes behind it.
ClassBuilder calling_later() {
  ClassBuilder a = class_named("A");
  a.version = 49;
  CodeBuilder code;
  code.op2(op::kInvokestatic, a.method_ref("A", "later", "()V"));
  code.op(op::kReturn);
  a.method(kStatic, "run", "()V", code);
  return a;
}

TEST_F(ExactProbesTest, a_callee_of_the_same_class_is_trusted_to_count_itself) {
  ClassBuilder a = calling_later();
  a.method(kStatic, "later", "()V", just_return());
  EXPECT_EQ(r.listing(a, "run", "()V"), entry(0) + kSetSlot1 + "A.later " + kLeave + "return" + kUnwind);
}

TEST_F(ExactProbesTest, no_callee_is_trusted_in_a_class_of_which_a_method_gets_no_probe) {
  const std::string checking = kSetSlot1 + "A.later n #8 called " + kLeave + "return" + kUnwind;
  ClassBuilder full = calling_later();
  CodeBuilder no_room_for_locals = just_return();
  no_room_for_locals.max_locals = 65535;
  full.method(kStatic, "later", "()V", no_room_for_locals);
  EXPECT_EQ(r.listing(full, "run", "()V"), entry(0) + checking);
  EXPECT_EQ(r.methods.size(), 2U) << "the second attempt uses the ids of the first";

  ClassBuilder finalized = calling_later();
  finalized.method(kStatic, "later", "()V", just_return());
  finalized.method(kPublic, "finalize", "()V", just_return());
  EXPECT_EQ(r.listing(finalized, "run", "()V"), entry(2) + checking);
}

TEST_F(ExactProbesTest, a_callee_of_the_same_name_in_a_superclass_is_not_trusted) {
  ClassBuilder super = class_named("Super");
  super.method(kStatic, "later", "()V", just_return());
  r.registry.add(*classfile::ClassFile::parse(super.build()));
  ClassBuilder a = calling_later();
  a.super_name = "Super";
  EXPECT_EQ(r.listing(a, "run", "()V"), entry(0) + kSetSlot1 + "A.later n #8 called " + kLeave + "return" + kUnwind);
}

TEST_F(ExactProbesTest, a_callee_that_counts_itself_is_left_to_it) {
  ClassBuilder b = class_named("B");
  b.method(kStatic, "f", "()V", just_return());
  b.method(kPublic, "open", "()V", just_return());
  b.method(kFinal, "closed", "()V", just_return());
  r.rewrite(b);
  EXPECT_EQ(body({.cls = "B", .name = "f"}), kSetSlot1 + "B.f ");
  const std::vector<unsigned> null = {op::kAconstNull};
  EXPECT_EQ(body({op::kInvokevirtual, "B", "closed", "()V", null}), "null " + kSetSlot1 + "B.closed ");
  EXPECT_EQ(site().kind, CallKind::kDirect);
  EXPECT_EQ(body({op::kInvokespecial, "B", "open", "()V", null}), "null " + kSetSlot1 + "B.open ");
  EXPECT_EQ(site().kind, CallKind::kDirect);
  EXPECT_FALSE(site().initialises);
}

TEST_F(ExactProbesTest, an_unknown_callee_of_the_class_library_is_looked_at_behind_the_call) {
  const std::vector<unsigned> null = {op::kAconstNull};
  EXPECT_EQ(body({.cls = "java/B", .name = "f"}), kSetSlot1 + "java/B.f n #8 called ");
  EXPECT_EQ(body({op::kInvokevirtual, "java/B", "f", "()V", null}),
            "null " + kSetSlot1 + "java/B.f n #8 calledProbed ");
  EXPECT_EQ(body({op::kInvokespecial, "java/B", "<init>", "()V", null}),
            "null " + kSetSlot1 + "java/B.<init> n #8 calledProbed ")
      << "no constructor is native";
}

TEST_F(ExactProbesTest, a_callee_that_may_be_overridden_is_relied_on_to_count_itself) {
  ClassBuilder b = class_named("B");
  b.method(kPublic, "open", "()V", just_return());
  b.method(kFinal, "closed", "()V", just_return());
  r.rewrite(b);
  const std::vector<unsigned> null = {op::kAconstNull};
  EXPECT_EQ(body({op::kInvokevirtual, "B", "open", "()V", null}), "null " + kSetSlot1 + "B.open n #8 trusted ");
  EXPECT_EQ(site().kind, CallKind::kVirtual);
  EXPECT_EQ(body({op::kInvokeinterface, "B", "closed", "()V", null}), "null " + kSetSlot1 + "B.closed n #8 trusted ");
  EXPECT_EQ(site().kind, CallKind::kVirtual);
  EXPECT_EQ(body({op::kInvokespecial, "Unknown", "<init>", "()V", null}),
            "null " + kSetSlot1 + "Unknown.<init> n #8 trusted ");
  load_natives();
  EXPECT_EQ(body({op::kInvokeinterface, "B", "fixed", "()V", null}), "null " + kSetSlot1 + "B.fixed n #8 trusted ")
      << "the native of that name is static";
}

TEST_F(ExactProbesTest, a_native_method_is_entered_at_its_call_site) {
  load_natives();
  EXPECT_EQ(body({.cls = "N", .name = "fixed"}), "n #8 callUnprobed N.fixed " + kBackToNode);
  EXPECT_EQ(site().kind, CallKind::kDirect);
}

TEST_F(ExactProbesTest, the_constructor_of_object_is_counted_in_the_slot) {
  ClassBuilder object = class_named("java/lang/Object", "");
  object.method(kPublic, "<init>", "()V", just_return());
  r.rewrite(object);
  const Caller caller = {op::kInvokespecial, "java/lang/Object", "<init>", "()V", {op::kAconstNull}};
  const std::string text = run_of(caller);
  id = 1;  // 0 is that constructor
  EXPECT_EQ(text, entry(id) + "null n #8 count java/lang/Object.<init> " + kLeave + "return" + kUnwind);
  ASSERT_NE(site().callee, core::kNoMethod);
  EXPECT_EQ(r.methods[site().callee].name, "<init>");
}

TEST_F(ExactProbesTest, a_native_method_of_an_object_is_entered_unless_there_is_none) {
  load_natives();
  EXPECT_EQ(body({op::kInvokevirtual, "N", "on", "()V", {op::kAconstNull}}),
            "null dup n #8 callUnprobedOn N.on " + kBackToNode);
}

TEST_F(ExactProbesTest, a_native_method_of_this_is_entered) {
  load_natives();
  EXPECT_EQ(body({op::kInvokevirtual, "N", "on", "()V", {op::kAload0}, kPublic}),
            "load 0 n #8 callUnprobed N.on " + kBackToNode);
  EXPECT_EQ(body({op::kInvokevirtual, "N", "onTwo", "(IJ)V", {op::kAload0, op::kIconst0, op::kLconst0}, kPublic}),
            "load 0 #0 0L n #8 callUnprobed N.onTwo " + kBackToNode);
}

TEST_F(ExactProbesTest, a_receiver_below_arguments_that_may_be_null_is_looked_at_behind_the_call) {
  load_natives();
  const std::string checked = kSetSlot1 + "N.onTwo n #8 called ";
  EXPECT_EQ(body({op::kInvokevirtual, "N", "onTwo", "(IJ)V", {op::kAconstNull, op::kIconst0, op::kLconst0}}),
            "null #0 0L " + checked);
  // Not `this` in a static method, nor once something was stored there.
  EXPECT_EQ(body({op::kInvokevirtual, "N", "onTwo", "(IJ)V", {op::kAload0, op::kIconst0, op::kLconst0}}),
            "load 0 #0 0L " + checked);
  EXPECT_EQ(body({op::kInvokevirtual,
                  "N",
                  "onTwo",
                  "(IJ)V",
                  {op::kAconstNull, op::kAload0 + 0x21, op::kAload0, op::kIconst0, op::kLconst0},
                  kPublic}),
            "null store 0 load 0 #0 0L " + checked);
}

TEST_F(ExactProbesTest, where_native_methods_may_be_called_the_receiver_decides) {
  load_natives();
  const std::string behind = "n #8 calledAny " + kBackToNode;
  EXPECT_EQ(body({op::kInvokevirtual, "N", "open", "()V", {op::kAconstNull}}),
            "null dup n #8 callVirtual N.open " + behind);
  EXPECT_EQ(site().kind, CallKind::kVirtual);
  EXPECT_EQ(body({op::kInvokeinterface, "Unknown", "open", "()V", {op::kAconstNull}}),
            "null dup n #8 callVirtual Unknown.open " + behind);
  // The arguments above it wait in locals that are set at entry, as all are.
  const std::string text =
      run_of({op::kInvokevirtual, "N", "openTwo", "(IJ)V", {op::kAconstNull, op::kIconst0, op::kLconst0}});
  EXPECT_EQ(text, "#0 =s 0L store 11 " + entry(id) +
                      "null #0 0L store 11 =s dup n #8 callVirtual s load 11 N.openTwo " + behind + kLeave + "return" +
                      kUnwind);
}

TEST_F(ExactProbesTest, natives_of_object_are_looked_at_behind_the_call) {
  ClassBuilder object = class_named("java/lang/Object", "");
  object.method(kPublic | kNative, "hashCode", "()V");
  r.rewrite(object);
  EXPECT_EQ(body({op::kInvokevirtual, "B", "hashCode", "()V", {op::kAconstNull}}),
            "null " + kSetSlot1 + "B.hashCode n #8 called ");
}

TEST_F(ExactProbesTest, a_thrower_in_disguise_is_entered_before_its_class_is_known) {
  EXPECT_EQ(body({op::kInvokevirtual, "jdk/internal/misc/Unsafe", "throwException", "()V", {op::kAconstNull}}),
            "null n #8 callUnprobed jdk/internal/misc/Unsafe.throwException " + kBackToNode);
}

TEST_F(ExactProbesTest, polymorphic_calls_are_looked_at_behind_the_call) {
  for (const auto& [cls, name] : {std::pair("java/lang/invoke/MethodHandle", "invokeExact"),
                                  std::pair("java/lang/invoke/MethodHandle", "invokeBasic"),
                                  std::pair("java/lang/invoke/VarHandle", "getAndSet")}) {
    body({op::kInvokevirtual, cls, name, "()V", {op::kAconstNull}});
    EXPECT_EQ(site().kind, CallKind::kDynamic) << name;
    EXPECT_EQ(site().class_name, "") << name;
  }
}

TEST_F(ExactProbesTest, a_method_handle_s_linker_keeps_its_last_argument) {
  const std::string mh = "java/lang/invoke/MethodHandle";
  EXPECT_EQ(body({op::kInvokestatic,
                  mh,
                  "linkToStatic",
                  "(ILjava/lang/invoke/MemberName;)V",
                  {op::kIconst0, op::kAconstNull}}),
            "#0 null dup link " + kSetSlot1 + mh + ".linkToStatic n #8 calledAny ");
  EXPECT_EQ(site().kind, CallKind::kLinkTo);
  EXPECT_EQ(site().descriptor, "(ILjava/lang/invoke/MemberName;)V");
}

TEST_F(ExactProbesTest, every_call_site_has_its_slot) {
  ClassBuilder a = class_named("A");
  CodeBuilder code;
  for (int i = 0; i < 3; ++i) {
    code.op(op::kNop);
    code.op2(op::kInvokestatic, a.method_ref("B", "f", "()V"));
  }
  code.op(op::kReturn);
  a.method(kStatic, "run", "()V", code);
  EXPECT_EQ(r.listing(a, "run", "()V"), entry(0) + "nop n #8 call B.f n #8 trusted " +
                                            "nop n #24 call B.f n #24 trusted " + "nop n #40 call B.f n #40 trusted " +
                                            kLeave + "return" + kUnwind);
  ASSERT_EQ(r.methods[0].sites.size(), 3U);
  EXPECT_EQ(r.methods[0].sites[2].bci, 9U);
}

TEST_F(ExactProbesTest, an_exception_that_arrives_puts_the_cursor_back) {
  ClassBuilder a = class_named("A");
  a.version = 49;
  CodeBuilder code;
  const auto start = code.here();
  code.op2(op::kInvokestatic, a.method_ref("B", "f", "()V"));
  const auto end = code.here();
  code.op(op::kReturn);
  const auto handler = code.here();
  code.op(op::kPop);
  code.op(op::kReturn);
  code.catches(start, end, handler);
  a.method(kStatic, "run", "()V", code);
  const ReadClass read(r.rewrite(a));
  const Listing listing(read, *read.find("run", "()V"));
  EXPECT_EQ(listing.text(), entry(0) + kSetSlot1 + "B.f n #8 trusted " + kLeave + "return " + kBackToNode + "pop " +
                                kLeave + "return" + kUnwind);
  ASSERT_EQ(listing.code().exceptions.size(), 2U);
  EXPECT_EQ(listing.code().exceptions[1].catch_type, 0U);
  EXPECT_EQ(listing.code().exceptions[1].handler, listing.code().instructions.size() - 3);
}

TEST_F(ExactProbesTest, a_handler_that_covers_itself_stays_as_it_is) {
  ClassBuilder a = class_named("A");
  a.version = 49;
  CodeBuilder code;
  const auto start = code.here();
  code.op2(op::kInvokestatic, a.method_ref("B", "f", "()V"));
  const auto end = code.here();
  code.op(op::kReturn);
  const auto handler = code.here();
  code.op(op::kPop);
  const auto handler_end = code.here();
  code.op(op::kReturn);
  code.catches(start, end, handler);
  code.catches(handler, handler_end, handler);
  a.method(kStatic, "run", "()V", code);
  EXPECT_EQ(r.listing(a, "run", "()V"),
            entry(0) + kSetSlot1 + "B.f n #8 trusted " + kLeave + "return pop " + kLeave + "return" + kUnwind);
}

TEST_F(ExactProbesTest, inside_a_method_that_the_jit_replaces_nothing_is_seen_but_the_way_to_a_throw) {
  ClassBuilder a = class_named("A");
  a.version = 49;
  CodeBuilder code;
  const auto fine = code.label();
  code.op2(op::kInvokestatic, a.method_ref("B", "f", "()V"));
  code.op(op::kIconst0);
  code.jump(op::kIfeq, fine);
  code.op2(op::kInvokestatic, a.method_ref("B", "g", "()V"));
  code.op(op::kAconstNull);
  code.op(op::kAthrow);
  code.bind(fine);
  code.op2(op::kInvokestatic, a.method_ref("B", "h", "()V"));
  code.op(op::kReturn);
  intrinsic(a, kStatic, "run", "()V", code);
  const std::string expected = entry(0) + kMuted + "B.f " + kBackToNode + "#0 ifeq " +
                               "n #24 call B.g n #24 trusted null athrow " + kMuted + "B.h " + kBackToNode + kLeave +
                               "return" + kUnwind;
  EXPECT_EQ(r.listing(a, "run", "()V"), expected);
  // A hidden class has no such methods: its name is not to be trusted.
  a.name = "H";
  EXPECT_EQ(r.listing(a, "run", "()V", true).find("mute"), std::string::npos);
}

TEST_F(ExactProbesTest, a_replaced_callee_is_looked_at_behind_the_call) {
  ClassBuilder b = class_named("B");
  intrinsic(b, kStatic, "f", "()V", just_return());
  r.rewrite(b);
  EXPECT_EQ(body({.cls = "B", .name = "f"}), kSetSlot1 + "B.f n #8 called ");
}

TEST_F(ExactProbesTest, what_the_vm_calls_because_of_us_is_invisible) {
  ClassBuilder modules = class_named("jdk/internal/module/Modules");
  CodeBuilder code;
  code.op2(op::kInvokestatic, modules.method_ref("B", "f", "()V"));
  code.op(op::kReturn);
  constexpr const char* kDescriptor = "(Ljava/lang/Module;)V";
  modules.method(kStatic, "transformedByAgent", kDescriptor, code);
  EXPECT_EQ(r.listing(modules, "transformedByAgent", kDescriptor),
            "slot =s mute =n " + kBackToNode + "load 0 rewrittenModule store 0 " + kMuted + "B.f " + kBackToNode +
                "s move return s move athrow");
}

TEST_F(ExactProbesTest, hidden_classes_are_taken_on_their_way_to_the_vm) {
  constexpr std::string_view kDescriptor =
      "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BLjava/security/ProtectionDomain;ZILjava/lang/"
      "Object;)Ljava/lang/Class;";
  CodeBuilder code;
  code.max_locals = 9;
  code.op(op::kAconstNull);
  code.op(op::kReturn - 1);
  ClassBuilder access = class_named("java/lang/System$2");
  access.method(kPublic, "defineClass", kDescriptor, code);
  const std::string plain = r.listing(access, "defineClass", kDescriptor);
  EXPECT_TRUE(plain.starts_with("#0 enter")) << plain;
  access.interfaces = {"java/lang/Runnable", "jdk/internal/access/JavaLangAccess"};
  EXPECT_EQ(r.listing(access, "defineClass", kDescriptor),
            "load 4 load 7 hiddenClass store 4 " + entry(1) + "null " + kLeave + "areturn");
}

TEST_F(ExactProbesTest, reflection_leaves_out_what_the_agent_added) {
  ClassBuilder reflection = class_named("jdk/internal/reflect/Reflection");
  CodeBuilder code;
  code.op(op::kAload0 + 1);
  code.op(op::kReturn - 1);
  constexpr const char* kFields = "(Ljava/lang/Class;[Ljava/lang/reflect/Field;)[Ljava/lang/reflect/Field;";
  constexpr const char* kMethods = "(Ljava/lang/Class;[Ljava/lang/reflect/Method;)[Ljava/lang/reflect/Method;";
  reflection.method(kStatic, "filterFields", kFields, code);
  reflection.method(kStatic, "filterMethods", kMethods, code);
  reflection.method(kStatic, "filter", kMethods, code);
  const ReadClass read(r.rewrite(reflection));
  const auto listing = [&](std::string_view name, std::string_view descriptor) {
    return Listing(read, *read.find(name, descriptor)).text();
  };
  EXPECT_TRUE(listing("filterFields", kFields).starts_with("load 1 load 0 visibleFields store 1 #"));
  EXPECT_TRUE(listing("filterMethods", kMethods).starts_with("load 1 load 0 visibleMethods store 1 #"));
  EXPECT_TRUE(listing("filter", kMethods).starts_with("#"));
}

TEST(ExactProbes, an_excluded_callee_is_left_to_itself) {
  Rewriting r{Filter({}, {"B"})};
  ClassBuilder b = class_named("B");
  b.method(kStatic, "f", "()V", just_return());
  b.method(kStatic | kNative, "g", "()V");
  EXPECT_TRUE(r.rewrite(b).empty());
  for (const char* name : {"f", "g"}) {
    const std::string text = r.listing(Caller{.cls = "B", .name = name}.build(), "run", "()V");
    EXPECT_NE(text.find(kSetSlot1 + "B." + name + " " + kLeave + "return"), std::string::npos) << text;
  }
}

TEST(ExactProbes, ids_of_a_class_that_was_seen_before_are_used_again) {
  core::MethodTable methods;
  const Filter filter;
  ClassRegistry registry(methods, filter);
  ClassBuilder builder = class_named("A");
  builder.method(kStatic, "f", "()V", just_return());
  builder.method(kStatic, "g", "()V", just_return());
  const ByteVector bytes = builder.build();
  std::vector<core::MethodId> ids;
  const auto rewritten = [&] {
    ExactProbes probes(methods, registry, ids, false, false);
    return classfile::rewrite(bytes, probes).value().bytes;
  };
  const ByteVector first = rewritten();
  EXPECT_EQ(ids, (std::vector<core::MethodId>{0, 1}));
  EXPECT_EQ(rewritten(), first);
  EXPECT_EQ(ids, (std::vector<core::MethodId>{0, 1}));
  EXPECT_EQ(methods.size(), 2U);
}

}  // namespace
}  // namespace bursar::agent
