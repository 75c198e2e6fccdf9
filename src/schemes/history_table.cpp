#include "schemes/history_table.h"

#include <algorithm>

namespace bursar::schemes {
namespace {

constexpr Signature kFree = 0;

}  // namespace

HistoryTable::HistoryTable(std::uint32_t size, Collision rule)
    : size_(std::max<std::uint32_t>(size, 1)), rule_(rule), places_(new std::atomic<Signature>[size_]()) {}

bool HistoryTable::seen(Signature signature) {
  if (signature == kFree) signature = ~kFree;
  std::atomic<Signature>& place = places_[signature % size_];
  const Signature found = place.load(std::memory_order_relaxed);
  if (found == signature) return true;
  if (found == kFree || rule_ == Collision::kReplace) place.store(signature, std::memory_order_relaxed);
  return false;
}

}  // namespace bursar::schemes
