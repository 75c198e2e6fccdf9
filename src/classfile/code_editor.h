// CodeEditor: puts code into one method without changing what the method does.
//
// Straight-line code goes to places (see code_layout.h); everything that refers to positions or local variables
// follows: jumps, switches, exception table, stack map, line numbers, local-variable tables, type annotations.
// Stack-map types are moved and copied; only around a fork they are inferred (type_flow.h). Any doubt ends in a
// SkipReason and the method stays as it was.
//
// Exception coverage: inserted code is covered like the instruction it stands before, a detour like its target. So
// methods that lock stay balanced in the eyes of HotSpot's monitor analysis, which refuses to compile them otherwise.
// The prologue is not covered: handlers may rely on the new locals it sets.
// The unwind catches everything from the end of the prologue to itself, detours included, except for what
// unwind_cover.h says of constructors. Its entries are the last, so all handlers of the method's own come first.
// Owner: the rewriter, one method at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code_attribute.h"
#include "classfile/code_layout.h"
#include "classfile/skip_reason.h"
#include "classfile/snippet.h"
#include "classfile/stack_map.h"
#include "classfile/unwind_cover.h"

namespace bursar::classfile {

// Where new local variables go. Behind the parameters frames stay short, but every other local moves up and some
// one-byte instructions grow; at the end nothing moves, but every frame must be spelt out.
enum class LocalPlacement : std::uint8_t { kAfterParameters, kAtEnd };

class CodeEditor {
 public:
  // Of a method of `file` whose Code attribute is `code`; both must outlive the editor. `descriptor`: of the method
  // that the code is for now, if it is for another one that takes more arguments; `code` has room for them.
  static std::variant<CodeEditor, SkipReason> open(const ClassFile& file, const Member& method,
                                                   const CodeAttribute& code, std::string_view descriptor = {});

  // At most once, before anything else. Falls back to kAtEnd where a long or double lies across the parameters' end.
  std::optional<SkipReason> add_locals(std::span<const NewLocal> locals, LocalPlacement placement, ConstantPool& pool);
  std::span<const std::uint16_t> local_slots() const { return slots_; }

  void prepend(const Snippet& snippet);
  // Between the instruction before and this one, when control falls through.
  void insert_on_fall_through(std::uint32_t instruction, const Snippet& snippet);
  // Before this instruction, however control arrives; behind what was inserted there earlier.
  void insert_on_arrival(std::uint32_t instruction, const Snippet& snippet);
  // On the way from a jump or switch to one of its targets.
  void insert_on_jump(std::uint32_t source, std::uint32_t target, const Snippet& snippet);
  // When an exception arrives at this handler; `also_reached` if control comes there by other ways too.
  void insert_on_catch(std::uint32_t handler, bool also_reached, const Snippet& snippet);
  // Puts this in the place of an invoke. At most once for each, behind what else is inserted there.
  void redirect(std::uint32_t invoke, const CopyCall& call);
  // Before an invoke: what the snippet says, and this call, or the invoke as it is. At most once for each, behind what
  // else is inserted there.
  void fork(std::uint32_t invoke, const CopyCall& call, const Snippet& snippet);
  // When an exception leaves the method; it goes on afterwards. At most once, and only if can_unwind().
  void insert_on_unwind(const Snippet& snippet);
  // Something can throw where an unwind can catch it.
  bool can_unwind() const { return cover_.blocks() != 0; }

  bool empty() const { return layout_.inserted.empty(); }

  struct Edited {
    std::vector<std::uint8_t> attribute;  // the new contents of the Code attribute
    std::uint32_t code_size;
    std::vector<std::uint32_t> calls;  // where the method's own calls are, in their order
  };
  std::variant<Edited, SkipReason> finish(ConstantPool& pool);

 private:
  CodeEditor(const ClassFile& file, const CodeAttribute& code, StackMap stack_map, bool has_stack_map,
             UnwindCover cover)
      : file_(file),
        code_(code),
        stack_map_(std::move(stack_map)),
        has_stack_map_(has_stack_map),
        cover_(std::move(cover)),
        layout_(code.instructions) {}

  void append(CodePiece& piece, const Snippet& snippet);
  void append(CodePiece& piece, std::span<const std::uint8_t> code, unsigned max_stack);
  bool lies_across(std::uint32_t slot) const;
  std::optional<SkipReason> move_frames(ConstantPool& pool);
  std::optional<SkipReason> frames_of_forks(ConstantPool& pool, std::vector<Frame>& frames) const;
  bool move_types(Frame& frame) const;
  Types locals_at_entry() const;
  void add_entry_frame();
  bool add_unwind_frames(ConstantPool& pool);
  std::variant<std::vector<std::uint8_t>, SkipReason> move_attribute(const Attribute& attribute,
                                                                     std::span<const std::uint32_t> new_entry,
                                                                     ConstantPool& pool) const;

  const ClassFile& file_;
  const CodeAttribute& code_;
  StackMap stack_map_;
  bool has_stack_map_;
  bool prologue_jumps_ = false;
  UnwindCover cover_;
  CodeLayout layout_;
  std::vector<std::uint16_t> slots_;
  Types new_types_;                   // of the new locals
  std::vector<std::uint32_t> forks_;  // invokes, ascending
  std::uint32_t new_slots_ = 0;
  unsigned extra_stack_ = 0;
  unsigned unwind_stack_ = 0;  // all that the unwind needs, the exception included
};

}  // namespace bursar::classfile
