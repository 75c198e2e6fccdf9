#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "agent/sampling_signal.h"

namespace bursar::agent {
namespace {

// The class library of the JDK has SIGRTMAX - 2; debuggers and tracers like the ends.
constexpr int kFromTop = 8;
// Where ours is written in siginfo: who sent it.
constexpr int kOurCode = SI_QUEUE;

// Set once before the first signal can come.
std::atomic<SamplingSignal::Handler> g_handler = nullptr;

// As if we were not there: the default of a real-time signal ends the process.
void do_as_by_default(int number) {
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  sigaction(number, &by_default, nullptr);
  // Delivered when our handler returns.
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

// Runs in: signal
void on_signal(int number, siginfo_t* info, void* context) {
  const int kept_errno = errno;
  if (info->si_code == kOurCode && info->si_pid == getpid()) {
    const SamplingSignal::Handler handler = g_handler.load(std::memory_order_acquire);
    if (handler != nullptr) handler(reinterpret_cast<std::uint64_t>(info->si_value.sival_ptr), context);
  } else {
    do_as_by_default(number);
  }
  errno = kept_errno;
}

bool is_free(int number, const sigset_t& blocked) {
  struct sigaction now {};
  return sigismember(&blocked, number) == 0 && sigaction(number, nullptr, &now) == 0 &&
         (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
}

bool is_syscall(const unsigned char* code) {
  return code[0] == 0x0f && code[1] == 0x05;
}

}  // namespace

bool SamplingSignal::is_ours() const {
  struct sigaction now {};
  return number_ != 0 && sigaction(number_, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
         now.sa_sigaction == on_signal;
}

bool SamplingSignal::install(Handler handler) {
  g_handler.store(handler, std::memory_order_release);
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked_);
  return keep();
}

bool SamplingSignal::keep() {
  if (is_ours()) return true;
  for (int number = SIGRTMAX - kFromTop; number >= SIGRTMIN; --number) {
    if (!is_free(number, blocked_)) continue;
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    // On the thread's own stack: Java code keeps 20 pages of it in reserve.
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&ours.sa_mask);
    if (sigaction(number, &ours, nullptr) != 0) continue;
    number_ = number;
    return true;
  }
  number_ = 0;
  return false;
}

SamplingSignal::Sent SamplingSignal::send(pid_t thread, std::uint64_t ticket) const {
  siginfo_t info{};
  info.si_signo = number_;
  info.si_code = kOurCode;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = reinterpret_cast<void*>(ticket);  // NOLINT(performance-no-int-to-ptr): a number
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, number_, &info) == 0) return Sent::kYes;
  return errno == ESRCH ? Sent::kThreadIsGone : Sent::kRefused;
}

// A call that the signal interrupted either begins anew, then the thread stands before the instruction, or has failed
// with EINTR, then it stands behind it.
bool was_waiting(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const auto pc = static_cast<std::uint64_t>(registers[REG_RIP]);
  const auto* const code = reinterpret_cast<const unsigned char*>(pc);  // NOLINT(performance-no-int-to-ptr)
  constexpr std::uint64_t kPage = 4096, kLength = 2;
  // The next page need not be there, nor the one before.
  if (pc % kPage <= kPage - kLength && is_syscall(code)) return true;
  return registers[REG_RAX] == -EINTR && pc % kPage >= kLength && is_syscall(code - kLength);
}

}  // namespace bursar::agent
