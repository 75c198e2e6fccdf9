#include "evaluation/results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "evaluation/text_file.h"

namespace bursar::evaluation {

namespace {

constexpr int kFormat = 1;

// Errno is kept.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(descriptor) == 0;
}

std::string shown(const Json& object, const std::string& key) {
  return object.contains(key) ? line_of(object[key]) : "nothing";
}

bool is_run(const Json& row) {
  const auto is_text = [&row](const char* key) { return row.contains(key) && row[key].is_string(); };
  return is_text("workload") && is_text("profiler") && row.contains("run") && row["run"].is_number_unsigned() &&
         row.contains("failure") && (row["failure"].is_null() || row["failure"].is_string());
}

}  // namespace

std::vector<std::string> differences(const Json& before, const Json& now) {
  std::vector<std::string> found;
  const auto add = [&](const std::string& key) {
    if (shown(before, key) != shown(now, key)) {
      found.push_back(fmt::format("{}: {} in the file, {} now", key, shown(before, key), shown(now, key)));
    }
  };
  for (const auto& [key, value] : before.items()) add(key);
  for (const auto& [key, value] : now.items()) {
    if (!before.contains(key)) add(key);
  }
  return found;
}

base::Result<ResultsFile> ResultsFile::open(const std::string& path, const Json& settings) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) return system_error("open", path);
  ResultsFile file(path, descriptor);
  if (const base::Status status = file.continue_with(settings); !status) return status.error();
  return file;
}

ResultsFile::~ResultsFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

ResultsFile::ResultsFile(ResultsFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), rows_(std::move(other.rows_)) {}

base::Status ResultsFile::continue_with(const Json& settings) {
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    return base::Error{fmt::format("{} is being written by another bursar evaluate; give another --out", path_)};
  }
  const auto text = read_text(path_);
  if (!text) return text.error();
  const std::string complete = text->substr(0, text->rfind('\n') + 1);
  std::vector<Json> values;
  for (const std::string& line : lines_of(complete)) {
    values.push_back(Json::parse(line, nullptr, false));
    const Json& value = values.back();
    const bool right = values.size() == 1
                           ? value.is_object() && value.value("format", 0) == kFormat && value.contains("settings")
                           : value.is_object() && is_run(value);
    if (!right) {
      return base::Error{fmt::format("{}, line {}: not {} of this version of bursar evaluate; give another --out",
                                     path_, values.size(), values.size() == 1 ? "the settings" : "a run")};
    }
  }
  if (!values.empty()) {
    std::string changes;
    for (const std::string& line : differences(values.front()["settings"], settings)) changes += "  " + line + "\n";
    if (!changes.empty()) {
      return base::Error{fmt::format(
          "{} holds runs with other settings, and the two must not be mixed:\n{}Give another --out.", path_, changes)};
    }
    rows_.assign(values.begin() + 1, values.end());
  }
  if (ftruncate(descriptor_, static_cast<off_t>(complete.size())) != 0) return system_error("write", path_);
  return values.empty() ? write_line({{"format", kFormat}, {"settings", settings}}) : base::Status(base::Done{});
}

base::Status ResultsFile::append(const Json& row) {
  if (const base::Status written = write_line(row); !written) return written;
  rows_.push_back(row);
  return base::Done{};
}

base::Status ResultsFile::write_line(const Json& value) {
  struct stat before {};
  fstat(descriptor_, &before);
  if (write_all(descriptor_, line_of(value) + "\n")) return base::Done{};
  const base::Error error = system_error("write", path_);
  [[maybe_unused]] const int cut = ftruncate(descriptor_, before.st_size);
  return error;
}

}  // namespace bursar::evaluation
