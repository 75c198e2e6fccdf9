// RewriteOracle: does a rewritten method do what the old one did, with every probe where it belongs?
//
// Walks old and new code side by side, along every ordinary and exceptional edge that can be reached, and knows nothing
// of layouts. On each edge it collects the probes passed in the new code, and compares them with those that the place
// calls for; then it compares the instructions arrived at. A goto only moves: both sides look through it.
// Also compared: exception handlers of every instruction and probe, frames at every place a jump lands, lines, debug
// variables; the unwind behind the code, its entry and its frame. Needs HitProbes.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "classfile/control_flow.h"
#include "frame_oracle.h"
#include "hit_probes.h"

namespace bursar::classfile {

class RewriteOracle {
 public:
  struct Side {
    const ClassFile& file;
    const Member& method;
    const CodeAttribute& code;
  };

  RewriteOracle(Side before, Side after, const std::vector<ProbePoint>& points)
      : old_(before),
        new_(after),
        old_frames_(before.file, before.method, before.code),
        new_frames_(after.file, after.method, after.code),
        new_of_old_(before.code.instructions.size(), kNowhere),
        old_of_new_(after.code.instructions.size(), kNowhere) {
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      number_of_[{points[i].kind, points[i].pc, points[i].outcome}] = i;
    }
  }

  // What is wrong, or nothing.
  std::optional<std::string> difference() {
    check_points();
    walk_prologue();
    if (!wrong_ && unwinds_) check_unwind();
    while (!work_.empty() && !wrong_) {
      const Edge edge = work_.back();
      work_.pop_back();
      follow(edge);
    }
    if (!wrong_) check_frames();
    if (!wrong_ && unwinds_) check_unwind_frames();
    if (!wrong_) check_lines();
    if (!wrong_) check_variables();
    return wrong_;
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffff;
  static constexpr std::uint32_t kPrologue = 9;  // instructions of it: three locals set, and a hit
  struct Edge {
    std::uint32_t old_to, new_to;
    std::vector<std::uint32_t> probes;
    bool jumps;
    bool from_prologue = false;
  };
  using Handlers = std::vector<std::pair<std::uint16_t, std::uint32_t>>;

  const Instructions& old_code() const { return old_.code.instructions; }
  const Instructions& new_code() const { return new_.code.instructions; }
  void fail(const std::string& what, std::uint32_t old_index) {
    if (wrong_) return;
    wrong_ = what;
    if (old_index < old_code().size()) *wrong_ += " at old pc " + std::to_string(old_code()[old_index].pc);
  }

  std::vector<std::uint32_t> probe(ProbeKind kind, std::uint32_t index, std::uint32_t outcome = 0) const {
    const auto found = number_of_.find({kind, old_code()[index].pc, outcome});
    if (found == number_of_.end()) return {};
    return {found->second};
  }
  bool asked_for(ProbeKind kind, std::uint32_t index, std::uint32_t outcome = 0) const {
    return !probe(kind, index, outcome).empty();
  }

  // Every place of the vocabulary was offered to the instrumentation, and nothing else was.
  void check_points() {
    std::size_t places = 1;
    const auto expect = [&](ProbeKind kind, std::uint32_t index, std::uint32_t outcome = 0) {
      ++places;
      if (!asked_for(kind, index, outcome)) fail("no probe was asked for", index);
    };
    for (std::uint32_t i = 0; i < old_code().size(); ++i) {
      const std::uint8_t opcode = old_code()[i].opcode;
      if (opcode >= 0xac && opcode <= 0xb1) expect(ProbeKind::kExit, i);
      if (opcode >= 0xb6 && opcode <= 0xba) {
        expect(ProbeKind::kBeforeCall, i);
        expect(ProbeKind::kAfterCall, i);
      }
      if ((opcode >= 0x99 && opcode <= 0xa6) || opcode == 0xc6 || opcode == 0xc7) {
        expect(ProbeKind::kBranchEdge, i, 0);
        expect(ProbeKind::kBranchEdge, i, 1);
      }
      if (opcode == 0xaa || opcode == 0xab) {
        const std::size_t targets = old_code().distinct_targets(old_code()[i]).size();
        for (std::uint32_t outcome = 0; outcome < targets; ++outcome) expect(ProbeKind::kBranchEdge, i, outcome);
      }
    }
    std::set<std::uint32_t> handlers;
    for (const ExceptionEntry& entry : old_.code.exceptions) handlers.insert(entry.handler);
    for (const std::uint32_t handler : handlers) expect(ProbeKind::kHandler, handler);
    const ControlFlow flow = *ControlFlow::of(old_.code);
    for (const Block& block : flow.blocks()) {
      if (block.is_loop_header) expect(ProbeKind::kLoopHeader, block.first);
    }
    unwinds_ = number_of_.contains({ProbeKind::kUnwind, 0, 0});
    bool throws = false;
    for (std::uint32_t i = 0; i < old_code().size(); ++i) throws = throws || can_throw(i);
    if (unwinds_ ? !throws : throws && !splits_unwind()) fail("an unwind was asked for without need, or not", kNowhere);
    places += unwinds_;
    if (number_of_.size() != places) fail("probes were asked for elsewhere", kNowhere);
  }

  // One of the instructions that the JVM specification gives exceptions, or a jump back: loops are stopped from
  // outside.
  bool can_throw(std::uint32_t index) const {
    static const std::set<std::uint8_t> kThrowing = {0x12, 0x13, 0x14, 0x2e, 0x2f, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35,
                                                     0x4f, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x6c, 0x6d, 0x70,
                                                     0x71, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xbb,
                                                     0xbc, 0xbd, 0xbe, 0xbf, 0xc0, 0xc1, 0xc2, 0xc3, 0xc5};
    const Instruction& instruction = old_code()[index];
    const std::uint8_t opcode = instruction.opcode;
    if (is_switch(opcode) && old_code().distinct_targets(instruction).front() <= index) return true;
    if (is_conditional_branch(opcode) || is_goto(opcode) || is_jsr(opcode)) return instruction.target <= index;
    if (opcode < 0x12 || opcode > 0x14) return kThrowing.contains(opcode);
    const auto constant = static_cast<std::uint32_t>(operand(old_code(), instruction, opcode == 0x12 ? 1 : 2));
    using enum ConstantTag;
    const ConstantTag tag = old_.file.pool.tag(constant & (opcode == 0x12 ? 0xff : 0xffff));
    return tag != kInteger && tag != kFloat && tag != kLong && tag != kDouble;
  }
  bool splits_unwind() const {
    return old_.file.major_version >= kFirstVersionWithStackMaps && old_.file.name() != "java/lang/Object" &&
           old_.file.member_name(old_.method) == "<init>" && (old_.method.access & kAccStatic) == 0;
  }

  // A hit and athrow at the very end, in constructors perhaps twice; the last entries lead there. Outside of
  // constructors that is one, from all that is neither prologue nor unwind.
  void check_unwind() {
    const std::uint32_t number = number_of_.at({ProbeKind::kUnwind, 0, 0});
    const auto size = static_cast<std::uint32_t>(new_code().size());
    unwind_ = size;
    while (unwind_ >= kPrologue + 4 && unwind_ + 8 > size && new_code()[unwind_ - 1].opcode == op::kAthrow &&
           hit_at(unwind_ - 4) == number) {
      unwind_ -= 4;
      if (!splits_unwind()) break;
    }
    if (unwind_ == size) return fail("no unwind", kNowhere);
    for (std::uint32_t i = unwind_; i < size; ++i) {
      if (!handlers_of(new_.code, i).empty()) return fail("the unwind is covered", kNowhere);
    }
    bool own = true;
    for (const ExceptionEntry& entry : new_.code.exceptions) {
      const bool unwinds = entry.handler >= unwind_;
      if (!unwinds && !own) return fail("an entry of the method's own behind that of the unwind", kNowhere);
      own = !unwinds;
      if (!unwinds) continue;
      if (entry.catch_type != 0 || (entry.handler - unwind_) % 4 != 0) return fail("a strange unwind", kNowhere);
      if (entry.start < kPrologue) return fail("the unwind covers the prologue", kNowhere);
      const bool whole = entry.start == kPrologue && entry.end == unwind_ && &entry == &new_.code.exceptions.back();
      if (!splits_unwind() && !whole) return fail("the unwind does not cover all", kNowhere);
    }
    if (own) return fail("nothing leads to the unwind", kNowhere);
    if (new_.code.max_stack < 3) fail("no room for the exception below the unwind's probe", kNowhere);
  }

  // An instruction of a constructor may be left uncovered; one elsewhere may not.
  void take_unwind(Handlers& handlers, std::uint32_t i) {
    if (!unwinds_) return;
    if (!handlers.empty() && handlers.back().second >= unwind_) {
      handlers.pop_back();
    } else if (!splits_unwind()) {
      fail("no way to the unwind", i);
    }
  }

  void check_unwind_frames() {
    if (new_.file.major_version < kFirstVersionWithStackMaps || !new_frames_.sound()) return;
    if (!new_frames_.has_map()) return fail("the unwind has no frame", kNowhere);
    const auto added = [&](std::uint32_t tops) {
      return (tops == 0 ? "" : "top*" + std::to_string(tops) + " ") + "int long .. Hit |java/lang/Throwable ";
    };
    for (std::uint32_t at = unwind_; at < new_code().size(); at += 4) {
      if (!new_frames_.has_frame(at)) return fail("an unwind has no frame", kNowhere);
      const std::string found = new_frames_.text(at, [](std::uint32_t) { return "new"; });
      const bool right = found == added(slot_) || (splits_unwind() && found == "this? " + added(slot_ - 1));
      if (!right) return fail("the frame of an unwind is " + found, kNowhere);
    }
  }

  // lconst_0 lstore, aconst_null astore, iconst_0 istore, then the entry's hit.
  void walk_prologue() {
    constexpr std::uint8_t kExpected[] = {op::kLconst0, op::kLstore,  op::kAconstNull,
                                          op::kAstore,  op::kIconst0, op::kIstore};
    if (new_code().size() < 6) return fail("no prologue", 0);
    for (std::uint32_t i = 0; i < 6; ++i) {
      const auto [opcode, local] = canonical_local(new_code()[i]);
      if (opcode != kExpected[i]) return fail("a strange prologue", 0);
      if (i == 5) slot_ = local;
      if (!handlers_of(new_.code, i).empty()) fail("the prologue is covered", 0);
    }
    const bool at_end = slot_ == old_.code.max_locals;
    if (!at_end && slot_ != old_frames_.parameter_slots()) fail("locals in a strange place", 0);
    if (new_.code.max_locals != old_.code.max_locals + 4) fail("max_locals is wrong", 0);
    if (new_.code.max_stack < old_.code.max_stack + 2) fail("max_stack is too small", 0);
    if (!hit_at(6) || !handlers_of(new_.code, 6).empty()) fail("no entry probe, or a covered one", 0);
    work_.push_back({0, 6, {number_of_.at({ProbeKind::kEntry, 0, 0})}, false, true});
  }

  // The opcode of an instruction on a local as if none had an implicit one, and the local.
  static std::pair<std::uint8_t, std::uint32_t> canonical_local(const Instruction& instruction) {
    std::uint8_t opcode = instruction.opcode;
    if (opcode >= 0x1a && opcode <= 0x2d) opcode = static_cast<std::uint8_t>(0x15 + (opcode - 0x1a) / 4);
    if (opcode >= 0x3b && opcode <= 0x4e) opcode = static_cast<std::uint8_t>(0x36 + (opcode - 0x3b) / 4);
    return {opcode, instruction.local};
  }
  std::uint32_t moved(std::uint32_t local) const { return local >= slot_ ? local + 4 : local; }

  static std::int32_t operand(const Instructions& code, const Instruction& instruction, unsigned bytes) {
    base::ByteReader reader(code.code(), instruction.pc + instruction.length - bytes);
    if (bytes == 1) return static_cast<std::int8_t>(reader.u1());
    return bytes == 2 ? static_cast<std::int16_t>(reader.u2_be()) : static_cast<std::int32_t>(reader.u4_be());
  }

  // The number of the hit that starts at this instruction: push, iload of our local, invokestatic of an added constant.
  std::optional<std::uint32_t> hit_at(std::uint32_t index) const {
    if (index + 2 >= new_code().size()) return std::nullopt;
    const Instruction& push = new_code()[index];
    const Instruction& call = new_code()[index + 2];
    if (call.opcode != op::kInvokestatic || canonical_local(new_code()[index + 1]) != std::pair(op::kIload, slot_)) {
      return std::nullopt;
    }
    const auto ref = static_cast<std::uint16_t>(operand(new_code(), call, 2));
    if (ref < old_.file.pool.count() || new_.file.pool.member_ref(ref)->class_name != "Hit") return std::nullopt;
    if (push.opcode >= 0x03 && push.opcode <= 0x08) return push.opcode - 0x03U;
    if (push.opcode == op::kBipush) return static_cast<std::uint32_t>(operand(new_code(), push, 1));
    if (push.opcode == op::kSipush) return static_cast<std::uint32_t>(operand(new_code(), push, 2));
    return std::nullopt;
  }

  static Handlers handlers_of(const CodeAttribute& code, std::uint32_t index) {
    Handlers result;
    for (const ExceptionEntry& entry : code.exceptions) {
      if (entry.covers(index)) result.emplace_back(entry.catch_type, entry.handler);
    }
    return result;
  }

  void follow(const Edge& edge) {
    std::vector<std::uint32_t> expected = edge.probes;
    std::uint32_t old_at = edge.old_to;
    std::size_t old_gotos = 0;
    for (;; ++old_gotos) {
      for (const ProbeKind kind : {ProbeKind::kLoopHeader, ProbeKind::kExit, ProbeKind::kBeforeCall}) {
        for (const std::uint32_t number : probe(kind, old_at)) expected.push_back(number);
      }
      if (!is_goto(old_code()[old_at].opcode) || old_gotos > old_code().size()) break;
      old_at = old_code()[old_at].target;
    }

    std::vector<std::uint32_t> seen, hits;
    std::uint32_t new_at = edge.new_to;
    std::size_t new_gotos = 0;
    // Falling into a goto needs no frame there; where it leads does.
    const Instruction& next = old_code()[edge.old_to];
    const std::uint32_t meant = edge.jumps || !is_goto(next.opcode) ? edge.old_to : next.target;
    if (edge.jumps) landings_.insert({new_at, meant});
    while (new_gotos <= new_code().size()) {
      if (const auto number = hit_at(new_at)) {
        seen.push_back(*number);
        hits.push_back(new_at);
        new_at += 3;
      } else if (is_goto(new_code()[new_at].opcode)) {
        new_at = new_code()[new_at].target;
        landings_.insert({new_at, meant});
        ++new_gotos;
      } else {
        break;
      }
    }
    const bool old_ends = old_gotos <= old_code().size();
    const bool new_ends = new_gotos <= new_code().size();
    if (old_ends != new_ends) return fail("an endless loop on one side only", edge.old_to);
    if (!old_ends) return;
    if (expected != seen) return fail("other probes than expected on the way to what is", edge.old_to);
    if (old_gotos == 0 && !edge.from_prologue) {
      const Handlers wanted = handlers_of(new_.code, new_at);
      for (const std::uint32_t hit : hits) {
        if (handlers_of(new_.code, hit) != wanted) fail("a probe is not covered like its instruction", old_at);
      }
    }
    match(old_at, new_at);
  }

  void match(std::uint32_t i, std::uint32_t p) {
    if (new_of_old_[i] == p && old_of_new_[p] == i) return;
    if (new_of_old_[i] != kNowhere || old_of_new_[p] != kNowhere) return fail("an instruction is there twice", i);
    new_of_old_[i] = p;
    old_of_new_[p] = i;
    if (!same_instruction(old_code()[i], new_code()[p])) return fail("another instruction", i);
    expand(i, p);
    expand_handlers(i, p);
  }

  bool same_instruction(const Instruction& a, const Instruction& b) const {
    const base::Bytes a_bytes = old_code().code().subspan(a.pc, a.length);
    const base::Bytes b_bytes = new_code().code().subspan(b.pc, b.length);
    switch (a.operand()) {
      case Operand::kLocal:
      case Operand::kImplicitLocal:
        return canonical_local(b) == std::pair(canonical_local(a).first, moved(a.local));
      case Operand::kIinc:
        return b.opcode == op::kIinc && b.local == moved(a.local) &&
               operand(old_code(), a, a.wide ? 2 : 1) == operand(new_code(), b, b.wide ? 2 : 1);
      case Operand::kBranch16:
      case Operand::kBranch32:
        return a.opcode == b.opcode || (is_jsr(a.opcode) && is_jsr(b.opcode));
      case Operand::kTableswitch:
      case Operand::kLookupswitch:
        return a.opcode == b.opcode && switch_keys(old_code(), a) == switch_keys(new_code(), b);
      default:
        return std::ranges::equal(a_bytes, b_bytes);
    }
  }

  static std::vector<std::uint32_t> switch_keys(const Instructions& code, const Instruction& instruction) {
    base::ByteReader reader(code.code(), instruction.pc / 4 * 4 + 8);
    std::vector<std::uint32_t> keys = {reader.u4_be()};
    if (instruction.opcode == op::kTableswitch) return {keys[0], reader.u4_be()};
    for (std::uint32_t i = 0; i < instruction.case_count; ++i) {
      keys.push_back(reader.u4_be());
      reader.skip(4);
    }
    return keys;
  }

  void expand(std::uint32_t i, std::uint32_t p) {
    const Instruction& a = old_code()[i];
    const Instruction& b = new_code()[p];
    if (is_conditional_branch(a.opcode)) {
      work_.push_back({i + 1, p + 1, probe(ProbeKind::kBranchEdge, i, 0), false});
      work_.push_back({a.target, b.target, probe(ProbeKind::kBranchEdge, i, 1), true});
    } else if (is_switch(a.opcode)) {
      const std::vector<std::uint32_t> outcomes = old_code().distinct_targets(a);
      std::set<std::pair<std::uint32_t, std::uint32_t>> ways = {{a.target, b.target}};
      for (std::size_t c = 0; c < a.case_count; ++c) {
        ways.insert({old_code().case_targets(a)[c], new_code().case_targets(b)[c]});
      }
      for (const auto& [old_to, new_to] : ways) {
        const auto outcome = std::lower_bound(outcomes.begin(), outcomes.end(), old_to) - outcomes.begin();
        work_.push_back({old_to, new_to, probe(ProbeKind::kBranchEdge, i, static_cast<std::uint32_t>(outcome)), true});
      }
    } else if (is_jsr(a.opcode)) {
      work_.push_back({a.target, b.target, {}, true});
      if (i + 1 < old_code().size() && returns()) work_.push_back({i + 1, p + 1, {}, false});
    } else if (!ends_flow(a.opcode)) {
      work_.push_back({i + 1, p + 1, probe(ProbeKind::kAfterCall, i), false});
    }
  }

  // Subroutines may return: without a ret control never comes to what is behind a jsr.
  bool returns() const {
    return std::any_of(old_code().begin(), old_code().end(), [](const Instruction& i) { return i.opcode == op::kRet; });
  }

  void expand_handlers(std::uint32_t i, std::uint32_t p) {
    const Handlers before = handlers_of(old_.code, i);
    Handlers after = handlers_of(new_.code, p);
    take_unwind(after, i);
    if (before.size() != after.size()) return fail("other handlers than before", i);
    for (std::size_t h = 0; h < before.size(); ++h) {
      if (before[h].first != after[h].first) return fail("another type is caught", i);
      const auto [old_to, new_to] = std::pair(before[h].second, after[h].second);
      if (!handlers_seen_.insert({old_to, new_to}).second) continue;
      work_.push_back({old_to, new_to, probe(ProbeKind::kHandler, old_to), true});
    }
  }

  // Where a jump lands stands the frame of its target, or of one of the gotos between.
  void check_frames() {
    if (!old_frames_.has_map() || !old_frames_.sound()) return;
    if (!new_frames_.sound()) return fail("a frame stands at no instruction", kNowhere);
    const auto old_news = [&](std::uint32_t i) { return new_of_old_[i] == kNowhere ? "dead" : std::to_string(i); };
    const auto new_news = [&](std::uint32_t p) {
      return p >= old_of_new_.size() || old_of_new_[p] == kNowhere ? "dead" : std::to_string(old_of_new_[p]);
    };
    for (const auto& [new_to, old_to] : landings_) {
      std::set<std::string> wanted;
      bool all_there = true;
      std::uint32_t at = old_to;
      for (std::size_t gotos = 0; gotos <= old_code().size(); ++gotos, at = old_code()[at].target) {
        all_there = all_there && old_frames_.has_frame(at);
        if (old_frames_.has_frame(at)) wanted.insert(old_frames_.text_with_hit_locals(at, old_news, slot_));
        if (!is_goto(old_code()[at].opcode)) break;
      }
      if (!new_frames_.has_frame(new_to)) {
        if (all_there) fail("no frame where a jump lands", old_to);
        continue;
      }
      const std::string found = new_frames_.text(new_to, new_news);
      if (!wanted.contains(found)) {
        return fail("the frame " + found + " instead of " + (wanted.empty() ? "none" : *wanted.begin()), old_to);
      }
    }
  }

  static std::vector<std::uint32_t> lines_by_pc(const Side& side) {
    std::map<std::uint32_t, std::uint32_t> starts;
    for (const Attribute& attribute : side.code.attributes) {
      if (side.file.attribute_name(attribute) != "LineNumberTable") continue;
      base::ByteReader reader(attribute.data, 2);
      while (!reader.at_end()) {
        const std::uint32_t pc = reader.u2_be();
        starts[pc] = reader.u2_be();
      }
    }
    std::vector<std::uint32_t> lines;
    for (const auto& [pc, line] : starts) {
      lines.resize(pc, lines.empty() ? 0 : lines.back());
      lines.push_back(line);
    }
    lines.resize(side.code.instructions.code().size() + 1, lines.empty() ? 0 : lines.back());
    return lines;
  }

  void check_lines() {
    const std::vector<std::uint32_t> before = lines_by_pc(old_);
    const std::vector<std::uint32_t> after = lines_by_pc(new_);
    for (std::uint32_t i = 0; i < new_of_old_.size(); ++i) {
      if (new_of_old_[i] == kNowhere) continue;
      if (before[old_code()[i].pc] != after[new_code()[new_of_old_[i]].pc]) return fail("another line", i);
    }
  }

  struct Variable {
    std::uint32_t start, end, local;
    bool holds(const Instruction& instruction) const { return start <= instruction.pc && instruction.pc < end; }
  };
  static std::vector<Variable> variables(const Side& side) {
    std::vector<Variable> result;
    for (const Attribute& attribute : side.code.attributes) {
      if (!side.file.attribute_name(attribute).starts_with("LocalVariableT")) continue;
      base::ByteReader reader(attribute.data, 2);
      while (!reader.at_end()) {
        Variable variable{};
        variable.start = reader.u2_be();
        variable.end = variable.start + reader.u2_be();
        reader.skip(4);
        variable.local = reader.u2_be();
        result.push_back(variable);
      }
    }
    return result;
  }

  void check_variables() {
    const std::vector<Variable> before = variables(old_);
    const std::vector<Variable> after = variables(new_);
    if (before.size() != after.size()) return fail("other variables", kNowhere);
    for (std::size_t v = 0; v < before.size(); ++v) {
      if (after[v].local != moved(before[v].local)) return fail("a variable in another slot", kNowhere);
      for (std::uint32_t i = 0; i < new_of_old_.size(); ++i) {
        if (new_of_old_[i] == kNowhere) continue;
        if (before[v].holds(old_code()[i]) != after[v].holds(new_code()[new_of_old_[i]])) {
          return fail("a variable has another range", i);
        }
      }
    }
  }

  Side old_, new_;
  FrameOracle old_frames_, new_frames_;
  std::map<std::tuple<ProbeKind, std::uint32_t, std::uint32_t>, std::uint32_t> number_of_;
  std::uint32_t slot_ = 0;  // of the first new local
  bool unwinds_ = false;
  std::uint32_t unwind_ = kNowhere;
  std::vector<std::uint32_t> new_of_old_, old_of_new_;  // instructions matched so far; gotos never are
  std::vector<Edge> work_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> landings_;       // (new instruction, old one that was meant)
  std::set<std::pair<std::uint32_t, std::uint32_t>> handlers_seen_;  // (old, new)
  std::optional<std::string> wrong_;
};

}  // namespace bursar::classfile
