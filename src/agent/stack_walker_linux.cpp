#include <dlfcn.h>

#include "agent/stack_walker.h"

namespace bursar::agent {

StackWalker find_stack_walker(JavaVM* vm) {
  // The library that the VM's own functions are in, however it was loaded.
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(vm->functions->GetEnv), &info) == 0) return nullptr;
  void* const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  return reinterpret_cast<StackWalker>(dlsym(library, "AsyncGetCallTrace"));
}

}  // namespace bursar::agent
