// SourceText: lines of source files, looked for in several folders; each file is read once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bursar::cli {

class SourceText {
 public:
  explicit SourceText(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  // `file` as packages have it: a/b/C.java. Lines count from 1. Without the blanks around it, and cut off where it is
  // longer than anybody reads; none if no folder has the file, or the file not that line.
  std::optional<std::string> line(const std::string& file, std::uint32_t number);

 private:
  std::vector<std::string> read(const std::string& file) const;

  std::vector<std::string> folders_;
  std::map<std::string, std::vector<std::string>> lines_;  // by file
};

}  // namespace bursar::cli
