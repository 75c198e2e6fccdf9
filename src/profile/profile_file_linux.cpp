// read_file() and write_file(): the profile file on a Linux file system.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "profile/file_layout.h"
#include "profile/profile_file.h"

namespace bursar::profile {
namespace {

using base::Done;
using base::Error;
using base::Status;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  bool open() const { return number_ >= 0; }
  int number() const { return number_; }
  // Some file systems report a failed write only here.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

std::string system_reason(int error) {
  char buffer[128];
  return ::strerror_r(error, buffer, sizeof buffer);
}

const char* advice_for(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "; check the path";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; check the permissions or choose another place";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "; free some space or choose another place";
    default:
      return "";
  }
}

Error write_error(const std::string& path, const std::string& what, int error) {
  return {"cannot write the profile to " + path + ": " + what + ": " + system_reason(error) + advice_for(error)};
}

Error read_error(const std::string& path, const std::string& why) {
  return {"cannot read " + path + ": " + why};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// 0, or the error number.
int write_all(int descriptor, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written == 0 ? ENOSPC : errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

// A device or pipe is written to as it is: renaming over it would replace it.
Status write_in_place(std::span<const std::uint8_t> bytes, const std::string& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.open()) return write_error(path, "opening it failed", errno);
  if (const int error = write_all(file.number(), bytes); error != 0) return write_error(path, "writing failed", error);
  if (!file.close()) return write_error(path, "closing it failed", errno);
  return Done{};
}

// Creates a file of a name that nobody else has; -1 and errno if it cannot.
int create_temporary(const std::string& path, std::string& temporary) {
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    temporary = path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

Status write_temporary(Descriptor& file, std::span<const std::uint8_t> bytes, const std::string& path) {
  if (const int error = write_all(file.number(), bytes); error != 0) return write_error(path, "writing failed", error);
  if (::fsync(file.number()) != 0) return write_error(path, "writing it to the disk failed", errno);
  if (!file.close()) return write_error(path, "closing it failed", errno);
  return Done{};
}

// Without this a crash of the machine could bring the old name back. Not every file system can do it, and the file
// itself is safe by now, so a failure is not one of the write.
void sync_folder(const std::string& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.open()) ::fsync(descriptor.number());
}

// Where the bytes go if `path` is a link: replacing the link itself would leave its target behind.
std::string follow_links(const std::string& path) {
  char* const resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result(resolved);
  std::free(resolved);
  return result;
}

// 0, or the error number. Reads until `limit` bytes are there or the file ends.
int read_up_to(int descriptor, std::size_t limit, std::vector<std::uint8_t>& bytes) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  while (bytes.size() < limit) {
    const std::size_t start = bytes.size();
    const std::size_t wanted = std::min(std::max(kChunk, start), limit - start);
    bytes.resize(start + wanted);
    const ssize_t got = ::read(descriptor, bytes.data() + start, wanted);
    const int error = got < 0 ? errno : 0;
    bytes.resize(start + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (error == EINTR) continue;
    if (error != 0 || got == 0) return error;
  }
  return 0;
}

}  // namespace

Status write_file(const Profile& profile, const std::string& path) {
  struct stat status = {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return write_error(path, "a file of that name cannot be made", EISDIR);
  const std::vector<std::uint8_t> bytes = encode(profile);
  if (exists && !S_ISREG(status.st_mode)) return write_in_place(bytes, path);

  const std::string target = exists ? follow_links(path) : path;
  std::string temporary;
  Descriptor file(create_temporary(target, temporary));
  if (const int error = errno; !file.open()) return write_error(path, "creating " + temporary + " failed", error);
  if (const Status written = write_temporary(file, bytes, path); !written) {
    ::unlink(temporary.c_str());
    return written.error();
  }
  if (::rename(temporary.c_str(), target.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    return write_error(path, "renaming " + temporary + " failed", error);
  }
  sync_folder(folder_of(target));
  return Done{};
}

base::Result<Profile> read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (const int error = errno; !file.open()) return read_error(path, system_reason(error) + advice_for(error));
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) return read_error(path, system_reason(errno));
  if (S_ISDIR(status.st_mode)) return read_error(path, "it is a folder; name the profile in it");

  // The header first: a large file that is no profile is not read to its end.
  std::vector<std::uint8_t> bytes;
  if (const int error = read_up_to(file.number(), kHeaderSize, bytes); error != 0) {
    return read_error(path, system_reason(error));
  }
  if (bytes.size() >= kSignature.size() && std::equal(kSignature.begin(), kSignature.end(), bytes.begin())) {
    if (const int error = read_up_to(file.number(), SIZE_MAX, bytes); error != 0) {
      return read_error(path, system_reason(error));
    }
  }
  base::Result<Profile> profile = decode(bytes);
  if (!profile) return read_error(path, profile.error().message);
  return profile;
}

}  // namespace bursar::profile
