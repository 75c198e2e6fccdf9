// WalkExchange: how walks get from signal handlers to the drainer, and their memory back.
//
// Every thread that is sampled has a desk with a queue that it fills and a spare one (Chilingarova 2006, 3.2). A queue
// that is full goes to the global list; the drainer takes that list, and what lies on desks, and gives the queues back
// to their threads, or puts them aside for others if the thread is gone. A thread that finds no queue on its desk drops
// its walk, which is counted.
//
// A queue belongs to one party at a time, and every hand-over is one atomic exchange of a pointer: handlers never wait.
// A desk's word holds a generation, which grows whenever a thread leaves it, and whether the thread was asked for a
// walk. A ticket names a desk and its generation, so a signal that comes late finds that its ticket is worth nothing,
// whoever has the desk by then. Memory is mapped once and never given back: a signal may come at any time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "agent/walk_queue.h"

namespace bursar::agent {

class WalkExchange {
 public:
  static constexpr std::uint32_t kDesks = 65'535, kQueues = 2048;
  using Ticket = std::uint64_t;  // 0 is none
  using Desk = std::uint32_t;    // 0 is none

  WalkExchange() = default;
  WalkExchange(const WalkExchange&) = delete;
  WalkExchange& operator=(const WalkExchange&) = delete;

  // False if there is no memory. May be called again.
  bool map();

  // 0 if none is free.
  // Runs in: one thread at a time, as do the next four
  Desk open(std::uint32_t thread);
  // The thread is gone, or leaves. What it was asked is void; what it has walked will be drained.
  void close(Desk desk);
  // 0 if there is no queue for it.
  Ticket ask(Desk desk);
  // It was asked, and has not begun to answer.
  bool is_asked(Desk desk) const;
  void withdraw(Desk desk);

  struct Held {
    Walk* walk = nullptr;  // null: the ticket is worth nothing, or there is no queue
    WalkQueue* queue = nullptr;
    Desk desk = 0;
  };
  // Runs in: signal
  Held begin(Ticket ticket);
  // Runs in: signal, behind begin()
  void end(const Held& held);

  // How many are between begin() and end().
  std::uint64_t walking() const { return walking_.load(std::memory_order_acquire); }
  // There are full queues.
  bool has_full() const { return full_.load(std::memory_order_relaxed) != nullptr; }
  // Visits all walks, those of a thread in their order.
  // Runs in: one thread at a time
  template <class Visit>
  void drain(Visit&& visit) {
    take();
    for (WalkQueue* const queue : taken_) {
      for (const Walk& walk : queue->walks()) visit(walk);
      queue->clear();
      give_back(queue);
    }
    taken_.clear();
  }

  struct Counts {
    std::uint64_t full = 0;     // queues that were handed in full
    std::uint64_t dropped = 0;  // walks, for the thread had no queue
    std::uint64_t voided = 0;   // asked for, when the thread left
  };
  // Since the last clear_counts().
  Counts counts() const;
  void clear_counts();

 private:
  struct alignas(64) DeskPlace {
    std::atomic<std::uint64_t> word;  // generation, lowest bit: asked
    std::atomic<WalkQueue*> filling, spare;
    std::atomic<bool> unread;  // there are walks in `filling`
    std::uint32_t thread;
    std::uint64_t sequence;  // its handler's
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<WalkQueue*>::is_always_lock_free);

  DeskPlace* place_of(Desk desk) const {
    return desks_ != nullptr && desk >= 1 && desk <= kDesks ? &desks_[desk - 1] : nullptr;
  }
  // An empty queue, unless there are two.
  static bool put(DeskPlace& place, WalkQueue* queue);
  void hand_in(WalkQueue* queue);
  void set_aside(WalkQueue* queue);
  WalkQueue* find_queue();
  WalkQueue* steal();
  bool lend(Desk desk);
  void take();
  void give_back(WalkQueue* queue);

  DeskPlace* desks_ = nullptr;
  WalkQueue* queues_ = nullptr;
  std::atomic<WalkQueue*> full_ = nullptr;  // the newest first
  std::atomic<Desk> used_desks_ = 0;        // none beyond was ever open
  std::vector<Desk> free_desks_;
  Desk steal_turn_ = 0;
  std::vector<WalkQueue*> taken_;  // the drainer's

  std::mutex aside_lock_;
  std::vector<WalkQueue*> aside_;
  std::uint32_t fresh_ = 0;  // queues that nobody has had yet begin here

  std::atomic<std::uint64_t> walking_ = 0;
  std::atomic<std::uint64_t> full_count_ = 0, dropped_ = 0, voided_ = 0;
};

}  // namespace bursar::agent
