#include "agent/sampled_threads.h"

#include <algorithm>
#include <utility>

namespace bursar::agent {

void SampledThreads::reset(const schemes::Options& scheme, SampleClock by) {
  const std::lock_guard guard(lock_);
  for (const auto& thread : threads_) exchange_.close(thread->desk);
  threads_.clear();
  at_.clear();
  ended_.clear();
  scheme_ = scheme;
  by_ = by;
  active_ = active_turn_ = idle_turn_ = turn_ = 0;
}

bool SampledThreads::add(pid_t thread) {
  const std::lock_guard guard(lock_);
  if (at_.contains(thread)) return false;
  const Number number = next_number_++;
  // What it did before is not of this recording.
  const std::uint64_t cpu_ns = clock_(thread).value_or(0);
  threads_.push_back(std::make_unique<Thread>(
      Thread{thread, number, cpu_ns, 0, false, schemes::ThreadScheme(scheme_, history_, number)}));
  at_.emplace(thread, threads_.size() - 1);
  return true;
}

void SampledThreads::remove(pid_t thread, const std::string& name) {
  const std::lock_guard guard(lock_);
  const auto at = at_.find(thread);
  if (at == at_.end()) return;
  const Thread& ending = *threads_[at->second];
  if (ending.sampled) ended_.emplace_back(ending.number, name);
  erase(at->second);
}

void SampledThreads::forget(Number number) {
  const std::lock_guard guard(lock_);
  const auto at =
      std::find_if(threads_.begin(), threads_.end(), [&](const auto& thread) { return thread->number == number; });
  if (at == threads_.end()) return;
  erase(static_cast<std::size_t>(at - threads_.begin()));
}

void SampledThreads::withdraw_all() {
  const std::lock_guard guard(lock_);
  for (const auto& thread : threads_) exchange_.close(std::exchange(thread->desk, 0));
}

std::vector<std::pair<SampledThreads::Number, std::string>> SampledThreads::take_ended() {
  const std::lock_guard guard(lock_);
  return std::exchange(ended_, {});
}

void SampledThreads::swap(std::size_t a, std::size_t b) {
  std::swap(threads_[a], threads_[b]);
  at_[threads_[a]->id] = a;
  at_[threads_[b]->id] = b;
}

void SampledThreads::erase(std::size_t at) {
  if (at < active_) {
    --active_;
    swap(at, active_);
    at = active_;
  }
  swap(at, threads_.size() - 1);
  exchange_.close(threads_.back()->desk);
  at_.erase(threads_.back()->id);
  threads_.pop_back();
}

bool SampledThreads::ran(Thread& thread) const {
  // A thread that is gone did not run; the one that has its number next will say so when it starts.
  const std::optional<std::uint64_t> cpu_ns = clock_(thread.id);
  if (!cpu_ns || (*cpu_ns >= thread.cpu_ns && *cpu_ns - thread.cpu_ns < kLeastRunNs)) return false;
  thread.cpu_ns = *cpu_ns;
  return true;
}

void SampledThreads::find_next() {
  for (std::size_t left = std::min(threads_.size(), kMostAtATime); left > 0; --left) {
    turn_ = turn_ + 1 < threads_.size() ? turn_ + 1 : 0;
    chosen_.push_back(threads_[turn_]->id);
  }
}

void SampledThreads::find_running() {
  // However many run, those that do not have their turn too.
  std::size_t looks = std::min(active_, kMaxLooks * 3 / 4);
  std::size_t idle_looks = std::min(threads_.size() - active_, kMaxLooks - looks);
  std::vector<pid_t> now_idle;
  for (; looks > 0; --looks) {
    active_turn_ = active_turn_ + 1 < active_ ? active_turn_ + 1 : 0;
    Thread& thread = *threads_[active_turn_];
    (ran(thread) ? chosen_ : now_idle).push_back(thread.id);
  }
  for (; idle_looks > 0; --idle_looks) {
    idle_turn_ = idle_turn_ >= active_ && idle_turn_ + 1 < threads_.size() ? idle_turn_ + 1 : active_;
    Thread& thread = *threads_[idle_turn_];
    if (!ran(thread)) continue;
    chosen_.push_back(thread.id);
    swap(idle_turn_, active_++);
  }
  for (const pid_t thread : now_idle) swap(at_[thread], --active_);
}

SampledThreads::Tick SampledThreads::tick(
    std::uint64_t now_ns, const std::function<SamplingSignal::Sent(pid_t, WalkExchange::Ticket)>& send) {
  const std::lock_guard guard(lock_);
  Tick tick;
  chosen_.clear();
  if (by_ == SampleClock::kCpu) {
    find_running();
  } else {
    find_next();
  }
  for (const pid_t id : chosen_) {
    Thread& thread = *threads_[at_[id]];
    // The stack is the handler's business: a scheme that asks for samples does not look at it.
    if (thread.scheme.tick(schemes::kEmptyStack, now_ns) != schemes::ThreadScheme::Action::kSample) continue;
    if (exchange_.is_asked(thread.desk)) {
      ++tick.unanswered;
      continue;
    }
    if (thread.desk == 0) thread.desk = exchange_.open(thread.number);
    const WalkExchange::Ticket ticket = exchange_.ask(thread.desk);
    if (ticket == 0) {
      ++tick.no_queue;
      continue;
    }
    const SamplingSignal::Sent sent = send(id, ticket);
    if (sent == SamplingSignal::Sent::kYes) {
      ++tick.sent;
      thread.sampled = true;
      continue;
    }
    exchange_.withdraw(thread.desk);
    if (sent == SamplingSignal::Sent::kRefused) ++tick.refused;
  }
  return tick;
}

}  // namespace bursar::agent
