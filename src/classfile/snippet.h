// Snippet: the bytecode of one probe: straight-line, but that an entry may skip its own end.
//
// Invariant: it leaves the stack it found as it was: it neither takes nor reads anything of it, except that
// peek_reference() copies the topmost entry, and that what it takes with take() it gives back. Only an entry has a
// jump of its own, to its end; before a call there may be a fork, whose frames the editor infers. A snippet that ends
// with anything left on the stack, or for which the constant pool had no room, says so and is not used. Decisions
// belong into the methods that a snippet calls, unless the JIT shall know how each method decides. Owner: the rewriter,
// one method at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_writer.h"
#include "classfile/constant_pool.h"
#include "classfile/skip_reason.h"

namespace bursar::classfile {

// A local variable that probes add to a method; alive from its entry to its end.
struct NewLocal {
  enum class Type : std::uint8_t { kInt, kLong, kFloat, kDouble, kObject };
  Type type = Type::kInt;
  std::string class_name;  // of an object: its internal name

  unsigned slots() const { return type == Type::kLong || type == Type::kDouble ? 2 : 1; }
};

class Snippet {
 public:
  // `slots[i]` is where locals[i] lives.
  Snippet(ConstantPool& pool, std::span<const NewLocal> locals, std::span<const std::uint16_t> slots)
      : pool_(pool), locals_(locals), slots_(slots), first_use_(locals.size(), FirstUse::kNone) {}

  void push_int(std::int32_t value);
  void push_long(std::int64_t value);
  void push_null();
  void push_zero(NewLocal::Type type);  // or null

  // Of new locals, by their number.
  void load(std::size_t local);
  void store(std::size_t local);
  void increment(std::size_t local, std::int32_t by);  // of an int

  // Of a parameter of the method, by its slot: a reference unless it says otherwise.
  void load_parameter(std::uint16_t slot);
  void load_int_parameter(std::uint16_t slot);
  void store_parameter(std::uint16_t slot);
  void store_int_parameter(std::uint16_t slot);

  // Copies what lies on top of the stack that the snippet found; only while it has nothing of its own there. The caller
  // knows that this is a reference (any value of one slot would do) and, if it is passed on, to an initialized object.
  void peek_reference();
  // Moves what lies on top of the stack that the snippet found into a new local, and back; of the local's type. The
  // same locals are given back in the opposite order.
  void take(std::size_t local);
  void give_back(std::size_t local);

  void get_static(std::string_view cls, std::string_view name, std::string_view descriptor);
  void put_static(std::string_view cls, std::string_view name, std::string_view descriptor);
  void get_field(std::string_view cls, std::string_view name, std::string_view descriptor);
  void put_field(std::string_view cls, std::string_view name, std::string_view descriptor);
  void invoke_static(std::string_view cls, std::string_view name, std::string_view descriptor);

  // An instruction without operands that only works on the stack: iadd, lxor, dup, laload …
  void simple(std::uint8_t opcode);

  // Takes an int that the snippet has pushed; what is put between these is done only if it is 0. In an entry only,
  // once, and nothing follows.
  void begin_if_false();
  void end_if();
  bool jumps() const { return jump_ == Jump::kToEnd; }

  // Before a call only, once. Takes an int that the snippet has pushed: if it is 0 the call is made as it is written.
  // Else what is put between these is done, the call goes to the copy of what it names (method_copies.h), and when that
  // has returned what follows is done. What is left on the stack there are arguments that the copy takes besides, and
  // it may be without the last one that was found.
  void begin_fork();
  void drop_last_argument();  // a reference
  void call_copy();
  bool forks() const { return fork_ == Fork::kCalled; }
  // Its code before the call of the copy, without the jump in front of `fork_at`, and behind.
  std::size_t fork_at() const { return fork_at_; }
  std::size_t copy_at() const { return copy_at_; }

  bool empty() const { return out_.size() == 0; }
  unsigned max_stack() const { return max_depth_; }
  // Sets this local, and does not read it before.
  bool stores(std::size_t local) const { return first_use_[local] == FirstUse::kStore; }
  std::span<const std::uint8_t> code() const { return out_.view(); }
  // False with the reason if this snippet must not be used.
  bool usable(SkipReason& reason) const;

 private:
  enum class FirstUse : std::uint8_t { kNone, kRead, kStore };
  enum class Jump : std::uint8_t { kNone, kOpen, kToEnd };
  enum class Fork : std::uint8_t { kNone, kOpen, kCalled };

  void uses(std::size_t local, FirstUse use);
  void effect(int taken, int left);
  void with_constant(std::uint8_t opcode, std::optional<std::uint16_t> index);
  void local_access(std::uint8_t first_opcode, std::size_t local);
  void slot_access(std::uint8_t first_opcode, unsigned kind, unsigned slot);
  void field_access(std::uint8_t opcode, std::string_view cls, std::string_view name, std::string_view descriptor);

  ConstantPool& pool_;
  std::span<const NewLocal> locals_;
  std::span<const std::uint16_t> slots_;
  std::vector<FirstUse> first_use_;  // by local
  base::ByteWriter out_;
  Jump jump_ = Jump::kNone;
  std::size_t jump_at_ = 0;
  std::size_t jump_to_ = 0;
  Fork fork_ = Fork::kNone;
  std::size_t fork_at_ = 0;
  std::size_t copy_at_ = 0;
  int depth_ = 0;
  unsigned taken_ = 0;  // slots of the stack that was found
  unsigned max_depth_ = 0;
  bool underflow_ = false;
  bool pool_full_ = false;
};

}  // namespace bursar::classfile
