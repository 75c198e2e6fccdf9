#include "evaluation/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <sstream>

#include "evaluation/text_file.h"

namespace bursar::evaluation {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char*, 5> kQuick = {"fop", "javac", "lusearch", "xalan", "compress"};

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '|');) {
    const std::size_t begin = field.find_first_not_of(' ');
    const std::size_t end = field.find_last_not_of(' ');
    result.push_back(begin == field.npos ? "" : field.substr(begin, end - begin + 1));
  }
  return result;
}

// "name checksum" lines.
std::map<std::string, std::string> checksums(const std::string& text) {
  std::map<std::string, std::string> result;
  for (const std::string& line : lines_of(text)) {
    const std::size_t blank = line.find(' ');
    if (!line.starts_with('#') && blank != line.npos) result[line.substr(0, blank)] = line.substr(blank + 1);
  }
  return result;
}

// "… openjdk-17-jdk-headless=17.0.9 …"
std::string jdk_of(const std::string& text) {
  constexpr std::string_view kBefore = "openjdk-", kAfter = "-jdk-headless=";
  const std::size_t end = text.find(kAfter);
  const std::size_t begin = end == text.npos ? end : text.rfind(kBefore, end);
  return begin == text.npos ? "" : text.substr(begin + kBefore.size(), end - begin - kBefore.size());
}

}  // namespace

base::Result<Workloads> Workloads::open(const std::string& folder) {
  Workloads result;
  std::error_code failure;
  result.folder_ = fs::absolute(folder, failure).lexically_normal().string();
  if (result.folder_.ends_with('/')) result.folder_.pop_back();
  const auto list = evaluation::read_text(result.folder_ + "/workloads.txt");
  if (!list || !fs::exists(result.run_script(), failure)) {
    return base::Error{fmt::format(
        "no workloads in {}: it must hold run and workloads.txt, as bench/workloads of Bursar's sources does", folder)};
  }
  const auto known = evaluation::read_text(result.folder_ + "/checksums.txt");
  const std::map<std::string, std::string> sums = known ? checksums(*known) : std::map<std::string, std::string>{};
  if (known) result.checksums_jdk_ = jdk_of(*known);
  for (const std::string& line : lines_of(*list)) {
    const std::vector<std::string> row = fields(line);
    if (line.starts_with('#') || row.size() < 3) continue;
    const std::string name = row[1].substr(0, row[1].find(' '));
    const auto sum = sums.find(name);
    result.all_.push_back({.name = name, .real = row[2] != "-", .checksum = sum == sums.end() ? "" : sum->second});
  }
  if (result.all_.empty()) return base::Error{fmt::format("{}/workloads.txt lists no workload", folder)};
  return result;
}

const Workload* Workloads::find(const std::string& name) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Workload& each) { return each.name == name; });
  return found == all_.end() ? nullptr : &*found;
}

std::vector<std::string> Workloads::names() const {
  std::vector<std::string> result;
  for (const Workload& each : all_) result.push_back(each.name);
  return result;
}

std::vector<std::string> Workloads::real() const {
  std::vector<std::string> result;
  for (const Workload& each : all_) {
    if (each.real) result.push_back(each.name);
  }
  return result;
}

std::vector<std::string> Workloads::quick() const {
  std::vector<std::string> result;
  for (const char* name : kQuick) {
    if (find(name) != nullptr) result.emplace_back(name);
  }
  return result;
}

std::string Workloads::slowdown_command() const {
  return (fs::path(folder_).parent_path() / "slowdown").string();
}

std::vector<std::string> Workloads::files() const {
  return {run_script(), folder_ + "/classpath.txt", folder_ + "/suite.jar"};
}

std::string find_workloads(const std::string& command_folder) {
  constexpr const char* kPlace = "bench/workloads";
  std::error_code failure;
  // build/release/bursar lies two folders below the sources' top.
  const fs::path own = command_folder;
  for (const fs::path& top : {own, own.parent_path(), own.parent_path().parent_path(), fs::current_path(failure)}) {
    const fs::path folder = top / kPlace;
    if (fs::exists(folder / "workloads.txt", failure)) return folder.string();
  }
  return "";
}

}  // namespace bursar::evaluation
