// Interceptions: what the agent does in certain methods of the class library besides counting. It changes an argument,
// so that programs do not see what was added to their classes, and hidden classes pass by the agent.
// Runs in: any thread that may allocate
#pragma once

#include "classfile/probes.h"

namespace bursar::agent {

// Hidden classes pass by here, before the VM is called to define them: JavaLangAccess.defineClass.
bool takes_hidden_class(const classfile::MethodView& method);
// Whatever reflection shows of a class passes by here, so that the VM's own secrets can be left out.
bool shows_members(const classfile::MethodView& method);
// One of those, or what shows constructors: emit_interception has something to do there.
bool does_more(const classfile::MethodView& method);
// The VM tells a module that an agent rewrote a class of it.
bool hears_of_rewriting(const classfile::MethodView& method);

// The VM calls it to link something, in whatever a thread does: in bursts, what it does is not counted.
bool links_for_vm(const classfile::MethodView& method);

// Where optimized code is left at gates (BursarFork.java).
bool is_way_out(const classfile::MethodView& method);

// At the entry of a method that does more; nothing in others.
void emit_interception(const classfile::MethodView& method, classfile::Snippet& snippet);
// At the entry of the one that hears of rewriting.
void emit_rewritten_module(classfile::Snippet& snippet);
// At the entry of the way out.
void emit_way_out(classfile::Snippet& snippet);

}  // namespace bursar::agent
