#include <gtest/gtest.h>

#include "agent/frame_chain.h"
#include "unit/agent/fake_vm.h"

namespace bursar::agent {
namespace {

TEST(FrameChainTest, random_stacks_are_walked_frame_by_frame) {
  FakeVm vm;
  const std::vector<std::int32_t> sizes = {2, 3, 8, 30};
  std::vector<Address> compiled;
  for (const std::int32_t words : sizes) compiled.push_back(vm.add_blob("nmethod", words));
  const VmCode code(vm.layout());
  std::minstd_rand random(11);
  for (int round = 0; round < 200; ++round) {
    FakeStack stack(4096);
    std::vector<std::uint32_t> methods;  // of each frame, by where it is; the outermost first
    Address pc = 1;                      // of the frame that runs: none of ours is outside of all
    const std::size_t depth = 1 + random() % 30;
    for (std::size_t i = 0; i < depth; ++i) {
      const auto which = random() % (sizes.size() + 1);
      const auto calls = static_cast<std::uint32_t>(1 + random() % FakeVm::kMostMethods);
      if (which == sizes.size()) {
        stack.call_interpreted(pc, 1 + random() % 5, random);
        pc = vm.interpreter();
        methods.push_back(1);
      } else {
        stack.call_compiled(pc, static_cast<std::uint64_t>(sizes[which]), random);
        pc = compiled[which] + 16 * calls;
        methods.push_back(calls);
      }
    }
    FrameChain chain(code, stack.at(pc), stack.base(), round % 2 == 0);
    Activation activation;
    for (std::size_t i = depth; i-- > 0;) {
      ASSERT_TRUE(chain.next(activation));
      EXPECT_EQ(activation.return_slot, stack.frames()[i].return_slot);
      EXPECT_EQ(activation.caller, stack.frames()[i].caller);
      EXPECT_EQ(activation.methods, methods[i]);
    }
    EXPECT_FALSE(chain.next(activation)) << "outside of all is no code of the VM's";
  }
}

TEST(FrameChainTest, a_frame_that_is_not_made_yet_is_none) {
  FakeVm vm;
  const Address compiled = vm.add_blob("nmethod", 4);
  const VmCode code(vm.layout());
  std::minstd_rand random(1);
  FakeStack stack(64);
  stack.call_compiled(1, 4, random);
  Activation activation;
  EXPECT_FALSE(FrameChain(code, stack.at(compiled + 2), stack.base(), true).next(activation));
  EXPECT_TRUE(FrameChain(code, stack.at(compiled + 10), stack.base(), true).next(activation));
}

TEST(FrameChainTest, stubs_are_passed_by_only_from_where_java_was_left) {
  FakeVm vm;
  const Address compiled = vm.add_blob("nmethod", 4), stub = vm.add_blob("some stub", 6);
  const VmCode code(vm.layout());
  std::minstd_rand random(1);
  FakeStack stack(64);
  stack.call_compiled(1, 4, random);
  stack.call_compiled(compiled + 32, 6, random);
  Activation activation;
  EXPECT_FALSE(FrameChain(code, stack.at(stub + 3), stack.base(), true).next(activation));
  ASSERT_TRUE(FrameChain(code, stack.at(stub + 3), stack.base(), false).next(activation));
  EXPECT_EQ(activation.methods, 2U);
  EXPECT_EQ(activation.return_slot, stack.frames()[0].return_slot);
  Registers registers = stack.at(stub + 3);
  ASSERT_TRUE(leave_stub(code, code.find(stub), stack.base(), registers));
  EXPECT_EQ(registers.pc, compiled + 32);
}

// Whatever lies on a stack, it reads nothing beyond, and ends.
TEST(FrameChainTest, rubbish_ends_it) {
  FakeVm vm;
  const Address compiled = vm.add_blob("nmethod", 4), huge = vm.add_blob("nmethod", 1 << 20);
  const VmCode code(vm.layout());
  std::minstd_rand random(3);
  for (int round = 0; round < 2000; ++round) {
    FakeStack stack(64);
    const Address low = stack.base() - 64 * 8;
    for (Address at = low; at < stack.base(); at += 8) {
      const Address things[] = {random(),  vm.interpreter(),     compiled + 16 * (random() % 6),
                                huge + 16, low + random() % 600, low + 8 * (random() % 70)};
      stack.word(at) = things[random() % 6];
    }
    const Registers begin{round % 2 == 0 ? vm.interpreter() : compiled + 16, low + 8 * (random() % 64),
                          low + 8 * (random() % 64)};
    FrameChain chain(code, begin, stack.base(), false);
    Activation activation;
    int steps = 0;
    while (chain.next(activation)) {
      ASSERT_LT(++steps, 64);
      ASSERT_LT(activation.return_slot, stack.base());
      ASSERT_GE(activation.return_slot, low);
    }
  }
}

}  // namespace
}  // namespace bursar::agent
