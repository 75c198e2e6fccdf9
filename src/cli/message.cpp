#include "cli/message.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace bursar::cli {

void say(std::string_view message) {
  std::fputs(fmt::format("bursar: {}\n", message).c_str(), stderr);
}

Progress::Progress(std::string what) : what_(std::move(what)) {
  if (isatty(STDERR_FILENO) == 1) shower_ = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!shower_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_one();
  shower_.join();
}

void Progress::show() {
  constexpr auto kPatience = std::chrono::seconds(2);
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, kPatience, [this] { return done_; })) return;
  do {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_);
    std::fputs(fmt::format("\r\x1b[Kbursar: {}, {} s", what_, seconds.count()).c_str(), stderr);
  } while (!ended_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; }));
  std::fputs("\r\x1b[K", stderr);
}

}  // namespace bursar::cli
