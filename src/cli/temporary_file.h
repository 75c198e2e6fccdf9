// TemporaryFile: a new file in the folder for temporary files (TMPDIR, or /tmp), removed at the end of its life.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace bursar::cli {

class TemporaryFile {
 public:
  // Its name is bursar-STEM-… and absolute, because a program may go to another folder before its JVM reads the name.
  static base::Result<TemporaryFile> create(std::string_view stem, std::string_view content = {});
  ~TemporaryFile();
  TemporaryFile(TemporaryFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFile(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace bursar::cli
