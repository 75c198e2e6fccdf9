#include <sys/mman.h>

#include <algorithm>

#include "agent/seen_stacks.h"

namespace bursar::agent {

bool SeenStacks::map() {
  if (memories_ != nullptr) return true;
  void* const memory = mmap(nullptr, sizeof(Memory) * kThreads, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  memories_ = static_cast<Memory*>(memory);
  return true;
}

bool SeenStacks::is_unchanged(const Memory& memory, Address address) {
  return address >= memory.low && address < memory.base &&
         memory.words[(memory.base - address) / kWord - 1] == load<std::uint64_t>(address);
}

Address SeenStacks::unchanged_from(const Memory& memory, Address sp, Address base) {
  if (memory.base != base) return base;
  Address at = base;
  const Address low = std::max(sp, memory.low);
  for (const std::uint64_t* word = memory.words.data(); at > low; ++word, at -= kWord) {
    if (*word != load<std::uint64_t>(at - kWord)) break;
  }
  return at;
}

SeenStacks::Look SeenStacks::look(std::uint32_t desk, std::uint32_t thread, FrameChain chain, Address sp,
                                  Address base) {
  Look look;
  Memory* const memory = memory_of(desk);
  if (memory == nullptr || sp >= base || base % kWord != 0 || sp % kWord != 0) return look;
  // Desks have other threads in the course of time.
  if (memory->thread != thread) memory->sequence = 0;
  memory->thread = thread;
  const bool has_last = memory->sequence != 0;
  look.unchanged = has_last ? unchanged_from(*memory, sp, base) : base;
  std::uint32_t found = 0, last = has_last ? memory->activations : 0;
  for (Activation activation; found < kActivations && chain.next(activation);) {
    const Address slot = activation.return_slot;
    while (last > 0 && memory->seen[last - 1].return_slot < slot) --last;
    const bool lies_there = last > 0 && memory->seen[last - 1].return_slot == slot;
    if (lies_there && activation.caller >= look.unchanged && is_unchanged(*memory, slot) &&
        is_unchanged(*memory, slot - kWord)) {
      const Seen& seen = memory->seen[last - 1];
      look.found = true;
      look.unseen = look.depth;
      look.depth += activation.methods;
      look.outside = seen.outside;
      look.root = seen.root;
      look.sequence = memory->sequence;
      memory->activations = last - 1;
      memory->unseen[found++] = {slot, seen.root, seen.outside, activation.methods};
      break;
    }
    look.depth += activation.methods;
    memory->unseen[found++] = {slot, nullptr, 0, activation.methods};
  }
  if (!look.found) {
    memory->sequence = 0;
    memory->activations = 0;
    look.unseen = look.depth;
  }
  memory->found = found;
  look.is_known = found > 0;
  return look;
}

bool SeenStacks::remember(const Look& look, std::uint32_t desk, const Walk& walk, std::uint32_t outside, Address sp,
                          Address base) {
  Memory* const memory = memory_of(desk);
  if (memory == nullptr) return false;
  memory->sequence = 0;
  const std::uint32_t frames = walk.frames > 0 ? static_cast<std::uint32_t>(walk.frames) : 0;
  if (!look.is_known || frames == 0 || look.depth > frames || memory->activations + memory->found > kActivations)
    return false;
  // The VM found another number of methods than we: what was said of those outside does not hold.
  if (look.found && frames + outside - look.depth != look.outside) memory->activations = 0;
  std::uint32_t depth = look.depth;
  for (std::uint32_t i = memory->found; i-- > 0;) {
    Seen& seen = memory->unseen[i];
    seen.root = walk.frame[depth - 1].method;
    seen.outside = frames + outside - depth;
    depth -= seen.methods;
    memory->seen[memory->activations++] = seen;
  }
  const Address low = std::max(sp, base - std::min<Address>(base, kWords * kWord));
  std::uint64_t* word = &memory->words[(base - look.unchanged) / kWord];
  for (Address at = look.unchanged; at > low; at -= kWord) *word++ = load<std::uint64_t>(at - kWord);
  memory->low = low;
  memory->base = base;
  memory->thread = walk.thread;
  memory->sequence = walk.sequence;
  return true;
}

}  // namespace bursar::agent
