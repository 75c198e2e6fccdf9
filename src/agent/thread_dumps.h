// What a program sees of other threads' stacks: without the frames of probes.
//
// HotSpot hides such frames from their own thread, not from others. So natives of the class library that look at the
// stacks of others are replaced when the VM binds them: ours calls the VM's and takes our frames out of what it made.
#pragma once

#include <string_view>

namespace bursar::agent {

// What to bind to the native method instead of `original`; `original` itself if the method shows no stacks.
// Runs in: any thread, where the VM binds a native
void* replacement_of_native(std::string_view class_name, std::string_view method_name, void* original);

}  // namespace bursar::agent
