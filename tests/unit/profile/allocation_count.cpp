// In a file of its own, so that no caller sees through to malloc and calls the pair mismatched.
#include "allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> count = 0;
}  // namespace

std::size_t allocated_bytes() {
  return count;
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  count += size;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  if (void* const memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
