#include <sys/mman.h>

#include "agent/stack_slots.h"

namespace bursar::agent {

bool StackSlots::map() {
  if (slots_ != nullptr) return true;
  // Zeros are what free slots are made of.
  void* memory =
      mmap(nullptr, sizeof(Slot) * kSlots, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  slots_ = static_cast<Slot*>(memory);
  return true;
}

StackSlots::Slot* StackSlots::slot_of(Ticket ticket) const {
  const std::uint64_t number = ticket & 0xffff;
  return slots_ != nullptr && number >= 1 && number <= kSlots ? &slots_[number - 1] : nullptr;
}

StackSlots::Ticket StackSlots::claim(std::uint32_t thread) {
  if (slots_ == nullptr) return 0;
  for (std::uint32_t tried = 0; tried < kSlots; ++tried) {
    const std::uint32_t i = next_++ % kSlots;
    Slot& slot = slots_[i];
    const std::uint64_t word = slot.word.load(std::memory_order_acquire);
    if (state_of(word) != kFree) continue;
    slot.walk.thread = thread;
    slot.word.store(word | kSent, std::memory_order_release);
    return ticket_of(word, i);
  }
  return 0;
}

bool StackSlots::is_pending(Ticket ticket) const {
  const Slot* const slot = slot_of(ticket);
  return slot != nullptr && slot->word.load(std::memory_order_acquire) == word_of(ticket);
}

bool StackSlots::withdraw(Ticket ticket) {
  Slot* const slot = slot_of(ticket);
  if (slot == nullptr) return false;
  std::uint64_t sent = word_of(ticket);
  return slot->word.compare_exchange_strong(sent, freed(sent), std::memory_order_acq_rel);
}

Walk* StackSlots::begin(Ticket ticket) {
  Slot* const slot = slot_of(ticket);
  if (slot == nullptr) return nullptr;
  std::uint64_t sent = word_of(ticket);
  const std::uint64_t walking = (sent & ~std::uint64_t{3}) | kWalking;
  return slot->word.compare_exchange_strong(sent, walking, std::memory_order_acq_rel) ? &slot->walk : nullptr;
}

void StackSlots::end(Ticket ticket) {
  Slot* const slot = slot_of(ticket);
  if (slot != nullptr) {
    slot->word.store((word_of(ticket) & ~std::uint64_t{3}) | kFilled, std::memory_order_release);
  }
}

}  // namespace bursar::agent
