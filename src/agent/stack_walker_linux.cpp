#include <dlfcn.h>
#include <ucontext.h>

#include <cstdint>

#include "agent/stack_walker.h"

namespace bursar::agent {
namespace {

// HotSpot's words for a thread in Java code whose innermost frame it does not understand.
constexpr jint kUnknownJava = -5, kBrokenJava = -6;

}  // namespace

StackWalker find_stack_walker(JavaVM* vm) {
  // The library that the VM's own functions are in, however it was loaded.
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(vm->functions->GetEnv), &info) == 0) return nullptr;
  void* const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  return reinterpret_cast<StackWalker>(dlsym(library, "AsyncGetCallTrace"));
}

// Until a compiled method has made its frame, and from when it has taken it down, its return address lies on top of the
// stack, with the caller's frame pointer above it for a moment; that of a stub lies on top as well. HotSpot checks
// whatever address it is given before it follows it.
std::uint32_t walk_stack(StackWalker walker, CallTrace& trace, jint max_frames, void* context) {
  walker(&trace, max_frames, context);
  const jint reason = trace.frames;
  if (reason != kUnknownJava && reason != kBrokenJava) return 0;
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const greg_t pc = registers[REG_RIP], sp = registers[REG_RSP], fp = registers[REG_RBP];
  constexpr greg_t kWord = 8;
  const auto* const top = reinterpret_cast<const greg_t*>(sp);  // NOLINT(performance-no-int-to-ptr): a register
  std::uint32_t words = 1;
  for (; words <= 2; ++words) {
    const bool has_frame_pointer = words == 2;
    registers[REG_RIP] = top[words - 1];
    registers[REG_RSP] = sp + words * kWord;
    registers[REG_RBP] = has_frame_pointer ? top[0] : fp;
    walker(&trace, max_frames, context);
    if (trace.frames > 0) break;
  }
  registers[REG_RIP] = pc;
  registers[REG_RSP] = sp;
  registers[REG_RBP] = fp;
  if (trace.frames > 0) return words;
  trace.frames = reason;
  return 0;
}

}  // namespace bursar::agent
