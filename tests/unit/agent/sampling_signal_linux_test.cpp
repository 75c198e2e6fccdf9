#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "agent/clocks.h"
#include "agent/sampling_signal.h"

namespace bursar::agent {
namespace {

std::atomic<std::uint64_t> g_ticket = 0;
std::atomic<bool> g_waiting = false;

void note(std::uint64_t ticket, void* context) {
  g_ticket = ticket;
  g_waiting = was_waiting(context);
  errno = EBADF;
}

TEST(SamplingSignal, brings_its_ticket_and_keeps_errno) {
  SamplingSignal signal;
  ASSERT_TRUE(signal.install(note));
  EXPECT_GE(signal.number(), SIGRTMIN);
  errno = ENOENT;
  ASSERT_EQ(signal.send(own_thread_id(), 0x123456789abc), SamplingSignal::Sent::kYes);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(g_ticket, 0x123456789abcU);
}

TEST(SamplingSignal, a_thread_that_is_gone_is_no_failure) {
  SamplingSignal signal;
  ASSERT_TRUE(signal.install(note));
  const pid_t child = fork();  // in another process: no thread of ours
  if (child == 0) {
    pause();
    _exit(0);
  }
  EXPECT_EQ(signal.send(child, 1), SamplingSignal::Sent::kThreadIsGone);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(SamplingSignal, a_signal_that_the_program_uses_is_left_to_it) {
  SamplingSignal first;
  ASSERT_TRUE(first.install(note));
  const int number = first.number();
  struct sigaction before {};
  struct sigaction programs {};
  programs.sa_handler = [](int) {};
  sigaction(number, &programs, &before);
  EXPECT_TRUE(first.keep()) << "takes another";
  EXPECT_NE(first.number(), number);
  struct sigaction now {};
  sigaction(number, nullptr, &now);
  EXPECT_EQ(now.sa_handler, programs.sa_handler);
  sigaction(number, &before, nullptr);
}

TEST(SamplingSignal, anybody_elses_does_what_it_always_did) {
  SamplingSignal signal;
  ASSERT_TRUE(signal.install(note));
  const pid_t child = fork();
  if (child == 0) {
    kill(getpid(), signal.number());
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), signal.number());
}

TEST(SamplingSignal, is_kept_also_by_a_thread_that_blocks_all) {
  SamplingSignal signal;
  ASSERT_TRUE(signal.install(note));
  const int number = signal.number();
  struct sigaction before {};
  struct sigaction programs {};
  programs.sa_handler = [](int) {};
  sigaction(number, &programs, &before);
  sigset_t all, mask;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  EXPECT_TRUE(signal.keep());
  EXPECT_NE(signal.number(), number);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  sigaction(number, &before, nullptr);
}

TEST(SamplingSignal, a_blocked_signal_is_of_no_use) {
  SamplingSignal usual;
  ASSERT_TRUE(usual.install(note));
  sigset_t blocked, before;
  sigemptyset(&blocked);
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) sigaddset(&blocked, number);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  SamplingSignal none;
  EXPECT_FALSE(none.install(note));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(SamplingSignal, tells_whether_the_thread_was_waiting) {
  SamplingSignal signal;
  ASSERT_TRUE(signal.install(note));
  for (const bool waits : {false, true}) {
    const pid_t sleeper = own_thread_id();
    g_ticket = 0;
    std::atomic<bool> sent = false;
    pthread_t sender{};
    struct Order {
      SamplingSignal* signal;
      pid_t to;
      std::atomic<bool>* sent;
    } order{&signal, sleeper, &sent};
    pthread_create(
        &sender, nullptr,
        [](void* given) -> void* {
          usleep(50'000);
          const auto* const its = static_cast<Order*>(given);
          its->signal->send(its->to, 5);
          *its->sent = true;
          return nullptr;
        },
        &order);
    if (waits) {
      usleep(2'000'000);  // the signal ends it
    } else {
      while (g_ticket == 0) {
      }
    }
    pthread_join(sender, nullptr);
    EXPECT_EQ(g_ticket, 5U);
    EXPECT_EQ(g_waiting, waits);
  }
}

}  // namespace
}  // namespace bursar::agent
