#include "cli/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "analysis/edge_contexts.h"
#include "cli/agent_options.h"
#include "cli/message.h"
#include "cli/text.h"
#include "profile/profile_file.h"
#include "trace/record.h"

namespace bursar::cli {

namespace {

base::Error system_error(std::string_view action, const std::string& path) {
  return {fmt::format("cannot {} {}: {}", action, printable(path), std::strerror(errno))};
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return value_; }

 private:
  int value_;
};

// A file under a temporary name in the folder of its final one; removed unless published.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path) : name_(path + ".XXXXXX"), file_(mkostemp(name_.data(), O_CLOEXEC)) {}
  ~TemporaryFile() {
    if (opened() && !published_) unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool opened() const { return file_.get() >= 0; }
  int descriptor() const { return file_.get(); }

  // False, with errno, if it cannot be done; EEXIST if `path` is there and must not be replaced.
  bool publish(const std::string& path, bool replace) {
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(file_.get(), 0666 & ~mask) != 0 || fsync(file_.get()) != 0) return false;
    if (replace) {
      published_ = rename(name_.c_str(), path.c_str()) == 0;
    } else {
      // Unlike rename(), link() never replaces a file that somebody else has made in the meantime.
      published_ = link(name_.c_str(), path.c_str()) == 0;
      if (published_) {
        unlink(name_.c_str());
      } else if (errno == EPERM || errno == EOPNOTSUPP) {
        published_ = rename(name_.c_str(), path.c_str()) == 0;
      }
    }
    return published_;
  }

 private:
  std::string name_;
  Descriptor file_;
  bool published_ = false;
};

// The path behind symbolic links, so that the link stays and what it points to is replaced.
std::string resolved(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string result(real);
  std::free(real);
  return result;
}

base::Error exists(const std::string& path) {
  return {fmt::format("{} exists; --force replaces it", printable(path))};
}

base::Status write_directly(const Target& target, const std::function<void(Output&)>& write) {
  const Descriptor file(open(target.path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return system_error("open", target.path);
  Output out(file.get(), target.path);
  write(out);
  return out.flush();
}

bool is_trace(const std::string& path) {
  std::array<char, trace::kMagic.size()> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  return file && std::memcmp(head.data(), trace::kMagic.data(), head.size()) == 0;
}

}  // namespace

base::Result<profile::Profile> read_profile(const std::string& path) {
  const Progress progress("reading " + printable(path));
  auto profile = profile::read_file(path);
  if (!profile && is_trace(path)) {
    const std::string file = printable(shell_quoted(path));
    return base::Error{fmt::format(
        "{} is a trace, not a profile: bursar simulate {} --scheme exhaustive -o run.bursar makes one of it", file,
        file)};
  }
  return profile;
}

base::Result<profile::Profile> read_stacks(const std::string& path) {
  auto profile = read_profile(path);
  if (!profile || !analysis::has_only_edges(*profile)) return profile;
  say(fmt::format("{} has call edges and no contexts: each call is shown as a stack of two, caller and callee",
                  printable(path)));
  return analysis::contexts_of_edges(*profile);
}

base::Error nothing_counted(const std::string& path, const profile::Profile& profile) {
  const std::string file = printable(path);
  if (profile->paths.size() == 0) return {fmt::format("{} holds no metric", file)};
  return {
      fmt::format("{} has paths through methods and no calls: bursar paths {}, or bursar view {}", file, file, file)};
}

base::Result<std::string> read_text(const std::string& path) {
  const Progress progress("reading " + printable(path));
  const bool is_stdin = path == "-";
  const Descriptor file(is_stdin ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return system_error("open", path);
  std::string text;
  struct stat info {};
  if (fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode)) text.reserve(static_cast<std::size_t>(info.st_size));
  std::vector<char> piece(1 << 18);
  for (;;) {
    const ssize_t size = read(file.get(), piece.data(), piece.size());
    if (size == 0) return text;
    if (size > 0) {
      text.append(piece.data(), static_cast<std::size_t>(size));
    } else if (errno != EINTR) {
      return system_error("read", path);
    }
  }
}

base::Status check_target(const Target& target) {
  if (target.path == "-") return base::Error{"a profile is not written to stdout; name a file"};
  struct stat there {};
  if (stat(target.path.c_str(), &there) != 0) return base::Done{};
  if (S_ISDIR(there.st_mode)) return base::Error{fmt::format("{} is a directory", printable(target.path))};
  if (!S_ISREG(there.st_mode)) return base::Done{};
  for (const std::string& input : target.inputs) {
    struct stat info {};
    if (stat(input.c_str(), &info) == 0 && same_file(info, there)) {
      return base::Error{fmt::format("{} is an input; write to another file", printable(target.path))};
    }
  }
  if (!target.force) return exists(target.path);
  return base::Done{};
}

base::Status write_target(const Target& target, const std::function<void(Output&)>& write) {
  if (const base::Status allowed = check_target(target); !allowed) return allowed;
  struct stat there {};
  if (stat(target.path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) return write_directly(target, write);

  const Progress progress("writing " + printable(target.path));
  const std::string path = resolved(target.path);
  TemporaryFile file(path);
  if (!file.opened()) return system_error("create", target.path);
  Output out(file.descriptor(), target.path);
  write(out);
  if (const base::Status written = out.flush(); !written) return written;
  if (!file.publish(path, target.force)) {
    return errno == EEXIST ? exists(target.path) : system_error("write", target.path);
  }
  return base::Done{};
}

base::Status write_profile(const Target& target, const profile::Profile& profile) {
  return write_target(target, [&profile](Output& out) {
    const std::vector<std::uint8_t> bytes = profile::encode(profile);
    out.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  });
}

}  // namespace bursar::cli
