// JvmProcess: a running JVM of this machine, and HotSpot's own way into it, the one that jcmd takes.
//
// The JVM listens on a socket in its /tmp, which it makes when it finds a file .attach_pidN there and gets SIGQUIT. In
// a container it has another root folder and another number of its own: both are looked up in /proc.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

#include "base/result.h"

namespace bursar::cli {

class JvmProcess {
 public:
  // Refuses what is no JVM, none that Bursar knows, or not ours to touch.
  static base::Result<JvmProcess> find(pid_t process);
  ~JvmProcess();
  JvmProcess(JvmProcess&& other) noexcept;
  JvmProcess& operator=(JvmProcess&&) = delete;
  JvmProcess(const JvmProcess&) = delete;
  JvmProcess& operator=(const JvmProcess&) = delete;

  // It sees the files that we see, as the same user.
  bool shares_our_files() const { return shares_our_files_; }
  bool is_alive() const;
  // The library is in its memory, from whatever folder.
  bool has_loaded(const std::string& library_name) const;

  // Loads the library, or finds it loaded, calls its Agent_OnAttach and waits for it to return.
  base::Status load(const std::string& library, const std::string& options) const;

  // A new empty file in the JVM's folder for temporary files, which the JVM may write. Its name there; we reach it by
  // path_here(), also when the JVM is gone.
  base::Result<std::string> make_file(const std::string& stem) const;
  std::string path_here(const std::string& path_there) const;

 private:
  JvmProcess() = default;
  base::Status read_status();
  base::Status check_release(const std::string& libjvm) const;
  base::Result<int> connect_to_socket() const;
  base::Status wake_listener() const;

  pid_t process_ = 0;
  pid_t inner_ = 0;  // its number in its own namespace
  uid_t user_ = 0;
  gid_t group_ = 0;
  bool catches_quit_ = false;
  bool shares_our_files_ = false;
  int temporary_ = -1;  // its /tmp
};

// What a JVM answers to `load`: nothing if the agent was loaded, else what went wrong.
std::string load_problem(const std::string& answer);

}  // namespace bursar::cli
