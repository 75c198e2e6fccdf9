#include "cli/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/output.h"
#include "cli/text.h"

namespace bursar::cli {

base::Result<TemporaryFile> TemporaryFile::create(std::string_view stem, std::string_view content) {
  const char* folder = std::getenv("TMPDIR");
  std::error_code failure;
  std::filesystem::path absolute =
      std::filesystem::absolute(folder != nullptr && *folder != 0 ? folder : "/tmp", failure);
  std::string path = (absolute / fmt::format("bursar-{}-XXXXXX", stem)).string();
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) {
    return base::Error{fmt::format("cannot create a temporary file in {}: {}; TMPDIR names another folder",
                                   printable(absolute.string()), std::strerror(errno))};
  }
  TemporaryFile file(std::move(path));
  Output out(descriptor, file.path());
  out.write(content);
  const base::Status written = out.flush();
  close(descriptor);
  if (!written) return written.error();
  return file;
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

}  // namespace bursar::cli
