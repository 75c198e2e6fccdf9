#include "agent/class_registry.h"

#include <gtest/gtest.h>

#include "built_class.h"

namespace bursar::agent {
namespace {

using core::CallKind;
using Counting = ClassRegistry::Counting;

struct Registry {
  explicit Registry(Filter with = {}) : filter(std::move(with)), registry(methods, filter) {}

  void add(ClassBuilder builder) {
    const ByteVector bytes = builder.build();
    registry.add(classfile::ClassFile::parse(bytes).value());
  }
  Counting counting(std::string_view cls, std::string_view name, std::string_view descriptor = "()V") {
    return registry.target(cls, name, descriptor).counting;
  }
  bool only_one(std::string_view cls, std::string_view name, std::string_view descriptor = "()V") {
    return registry.target(cls, name, descriptor).only_one;
  }
  // Class.name and descriptor of what a call site called; nothing if it is not to be counted.
  std::string uncounted(CallKind kind, std::string cls, std::string name, std::string descriptor = "()V",
                        std::string_view member_class = "", std::string_view member_name = "") {
    return named(registry.uncounted(
        {.kind = kind, .class_name = std::move(cls), .name = std::move(name), .descriptor = std::move(descriptor)},
        member_class, member_name));
  }
  std::string native_behind(CallKind kind, std::string cls, std::string name) {
    return named(registry.native_behind(
        {.kind = kind, .class_name = std::move(cls), .name = std::move(name), .descriptor = "()V"}));
  }
  std::string named(core::MethodId id) const {
    if (id == core::kNoMethod) return "";
    const core::Method& method = methods[id];
    return method.class_name + "." + method.name + method.descriptor;
  }
  core::MethodId probed(std::string cls, std::string name, std::string descriptor = "()V") {
    const core::MethodId id = methods.add({.class_name = cls, .name = name, .descriptor = descriptor});
    registry.set_probed(cls, name, descriptor, id);
    return id;
  }

  core::MethodTable methods;
  Filter filter;
  ClassRegistry registry;
};

ClassBuilder object_class() {
  ClassBuilder object = class_named("java/lang/Object", "");
  object.method(kPublic, "toString", "()V", just_return());
  object.method(kPublic | kNative, "hashCode", "()V");
  object.method(kPublic | kNative, "clone", "()V");
  return object;
}

ClassBuilder with_method(std::string name, unsigned access, std::string_view method) {
  ClassBuilder builder = class_named(std::move(name));
  builder.method(access, method, "()V", just_return());
  return builder;
}

TEST(ClassRegistry, what_was_not_loaded_is_unknown) {
  Registry r;
  EXPECT_EQ(r.counting("A", "run"), Counting::kUnknown);
  r.add(class_named("A", "NotLoaded"));
  EXPECT_EQ(r.counting("A", "run"), Counting::kUnknown);
  EXPECT_EQ(r.uncounted(CallKind::kDirect, "A", "run"), ".[unknown callee]");
}

TEST(ClassRegistry, a_method_counts_itself_once_it_carries_a_probe) {
  Registry r;
  r.add(with_method("A", kStatic, "run"));
  EXPECT_EQ(r.counting("A", "run"), Counting::kSoon);
  r.probed("A", "run");
  EXPECT_EQ(r.counting("A", "run"), Counting::kItself);
  EXPECT_EQ(r.counting("A", "run", "(I)V"), Counting::kUnknown);
}

TEST(ClassRegistry, a_method_without_a_probe_never_counts_itself_once_its_class_is_settled) {
  Registry r;
  ClassBuilder a = with_method("A", kStatic, "run");
  a.method(kStatic, "other", "()V", just_return());
  a.method(kAbstract, "none", "()V");
  r.add(a);
  r.probed("A", "other");
  r.registry.settle("A");
  EXPECT_EQ(r.counting("A", "run"), Counting::kCaller);
  EXPECT_EQ(r.counting("A", "other"), Counting::kItself);
  EXPECT_EQ(r.counting("A", "none"), Counting::kMaybe);
  EXPECT_EQ(r.uncounted(CallKind::kDirect, "A", "run"), "A.run()V");
  r.registry.settle("NotLoaded");
}

TEST(ClassRegistry, a_native_method_never_counts_itself) {
  Registry r;
  r.add(object_class());
  EXPECT_EQ(r.counting("java/lang/Object", "hashCode"), Counting::kCaller);
  EXPECT_EQ(r.uncounted(CallKind::kDirect, "java/lang/Object", "hashCode"), "java/lang/Object.hashCode()V");
  const core::MethodId id = r.registry.native_behind(
      {.kind = CallKind::kDirect, .class_name = "java/lang/Object", .name = "hashCode", .descriptor = "()V"});
  EXPECT_EQ(r.methods[id].nature, core::MethodNature::kNative);
  EXPECT_EQ(r.methods.size(), 1U);
}

TEST(ClassRegistry, looks_in_superclasses) {
  Registry r;
  r.add(object_class());
  r.add(with_method("A", kPublic, "run"));
  r.add(class_named("B", "A"));
  r.probed("A", "run");
  EXPECT_EQ(r.counting("B", "run"), Counting::kItself);
  EXPECT_EQ(r.counting("B", "hashCode"), Counting::kCaller);
  EXPECT_EQ(r.uncounted(CallKind::kDirect, "B", "hashCode"), "java/lang/Object.hashCode()V");
}

TEST(ClassRegistry, a_probe_is_noted_for_a_method_of_the_class_itself_only) {
  Registry r;
  r.add(with_method("A", kPublic, "run"));
  r.add(class_named("B", "A"));
  r.probed("B", "run");
  EXPECT_EQ(r.counting("A", "run"), Counting::kSoon);
}

TEST(ClassRegistry, looks_in_interfaces_behind_superclasses) {
  Registry r;
  r.add(object_class());
  ClassBuilder top = with_method("Top", kPublic, "deep");
  top.method(kPublic, "toString", "()V", just_return());
  ClassBuilder face = with_method("Face", kPublic, "run");
  face.interfaces = {"Top"};
  ClassBuilder a = class_named("A");
  a.interfaces = {"NotLoaded", "Face"};
  for (const ClassBuilder& builder : {top, face, a, class_named("B", "A")}) r.add(builder);
  r.probed("Face", "run");
  r.probed("Top", "deep");
  r.probed("Top", "toString");
  EXPECT_EQ(r.counting("B", "run"), Counting::kItself);
  EXPECT_EQ(r.counting("B", "deep"), Counting::kItself);
  EXPECT_EQ(r.counting("B", "toString"), Counting::kSoon);  // Object's
  EXPECT_EQ(r.counting("B", "none"), Counting::kUnknown);
}

TEST(ClassRegistry, a_cycle_of_superclasses_or_interfaces_ends) {
  Registry r;
  ClassBuilder a = class_named("A", "B");
  a.interfaces = {"A"};
  r.add(a);
  r.add(class_named("B", "A"));
  EXPECT_EQ(r.counting("A", "run"), Counting::kUnknown);
}

TEST(ClassRegistry, arrays_have_the_methods_of_object_and_nobody_overrides_them) {
  Registry r;
  r.add(object_class());
  EXPECT_EQ(r.counting("[I", "clone"), Counting::kCaller);
  EXPECT_TRUE(r.only_one("[I", "clone"));
  EXPECT_TRUE(r.only_one("[[Ljava/lang/String;", "clone"));
  EXPECT_FALSE(r.only_one("java/lang/Object", "clone"));
  EXPECT_EQ(r.uncounted(CallKind::kDirect, "[I", "clone"), "java/lang/Object.clone()V");
}

TEST(ClassRegistry, knows_what_no_class_can_override) {
  Registry r;
  ClassBuilder a = class_named("A");
  for (const unsigned access : {kStatic, kPrivate, kFinal, kPublic}) {
    a.method(access, "m" + std::to_string(access), "()V", just_return());
  }
  r.add(a);
  EXPECT_TRUE(r.only_one("A", "m" + std::to_string(kStatic)));
  EXPECT_TRUE(r.only_one("A", "m" + std::to_string(kPrivate)));
  EXPECT_TRUE(r.only_one("A", "m" + std::to_string(kFinal)));
  EXPECT_FALSE(r.only_one("A", "m" + std::to_string(kPublic)));
  ClassBuilder final_class = with_method("F", kPublic, "run");
  final_class.access = kPublic | kFinal;
  r.add(final_class);
  EXPECT_TRUE(r.only_one("F", "run"));
}

TEST(ClassRegistry, a_replaced_method_may_count_itself_or_not) {
  Registry r;
  ClassBuilder a = with_method("A", kStatic, "plain");
  intrinsic(a, kStatic, "fast", "()V", just_return());
  r.add(a);
  r.add(class_named("B", "A"));
  EXPECT_TRUE(r.registry.is_replaced("A", "fast", "()V"));
  EXPECT_FALSE(r.registry.is_replaced("A", "plain", "()V"));
  EXPECT_FALSE(r.registry.is_replaced("B", "fast", "()V"));
  const core::MethodId id = r.probed("A", "fast");
  r.registry.settle("A");
  EXPECT_EQ(r.counting("A", "fast"), Counting::kMaybe);
  // Counted at the call site or by itself, it is the same method.
  EXPECT_EQ(
      r.registry.uncounted({.kind = CallKind::kDirect, .class_name = "A", .name = "fast", .descriptor = "()V"}, "", ""),
      id);
}

TEST(ClassRegistry, the_later_class_of_a_name_answers) {
  Registry r;
  r.add(with_method("A", kStatic, "run"));
  r.probed("A", "run");
  ClassBuilder again = class_named("A");
  again.method(kStatic | kNative, "run", "()V");
  r.add(again);
  EXPECT_EQ(r.counting("A", "run"), Counting::kCaller);
}

TEST(ClassRegistry, a_virtual_call_that_nobody_counted_called_an_override_without_a_probe) {
  Registry r;
  r.add(with_method("A", kPublic, "run"));
  r.probed("A", "run");
  ClassBuilder b = class_named("B", "A");
  b.method(kPublic | kNative, "run", "()V");
  b.method(kPrivate | kNative, "hidden", "()V");
  r.add(b);
  EXPECT_EQ(r.uncounted(CallKind::kVirtual, "A", "run"), "B.run()V");
  EXPECT_EQ(r.uncounted(CallKind::kDirect, "A", "run"), "A.run()V");
  EXPECT_EQ(r.uncounted(CallKind::kVirtual, "Elsewhere", "hidden"), ".[unknown callee]");
}

TEST(ClassRegistry, an_override_that_could_not_be_rewritten_is_found_too) {
  Registry r;
  ClassBuilder face = class_named("Face");
  face.access = kInterface | kAbstract;
  face.method(kPublic | kAbstract, "run", "()V");
  r.add(face);
  EXPECT_EQ(r.uncounted(CallKind::kVirtual, "Face", "run"), "Face.run()V");
  r.add(with_method("A", kPublic, "run"));
  r.registry.settle("A");
  EXPECT_EQ(r.uncounted(CallKind::kVirtual, "Face", "run"), "A.run()V");
}

TEST(ClassRegistry, a_virtual_call_of_a_method_without_a_probe_means_that_method) {
  Registry r;
  r.add(object_class());
  ClassBuilder b = class_named("B");
  b.method(kPublic | kNative, "hashCode", "()V");
  r.add(b);
  EXPECT_EQ(r.uncounted(CallKind::kVirtual, "java/lang/Object", "hashCode"), "java/lang/Object.hashCode()V");
  EXPECT_EQ(r.uncounted(CallKind::kVirtual, "B", "hashCode"), "B.hashCode()V");
}

TEST(ClassRegistry, where_there_are_native_methods_the_receiver_tells_which) {
  Registry r;
  r.add(object_class());
  ClassBuilder b = class_named("B");
  b.method(kPublic | kNative, "run", "()V");
  b.method(kStatic | kNative, "fixed", "()V");
  intrinsic(b, kPublic, "fast", "()V", just_return());
  r.add(b);
  r.add(with_method("C", kPublic, "run"));
  r.probed("C", "run");
  r.add(class_named("D", "B"));
  EXPECT_TRUE(r.registry.needs_receiver("run", "()V"));
  EXPECT_FALSE(r.registry.needs_receiver("run", "(I)V"));
  EXPECT_FALSE(r.registry.needs_receiver("fixed", "()V"));
  EXPECT_FALSE(r.registry.needs_receiver("fast", "()V"));
  EXPECT_FALSE(r.registry.needs_receiver("hashCode", "()V"));  // Object's
  const auto for_receiver = [&](std::string_view cls) {
    return r.named(r.registry.uncounted_for({.class_name = "Face", .name = "run", .descriptor = "()V"}, cls));
  };
  EXPECT_EQ(for_receiver("B"), "B.run()V");
  EXPECT_EQ(for_receiver("D"), "B.run()V");
  EXPECT_EQ(for_receiver("C"), "");
  EXPECT_EQ(for_receiver("NotLoaded"), "");
}

TEST(ClassRegistry, a_dynamic_call_that_nobody_counted_called_something_unknown) {
  Registry r;
  EXPECT_EQ(r.uncounted(CallKind::kDynamic, "", ""), ".[unknown callee]");
  EXPECT_EQ(r.uncounted(CallKind::kDynamic, "", ""), ".[unknown callee]");
  EXPECT_EQ(r.methods.size(), 1U);
  EXPECT_EQ(r.native_behind(CallKind::kDynamic, "", ""), "");
}

TEST(ClassRegistry, a_method_handle_s_target_is_found_by_its_parameters) {
  Registry r;
  ClassBuilder a = class_named("A");
  for (const char* descriptor : {"(I)V", "(J)V", "([I)V", "(Ljava/lang/String;D)V"}) {
    a.method(kStatic | kNative, "over", descriptor);
  }
  a.method(kPublic | kNative, "on", "(ZF)V");
  a.method(kPublic | kNative, "on", "(F)V");
  r.add(a);
  const auto linked = [&](const std::string& parameters, std::string_view name) {
    return r.uncounted(CallKind::kLinkTo, "java/lang/invoke/MethodHandle", "linkToStatic",
                       "(" + parameters + "Ljava/lang/invoke/MemberName;)V", "A", name);
  };
  EXPECT_EQ(linked("I", "over"), "A.over(I)V");
  EXPECT_EQ(linked("J", "over"), "A.over(J)V");
  EXPECT_EQ(linked("Ljava/lang/Object;", "over"), "A.over([I)V");
  EXPECT_EQ(linked("Ljava/lang/Object;D", "over"), "A.over(Ljava/lang/String;D)V");
  EXPECT_EQ(linked("Ljava/lang/Object;IF", "on"), "A.on(ZF)V");
  EXPECT_EQ(linked("Ljava/lang/Object;F", "on"), "A.on(F)V");
  EXPECT_EQ(linked("I", "none"), ".[unknown callee]");
}

TEST(ClassRegistry, an_excluded_method_is_nobody_s) {
  Registry r{Filter({}, {"A.run", "N"})};
  ClassBuilder a = with_method("A", kStatic, "run");
  a.method(kStatic, "other", "()V", just_return());
  r.add(a);
  ClassBuilder n = class_named("N");
  n.method(kStatic | kNative, "quiet", "()V");
  r.add(n);
  EXPECT_EQ(r.counting("A", "run"), Counting::kNobody);
  EXPECT_EQ(r.counting("A", "other"), Counting::kSoon);
  EXPECT_EQ(r.counting("N", "quiet"), Counting::kNobody);
  EXPECT_EQ(r.uncounted(CallKind::kDirect, "N", "quiet"), "");
  EXPECT_EQ(r.native_behind(CallKind::kDirect, "N", "quiet"), "");
  EXPECT_EQ(r.methods.size(), 0U);
}

TEST(ClassRegistry, a_method_that_is_left_alone_is_nobody_s) {
  Registry r;
  r.add(with_method("java/lang/VirtualThread", kPublic, "mount"));
  EXPECT_EQ(r.counting("java/lang/VirtualThread", "mount"), Counting::kNobody);
  EXPECT_EQ(r.uncounted(CallKind::kDirect, "java/lang/VirtualThread", "mount"), "");
}

TEST(ClassRegistry, the_native_behind_a_call_is_named_only_if_it_counts_not_itself) {
  Registry r;
  r.add(object_class());
  r.add(with_method("A", kStatic, "run"));
  EXPECT_EQ(r.native_behind(CallKind::kDirect, "A", "hashCode"), "java/lang/Object.hashCode()V");
  EXPECT_EQ(r.native_behind(CallKind::kDirect, "A", "run"), "");
  EXPECT_EQ(r.native_behind(CallKind::kLinkTo, "A", "hashCode"), "");
  EXPECT_EQ(r.native_behind(CallKind::kDirect, "NotLoaded", "run"), "");
}

TEST(ClassRegistry, a_virtual_call_may_mean_a_native_override_that_it_does_not_name) {
  Registry r;
  r.add(object_class());
  r.add(with_method("A", kPublic, "run"));
  const core::CallSite site = {.kind = CallKind::kVirtual, .class_name = "A", .name = "run", .descriptor = "()V"};
  EXPECT_EQ(r.registry.native_override(site), core::kNoMethod);
  ClassBuilder native = class_named("B", "A");
  native.method(kPublic | kNative, "run", "()V");
  r.add(std::move(native));
  EXPECT_EQ(r.named(r.registry.native_override(site)), "B.run()V");
  const core::CallSite direct = {.kind = CallKind::kDirect, .class_name = "A", .name = "run", .descriptor = "()V"};
  EXPECT_EQ(r.registry.native_override(direct), core::kNoMethod);
}

TEST(ClassRegistry, event_classes_have_methods_that_their_file_does_not_show) {
  Registry r;
  r.add(object_class());
  ClassBuilder event = class_named("jdk/internal/event/Event");
  for (const char* name : {"begin", "commit"}) event.method(kPublic, name, "()V", just_return());
  r.add(event);
  r.probed("jdk/internal/event/Event", "begin");
  r.add(class_named("jdk/internal/event/SleepEvent", "jdk/internal/event/Event"));
  EXPECT_EQ(r.counting("jdk/internal/event/Event", "begin"), Counting::kItself);
  for (const char* name : {"begin", "end", "commit"}) {
    EXPECT_EQ(r.counting("jdk/internal/event/SleepEvent", name), Counting::kCaller) << name;
  }
  EXPECT_EQ(r.counting("jdk/internal/event/SleepEvent", "isEnabled", "()Z"), Counting::kCaller);
  EXPECT_EQ(r.counting("jdk/internal/event/SleepEvent", "shouldCommit", "()Z"), Counting::kCaller);
  EXPECT_EQ(r.counting("jdk/internal/event/SleepEvent", "shouldCommit"), Counting::kUnknown);
  EXPECT_EQ(r.uncounted(CallKind::kVirtual, "jdk/internal/event/SleepEvent", "begin"),
            "jdk/internal/event/SleepEvent.begin()V");
}

TEST(ClassRegistry, calls_rely_on_what_is_known_to_count_itself) {
  Registry r;
  ClassBuilder a = class_named("A");
  a.method(kPublic, "run", "()V", just_return());
  a.method(kPublic | kNative, "own", "()V");
  r.add(a);
  EXPECT_TRUE(r.registry.rely("A", "run", "()V", false));
  EXPECT_FALSE(r.registry.rely("A", "own", "()V", false));
  EXPECT_FALSE(r.registry.rely("B", "own", "()V", false)) << "B may be A's superclass";
  EXPECT_TRUE(r.registry.rely("B", "own", "()V", true)) << "a static one of that name is not known";
  EXPECT_FALSE(r.registry.doubted());
}

TEST(ClassRegistry, a_native_method_that_comes_later_casts_doubt) {
  Registry r;
  EXPECT_TRUE(r.registry.rely("A", "run", "()V", false));
  ClassBuilder b = class_named("B");
  b.method(kPublic, "run", "()V", just_return());
  b.method(kPublic | kNative, "other", "()V");
  r.add(b);
  r.probed("B", "run");
  r.registry.settle("B");
  EXPECT_FALSE(r.registry.doubted());
  ClassBuilder c = class_named("C");
  c.method(kPublic | kNative, "run", "()V");
  r.add(c);
  EXPECT_TRUE(r.registry.doubted());
}

TEST(ClassRegistry, a_method_that_gets_no_probe_casts_doubt) {
  Registry r;
  EXPECT_TRUE(r.registry.rely("A", "<init>", "()V", false));
  ClassBuilder a = class_named("A");
  a.method(kPublic, "<init>", "()V", just_return());
  r.add(a);
  EXPECT_FALSE(r.registry.doubted());
  r.registry.settle("A");
  EXPECT_TRUE(r.registry.doubted());
}

TEST(ClassRegistry, nothing_relies_on_where_the_class_library_hides_native_methods) {
  Registry r;
  ClassBuilder files = class_named("java/io/FileSystem");
  files.access = kAbstract;
  files.method(kPublic | kAbstract, "size", "()V");
  files.method(kPublic, "separator", "()V", just_return());
  r.add(files);
  EXPECT_FALSE(r.registry.rely("java/io/FileSystem", "size", "()V", false));
  EXPECT_TRUE(r.registry.rely("java/io/FileSystem", "separator", "()V", false));
  EXPECT_FALSE(r.registry.rely("sun/NotLoaded", "any", "()V", true));
  EXPECT_FALSE(r.registry.rely("MyEvent", "commit", "()V", false)) << "the VM may rewrite it";
}

TEST(ClassRegistry, nothing_is_relied_on_where_only_some_methods_are_wanted) {
  Registry r{Filter({"com.acme.*"}, {})};
  EXPECT_FALSE(r.registry.rely("com/acme/Shop", "run", "()V", false));
}

}  // namespace
}  // namespace bursar::agent
