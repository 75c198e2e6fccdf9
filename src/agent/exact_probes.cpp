#include "agent/exact_probes.h"

#include <algorithm>
#include <array>

#include "agent/added_members.h"
#include "agent/copied_methods.h"
#include "agent/interceptions.h"
#include "agent/left_alone.h"
#include "classfile/descriptor.h"
#include "classfile/method_copies.h"
#include "classfile/opcode.h"

namespace bursar::agent {
namespace {

using classfile::NewLocal;
using classfile::ProbeKind;
namespace op = classfile::op;

// The last is for invisible methods: where the cursor was.
constexpr std::size_t kNodeLocal = 0, kCameFromLocal = 1;

// Blocks from which the method can only be left by an exception.
std::vector<bool> doomed_blocks(const classfile::MethodView& method) {
  const auto& blocks = method.flow.blocks();
  std::vector<bool> doomed(blocks.size(), true);
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t b : method.flow.post_order()) {
      const bool returns = classfile::is_return(method.code.instructions[blocks[b].last].opcode);
      const bool survives = returns || std::any_of(blocks[b].successors.begin(), blocks[b].successors.end(),
                                                   [&](std::uint32_t next) { return !doomed[next]; });
      if (survives && doomed[b]) {
        doomed[b] = false;
        changed = true;
      }
    }
  }
  return doomed;
}

constexpr std::string_view kMethodHandle = "java/lang/invoke/MethodHandle";
constexpr std::string_view kVarHandle = "java/lang/invoke/VarHandle";
constexpr std::string_view kBasic = "invokeBasic";
constexpr std::string_view kMember = "Ljava/lang/invoke/MemberName;";

bool is_signature_polymorphic(const classfile::ConstantPool::MemberRef& ref) {
  if (ref.class_name == kMethodHandle) return ref.name == "invoke" || ref.name == "invokeExact" || ref.name == kBasic;
  if (ref.class_name != kVarHandle) return false;
  constexpr std::array<std::string_view, 9> kAccesses = {"getVolatile", "getOpaque",   "getAcquire",
                                                         "getAnd",      "setVolatile", "setOpaque",
                                                         "setRelease",  "compareAnd",  "weakCompareAnd"};
  return ref.name == "get" || ref.name == "set" ||
         std::any_of(kAccesses.begin(), kAccesses.end(), [&](auto access) { return ref.name.starts_with(access); });
}

// The library's own way to method handles: what makes and links them. It must not need them in bursts to link them.
bool makes_method_handles(std::string_view class_name) {
  return class_name.starts_with("java/lang/invoke/") || class_name.starts_with("sun/invoke/");
}

std::uint32_t operand_of(const classfile::MethodView& method, const classfile::Instruction& call) {
  return base::ByteReader(method.code.instructions.code(), call.pc + 1).u2_be();
}

std::string with_receiver(std::string_view class_name, std::string_view descriptor) {
  return "(L" + std::string(class_name) + ";" + std::string(descriptor.substr(1));
}

bool stores_to_this(const classfile::Instruction& instruction) {
  return instruction.local_slots() != 0 && instruction.local == 0 &&
         (instruction.opcode == op::kAstore ||
          (instruction.opcode >= op::kIstore && instruction.opcode <= op::kAstore3));
}

// Pushes one value and does nothing else.
bool is_simple_push(const classfile::Instruction& instruction) {
  const std::uint8_t opcode = instruction.opcode;
  return opcode >= op::kAconstNull && opcode <= op::kAload3 && !instruction.wide;
}

unsigned pushed_slots(const classfile::Instruction& instruction) {
  if (instruction.local_slots() != 0) return instruction.local_slots();
  const std::uint8_t opcode = instruction.opcode;
  const bool two = opcode == op::kLconst0 || opcode == op::kLconst0 + 1 || opcode == op::kDconst0 ||
                   opcode == op::kDconst0 + 1 || opcode == op::kLdc2W;
  return two ? 2 : 1;
}

// The receiver was pushed by aload_0, and the arguments by the simplest of instructions.
bool is_called_on_this(const classfile::MethodView& method, const classfile::Instruction& call,
                       std::string_view descriptor) {
  const classfile::Instructions& code = method.code.instructions;
  if ((method.access & classfile::kAccStatic) != 0) return false;
  if (std::any_of(code.begin(), code.end(), [](const classfile::Instruction& i) { return stores_to_this(i); })) {
    return false;
  }
  const auto shape = classfile::call_shape(descriptor);
  if (!shape) return false;
  auto at = static_cast<std::size_t>(&call - &code[0]);
  const std::uint32_t block = method.flow.block_of(static_cast<std::uint32_t>(at));
  for (unsigned slots = 0; at-- > 0;) {
    if (method.flow.block_of(static_cast<std::uint32_t>(at)) != block) return false;
    if (slots == shape->argument_slots) return code[at].opcode == op::kAload0;
    if (!is_simple_push(code[at])) return false;
    slots += pushed_slots(code[at]);
  }
  return false;
}

// Every synchronized block and most finally blocks have such a handler. C1 refuses to compile a method in which one may
// throw, as a store to an array may. What threw has left the cursor at this method's node or a slot of it, or, if it
// was native, in its node; the next call or the method's end sets it again. Only what the VM calls before is seen
// there.
bool covers_itself(const classfile::CodeAttribute& code, std::uint32_t handler_pc) {
  return std::any_of(code.exceptions.begin(), code.exceptions.end(), [&](const classfile::ExceptionEntry& entry) {
    return code.instructions[entry.handler].pc == handler_pc && entry.covers(entry.handler);
  });
}

// The VM itself looks at the code of these. It rewrites the return of Object's constructor, and a class whose
// finalize() does nothing has no finalizer: with a probe in Object's every object would get one.
bool is_looked_at_by_vm(const classfile::MethodView& method) {
  if (method.class_name == kObjectClass && method.name == "<init>") return true;
  return method.name == "finalize" && method.descriptor == "()V" && method.code.instructions.size() == 1;
}

// Of a call site's slot in a node.
std::int32_t slot_offset(std::size_t site) {
  return static_cast<std::int32_t>(core::slot_address(0, static_cast<std::uint32_t>(site + 1)));
}

void call(classfile::Snippet& snippet, const AddedMember& method) {
  snippet.invoke_static(kObjectClass, method.name, method.descriptor);
}

}  // namespace

bool ExactProbes::begin(const classfile::MethodView& method) {
  method_ = &method;
  id_ = core::kNoMethod;
  const std::size_t ordinal = ordinal_++;
  if (ordinal >= ids_.size()) ids_.resize(ordinal + 1, core::kNoMethod);
  sites_.clear();
  invisible_ = hears_of_rewriting(method);
  locals_.clear();
  if (gates_of_ != ordinal || body_ == Body::kCopy) {
    forks_at_.clear();
    linkages_.clear();
  }
  gates_of_ = ordinal;
  if (body_ == Body::kOriginal) {
    counts_ = false;
    id_ = ids_[ordinal];
    decided_local_ = 0;
    if (has_gates()) locals_ = {{NewLocal::Type::kLong, ""}};
    return invisible_ || does_more(method) || is_way_out(method) || links_for_vm(method) || has_gates();
  }
  if (body_ != Body::kOnly) invisible_ = false;
  counts_ = invisible_ || (!is_looked_at_by_vm(method) && !is_left_alone(method.file, method.member) &&
                           registry_.filter().wants(method.class_name, method.name));
  if (is_looked_at_by_vm(method)) complete_ = false;
  if (!counts_) return does_more(method);

  core::Method entry{.class_name = std::string(method.class_name),
                     .name = std::string(method.name),
                     .descriptor = std::string(method.descriptor),
                     .code_bytes = static_cast<std::uint32_t>(method.code.instructions.code().size())};
  locals_ = {{NewLocal::Type::kLong, ""}};
  if (invisible_) locals_.push_back({NewLocal::Type::kLong, ""});
  find_sites(entry.sites);
  if (ids_[ordinal] == core::kNoMethod) ids_[ordinal] = methods_.add(std::move(entry));
  id_ = ids_[ordinal];
  if (id_ == core::kNoMethod) complete_ = false;
  if (id_ != core::kNoMethod && body_ == Body::kCopy) find_gates();
  return id_ != core::kNoMethod;
}

void ExactProbes::find_gates() {
  if (gates_ == nullptr || gated_ == Gated::kNo) return;
  gates_at_.clear();
  for (const Gates::Call& call : gates_->calls(*method_)) {
    const std::size_t index = index_of(call.pc);
    Site& site = sites_[index];
    if (!site.redirected || site.protocol == Protocol::kByReceiver) continue;
    std::vector<std::uint32_t> gates = call.loops;
    if (call.is_gate) gates.push_back(call.pc);
    for (const std::uint32_t pc : gates) {
      const auto number = gates_->number(id_, pc);
      if (number) gates_at_.emplace(pc, *number);
      site.forks |= number.has_value();
    }
    site.forks |= call.follows && !gates_at_.empty();
    if (site.forks) forks_at_.emplace(call.pc, slot_offset(index));
  }
  if (!has_gates()) return;
  ends_code_ = gates_->end_code(*method_);
  decided_local_ = locals_.size();
  locals_.push_back({NewLocal::Type::kLong, ""});
}

void ExactProbes::find_sites(std::vector<core::CallSite>& sites) {
  const classfile::MethodView& method = *method_;
  const bool is_leaf = !hidden_ && registry_.is_replaced(method.class_name, method.name, method.descriptor);
  const std::vector<bool> doomed = is_leaf ? doomed_blocks(method) : std::vector<bool>();
  const classfile::Instructions& instructions = method.code.instructions;
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    if (!classfile::is_invoke(instructions[i].opcode)) continue;
    core::CallSite& site = sites.emplace_back();
    Site plan = classify(instructions[i], site);
    if (invisible_ || (is_leaf && !doomed[method.flow.block_of(i)])) plan.protocol = Protocol::kMuted;
    if (plan.protocol == Protocol::kByReceiver) plan_arguments(plan, site.descriptor);
    plan.redirected = body_ != Body::kOnly && leads_to_copy(plan, site);
    if (plan.dynamic && body_ != Body::kOnly && plan.protocol != Protocol::kMuted)
      plan_way_through(plan, instructions[i]);
    sites_.push_back(plan);
  }
}

void ExactProbes::plan_way_through(Site& site, const classfile::Instruction& instruction) {
  if (bootstraps_ == nullptr) return;
  const auto ref = method_->file.pool.member_ref(operand_of(*method_, instruction));
  if (!ref) return;
  const bool is_basic = ref->class_name == kMethodHandle && ref->name == kBasic;
  if (site.links || is_basic) {
    if (!classfile::can_have_copy(ref->descriptor)) return;
    site.through = site.links ? Through::kMember : Through::kHandle;
    if (is_basic) plan_arguments(site, ref->descriptor);
    site.twin = locals_.size();
    locals_.push_back({NewLocal::Type::kObject, kMemberNameClass});
    return;
  }
  if (makes_method_handles(method_->class_name)) return;
  const auto number = linkage_of(instruction);
  if (!number) return;
  linkages_.emplace(instruction.pc, *number);
  site.through = Through::kLinked;
  site.redirected = true;
}

// What it names stays in the class, whatever becomes of this method: it is asked for before probes are put in.
std::optional<std::uint16_t> ExactProbes::linkage_of(const classfile::Instruction& instruction) {
  constexpr std::size_t kMostArguments = 200;
  const std::uint32_t operand = operand_of(*method_, instruction);
  classfile::ConstantPool& pool = *pool_;
  const auto linkage = pool.add_method_ref(kObjectClass, kLinkage.name, kLinkage.descriptor);
  const auto handle = linkage ? pool.add_static_method_handle(*linkage) : std::nullopt;
  if (!handle) return std::nullopt;
  classfile::BootstrapMethods::Entry entry{.method = *handle, .arguments = {}};
  if (instruction.opcode == op::kInvokedynamic) {
    const auto number = pool.bootstrap_method(operand);
    const auto* const own = number ? bootstraps_->find(*number) : nullptr;
    if (own == nullptr || own->arguments.size() > kMostArguments) return std::nullopt;
    entry.arguments = {own->method};
    entry.arguments.insert(entry.arguments.end(), own->arguments.begin(), own->arguments.end());
  } else {
    const auto holder = pool.add_class(pool.member_ref(operand)->class_name);
    if (!holder) return std::nullopt;
    entry.arguments = {*holder};
  }
  return bootstraps_->add(std::move(entry));
}

std::optional<classfile::CopyCall> ExactProbes::copy_call(std::uint32_t pc, classfile::ConstantPool& pool) {
  const classfile::Instructions& code = method_->code.instructions;
  const classfile::Instruction& instruction = code[code.index_at(pc)];
  const auto ref = pool.member_ref(operand_of(*method_, instruction));
  if (const auto linkage = linkages_.find(pc); linkage != linkages_.end()) {
    const bool has_receiver = instruction.opcode != op::kInvokedynamic;
    const auto constant = pool.add_invoke_dynamic(
        linkage->second, ref->name,
        has_receiver ? with_receiver(ref->class_name, ref->descriptor) : std::string(ref->descriptor));
    return classfile::CopyCall{op::kInvokedynamic, constant.value_or(0), false};
  }
  if (counts_ && sites_[index_of(pc)].through != Through::kNothing) {
    const bool is_basic = ref->name == kBasic;
    std::string descriptor = is_basic ? with_receiver(kMethodHandle, ref->descriptor) : std::string(ref->descriptor);
    const std::size_t end = is_basic ? descriptor.rfind(')') : descriptor.rfind(kMember);
    descriptor.insert(end, std::string(classfile::kCopyMark) + (is_basic ? std::string(kMember) : ""));
    const auto constant =
        pool.add_method_ref(kMethodHandle, is_basic ? "linkToStatic" : std::string(ref->name), descriptor);
    return classfile::CopyCall{op::kInvokestatic, constant.value_or(0), false};
  }
  return std::nullopt;
}

void ExactProbes::plan_arguments(Site& site, std::string_view descriptor) {
  site.first_argument = locals_.size();
  std::string_view rest = descriptor.substr(1);
  while (!rest.empty() && rest.front() != ')') {
    const auto type = classfile::take_field_type(rest);
    if (!type) break;
    switch (type->front()) {
      case 'J':
        locals_.push_back({NewLocal::Type::kLong, ""});
        break;
      case 'F':
        locals_.push_back({NewLocal::Type::kFloat, ""});
        break;
      case 'D':
        locals_.push_back({NewLocal::Type::kDouble, ""});
        break;
      case 'L':
        locals_.push_back({NewLocal::Type::kObject, std::string(type->substr(1, type->size() - 2))});
        break;
      case '[':
        locals_.push_back({NewLocal::Type::kObject, std::string(*type)});
        break;
      default:
        locals_.push_back({NewLocal::Type::kInt, ""});
    }
  }
  site.arguments = locals_.size() - site.first_argument;
}

ExactProbes::Site ExactProbes::classify(const classfile::Instruction& instruction, core::CallSite& site) const {
  using Counting = ClassRegistry::Counting;
  const base::Bytes code = method_->code.instructions.code();
  const auto index = static_cast<std::uint32_t>(code[instruction.pc + 1] << 8 | code[instruction.pc + 2]);
  site.bci = instruction.pc;
  Site plan{.bci = instruction.pc};
  const auto ref = method_->file.pool.member_ref(index);
  if (!ref || instruction.opcode == op::kInvokedynamic || is_signature_polymorphic(*ref)) {
    site.kind = core::CallKind::kDynamic;
    plan.protocol = Protocol::kExpect;
    plan.dynamic = true;
    return plan;
  }
  site.class_name = ref->class_name;
  site.name = ref->name;
  site.initialises = instruction.opcode == op::kInvokestatic;
  site.descriptor = ref->descriptor;
  if (ref->class_name == "java/lang/invoke/MethodHandle" && ref->name.starts_with("linkTo")) {
    site.kind = core::CallKind::kLinkTo;
    plan.links = true;
    plan.dynamic = true;
    return plan;
  }
  const ClassRegistry::Target target = registry_.target(ref->class_name, ref->name, ref->descriptor);
  const bool bound = instruction.opcode == op::kInvokestatic || instruction.opcode == op::kInvokespecial;
  const auto rely = [&] {
    return registry_.rely(ref->class_name, ref->name, ref->descriptor, instruction.opcode == op::kInvokestatic);
  };
  if (bound || (instruction.opcode == op::kInvokevirtual && target.only_one)) {
    site.kind = core::CallKind::kDirect;
    const bool soon = trusting_ && target.counting == Counting::kSoon && target.own;
    if (target.counting == Counting::kItself || (soon && ref->class_name == method_->class_name)) {
      plan.protocol = Protocol::kCountsItself;
    }
    if (target.counting == Counting::kCaller) plan.protocol = unprobed_call(instruction, *ref);
    if (target.counting == Counting::kUnknown && rely()) plan.protocol = Protocol::kTrust;
    // No constructor is native.
    if (ref->name == "<init>" && plan.protocol == Protocol::kCheck) plan.protocol = Protocol::kExpect;
    if (ref->name == "<init>" && ref->class_name == kObjectClass) {
      site.callee = registry_.native_behind(site);
      if (site.callee != core::kNoMethod) plan.protocol = Protocol::kCounted;
    }
  } else if (!registry_.may_be_uncounted(ref->name, ref->descriptor)) {
    plan.protocol = rely() ? Protocol::kTrust : Protocol::kExpect;
  }
  if (site.kind == core::CallKind::kVirtual && registry_.needs_receiver(ref->name, ref->descriptor)) {
    plan.protocol = Protocol::kByReceiver;
  }
  // Always throws, and is called by classes that are loaded before its own.
  if (ref->class_name == "jdk/internal/misc/Unsafe" && ref->name == "throwException") {
    site.kind = core::CallKind::kDirect;
    plan.protocol = Protocol::kUnprobed;
  }
  if (target.counting == Counting::kNobody) plan.protocol = Protocol::kCountsItself;
  return plan;
}

bool ExactProbes::leads_to_copy(const Site& plan, const core::CallSite& site) const {
  switch (plan.protocol) {
    case Protocol::kUnprobed:
    case Protocol::kUnprobedOn:
    case Protocol::kCounted:
    case Protocol::kMuted:
      return false;
    default:
      break;
  }
  const bool is_named = site.kind == core::CallKind::kVirtual || site.kind == core::CallKind::kDirect;
  return is_named && names_copy(site.class_name, site.name, site.descriptor) &&
         !registry_.is_replaced(site.class_name, site.name, site.descriptor);
}

bool ExactProbes::redirects(std::uint32_t pc) {
  if (body_ == Body::kOnly || !counts_) return false;
  const Site& site = sites_[index_of(pc)];
  return site.redirected && !site.forks;
}

// A call on null counts nothing. Where the receiver is neither `this` nor on top of the stack, what was called is
// counted when it has returned (and not if it throws).
ExactProbes::Protocol ExactProbes::unprobed_call(const classfile::Instruction& instruction,
                                                 const classfile::ConstantPool::MemberRef& ref) const {
  if (instruction.opcode != op::kInvokevirtual || is_called_on_this(*method_, instruction, ref.descriptor)) {
    return Protocol::kUnprobed;
  }
  return ref.descriptor.starts_with("()") ? Protocol::kUnprobedOn : Protocol::kCheck;
}

std::span<const NewLocal> ExactProbes::locals() const {
  return locals_;
}

void ExactProbes::emit(const classfile::ProbePoint& point, classfile::Snippet& snippet) {
  if (point.kind == ProbeKind::kLoopHeader) return emit_gate(point.pc, snippet);
  if (!counts_) {
    if (point.kind != ProbeKind::kEntry) return emit_in_original(point, snippet);
    if (is_way_out(*method_)) return emit_way_out(snippet);
    if (body_ == Body::kOriginal && links_for_vm(*method_)) return call(snippet, kBackFromCopy);
    if (!invisible_) return emit_interception(*method_, snippet);
    return emit_rewritten_module(snippet);
  }
  switch (point.kind) {
    case ProbeKind::kEntry:
      return emit_entry(snippet);
    case ProbeKind::kBeforeCall:
      return emit_before_call(index_of(point.pc), snippet);
    case ProbeKind::kAfterCall:
      return emit_after_call(index_of(point.pc), snippet);
    case ProbeKind::kExit:
    case ProbeKind::kUnwind:
      if (invisible_) return set_cursor(snippet, kCameFromLocal);
      snippet.load(kNodeLocal);
      return call(snippet, kLeave);
    case ProbeKind::kHandler:
      if (!covers_itself(method_->code, point.pc)) set_cursor(snippet, kNodeLocal);
      return;
    case ProbeKind::kBranchEdge:
    case ProbeKind::kLoopHeader:
    case ProbeKind::kBlock:
    case ProbeKind::kThrow:
      return;
  }
}

void ExactProbes::emit_gate(std::uint32_t pc, classfile::Snippet& snippet) {
  if (!has_gates() || (body_ != Body::kCopy && body_ != Body::kOriginal)) return;
  const auto gate = gates_at_.find(pc);
  if (gate == gates_at_.end()) return;
  snippet.load(decided_local_);
  if (body_ == Body::kCopy) snippet.load(kNodeLocal);
  snippet.push_int(static_cast<std::int32_t>(gate->second));
  call(snippet, body_ == Body::kCopy ? kPassInCopy : ends_code_ ? kPass : kPassOrTurn);
  snippet.store(decided_local_);
}

void ExactProbes::emit_end_of_path(std::size_t path_local, classfile::Snippet& snippet) {
  snippet.load(kNodeLocal);
  snippet.load(path_local);
  call(snippet, kCountPathInBurst);
}

void ExactProbes::emit_in_original(const classfile::ProbePoint& point, classfile::Snippet& snippet) {
  if (!has_gates()) return;
  // What threw may have counted.
  if (point.kind == ProbeKind::kHandler && !covers_itself(method_->code, point.pc)) {
    return call(snippet, kBackFromCopy);
  }
  if (point.kind != ProbeKind::kBeforeCall) return;
  const auto slot = forks_at_.find(point.pc);
  if (slot == forks_at_.end()) return;
  emit_gate(point.pc, snippet);
  snippet.load(decided_local_);
  snippet.push_int(slot->second);
  call(snippet, ends_code_ ? kCounts : kCountsOrNot);
  snippet.begin_fork();
  snippet.call_copy();
  call(snippet, kBackFromCopy);
}

void ExactProbes::emit_entry(classfile::Snippet& snippet) {
  if (invisible_) {
    call(snippet, kSlot);
    snippet.store(kCameFromLocal);
    snippet.push_long(static_cast<std::int64_t>(core::CommonNodes::instance().mute));
    snippet.store(kNodeLocal);
    set_cursor(snippet, kNodeLocal);
    return emit_rewritten_module(snippet);
  }
  emit_interception(*method_, snippet);
  snippet.push_int(static_cast<std::int32_t>(id_));
  call(snippet, kEnter);
  call(snippet, kSlot);
  snippet.store(kNodeLocal);
  snippet.begin_if_false();
  snippet.push_int(static_cast<std::int32_t>(id_));
  call(snippet, kFind);
  snippet.store(kNodeLocal);
  snippet.end_if();
}

void ExactProbes::emit_before_call(std::size_t index, classfile::Snippet& snippet) {
  const Site& site = sites_[index];
  if (site.forks) {
    emit_gate(site.bci, snippet);
    snippet.load(decided_local_);
    snippet.load(kNodeLocal);
    snippet.push_int(slot_offset(index));
    call(snippet, kCountsInCopy);
    snippet.begin_fork();
    return snippet.call_copy();
  }
  if (site.links) {
    snippet.peek_reference();
    call(snippet, kLink);
  }
  if (site.through == Through::kMember || site.through == Through::kHandle) {
    return emit_call_of_twin(site, index, snippet);
  }
  if (site.protocol == Protocol::kByReceiver) {
    for (std::size_t i = site.arguments; i-- > 0;) snippet.take(site.first_argument + i);
    snippet.peek_reference();
    snippet.load(kNodeLocal);
    snippet.push_int(slot_offset(index));
    call(snippet, kCallVirtual);
    for (std::size_t i = 0; i < site.arguments; ++i) snippet.give_back(site.first_argument + i);
    return;
  }
  if (site.protocol == Protocol::kUnprobedOn) snippet.peek_reference();
  if (site.protocol == Protocol::kMuted) {
    snippet.push_long(static_cast<std::int64_t>(core::CommonNodes::instance().mute));
    return call(snippet, kMove);
  }
  // What it calls finds no caller that counts.
  if (site.dynamic && body_ != Body::kOnly && site.through == Through::kNothing) {
    snippet.push_long(static_cast<std::int64_t>(core::CommonNodes::instance().asleep));
    return call(snippet, kMove);
  }
  snippet.load(kNodeLocal);
  snippet.push_int(slot_offset(index));
  call(snippet, site.protocol == Protocol::kUnprobed     ? kCallUnprobed
                : site.protocol == Protocol::kUnprobedOn ? kCallUnprobedOn
                : site.protocol == Protocol::kCounted    ? kCount
                                                         : kCall);
}

void ExactProbes::emit_call_of_twin(const Site& site, std::size_t index, classfile::Snippet& snippet) {
  const bool by_member = site.through == Through::kMember;
  for (std::size_t i = site.arguments; i-- > 0;) snippet.take(site.first_argument + i);
  snippet.peek_reference();
  snippet.invoke_static(kLinksClass, by_member ? "twin" : "twinOf",
                        by_member ? "(Ljava/lang/invoke/MemberName;)Ljava/lang/invoke/MemberName;"
                                  : "(Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MemberName;");
  snippet.store(site.twin);
  for (std::size_t i = 0; i < site.arguments; ++i) snippet.give_back(site.first_argument + i);
  snippet.load(kNodeLocal);
  snippet.push_int(slot_offset(index));
  call(snippet, kCall);
  snippet.load(site.twin);
  call(snippet, kCalledByTwin);
  snippet.begin_fork();
  if (by_member) snippet.drop_last_argument();
  snippet.push_null();
  snippet.load(site.twin);
  snippet.call_copy();
}

void ExactProbes::emit_after_call(std::size_t index, classfile::Snippet& snippet) {
  // What was linked by us counts, or nothing does. Linking has put the cursor to sleep.
  if (sites_[index].through == Through::kLinked) return set_cursor(snippet, kNodeLocal);
  switch (sites_[index].protocol) {
    case Protocol::kCountsItself:
    case Protocol::kCounted:
      if (sites_[index].forks) set_cursor(snippet, kNodeLocal);
      return;
    case Protocol::kUnprobed:
    case Protocol::kUnprobedOn:
    case Protocol::kMuted:
      return set_cursor(snippet, kNodeLocal);
    case Protocol::kCheck:
    case Protocol::kExpect:
    case Protocol::kTrust:
    case Protocol::kByReceiver:
      snippet.load(kNodeLocal);
      snippet.push_int(slot_offset(index));
      call(snippet, sites_[index].links || sites_[index].protocol == Protocol::kByReceiver ? kCalledAny
                    : sites_[index].protocol == Protocol::kExpect                          ? kCalledProbed
                    : sites_[index].protocol == Protocol::kTrust                           ? kTrusted
                                                                                           : kCalled);
      if (sites_[index].protocol == Protocol::kByReceiver || sites_[index].forks) set_cursor(snippet, kNodeLocal);
      return;
  }
}

void ExactProbes::set_cursor(classfile::Snippet& snippet, std::size_t local) {
  snippet.load(local);
  call(snippet, kMove);
}

std::size_t ExactProbes::index_of(std::uint32_t bci) const {
  const auto at =
      std::lower_bound(sites_.begin(), sites_.end(), bci, [](const Site& s, std::uint32_t b) { return s.bci < b; });
  return static_cast<std::size_t>(at - sites_.begin());
}

void ExactProbes::end(bool rewritten) {
  if (!rewritten && counts_) complete_ = false;
  if (rewritten && counts_ && !hidden_)
    registry_.set_probed(method_->class_name, method_->name, method_->descriptor, id_);
}

}  // namespace bursar::agent
