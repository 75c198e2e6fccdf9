#include "cli/jvm_process_linux.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "cli/files.h"
#include "cli/java_release.h"
#include "cli/text.h"

namespace bursar::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kPatienceMs = 10'000, kNapMs = 20;

// Files of /proc have no size: read to the end.
std::string proc_text(pid_t process, const char* name) {
  const auto text = read_text(fmt::format("/proc/{}/{}", process, name));
  return text ? *text : "";
}

// The libjvm.so that the process has in memory; empty if none.
std::string find_libjvm(const std::string& maps) {
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t path = line.find('/');
    if (path != std::string::npos && line.ends_with("/libjvm.so")) return line.substr(path);
  }
  return "";
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string load_problem(const std::string& answer) {
  if (answer.empty()) return "it ended";
  const bool done = answer.starts_with("0\n") && answer.find("return code: 0") != std::string::npos;
  if (done) return "";
  std::string words;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    const bool is_number = line.find_first_not_of("-0123456789") == std::string::npos;
    if (!is_number) words += (words.empty() ? "" : "; ") + line;
  }
  return words.empty() ? "it refused to load the agent" : words;
}

JvmProcess::JvmProcess(JvmProcess&& other) noexcept
    : process_(other.process_),
      inner_(other.inner_),
      user_(other.user_),
      group_(other.group_),
      catches_quit_(other.catches_quit_),
      shares_our_files_(other.shares_our_files_),
      temporary_(std::exchange(other.temporary_, -1)) {}

JvmProcess::~JvmProcess() {
  if (temporary_ >= 0) close(temporary_);
}

FileThere::~FileThere() {
  if (!path_.empty()) unlink(jvm_.path_here(path_).c_str());
}

base::Status JvmProcess::read_status() {
  std::istringstream lines(proc_text(process_, "status"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    unsigned long number = 0, effective = 0;
    if (key == "Uid:" && words >> number >> effective) user_ = static_cast<uid_t>(effective);
    if (key == "Gid:" && words >> number >> effective) group_ = static_cast<gid_t>(effective);
    // The last is that of the innermost namespace.
    if (key == "NSpid:") {
      while (words >> inner_) {
      }
      words.clear();
    }
    if (key == "SigCgt:" && words >> std::hex >> number) catches_quit_ = (number >> (SIGQUIT - 1) & 1) != 0;
  }
  if (inner_ == 0) inner_ = process_;
  return base::Done{};
}

base::Status JvmProcess::check_release(const std::string& libjvm) const {
  // …/lib/server/libjvm.so
  const fs::path home = fs::path(libjvm).parent_path().parent_path().parent_path();
  const auto text = read_text(fmt::format("/proc/{}/root{}/release", process_, home.string()));
  if (!text) return base::Done{};  // the agent judges
  const std::string reason = unsupported(parse_release(*text), true);
  if (reason.empty()) return base::Done{};
  return base::Error{fmt::format("the JVM of process {}, {}, {}", process_, printable(home.string()), reason)};
}

base::Result<JvmProcess> JvmProcess::find(pid_t process) {
  const std::string folder = fmt::format("/proc/{}", process);
  if (kill(process, 0) != 0 && errno == ESRCH) return base::Error{fmt::format("there is no process {}", process)};
  JvmProcess jvm;
  jvm.process_ = process;
  if (const base::Status known = jvm.read_status(); !known) return known.error();
  const auto maps = read_text(folder + "/maps");
  if (!maps && (jvm.user_ == geteuid() || geteuid() == 0)) {
    return base::Error{fmt::format("may not look into process {}: {}", process, maps.error().message)};
  }
  if (!maps || (jvm.user_ != geteuid() && geteuid() != 0)) {
    return base::Error{
        fmt::format("process {} belongs to user {}: only that user and root may attach to it", process, jvm.user_)};
  }
  const std::string libjvm = find_libjvm(*maps);
  if (libjvm.empty()) {
    return base::Error{
        fmt::format("process {} is no HotSpot JVM: it has no libjvm.so; jps lists those that are", process)};
  }
  if (const base::Status suited = jvm.check_release(libjvm); !suited) return suited.error();
  struct stat ours {
  }, its{};
  const bool same_root = stat("/", &ours) == 0 && stat((folder + "/root").c_str(), &its) == 0 &&
                         ours.st_dev == its.st_dev && ours.st_ino == its.st_ino;
  jvm.shares_our_files_ = same_root && jvm.user_ == geteuid();
  jvm.temporary_ = open((folder + "/root/tmp").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (jvm.temporary_ < 0) {
    return base::Error{fmt::format("cannot open /tmp of process {}: {}", process, std::strerror(errno))};
  }
  return jvm;
}

bool JvmProcess::is_alive() const {
  if (kill(process_, 0) != 0 && errno == ESRCH) return false;
  // It may be waiting for its parent to ask how it ended.
  const std::string stat = proc_text(process_, "stat");
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && name_end + 2 < stat.size() && stat[name_end + 2] != 'Z';
}

bool JvmProcess::has_loaded(const std::string& library_name) const {
  return proc_text(process_, "maps").find("/" + library_name) != std::string::npos;
}

std::string JvmProcess::path_here(const std::string& path_there) const {
  return fmt::format("/proc/self/fd/{}/{}", temporary_, fs::path(path_there).filename().string());
}

base::Result<std::string> JvmProcess::make_file(const std::string& stem) const {
  std::string path = path_here(fmt::format("bursar-{}-{}-XXXXXX", stem, process_));
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) {
    return base::Error{fmt::format("cannot create a file in /tmp of process {}: {}", process_, std::strerror(errno))};
  }
  // It is the JVM that writes it.
  const bool given = geteuid() == user_ || fchown(descriptor, user_, group_) == 0;
  close(descriptor);
  if (!given) {
    unlink(path.c_str());
    return base::Error{fmt::format("cannot give a file to user {}: {}", user_, std::strerror(errno))};
  }
  return "/tmp/" + fs::path(path).filename().string();
}

base::Result<int> JvmProcess::connect_to_socket() const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = path_here(fmt::format(".java_pid{}", inner_));
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0 || !S_ISSOCK(info.st_mode)) return base::Error{""};
  // Somebody else's trap.
  if (info.st_uid != user_ && info.st_uid != 0) {
    return base::Error{fmt::format("the socket of process {} belongs to user {}", process_, info.st_uid)};
  }
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return base::Error{fmt::format("cannot make a socket: {}", std::strerror(errno))};
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    close(descriptor);
    // Left behind by a JVM that had this number before.
    if (error == ECONNREFUSED) return base::Error{""};
    return base::Error{fmt::format("cannot connect to process {}: {}", process_, std::strerror(error))};
  }
  return descriptor;
}

base::Status JvmProcess::wake_listener() const {
  for (const char* where : {"cmdline", "environ"}) {
    if (proc_text(process_, where).find("-XX:+DisableAttachMechanism") != std::string::npos) {
      return base::Error{
          fmt::format("process {} was started with -XX:+DisableAttachMechanism: nobody may attach; "
                      "`bursar record` profiles it from its start",
                      process_)};
    }
  }
  if (!catches_quit_) {
    return base::Error{fmt::format(
        "process {} would not survive the signal by which one attaches, SIGQUIT: it has just begun; try again",
        process_)};
  }
  const std::string trigger = path_here(fmt::format(".attach_pid{}", inner_));
  const int descriptor = open(trigger.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return base::Error{fmt::format("cannot create a file in /tmp of process {}: {}", process_, std::strerror(errno))};
  }
  close(descriptor);
  base::Status result = base::Error{
      fmt::format("process {} does not answer: its attach mechanism may be off (-XX:+DisableAttachMechanism), or it "
                  "hangs or is stopped",
                  process_)};
  if (kill(process_, SIGQUIT) == 0) {
    for (int waited = 0; waited < kPatienceMs && is_alive(); waited += kNapMs) {
      struct stat info {};
      if (stat(path_here(fmt::format(".java_pid{}", inner_)).c_str(), &info) == 0) {
        result = base::Done{};
        break;
      }
      usleep(kNapMs * 1000);
    }
  }
  unlink(trigger.c_str());
  return result;
}

base::Result<std::string> JvmProcess::ask(std::initializer_list<std::string_view> words) const {
  auto socket = connect_to_socket();
  if (!socket && socket.error().message.empty()) {
    if (base::Status woken = wake_listener(); !woken) return woken.error();
    socket = connect_to_socket();
  }
  if (!socket) {
    const std::string& why = socket.error().message;
    return base::Error{why.empty() ? fmt::format("process {} does not answer", process_) : why};
  }
  std::string request("1");
  request.push_back('\0');
  for (const std::string_view word : words) request.append(word).push_back('\0');
  std::string answer = write_all(*socket, request) ? read_all(*socket) : "";
  close(*socket);
  return answer;
}

base::Status JvmProcess::load(const std::string& library, const std::string& options) const {
  if (library.size() > kMaxAttachArgument || options.size() > kMaxAttachArgument) {
    return base::Error{
        fmt::format("a JVM takes no more than {} bytes of options when one attaches: shorten the path of "
                    "the output, or give fewer patterns",
                    kMaxAttachArgument)};
  }
  const auto answer = ask({"load", library, "true", options});
  if (!answer) return answer.error();
  if (const std::string problem = load_problem(*answer); !problem.empty()) {
    return base::Error{fmt::format("process {}: {}", process_, printable(problem))};
  }
  return base::Done{};
}

base::Result<std::string> JvmProcess::diagnose(const std::string& command) const {
  auto answer = ask({"jcmd", command, "", ""});
  if (!answer) return answer;
  constexpr std::string_view kDone = "0\n";
  if (answer->starts_with(kDone)) return answer->substr(kDone.size());
  const std::string words = answer->empty() ? "it ended" : answer->substr(std::min(answer->find('\n'), answer->size()));
  std::string problem = words.substr(std::min(words.find_first_not_of('\n'), words.size()));
  while (problem.ends_with('\n')) problem.pop_back();
  return base::Error{fmt::format("process {}: {}", process_, printable(problem))};
}

}  // namespace bursar::cli
