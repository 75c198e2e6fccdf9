#include "agent/session.h"

#include <gtest/gtest.h>

#include "built_class.h"

namespace bursar::agent {
namespace {

// A session that knows methods to call.
struct SessionTest : testing::Test {
  SessionTest() {
    ClassBuilder a = class_named("A");
    for (const char* name : {"f", "g", "h", "i"}) a.method(kStatic, name, "()V", just_return());
    session.rewriter().rewrite(a.build(), false);
  }
  // The thread calls that many of the methods.
  void call(core::ContextTree* tree, core::MethodId methods) {
    for (core::MethodId id = 1; id <= methods; ++id) session.find(tree, tree->root(), id);
  }

  Session session{[] {
    AgentOptions options;
    options.max_contexts = 100;
    return options;
  }()};
};

TEST_F(SessionTest, a_thread_gets_the_tree_of_one_that_ended) {
  core::ContextTree* const tree = session.open_tree(false);
  call(tree, 4);
  session.close_tree(tree, "first");
  EXPECT_EQ(session.open_tree(false), tree);
  EXPECT_EQ(tree->contexts(), 4U);
  EXPECT_NE(session.open_tree(false), tree) << "two at a time";
}

TEST_F(SessionTest, a_tree_that_a_thread_made_little_use_of_is_given_up) {
  core::ContextTree* tree = session.open_tree(false);
  call(tree, 4);
  session.close_tree(tree, "first");
  tree = session.open_tree(false);
  call(tree, 1);
  session.close_tree(tree, "second");
  EXPECT_EQ(session.open_tree(false)->contexts(), 0U);
}

TEST_F(SessionTest, trees_that_wait_take_no_more_than_a_part_of_all_contexts) {
  std::vector<core::ContextTree*> trees;
  for (int i = 0; i < 10; ++i) {
    trees.push_back(session.open_tree(false));
    call(trees.back(), 4);
  }
  for (core::ContextTree* tree : trees) session.close_tree(tree, "one of ten");
  std::uint64_t contexts = 0;
  for (int i = 0; i < 10; ++i) contexts += session.open_tree(false)->contexts();
  EXPECT_EQ(contexts, 24U);
}

TEST_F(SessionTest, what_a_method_that_was_entered_asleep_calls_without_a_probe_is_not_counted) {
  core::ContextTree* const tree = session.open_tree(false);
  const core::NodeAddress asleep = core::CommonNodes::instance().asleep;
  const core::SlotAddress slot = core::slot_address(asleep, 1);
  EXPECT_EQ(session.find_unprobed(tree, slot), asleep) << "so that what it calls back is found from the root";
  EXPECT_EQ(session.find_unprobed(nullptr, slot), asleep) << "the thread may have no tree yet";
  EXPECT_EQ(session.find_virtual(tree, slot, "A"), 0U);
  session.missed(tree, slot, {});
  EXPECT_EQ(tree->contexts(), 0U);
}

TEST_F(SessionTest, what_the_vm_calls_in_the_constructor_of_object_hangs_under_it) {
  ClassBuilder object = class_named("java/lang/Object", "");
  object.method(kPublic, "<init>", "()V", just_return());
  session.rewriter().rewrite(object.build(), false);
  ClassBuilder finalizer = class_named("java/lang/ref/Finalizer");
  finalizer.method(kStatic, "register", "()V", just_return());
  session.rewriter().rewrite(finalizer.build(), false);
  const core::MethodId finalizers = session.methods().size() - 1;
  ClassBuilder b = class_named("B");
  b.version = 49;
  CodeBuilder code;
  code.op(classfile::op::kAload0);
  code.op2(classfile::op::kInvokespecial, b.method_ref("java/lang/Object", "<init>", "()V"));
  code.op(classfile::op::kReturn);
  b.method(kPublic, "<init>", "()V", code);
  session.rewriter().rewrite(b.build(), false);
  const core::MethodId constructor = session.methods().size() - 1;

  core::ContextTree* const tree = session.open_tree(false);
  const core::NodeAddress node = session.find(tree, tree->root(), constructor);
  core::slot_at(core::slot_address(node, 1)).count = 1;
  const core::NodeAddress registered = session.find(tree, node, finalizers);
  EXPECT_EQ(core::node_at(registered).resume, node);
  const core::NodeAddress above = core::slot_at(core::slot_address(node, 1)).child;
  EXPECT_EQ(session.methods()[core::node_at(above).method].class_name, "java/lang/Object");
  EXPECT_EQ(tree->contexts(), 3U);
  const core::NodeAddress other = session.find(tree, node, 1);
  EXPECT_EQ(core::node_at(other).resume, node);
  EXPECT_EQ(tree->contexts(), 4U) << "everything else that the VM calls hangs under the constructor";
}

}  // namespace
}  // namespace bursar::agent
