#include "evaluation/harness_output.h"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "evaluation/text_file.h"

namespace bursar::evaluation {

namespace {

constexpr std::size_t kWords = 9;

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

base::Result<std::string> parse_checksum(std::string_view harness_output) {
  std::vector<std::string> result;
  for (const std::string& line : lines_of(harness_output)) {
    const std::vector<std::string> words = words_of(line);
    if (words.size() == kWords && words[0] == "result" && words[6] == "checksum") result = words;
  }
  if (result.empty()) return base::Error{"the program ended without a result"};
  if (result[8] == "UNSTABLE") return base::Error{"the iterations give different checksums"};
  if (result[8] != "OK") return base::Error{fmt::format("the harness says {}", result[8])};
  return result[7];
}

}  // namespace bursar::evaluation
