// Messages to the user: stderr, one line each, and a sign of life on a terminal while something takes long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace bursar::cli {

// "bursar: message"
void say(std::string_view message);

// While it lives and stderr is a terminal, shows what is going on once that has taken two seconds.
// A thread of its own does the showing; the destructor ends it and wipes the line.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void show();

  std::string what_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread shower_;
};

}  // namespace bursar::cli
