// TinyVm: runs rewritten classes, as far as random programs need it, and keeps its own books of every call.
//
// It knows virtual methods, exceptions, class initialisers, native methods that call back or throw, and a JIT that
// replaces marked methods when it likes. What probes call is BursarProbe.java once more in C++, with the agent's
// session behind it, in mode trace with the notes that it makes. The books (TinyVm::counts, TinyVm::calls) know nothing
// of probes.
//
// Programs: every method is ()V or (I)V. `getstatic W.coin` is a random int, `getstatic W.<Class>` a random object of
// that class or its subclasses, or null. Native methods named back… call some static method of the class Back, those
// named fails… throw at times. At getstatic the VM itself may call Vm.call, if that is loaded; it does not
// throw. Whatever a replaced
// method calls of the class Doom it calls on its way to a throw.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "agent/added_members.h"
#include "agent/replaced_methods.h"
#include "agent/session.h"
#include "built_class.h"
#include "classfile/descriptor.h"
#include "unit/core/probe.h"

namespace bursar::agent {

class TinyVm {
 public:
  // Methods with the call site in the caller; profile::kNoSite unless sites are kept, and where the VM called.
  using Chain = std::vector<std::pair<std::string, std::uint32_t>>;

  TinyVm(Session& session, std::uint64_t seed)
      : session_(session),
        tree_(session.open_tree(false)),
        cursor_(tree_->root()),
        log_(session.open_log(tree_)),
        random_(seed) {}

  void load(ClassBuilder builder) {
    const ByteVector before = builder.build();
    const ByteVector after = session_.rewriter().rewrite(before, false);
    const ReadClass old_class(before);
    const ReadClass& read = classes_.emplace_back(after.empty() ? before : after);
    for (std::size_t i = 0; i < read.file.methods.size(); ++i) add(old_class, read, i);
    supers_[builder.name] = builder.super_name;
  }

  // A thread's first method, which makes about that many calls.
  void run(const std::string& cls, const std::string& name, int calls) {
    calls_left_ = calls;
    invoke(methods_.at(cls + "." + name + "()V"), {}, profile::kNoSite);
    EXPECT_EQ(cursor_, tree_->root());
    EXPECT_TRUE(chain_.empty());
  }

  const std::map<Chain, std::uint64_t>& counts() const { return counts_; }
  // In mode trace: every call in its context, one after the other.
  const std::vector<Chain>& calls() const { return calls_; }
  std::uint64_t log() const { return log_; }

 private:
  using Values = std::vector<std::int64_t>;  // slots: a long takes two
  struct Method {
    std::string cls, name, full_name;
    unsigned access = 0;
    bool replaced = false;
    const ReadClass* owner = nullptr;
    std::optional<classfile::CodeAttribute> code{};
    std::map<std::uint32_t, std::uint32_t> old_bci{};  // of calls, by their pc now
  };
  static constexpr std::int64_t kException = -2;

  void add(const ReadClass& old_class, const ReadClass& read, std::size_t i) {
    const classfile::Member& member = read.file.methods[i];
    Method method{.cls = std::string(read.file.name()),
                  .name = std::string(read.file.member_name(member)),
                  .full_name = "",
                  .access = member.access,
                  .replaced = is_replaced_by_jit(read.file, member),
                  .owner = &read};
    method.full_name = method.cls + "." + method.name;
    if (read.file.code_attribute(member) >= 0) {
      method.code = read.code_of(member);
      const classfile::CodeAttribute old_code = old_class.code_of(old_class.file.methods[i]);
      std::vector<std::uint32_t> bcis;
      for (const auto& instruction : old_code.instructions) {
        if (classfile::is_invoke(instruction.opcode)) bcis.push_back(instruction.pc);
      }
      for (const auto& instruction : method.code->instructions) {
        if (!classfile::is_invoke(instruction.opcode) || is_probe(ref_of(method, instruction))) continue;
        method.old_bci[instruction.pc] = bcis.at(method.old_bci.size());
      }
    }
    methods_[method.full_name + std::string(read.file.member_descriptor(member))] = method;
  }

  using Ref = classfile::ConstantPool::MemberRef;
  static Ref ref_of(const Method& method, const classfile::Instruction& instruction) {
    return *method.owner->file.pool.member_ref(ReadClass::operand(*method.code, instruction));
  }
  static bool is_probe(const Ref& ref) { return ref.class_name == kObjectClass && ref.name.starts_with("bursar"); }

  bool coin() { return calls_left_ > 0 && depth_ < 12 && random_() % 4 != 0; }
  std::int64_t some_object(const std::string& cls) {
    if (random_() % 8 == 0) return 0;
    std::vector<std::int64_t> objects;
    std::int64_t number = 0;
    for (const auto& [name, super] : supers_) {
      ++number;
      for (std::string at = name; !at.empty(); at = supers_.contains(at) ? supers_.at(at) : "") {
        if (at == cls) objects.push_back(number);
      }
    }
    return objects[random_() % objects.size()];
  }
  const std::string& class_of(std::int64_t object) const { return std::next(supers_.begin(), object - 1)->first; }

  // These return whether it returned; else it threw.
  bool invoke(const Method& method, Values arguments, std::uint32_t site) {
    --calls_left_;
    ++depth_;
    if (muted_ == 0) {
      chain_.emplace_back(method.full_name,
                          session_.options().call_sites && chain_.size() > 0 ? site : profile::kNoSite);
      ++counts_[chain_];
      if (session_.traced()) calls_.push_back(chain_);
    }
    bool returned = true;
    if ((method.access & kNative) != 0) {
      if (method.name.starts_with("back") && coin()) returned = invoke(callback(), {}, profile::kNoSite);
      if (method.name.starts_with("fails") && random_() % 4 == 0) returned = false;
    } else if (!method.replaced || random_() % 2 == 0) {
      returned = interpret(method, std::move(arguments));
    }
    if (muted_ == 0) chain_.pop_back();
    --depth_;
    return returned;
  }
  const Method& callback() const { return methods_.at("Back.b" + std::to_string(chain_.size() % 2) + "()V"); }

  bool initialise(std::string_view cls) {
    const auto clinit = methods_.find(std::string(cls) + ".<clinit>()V");
    if (clinit == methods_.end() || !initialised_.emplace(cls).second) return true;
    return invoke(clinit->second, {}, profile::kNoSite);
  }

  const Method& select(const std::string& cls, const std::string& rest) const {
    for (std::string at = cls;; at = supers_.at(at)) {
      if (const auto found = methods_.find(at + "." + rest); found != methods_.end()) return found->second;
    }
  }

  bool call(const Method& caller, const classfile::Instruction& instruction, Values& stack) {
    const Ref ref = ref_of(caller, instruction);
    if (is_probe(ref)) return probe(ref.name, stack), true;
    const bool is_static = instruction.opcode == op::kInvokestatic;
    const unsigned slots = classfile::call_shape(ref.descriptor)->argument_slots + (is_static ? 0 : 1);
    Values arguments(stack.end() - slots, stack.end());
    stack.resize(stack.size() - slots);
    const bool hides = caller.replaced && ref.class_name != "Doom";
    muted_ += hides;
    const std::string rest = std::string(ref.name) + std::string(ref.descriptor);
    bool returned = is_static ? initialise(ref.class_name) : arguments[0] != 0;
    if (returned) {
      const std::string cls =
          instruction.opcode == op::kInvokevirtual ? class_of(arguments[0]) : std::string(ref.class_name);
      returned = invoke(select(cls, rest), std::move(arguments), caller.old_bci.at(instruction.pc));
    }
    muted_ -= hides;
    return returned;
  }

  bool interpret(const Method& method, Values arguments) {
    const classfile::CodeAttribute& code = *method.code;
    Values locals = std::move(arguments), stack;
    locals.resize(code.max_locals);
    for (std::uint32_t i = 0;;) {
      const classfile::Instruction& instruction = code.instructions[i];
      if (classfile::is_return(instruction.opcode)) return true;
      if (stack.size() > code.max_stack) throw std::logic_error("max_stack is too small in " + method.full_name);
      const bool calls = classfile::is_invoke(instruction.opcode);
      if (instruction.opcode == op::kAthrow || (calls && !call(method, instruction, stack))) {
        const auto handler = std::find_if(code.exceptions.begin(), code.exceptions.end(),
                                          [i](const classfile::ExceptionEntry& entry) { return entry.covers(i); });
        if (handler == code.exceptions.end()) return false;
        stack = {kException};
        i = handler->handler;
      } else {
        i = calls ? i + 1 : step(method, i, locals, stack);
      }
    }
  }

  static std::int64_t pop(Values& stack, unsigned slots = 1) {
    const std::int64_t value = stack.at(stack.size() - slots);
    stack.resize(stack.size() - slots);
    return value;
  }
  static void push(Values& stack, std::int64_t value, unsigned slots = 1) {
    stack.push_back(value);
    stack.resize(stack.size() + slots - 1);
  }

  // An instruction that neither calls nor throws; returns the next one.
  std::uint32_t step(const Method& method, std::uint32_t i, Values& locals, Values& stack) {
    const classfile::Instruction& instruction = method.code->instructions[i];
    const std::uint8_t opcode = instruction.opcode;
    const unsigned slots = instruction.local_slots();
    if (opcode >= op::kIload && opcode <= op::kAload3) return push(stack, locals.at(instruction.local), slots), i + 1;
    if (opcode >= op::kIstore && opcode <= op::kAstore3) {
      return locals.at(instruction.local) = pop(stack, slots), i + 1;
    }
    if (opcode > op::kAconstNull && opcode < op::kLconst0) return push(stack, opcode - op::kIconst0), i + 1;
    const base::Bytes code = method.code->instructions.code();
    switch (opcode) {
      case op::kAconstNull:
        return push(stack, 0), i + 1;
      case op::kLconst0:
        return push(stack, 0, 2), i + 1;
      case op::kBipush:
        return push(stack, static_cast<std::int8_t>(code[instruction.pc + 1])), i + 1;
      case op::kSipush:
        return push(stack, static_cast<std::int16_t>(ReadClass::operand(*method.code, instruction))), i + 1;
      case op::kLdcW:
      case op::kLdc2W:
        return push(stack, method.owner->numbers.at(ReadClass::operand(*method.code, instruction)),
                    opcode == op::kLdcW ? 1 : 2),
               i + 1;
      case op::kPop:
        return pop(stack), i + 1;
      case op::kDup:
        return push(stack, stack.back()), i + 1;
      case op::kDup2:
        return push(stack, stack.at(stack.size() - 2), 2), i + 1;
      case op::kGetstatic: {
        const std::string name(ref_of(method, instruction).name);
        const auto upcall = methods_.find("Vm.call()V");
        if (upcall != methods_.end() && coin() && random_() % 8 == 0) invoke(upcall->second, {}, profile::kNoSite);
        return push(stack, name == "coin" ? coin() : some_object(name)), i + 1;
      }
      case op::kLcmp: {
        const std::int64_t b = pop(stack, 2);
        const std::int64_t a = pop(stack, 2);
        return push(stack, a == b ? 0 : a < b ? -1 : 1), i + 1;
      }
      case op::kIfeq:
        return pop(stack) == 0 ? instruction.target : i + 1;
      case op::kIfne:
        return pop(stack) != 0 ? instruction.target : i + 1;
      case op::kGoto:
        return instruction.target;
      default:
        throw std::logic_error("an instruction that the tiny VM does not know: " + std::to_string(opcode));
    }
  }

  // BursarProbe.java.
  void probe(std::string_view name, Values& stack) {
    if (name == kEnter.name) {
      const auto method = static_cast<core::MethodId>(pop(stack));
      const core::NodeAddress child = core::slot_at(cursor_).child;  // or the entry, which has no count
      if (core::node_at(child).method != method) return push(stack, 0);
      ++core::slot_at(cursor_).count;
      cursor_ = child;
      note(Note::kEntered, cursor_);
      return push(stack, 1);
    }
    if (name == kSlot.name) return push(stack, static_cast<std::int64_t>(cursor_), 2);
    if (name == kFind.name) {
      const auto method = static_cast<core::MethodId>(pop(stack));
      const core::NodeAddress linked = core::find_linked(cursor_, method);
      cursor_ = linked != 0 ? linked : session_.find(tree_, cursor_, method);
      if (cursor_ != core::CommonNodes::instance().mute) note(Note::kEntered, cursor_);
      return push(stack, static_cast<std::int64_t>(cursor_), 2);
    }
    if (name == kMove.name || name == kLeave.name) {
      const auto to = static_cast<core::SlotAddress>(pop(stack, 2));
      cursor_ = name == kMove.name ? to : core::node_at(to).resume;
      if (name == kLeave.name) note(Note::kLeft, to);
      if (name == kMove.name && to != core::CommonNodes::instance().mute) note(Note::kAt, to);
      return;
    }
    const auto offset = static_cast<core::SlotAddress>(pop(stack));
    const auto node = static_cast<core::NodeAddress>(pop(stack, 2));
    const core::SlotAddress slot = node + offset;
    if (name == kCall.name) return void(cursor_ = slot);
    if (name == kCallUnprobed.name) return call_unprobed(node, slot);
    if (name == kCallUnprobedOn.name) return pop(stack) != 0 ? call_unprobed(node, slot) : void(cursor_ = slot);
    if (name == kCallVirtual.name) {
      const std::int64_t receiver = pop(stack);
      const core::NodeAddress callee = receiver != 0 ? session_.find_virtual(tree_, slot, class_of(receiver)) : 0;
      cursor_ = callee != 0 ? callee : slot;
      if (callee != 0) note(Note::kEntered, callee);
      return;
    }
    if (name == kCount.name) {
      note(Note::kCountedInSlot, slot);
      const bool for_all = core::slot_at(slot).child == core::CommonNodes::instance().stranger;
      return for_all ? void(session_.find_unprobed(tree_, slot)) : void(++core::slot_at(slot).count);
    }
    const bool any = name == kCalledAny.name;
    if (name == kTrusted.name) {
      if (!session_.doubted()) return;
      name = kCalledProbed.name;
    }
    if (!any && name != kCalled.name && name != kCalledProbed.name) throw std::logic_error("no such probe");
    if (cursor_ != slot) return;
    cursor_ = node;
    core::NodeAddress callee = core::slot_at(slot).child;
    if (any || !count_known_unprobed(slot)) callee = session_.missed(tree_, slot, {});
    if (callee != 0) note(Note::kCounted, callee);
  }
  void note(Note what, core::SlotAddress address) {
    if (log_ == 0) return;
    const std::uint64_t words[2] = {address | static_cast<std::uint64_t>(what), clock_ns_ += 16};
    std::memcpy(reinterpret_cast<void*>(log_), words, sizeof words);
    log_ += kNoteBytes;
    if (log_ % kLogBytes == 0) log_ = TraceLog::of(log_).drain(log_);
  }
  bool count_known_unprobed(core::SlotAddress slot) {
    const core::Node& callee = core::node_at(core::slot_at(slot).child);
    if (!callee.has(core::kCountedAtSite)) return false;
    ++core::slot_at(slot).count;
    return true;
  }
  void call_unprobed(core::NodeAddress node, core::SlotAddress slot) {
    if (count_known_unprobed(slot)) {
      cursor_ = core::slot_at(slot).child;
      note(Note::kEntered, cursor_);
      return;
    }
    if (const core::CallSite* site = session_.site_at(slot); site != nullptr && site->initialises) {
      EXPECT_TRUE(initialise(site->class_name)) << "initialisers do not throw";
    }
    cursor_ = session_.find_unprobed(tree_, slot);
    if (cursor_ != node) note(Note::kEntered, cursor_);
  }

  Session& session_;
  core::ContextTree* tree_;
  core::SlotAddress cursor_;
  std::uint64_t log_;
  std::uint64_t clock_ns_ = Tracer::now_ns();
  std::mt19937_64 random_;
  std::deque<ReadClass> classes_;
  std::map<std::string, Method> methods_;  // by class.name and descriptor
  std::map<std::string, std::string> supers_;
  std::set<std::string, std::less<>> initialised_;
  int calls_left_ = 0;
  int depth_ = 0;
  int muted_ = 0;
  Chain chain_;
  std::map<Chain, std::uint64_t> counts_;
  std::vector<Chain> calls_;
};

}  // namespace bursar::agent
