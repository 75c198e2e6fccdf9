#include "evaluation/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace bursar::evaluation {

base::Error system_error(std::string_view action, const std::string& path) {
  return {fmt::format("cannot {} {}: {}", action, path, std::strerror(errno))};
}

base::Result<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return system_error("open", path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return system_error("read", path);
  return text;
}

base::Status write_text(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".new";
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const base::Error error = system_error("write", path);
    std::remove(temporary.c_str());
    return error;
  }
  return base::Done{};
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string last_lines(const std::string& path, std::size_t count) {
  const auto text = read_text(path);
  if (!text) return "";
  std::vector<std::string> lines = lines_of(*text);
  std::erase_if(lines, [](const std::string& line) { return line.find_first_not_of(" \t\r") == line.npos; });
  std::string joined;
  for (std::size_t i = lines.size() - std::min(count, lines.size()); i < lines.size(); ++i) {
    joined += (joined.empty() ? "" : "\n") + lines[i];
  }
  return joined;
}

}  // namespace bursar::evaluation
