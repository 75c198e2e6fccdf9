#include "agent/walked_stack.h"

#include <algorithm>
#include <cstring>

namespace bursar::agent {
namespace {

constexpr std::size_t kDeepest = 4096;
// Of stacks larger than this no memory is kept.
constexpr Address kMostKept = 1 << 20;
constexpr Address kWord = 8, kBlock = 256;

const std::uint8_t* bytes_at(Address address) {
  return reinterpret_cast<const std::uint8_t*>(address);  // NOLINT(performance-no-int-to-ptr): the thread's own stack
}

bool same(const FrameInfo& a, const FrameInfo& b) {
  return a.method == b.method && a.location == b.location;
}

}  // namespace

std::size_t WalkedStack::walk(const Ask& ask, const VmCode* code, const std::optional<Place>& place) {
  if (code == nullptr || !place || place->left.sp >= place->base || place->base - place->left.sp > kMostKept) {
    forget();
    walk_all(ask);
    return 0;
  }
  const Address unchanged = unchanged_from(*place);
  std::size_t kept = 0;
  if (walk_new(ask, *code, *place, unchanged)) {
    kept = seen_.back().outside;
    seen_.insert(seen_.end(), new_.rbegin(), new_.rend());
  } else {
    walk_all(ask);
    find_activations(*code, *place);
  }
  remember(*place, unchanged);
  return kept;
}

void WalkedStack::forget() {
  frames_.clear();
  seen_.clear();
  low_ = base_ = 0;
}

Address WalkedStack::unchanged_from(const Place& place) const {
  Address from = place.base;
  if (base_ != place.base) return from;
  const Address lowest = std::max(place.left.sp, low_);
  while (from - lowest >= kBlock && std::memcmp(bytes_at(from - kBlock), kept_at(from - kBlock), kBlock) == 0)
    from -= kBlock;
  while (from - lowest >= kWord && std::memcmp(bytes_at(from - kWord), kept_at(from - kWord), kWord) == 0)
    from -= kWord;
  return from;
}

// Up to the first activation that was seen, which is the last of seen_ then; false if there is none.
bool WalkedStack::walk_new(const Ask& ask, const VmCode& code, const Place& place, Address unchanged) {
  new_.clear();
  FrameChain chain(code, place.left, place.base, false);
  std::size_t methods = 0, last = seen_.size();
  bool found = false;
  for (Activation activation; !found && chain.next(activation);) {
    const Address slot = activation.return_slot;
    while (last > 0 && seen_[last - 1].return_slot < slot) --last;
    found = last > 0 && seen_[last - 1].return_slot == slot && slot - kWord >= unchanged;
    if (!found) new_.push_back({slot, methods + activation.methods});
    methods += activation.methods;
  }
  if (!found || seen_[last - 1].outside == 0) return false;
  const std::size_t outside = seen_[last - 1].outside;
  // With one that is known, to see that the VM counts methods as we do.
  asked_.resize(methods + 1);
  if (ask(asked_) != asked_.size() || !same(asked_.back(), frames_[outside - 1])) return false;
  seen_.resize(last);
  for (Seen& seen : new_) seen.outside = outside + methods - seen.outside;
  frames_.resize(outside);
  frames_.insert(frames_.end(), asked_.rbegin() + 1, asked_.rend());
  return true;
}

void WalkedStack::walk_all(const Ask& ask) {
  frames_.resize(kDeepest);
  frames_.resize(ask(frames_));
  std::reverse(frames_.begin(), frames_.end());
}

void WalkedStack::find_activations(const VmCode& code, const Place& place) {
  seen_.clear();
  // Some of the outermost are missing.
  if (frames_.size() == kDeepest) return;
  FrameChain chain(code, place.left, place.base, false);
  std::size_t methods = 0;
  for (Activation activation; chain.next(activation);) {
    methods += activation.methods;
    if (methods > frames_.size()) return seen_.clear();
    seen_.push_back({activation.return_slot, frames_.size() - methods});
  }
  std::reverse(seen_.begin(), seen_.end());
}

void WalkedStack::remember(const Place& place, Address unchanged) {
  const Address size = place.base - place.left.sp;
  if (kept_.size() < size) {
    const std::size_t before = kept_.size();
    kept_.insert(kept_.begin(), std::max<std::size_t>(size, 2 * before) - before, 0);
  }
  base_ = place.base;
  low_ = place.left.sp;
  if (unchanged > low_) std::memcpy(kept_at(low_), bytes_at(low_), unchanged - low_);
}

}  // namespace bursar::agent
