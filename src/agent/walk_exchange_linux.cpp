#include <sys/mman.h>

#include <utility>

#include "agent/walk_exchange.h"

namespace bursar::agent {
namespace {

// How many desks are looked at for a queue that they do not need at the moment.
constexpr std::uint32_t kMostVisits = 64;

// Zeros are what free desks and empty queues are made of.
void* map_zeros(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED ? memory : nullptr;
}

constexpr std::uint64_t kAsked = 1;

constexpr WalkExchange::Ticket ticket_of(std::uint64_t word, WalkExchange::Desk desk) {
  return (word >> 1) << 16 | desk;
}

}  // namespace

bool WalkExchange::map() {
  if (desks_ == nullptr) desks_ = static_cast<DeskPlace*>(map_zeros(sizeof(DeskPlace) * kDesks));
  if (queues_ == nullptr) queues_ = static_cast<WalkQueue*>(map_zeros(sizeof(WalkQueue) * kQueues));
  return desks_ != nullptr && queues_ != nullptr;
}

// --- desks ---

WalkExchange::Desk WalkExchange::open(std::uint32_t thread) {
  if (desks_ == nullptr) return 0;
  Desk desk = 0;
  if (!free_desks_.empty()) {
    desk = free_desks_.back();
    free_desks_.pop_back();
  } else if (used_desks_ < kDesks) {
    desk = ++used_desks_;
  } else {
    return 0;
  }
  place_of(desk)->thread = thread;
  return desk;
}

void WalkExchange::close(Desk desk) {
  DeskPlace* const place = place_of(desk);
  if (place == nullptr) return;
  const std::uint64_t word = place->word.load(std::memory_order_relaxed);
  // Two more: the next generation, not asked. A handler may clear the lowest bit meanwhile.
  const std::uint64_t before = place->word.exchange(((word >> 1) + 1) << 1, std::memory_order_acq_rel);
  if ((before & kAsked) != 0) ++voided_;
  for (auto* const lying : {&place->filling, &place->spare}) {
    WalkQueue* const queue = lying->exchange(nullptr, std::memory_order_acq_rel);
    if (queue == nullptr) continue;
    if (queue->is_empty()) {
      set_aside(queue);
    } else {
      hand_in(queue);
    }
  }
  free_desks_.push_back(desk);
}

bool WalkExchange::is_asked(Desk desk) const {
  const DeskPlace* const place = place_of(desk);
  return place != nullptr && (place->word.load(std::memory_order_acquire) & kAsked) != 0;
}

WalkExchange::Ticket WalkExchange::ask(Desk desk) {
  DeskPlace* const place = place_of(desk);
  if (place == nullptr || !lend(desk)) return 0;
  const std::uint64_t word = place->word.load(std::memory_order_relaxed);
  place->word.store(word | kAsked, std::memory_order_release);
  return ticket_of(word, desk);
}

void WalkExchange::withdraw(Desk desk) {
  if (DeskPlace* const place = place_of(desk)) place->word.fetch_and(~kAsked, std::memory_order_acq_rel);
}

// --- queues ---

bool WalkExchange::put(DeskPlace& place, WalkQueue* queue) {
  for (auto* const where : {&place.spare, &place.filling}) {
    WalkQueue* none = nullptr;
    if (where->compare_exchange_strong(none, queue, std::memory_order_acq_rel)) return true;
  }
  return false;
}

void WalkExchange::hand_in(WalkQueue* queue) {
  WalkQueue* newest = full_.load(std::memory_order_relaxed);
  do {
    queue->next_ = newest;
  } while (!full_.compare_exchange_weak(newest, queue, std::memory_order_release, std::memory_order_relaxed));
}

void WalkExchange::set_aside(WalkQueue* queue) {
  const std::lock_guard guard(aside_lock_);
  aside_.push_back(queue);
}

WalkQueue* WalkExchange::find_queue() {
  const std::lock_guard guard(aside_lock_);
  if (!aside_.empty()) {
    WalkQueue* const queue = aside_.back();
    aside_.pop_back();
    return queue;
  }
  return queues_ != nullptr && fresh_ < kQueues ? &queues_[fresh_++] : nullptr;
}

// From a thread that is not asked now: most threads wait most of the time.
WalkQueue* WalkExchange::steal() {
  for (std::uint32_t visits = 0; visits < kMostVisits; ++visits) {
    steal_turn_ = steal_turn_ < used_desks_ ? steal_turn_ + 1 : 1;
    DeskPlace& place = *place_of(steal_turn_);
    if ((place.word.load(std::memory_order_relaxed) & kAsked) != 0) continue;
    for (auto* const lying : {&place.spare, &place.filling}) {
      WalkQueue* const queue = lying->exchange(nullptr, std::memory_order_acq_rel);
      if (queue == nullptr) continue;
      if (queue->is_empty()) return queue;
      hand_in(queue);
    }
  }
  return nullptr;
}

// A desk without queues gets two, or what there is.
bool WalkExchange::lend(Desk desk) {
  DeskPlace& place = *place_of(desk);
  const auto has_queue = [&] {
    return place.filling.load(std::memory_order_relaxed) != nullptr ||
           place.spare.load(std::memory_order_relaxed) != nullptr;
  };
  if (has_queue()) return true;
  for (int i = 0; i < 2; ++i) {
    WalkQueue* queue = find_queue();
    if (queue == nullptr && i == 0) queue = steal();
    if (queue == nullptr) break;
    queue->desk_ = desk;
    queue->generation_ = place.word.load(std::memory_order_relaxed) >> 1;
    if (!put(place, queue)) set_aside(queue);
  }
  return has_queue();
}

// --- handlers ---

WalkExchange::Held WalkExchange::begin(Ticket ticket) {
  const Desk desk = ticket & 0xffff;
  DeskPlace* const place = place_of(desk);
  if (place == nullptr) return {};
  const std::uint64_t generation = ticket >> 16;
  std::uint64_t asked = generation << 1 | kAsked;
  walking_.fetch_add(1, std::memory_order_acq_rel);
  if (!place->word.compare_exchange_strong(asked, generation << 1, std::memory_order_acq_rel)) {
    walking_.fetch_sub(1, std::memory_order_release);
    return {};
  }
  WalkQueue* queue = place->filling.exchange(nullptr, std::memory_order_acq_rel);
  if (queue == nullptr) queue = place->spare.exchange(nullptr, std::memory_order_acq_rel);
  ++place->sequence;
  if (queue == nullptr) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    walking_.fetch_sub(1, std::memory_order_release);
    return {};
  }
  Walk& walk = queue->next();
  walk.thread = place->thread;
  walk.sequence = place->sequence;
  return {&walk, queue, desk};
}

void WalkExchange::end(const Held& held) {
  DeskPlace& place = *place_of(held.desk);
  held.queue->keep();
  if (held.queue->is_full()) {
    full_count_.fetch_add(1, std::memory_order_relaxed);
    hand_in(held.queue);
  } else {
    // On top of what the drainer may have given back meanwhile: the next walk comes behind this one.
    WalkQueue* const empty = place.filling.exchange(held.queue, std::memory_order_acq_rel);
    place.unread.store(true, std::memory_order_release);
    if (empty != nullptr && !put(place, empty)) hand_in(empty);
  }
  walking_.fetch_sub(1, std::memory_order_release);
}

// --- the drainer ---

void WalkExchange::take() {
  // Desks before the list: what a thread handed in before it began what lies on its desk is in the list by then.
  const Desk used = used_desks_.load(std::memory_order_acquire);
  for (Desk desk = 1; desk <= used; ++desk) {
    DeskPlace& place = *place_of(desk);
    if (!place.unread.load(std::memory_order_relaxed) || !place.unread.exchange(false)) continue;
    for (auto* const lying : {&place.filling, &place.spare}) {
      WalkQueue* const queue = lying->exchange(nullptr, std::memory_order_acq_rel);
      if (queue == nullptr) continue;
      // The thread goes on with the empty one.
      if (!queue->is_empty() || !put(place, queue)) taken_.push_back(queue);
    }
  }
  for (WalkQueue* queue = full_.exchange(nullptr, std::memory_order_acquire); queue != nullptr; queue = queue->next_) {
    taken_.push_back(queue);
  }
  const auto order = [](const WalkQueue* queue) {
    return std::pair(queue->desk_, queue->is_empty() ? 0 : queue->walks().front().sequence);
  };
  std::sort(taken_.begin(), taken_.end(), [&](const auto* a, const auto* b) { return order(a) < order(b); });
}

void WalkExchange::give_back(WalkQueue* queue) {
  DeskPlace& place = *place_of(queue->desk_);
  const bool is_still_there = place.word.load(std::memory_order_acquire) >> 1 == queue->generation_;
  if (!is_still_there || !put(place, queue)) set_aside(queue);
}

WalkExchange::Counts WalkExchange::counts() const {
  return {.full = full_count_, .dropped = dropped_, .voided = voided_};
}

void WalkExchange::clear_counts() {
  full_count_ = dropped_ = voided_ = 0;
}

}  // namespace bursar::agent
