// CheckWindows: what checks threads pass in bursts, looked at now and then (schemes/needless_checks.h).
//
// All checks of a burst that is watched are noted, up to so many. The time that noting takes is left out. Bounded: the
// oldest windows give way.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "schemes/needless_checks.h"

namespace bursar::agent {

class CheckWindows {
 public:
  // The thread begins a burst: whether it is watched.
  // Runs in: app thread
  bool begin();
  // The thread has come to a check in a burst: whether it is to be noted.
  // Runs in: app thread
  bool is_watching();
  // It is at this gate, and its stack has so many frames.
  // Runs in: app thread
  void note(schemes::Gate gate, std::size_t depth);
  // It goes back to the program: whether it is watched on.
  // Runs in: app thread
  bool leave();
  // The burst is over, if there was one.
  // Runs in: app thread
  void end();

  std::vector<schemes::CheckWindow> list();

 private:
  std::mutex lock_;
  std::vector<schemes::CheckWindow> windows_;
  std::size_t next_ = 0;  // to be replaced, once there are enough
};

}  // namespace bursar::agent
