#include "cli/source_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/text.h"

namespace bursar::cli {

std::optional<std::string> SourceText::line(const std::string& file, std::uint32_t number) {
  // The name comes out of a profile that anybody may have made: it must not lead out of the folders.
  if (file.starts_with('/') || file.find("..") != std::string::npos) return std::nullopt;
  const auto [at, is_new] = lines_.try_emplace(file);
  if (is_new) at->second = read(file);
  if (number == 0 || number > at->second.size()) return std::nullopt;
  return at->second[number - 1];
}

std::vector<std::string> SourceText::read(const std::string& file) const {
  constexpr std::size_t kLongest = 200;
  constexpr const char* kBlanks = " \t\r\f";
  for (const std::string& folder : folders_) {
    const std::filesystem::path path = std::filesystem::path(folder) / file;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) continue;
    std::ifstream in(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
      const std::size_t first = line.find_first_not_of(kBlanks);
      const std::size_t last = line.find_last_not_of(kBlanks);
      lines.push_back(first == std::string::npos ? ""
                                                 : printable(line.substr(first, std::min(last - first + 1, kLongest))));
    }
    return lines;
  }
  return {};
}

}  // namespace bursar::cli
