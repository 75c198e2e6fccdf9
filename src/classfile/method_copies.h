// Copies of methods: the same method again with one argument more, so that its calls may lead to copies in turn.
//
// A copy has its method's name, so that nobody who looks at the stack sees a difference, and a type behind its
// parameters that no other method has: an array of primitives, so that no class loader is asked for it. Callers pass
// null; the copy's code may use the argument's local for something else. Wherever a method can be called its copy can
// be called, provided that all classes have copies of the same methods.
// Runs in: any thread that may allocate
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/method_rewriter.h"
#include "classfile/probes.h"

namespace bursar::classfile {

inline constexpr std::string_view kCopyMark = "[[[[[[[Z";

std::string descriptor_of_copy(std::string_view descriptor);
// Of the method that this is the descriptor of a copy of; nothing if it is not one.
std::optional<std::string> descriptor_of_original(std::string_view descriptor);

// Room for one argument more.
bool can_have_copy(std::string_view descriptor);

// The copy of a method, with probes and calls of copies as the instrumentation says. A method that it does not take, or
// that cannot be rewritten, is copied as it is; if that fails too, or there is no code, its copy calls it. Abstract
// methods have abstract copies, unless these are to call them. Nothing if the constant pool is full.
struct Copy {
  Member member;
  std::vector<std::uint32_t> calls;  // where the method's own calls are in it, in their order; empty if it calls it
};
enum class AbstractCopies : std::uint8_t { kAbstract, kForward };
std::optional<Copy> copy_of(ClassFile& file, const Member& method, Instrumentation& instrumentation,
                            const RewriteOptions& options, RewriteCounts& counts,
                            AbstractCopies abstract_copies = AbstractCopies::kAbstract);
// The copies of abstract methods of this class may call them, and nobody sees a difference: an interface that has
// nothing to initialise, since the VM initialises those that have code before a class that implements them.
bool may_forward_abstract_copies(const ClassFile& file);

}  // namespace bursar::classfile
