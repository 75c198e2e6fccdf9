// JvmProcess: a running JVM of this machine, and HotSpot's own way into it, the one that jcmd takes.
//
// The JVM listens on a socket in its /tmp, which it makes when it finds a file .attach_pidN there and gets SIGQUIT. In
// a container it has another root folder and another number of its own: both are looked up in /proc.
#pragma once

#include <sys/types.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace bursar::cli {

inline constexpr std::size_t kMaxAttachArgument = 1024;  // of a command to the listener, up to JDK 23

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

  // What the JVM says to a command of jcmd's.
  base::Result<std::string> diagnose(const std::string& command) const;

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
  // The whole answer to a command of the listener's, which always has three arguments.
  base::Result<std::string> ask(std::initializer_list<std::string_view> words) const;

  pid_t process_ = 0;
  pid_t inner_ = 0;  // its number in its own namespace
  uid_t user_ = 0;
  gid_t group_ = 0;
  bool catches_quit_ = false;
  bool shares_our_files_ = false;
  int temporary_ = -1;  // its /tmp
};

// A file that the JVM reads or writes and we remove. The process must outlive this.
class FileThere {
 public:
  FileThere(const JvmProcess& jvm, std::string path) : jvm_(jvm), path_(std::move(path)) {}
  ~FileThere();
  FileThere(const FileThere&) = delete;
  FileThere& operator=(const FileThere&) = delete;

  const std::string& path() const { return path_; }
  std::string path_here() const { return jvm_.path_here(path_); }

 private:
  const JvmProcess& jvm_;
  std::string path_;
};

// What a JVM answers to `load`: nothing if the agent was loaded, else what went wrong.
std::string load_problem(const std::string& answer);

}  // namespace bursar::cli
