// What a program is told about a null that it called a method on, without the argument that copies of methods have.
//
// The VM makes up the message of a NullPointerException when it is asked for, from the code that threw it.
#pragma once

#include <string>
#include <string_view>

namespace bursar::agent {

// As the VM prints it: A.f(int, boolean[][][][][][][]).
std::string without_mark_of_copies(std::string message);

// What to bind to the native method instead of `original`; `original` itself if it is another one.
// Runs in: any thread, where the VM binds a native
void* replacement_of_null_message(std::string_view class_name, std::string_view method_name, void* original);

}  // namespace bursar::agent
