#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "core/path_counters.h"

namespace bursar::core {
namespace {

constexpr std::size_t kBytes = std::size_t{PathCounters::kCapacity} * sizeof(std::uint64_t);

}  // namespace

PathCounters::PathCounters() {
  void* const mapped =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  counters_ = mapped != MAP_FAILED ? static_cast<std::uint64_t*>(mapped) : nullptr;
  // A thread uses few counters here and there: they must not become huge pages.
  if (counters_ != nullptr) madvise(counters_, kBytes, MADV_NOHUGEPAGE);
}

PathCounters::~PathCounters() {
  if (counters_ != nullptr) munmap(counters_, kBytes);
}

void PathCounters::add_to(std::vector<std::uint64_t>& totals, std::uint32_t used) const {
  if (totals.size() < used) totals.resize(used, 0);
  if (counters_ == nullptr || used == 0) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t in_page = page / sizeof(std::uint64_t);
  std::vector<unsigned char> resident((used + in_page - 1) / in_page, 1);
  // Pages that nobody wrote to hold zeros; to read them would give them memory.
  if (mincore(counters_, resident.size() * page, resident.data()) != 0) std::fill(resident.begin(), resident.end(), 1);
  for (std::size_t at = 0; at < resident.size(); ++at) {
    if ((resident[at] & 1) == 0) continue;
    const std::size_t end = std::min<std::size_t>(used, (at + 1) * in_page);
    for (std::size_t i = at * in_page; i < end; ++i) totals[i] += __atomic_load_n(&counters_[i], __ATOMIC_RELAXED);
  }
}

void PathCounters::clear() {
  if (counters_ != nullptr) madvise(counters_, kBytes, MADV_DONTNEED);
}

}  // namespace bursar::core
