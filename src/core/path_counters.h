// PathCounters: how often each path ran, by the number of the path; of one thread, or of several that count atomically.
//
// An array of 64-bit counters, all of which have an address from the start: probes add to them without asking. Memory
// is taken by the page, where a counter is first used. One writer (or atomic ones); whoever drains may read while it
// writes and then sees some of its counts later.
// Owner: the recording.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <vector>

namespace bursar::core {

class PathCounters {
 public:
  // Of all methods together; address space for that many is 128 MB.
  static constexpr std::uint32_t kCapacity = 1U << 24;

  PathCounters();
  ~PathCounters();
  PathCounters(const PathCounters&) = delete;
  PathCounters& operator=(const PathCounters&) = delete;

  // Of the first counter; 0 if there is no address space.
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(counters_); }

  // Adds the first `used` counters to `totals`, which is made long enough.
  void add_to(std::vector<std::uint64_t>& totals, std::uint32_t used) const;
  // All counters are 0 again, and their memory is given back.
  void clear();

 private:
  std::uint64_t* counters_;
};

}  // namespace bursar::core
