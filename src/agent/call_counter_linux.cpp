#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

#include "agent/call_counter.h"

namespace bursar::agent {
namespace {

// BR_INST_RETIRED.NEAR_CALL: event 0xc4, mask 0x02 on Intel's processors. Others have none that we know.
constexpr std::uint64_t kNearCalls = 0x02c4;

bool is_intel() {
  unsigned highest = 0, b = 0, c = 0, d = 0;
  __asm__("cpuid" : "=a"(highest), "=b"(b), "=c"(c), "=d"(d) : "a"(0), "c"(0));
  return b == 0x756e6547 && d == 0x49656e69 && c == 0x6c65746e;  // GenuineIntel
}

class PerfCounter : public CallCounter {
 public:
  explicit PerfCounter(int file) : file_(file) {}
  ~PerfCounter() override { close(file_); }
  PerfCounter(const PerfCounter&) = delete;
  PerfCounter& operator=(const PerfCounter&) = delete;

  std::optional<std::uint64_t> read() const override {
    std::uint64_t count = 0;
    return ::read(file_, &count, sizeof count) == sizeof count ? std::optional(count) : std::nullopt;
  }

 private:
  const int file_;
};

}  // namespace

std::unique_ptr<CallCounter> open_call_counter(pid_t thread) {
  if (!is_intel()) return nullptr;
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = PERF_TYPE_RAW;
  event.config = kNearCalls;
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  constexpr int kAnyCpu = -1, kNoGroup = -1;
  const long file = syscall(SYS_perf_event_open, &event, thread, kAnyCpu, kNoGroup, PERF_FLAG_FD_CLOEXEC);
  return file >= 0 ? std::make_unique<PerfCounter>(static_cast<int>(file)) : nullptr;
}

}  // namespace bursar::agent
