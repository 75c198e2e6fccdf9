#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "agent/clocks.h"
#include "agent/path_sampler.h"

namespace bursar::agent {
namespace {

constexpr std::uint64_t kLookNs = 20'000;
constexpr double kNsPerMs = 1e6;

// As low as can be had: the JIT then has its address in the instruction that looks at it.
std::int32_t* map_flag() {
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* page = MAP_FAILED;
#ifdef MAP_32BIT
  page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
#endif
  if (page == MAP_FAILED) page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page != MAP_FAILED ? static_cast<std::int32_t*>(page) : nullptr;
}

void sleep(std::uint64_t ns) {
  const timespec time{0, static_cast<long>(ns)};
  nanosleep(&time, nullptr);
}

// To sleep for so short a time takes several times as long, and as much of the processor.
void spin(std::uint64_t ns) {
  for (const std::uint64_t start = monotonic_ns(); monotonic_ns() - start < ns;) {
  }
}

}  // namespace

PathSampler::PathSampler(const PathRegistry& registry, const AgentOptions& options)
    : registry_(registry),
      options_{.interval_ns = options.interval_ns / (options.window_ns == 0 ? 1 : kLooksPerInterval),
               .seed = options.seed},
      samples_(options.samples),
      window_ns_(options.window_ns),
      first_ns_(options.first_ns),
      flag_(map_flag()),
      stride_(options.stride),
      striding_(options.stride),
      shared_(make_place()) {}

PathSampler::Place PathSampler::make_place() const {
  return std::make_unique<core::PathSamples>(window_ns_ == 0 ? samples_ : std::max(samples_, kMostNotes), stride_);
}

std::string PathSampler::start() {
  if (flag_ == nullptr) return "no memory";
  if (first_ns_ == 0) return "";
  start_ns_ = monotonic_ns();
  return ticks_.start(options_, [this](std::uint64_t) { tick(); }) ? "" : "the system has no thread for ticks";
}

std::uint64_t PathSampler::open() {
  const std::lock_guard guard(lock_);
  Place place;
  if (!idle_.empty()) {
    place = std::move(idle_.back());
    idle_.pop_back();
  } else {
    place = make_place();
  }
  const std::uint64_t address = place->address();
  open_.emplace(address, std::move(place));
  return address;
}

void PathSampler::close(std::uint64_t address) {
  const std::lock_guard guard(lock_);
  const auto at = open_.find(address);
  if (at == open_.end()) return;
  idle_.push_back(std::move(at->second));
  open_.erase(at);
}

void PathSampler::ask() {
  const std::lock_guard guard(lock_);
  ++totals_.ticks;
  const std::uint32_t pass_by = striding_.next();
  shared_->ask(pass_by);
  for (auto& [address, place] : open_) place->ask(pass_by);
}

void PathSampler::take(const core::PathSamples& place, std::uint64_t window_ns, std::uint32_t known) {
  std::vector<std::uint32_t>& paths = taken_;
  paths.clear();
  place.for_each([&](std::uint32_t path) {
    if (path < known) paths.push_back(path);
  });
  if (paths.empty()) return;
  const double per_ms = static_cast<double>(place.ends()) * kNsPerMs / static_cast<double>(window_ns);
  const auto weight =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(per_ms / static_cast<double>(paths.size())));
  if (weights_.size() < known) weights_.resize(known, 0);
  for (const std::uint32_t path : paths) weights_[path] += weight;
  totals_.samples += paths.size();
}

void PathSampler::take(std::uint64_t window_ns) {
  const std::uint32_t known = registry_.size();
  const std::lock_guard guard(lock_);
  take(*shared_, window_ns, known);
  for (const auto& [address, place] : open_) take(*place, window_ns, known);
}

PathSampler::Progress PathSampler::progress() {
  const std::lock_guard guard(lock_);
  Progress progress;
  for (auto& [address, place] : open_) {
    if (!place->moved()) continue;
    progress.some_thread_runs = true;
    progress.some_thread_is_to_note_more |= place->noted() < samples_;
  }
  return progress;
}

void PathSampler::tick() {
  if (monotonic_ns() - start_ns_ > first_ns_) return;
  // A short sleep is otherwise 50 µs longer than it was asked for.
  if (!std::exchange(sleeps_well_, true)) prctl(PR_SET_TIMERSLACK, 1);
  const std::uint64_t window_ns = window_ns_ != 0 ? window_ns_ : kLookNs;
  ask();
  const std::uint64_t start = monotonic_ns();
  __atomic_store_n(flag_, 1, __ATOMIC_RELEASE);
  spin(window_ns);
  Progress now = progress();
  if (!now.some_thread_runs) {
    // It may be this very thread that keeps it from running.
    sleep(window_ns);
    now = progress();
  }
  while (now.some_thread_is_to_note_more && monotonic_ns() - start < kLongestWindowNs) {
    sleep(window_ns);
    now = progress();
  }
  __atomic_store_n(flag_, 0, __ATOMIC_RELEASE);
  take(std::max<std::uint64_t>(1, monotonic_ns() - start));
}

std::vector<std::uint64_t> PathSampler::weights() const {
  const std::lock_guard guard(lock_);
  return weights_;
}

PathSampler::Totals PathSampler::totals() const {
  const std::lock_guard guard(lock_);
  Totals totals = totals_;
  totals.cpu_ns = ticks_.cpu_ns();
  return totals;
}

}  // namespace bursar::agent
