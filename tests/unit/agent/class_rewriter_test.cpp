#include "agent/class_rewriter.h"

#include <gtest/gtest.h>

#include <numeric>

#include "agent/added_members.h"
#include "agent/embedded_classes.h"
#include "listing.h"

namespace bursar::agent {
namespace {

using Counting = ClassRegistry::Counting;

ClassBuilder small_class(std::string name) {
  ClassBuilder builder = class_named(std::move(name));
  builder.method(kPublic | kStatic, "run", "()V", just_return());
  builder.method(kPublic | kNative, "native", "()V");
  return builder;
}

bool same_code(const ReadClass& a, const ReadClass& b, std::string_view name, std::string_view descriptor) {
  return std::ranges::equal(a.code_bytes(*a.find(name, descriptor)), b.code_bytes(*b.find(name, descriptor)));
}

TEST(ClassRewriter, puts_probes_in_and_tells_the_registry) {
  Rewriting r;
  const ReadClass after(r.rewrite(small_class("A")));
  EXPECT_FALSE(same_code(ReadClass(small_class("A").build()), after, "run", "()V"));
  EXPECT_EQ(after.file.fields.size(), 0U);
  EXPECT_EQ(after.file.methods.size(), 2U);
  EXPECT_EQ(r.registry.target("A", "run", "()V").counting, Counting::kItself);
  EXPECT_EQ(r.registry.target("A", "native", "()V").counting, Counting::kCaller);
  ASSERT_EQ(r.methods.size(), 1U);
  EXPECT_EQ(r.methods[0].class_name, "A");
  EXPECT_EQ(r.methods[0].name, "run");
  EXPECT_EQ(r.methods[0].descriptor, "()V");
  EXPECT_EQ(r.methods[0].code_bytes, 1U);
  EXPECT_EQ(r.rewriter.totals().counts.rewritten, 1U);
  EXPECT_EQ(r.rewriter.totals().counts.methods_with_code, 1U);
}

TEST(ClassRewriter, a_class_with_nothing_to_change_comes_back_empty) {
  Rewriting r;
  ClassBuilder face = class_named("Face");
  face.method(kPublic | kAbstract, "run", "()V");
  EXPECT_TRUE(r.rewrite(face).empty());
  EXPECT_EQ(r.registry.target("Face", "run", "()V").counting, Counting::kMaybe);
  EXPECT_EQ(r.rewriter.totals().refused_classes, 0U);
}

TEST(ClassRewriter, what_the_user_does_not_want_to_see_stays_as_it_is) {
  Rewriting r{Filter({"com.acme.*"}, {})};
  EXPECT_TRUE(r.rewrite(small_class("org/Other")).empty());
  EXPECT_FALSE(r.rewrite(small_class("com/acme/Shop")).empty());
  EXPECT_EQ(r.registry.target("org/Other", "run", "()V").counting, Counting::kNobody);
  EXPECT_EQ(r.methods.size(), 1U);
}

TEST(ClassRewriter, thread_gets_the_fields_besides_probes) {
  Rewriting r;
  const ReadClass after(r.rewrite(small_class(kThreadClass)));
  EXPECT_EQ(after.file.fields.size(), kAddedFields.size());
  EXPECT_EQ(after.file.methods.size(), 2U);
  EXPECT_EQ(r.rewriter.totals().counts.rewritten, 1U);
}

TEST(ClassRewriter, object_gets_the_methods_and_what_the_vm_looks_at_stays) {
  ClassBuilder object = class_named(kObjectClass, "");
  object.method(kPublic, "<init>", "()V", just_return());
  object.method(kPublic, "finalize", "()V", just_return());
  object.method(kPublic, "toString", "()V", just_return());
  Rewriting r;
  const ReadClass before(object.build()), after(r.rewrite(object));
  EXPECT_TRUE(same_code(before, after, "<init>", "()V"));
  EXPECT_TRUE(same_code(before, after, "finalize", "()V"));
  EXPECT_FALSE(same_code(before, after, "toString", "()V"));
  EXPECT_EQ(after.file.methods.size(), 3 + kProbeMethods.size());
  EXPECT_EQ(r.registry.target(kObjectClass, "<init>", "()V").counting, Counting::kCaller);
}

TEST(ClassRewriter, object_gets_the_methods_even_if_nothing_is_to_be_seen) {
  ClassBuilder object = class_named(kObjectClass, "");
  object.method(kPublic, "toString", "()V", just_return());
  Rewriting r{Filter({"com.acme.*"}, {})};
  EXPECT_EQ(ReadClass(r.rewrite(object)).file.methods.size(), 1 + kProbeMethods.size());
  EXPECT_EQ(ReadClass(r.rewrite(small_class(kThreadClass))).file.fields.size(), kAddedFields.size());
}

TEST(ClassRewriter, a_finalizer_that_does_something_is_counted) {
  ClassBuilder a = class_named("A");
  CodeBuilder code;
  code.op(op::kNop);
  code.op(op::kReturn);
  a.method(kPublic, "finalize", "()V", code);
  ClassBuilder b = class_named("B");
  b.method(kPublic, "finalize", "()V", just_return());
  Rewriting r;
  EXPECT_FALSE(r.rewrite(a).empty());
  EXPECT_TRUE(r.rewrite(b).empty());
}

TEST(ClassRewriter, our_own_class_and_methods_that_switch_threads_are_left_alone) {
  for (const char* name : {kProbeClass, "jdk/internal/vm/Continuation"}) {
    Rewriting r;
    EXPECT_TRUE(r.rewrite(small_class(name)).empty()) << name;
    EXPECT_EQ(r.registry.target(name, "run", "()V").counting, Counting::kNobody) << name;
    EXPECT_EQ(r.methods.size(), 0U);
  }
  ClassBuilder thread = small_class("java/lang/VirtualThread");
  thread.method(kPublic, "mount", "()V", just_return());
  Rewriting r;
  const ReadClass before(thread.build()), after(r.rewrite(thread));
  EXPECT_TRUE(same_code(before, after, "mount", "()V"));
  EXPECT_FALSE(same_code(before, after, "run", "()V"));
}

TEST(ClassRewriter, the_same_class_again_has_the_same_ids) {
  Rewriting r;
  const ByteVector first = r.rewrite(small_class("A"));
  EXPECT_EQ(r.rewrite(small_class("A")), first);
  EXPECT_EQ(r.methods.size(), 1U);
  EXPECT_EQ(r.registry.target("A", "run", "()V").counting, Counting::kItself);

  // Another class of that name is another class.
  ClassBuilder other = small_class("A");
  other.method(kStatic, "more", "()V", just_return());
  EXPECT_NE(r.rewrite(other), first);
  EXPECT_EQ(r.methods.size(), 3U);
}

TEST(ClassRewriter, ids_stay_with_their_methods_when_one_between_them_is_left_out) {
  ClassBuilder builder = class_named("A");
  for (const char* name : {"first", "finalize", "last"}) builder.method(kPublic, name, "()V", just_return());
  Rewriting r;
  const ByteVector first = r.rewrite(builder);
  EXPECT_EQ(r.rewrite(builder), first);
  ASSERT_EQ(r.methods.size(), 2U);
  EXPECT_EQ(r.methods[0].name, "first");
  EXPECT_EQ(r.methods[1].name, "last");
}

TEST(ClassRewriter, a_method_that_cannot_be_rewritten_is_counted_by_its_callers) {
  ClassBuilder builder = class_named("A");
  CodeBuilder code = just_return();
  code.attributes.push_back({"Strange", {1}});
  builder.method(kStatic, "strange", "()V", code);
  builder.method(kStatic, "run", "()V", just_return());
  Rewriting r;
  EXPECT_FALSE(r.rewrite(builder).empty());
  EXPECT_EQ(r.registry.target("A", "strange", "()V").counting, Counting::kCaller);
  EXPECT_EQ(r.registry.target("A", "run", "()V").counting, Counting::kItself);
  const auto& skipped = r.rewriter.totals().counts.skipped;
  EXPECT_EQ(skipped[static_cast<std::size_t>(classfile::SkipReason::kUnknownAttribute)], 1U);
  EXPECT_EQ(std::accumulate(skipped.begin(), skipped.end(), std::uint64_t{0}), 1U);
}

TEST(ClassRewriter, a_malformed_or_too_new_class_is_refused_and_counted) {
  Rewriting r;
  ByteVector cut = small_class("A").build();
  cut.resize(cut.size() / 2);
  EXPECT_TRUE(r.rewriter.rewrite(cut, false).empty());
  EXPECT_TRUE(r.rewriter.rewrite({}, true).empty());
  ClassBuilder newer = small_class("A");
  newer.version = classfile::kNewestMajorVersion + 1;
  EXPECT_TRUE(r.rewrite(newer).empty());
  EXPECT_EQ(r.rewriter.totals().refused_classes, 3U);
  EXPECT_TRUE(r.rewriter.refused_any());
  EXPECT_EQ(r.registry.target("A", "run", "()V").counting, Counting::kUnknown);
  EXPECT_EQ(r.methods.size(), 0U);
}

TEST(ClassRewriter, a_hidden_class_is_rewritten_but_not_known_by_name) {
  Rewriting r;
  EXPECT_FALSE(r.rewrite(small_class("A$$Lambda"), true).empty());
  EXPECT_EQ(r.registry.target("A$$Lambda", "run", "()V").counting, Counting::kUnknown);
  EXPECT_EQ(r.methods.size(), 1U);
  EXPECT_FALSE(r.rewrite(small_class("A$$Lambda"), true).empty());
  EXPECT_EQ(r.methods.size(), 1U);
}

TEST(ClassRewriter, a_class_that_cannot_be_read_casts_doubt) {
  Rewriting r;
  EXPECT_FALSE(r.registry.doubted());
  const ByteVector garbage = {1, 2, 3};
  EXPECT_TRUE(r.rewriter.rewrite(garbage, false).empty());
  EXPECT_TRUE(r.registry.doubted());
}

TEST(ClassRewriter, the_class_that_says_whether_trust_holds_is_rewritten_when_it_does_not) {
  Rewriting r;
  const auto bytes = embedded::trust_class();
  const ReadClass before(ByteVector(bytes.begin(), bytes.end()));
  EXPECT_TRUE(r.rewriter.rewrite(bytes, false).empty());
  EXPECT_FALSE(std::ranges::equal(before.code_bytes(*before.find("holds", "()Z")),
                                  before.code_bytes(*before.find("isGone", "()Z"))));
  r.registry.doubt();
  const ReadClass after(r.rewriter.rewrite(bytes, false));
  EXPECT_TRUE(std::ranges::equal(after.code_bytes(*after.find("holds", "()Z")),
                                 before.code_bytes(*before.find("isGone", "()Z"))));
  EXPECT_EQ(after.file.methods.size(), before.file.methods.size());
}

}  // namespace
}  // namespace bursar::agent
