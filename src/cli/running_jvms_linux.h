// Which JVMs run on this machine that we may attach to, and which of them somebody means.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace bursar::cli {

struct RunningJvm {
  pid_t process = 0;
  std::string main;  // the class, jar or module that it runs; empty if its command line does not tell
};

// Of our user, or for root of all.
std::vector<RunningJvm> running_jvms();

// The main class, jar or module in a command line of java.
std::string main_of(const std::vector<std::string>& words);

// A process number is taken as it is. Otherwise the one whose main has `meant` in it; the only one if that is empty.
base::Result<pid_t> choose_jvm(const std::string& meant, const std::vector<RunningJvm>& running);

// %p becomes the process, %t the time (20260131-235959), %n the first number from 1 on that gives a new file. Anything
// else stays.
std::string expand_file_pattern(const std::string& pattern, pid_t process, const std::string& time);
std::string time_for_files();

}  // namespace bursar::cli
