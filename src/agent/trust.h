// Trust: which call sites rely on what they call to count itself, and whether they still may.
//
// A call site trusts when nothing that it could mean by then goes uncounted. A class that comes later may have a native
// method, or one that could not be rewritten, that such a site means: then trust is gone, for all of them.
// Runs in: any; not thread-safe but for doubted()
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <unordered_set>

namespace bursar::agent {

class Trust {
 public:
  // A call site relies on what it calls, if it may. `key`: of its name and descriptor. If the class that it names is
  // not loaded yet, the method may turn out to be private, or inherited.
  bool rely(std::string_view class_name, std::uint64_t key, bool is_static, bool is_loaded);
  // This method does not count itself. To be told before it can be called.
  void found_uncounted(std::string_view class_name, std::uint64_t key, std::uint16_t access);
  // Nobody knows what a class has in it.
  void doubt() { doubted_.store(true, std::memory_order_release); }

  bool doubted() const { return doubted_.load(std::memory_order_acquire); }

 private:
  std::unordered_set<std::uint64_t> keys_;
  std::unordered_set<std::uint64_t> members_;    // of classes that were not loaded
  std::unordered_set<std::uint64_t> uncounted_;  // that may be inherited
  std::atomic<bool> doubted_ = false;
};

}  // namespace bursar::agent
