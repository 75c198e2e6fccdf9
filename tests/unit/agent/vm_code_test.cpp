#include "agent/vm_code.h"

#include <gtest/gtest.h>

#include "unit/agent/fake_vm.h"

namespace bursar::agent {
namespace {

TEST(VmCodeTest, code_is_found_by_any_address_in_it) {
  FakeVm vm;
  const Address first = vm.add_blob("nmethod", 4), second = vm.add_blob("native nmethod", 6),
                stub = vm.add_blob("a stub", 0);
  const VmCode code(vm.layout());
  for (const Address at : {first, first + FakeVm::kCodeBytes - 1}) {
    EXPECT_EQ(code.find(at).kind, VmCode::Kind::kCompiled);
    EXPECT_EQ(code.find(at).code, first);
    EXPECT_EQ(code.find(at).frame_bytes, 32U);
    EXPECT_EQ(code.find(at).frame_made, first + 4);
  }
  EXPECT_EQ(code.find(second).kind, VmCode::Kind::kNative);
  EXPECT_EQ(code.find(stub).kind, VmCode::Kind::kStub);
  EXPECT_EQ(code.find(vm.interpreter()).kind, VmCode::Kind::kInterpreter);
}

TEST(VmCodeTest, what_is_no_code_is_unknown) {
  FakeVm vm;
  const Address compiled = vm.add_blob("nmethod", 4);
  const VmCode code(vm.layout());
  EXPECT_EQ(code.find(0).kind, VmCode::Kind::kUnknown);
  EXPECT_EQ(code.find(FakeVm::address(&vm)).kind, VmCode::Kind::kUnknown);
  EXPECT_EQ(code.find(compiled + 4096).kind, VmCode::Kind::kUnknown) << "nobody has that part";
  vm.free_blob(compiled);
  EXPECT_EQ(code.find(compiled).kind, VmCode::Kind::kUnknown);
}

TEST(VmCodeTest, a_call_says_how_many_methods_it_stands_in) {
  FakeVm vm;
  const Address at = vm.add_blob("nmethod", 4);
  const VmCode code(vm.layout());
  const VmCode::Found found = code.find(at);
  for (std::uint32_t methods = 1; methods <= FakeVm::kMostMethods; ++methods) {
    EXPECT_EQ(code.methods_at(found, at + 16 * methods, true), methods);
    EXPECT_EQ(code.methods_at(found, at + 16 * methods - 5, true), 0U) << "no call returns there";
    EXPECT_EQ(code.methods_at(found, at + 16 * methods - 5, false), methods) << "what comes next describes it";
  }
  EXPECT_EQ(code.methods_at(found, at + 16 * FakeVm::kMostMethods + 1, false), 0U);
  EXPECT_EQ(code.methods_at(code.find(vm.interpreter()), vm.interpreter(), true), 1U);
}

}  // namespace
}  // namespace bursar::agent
