// A program's own handlers: of SIGPROF, and of every real-time signal but those that are asked for free; and reads that
// wait.
#include <jni.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

namespace {

std::atomic<int> g_profs = 0, g_others = 0;

void install(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

}  // namespace

extern "C" {

// A timer of the program's own sends SIGPROF every millisecond of CPU time.
JNIEXPORT void JNICALL Java_OwnSignals_startProf(JNIEnv*, jclass) {
  install(SIGPROF, [](int) { ++g_profs; });
  const itimerval every{{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &every, nullptr);
}

JNIEXPORT jint JNICALL Java_OwnSignals_profs(JNIEnv*, jclass) {
  return g_profs;
}

// Takes all real-time signals, but `free` of them.
JNIEXPORT void JNICALL Java_OwnSignals_takeAll(JNIEnv*, jclass, jint free) {
  for (int number = SIGRTMIN + free; number <= SIGRTMAX; ++number) install(number, [](int) { ++g_others; });
}

// How many of them came to the program's handlers.
JNIEXPORT jint JNICALL Java_OwnSignals_others(JNIEnv*, jclass) {
  return g_others;
}

// A child that is no JVM: it has our memory, and none of our threads.
JNIEXPORT jint JNICALL Java_OwnSignals_forkAndExit(JNIEnv*, jclass) {
  const pid_t child = fork();
  if (child == 0) {
    usleep(100'000);
    _exit(0);
  }
  return child;
}

// Reads that wait for 100 ms each, without a look at EINTR: how many of them failed.
JNIEXPORT jint JNICALL Java_Waiting_interruptedReads(JNIEnv*, jclass, jint rounds) {
  int failed = 0;
  for (int i = 0; i < rounds; ++i) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    std::thread writer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      const char byte = 7;
      if (write(ends[1], &byte, 1) != 1) ++failed;
    });
    char byte = 0;
    if (read(ends[0], &byte, 1) != 1) ++failed;
    writer.join();
    close(ends[0]);
    close(ends[1]);
  }
  return failed;
}

}  // extern "C"
