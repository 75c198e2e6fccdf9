// CheckWindows: what checks threads pass, looked at now and then (schemes/needless_checks.h).
//
// A thread that is due notes all checks that it passes, for a short time, and in gaps only. The time that noting takes
// is left out. Bounded: the oldest windows give way.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "schemes/needless_checks.h"

namespace bursar::agent {

class CheckWindows {
 public:
  // Of that many checks, how many the thread passes by before one has to be noted, or all.
  // Runs in: app thread
  std::int32_t pass(std::int32_t checks);
  // A check has to be noted. No window begins where looking is dear.
  // Runs in: app thread
  template <class IsDear>
  bool is_due(IsDear&& is_dear) {
    if (!is_due()) return false;
    if (has_begun() || !is_dear()) return true;
    put_off();
    return false;
  }
  // The thread is at this gate, and its stack has so many frames.
  // Runs in: app thread
  void note(schemes::Gate gate, std::size_t depth);
  // The thread goes back to the program.
  // Runs in: app thread
  void leave(bool burst_begins);

  std::vector<schemes::CheckWindow> list();

 private:
  static bool is_due();
  static bool has_begun();
  static void put_off();
  void add(schemes::CheckWindow window);

  std::mutex lock_;
  std::vector<schemes::CheckWindow> windows_;
  std::size_t next_ = 0;  // to be replaced, once there are enough
};

}  // namespace bursar::agent
