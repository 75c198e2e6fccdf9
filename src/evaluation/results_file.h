// ResultsFile: the finished runs of an evaluation, as JSON lines: the first holds the settings, each other one a run.
//
// Invariant: every line but perhaps the last is complete. A last line without its newline is that of a writer that was
// killed, and is cut off. One writer at a time (flock). A file with other settings is refused, because its runs and
// new ones could not be compared. bench/measure/results_file.py keeps the same rules for slowdowns.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "evaluation/json.h"

namespace bursar::evaluation {

class ResultsFile {
 public:
  // Continues the file if there is one.
  static base::Result<ResultsFile> open(const std::string& path, const Json& settings);
  ~ResultsFile();
  ResultsFile(ResultsFile&& other) noexcept;
  ResultsFile& operator=(ResultsFile&&) = delete;
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  const std::vector<Json>& rows() const { return rows_; }
  // On disk when it returns. After a failure nothing of the row is in the file.
  base::Status append(const Json& row);

 private:
  ResultsFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  base::Status continue_with(const Json& settings);
  base::Status write_line(const Json& value);

  std::string path_;
  int descriptor_;
  std::vector<Json> rows_;
};

// "iterations: 20 in the file, 10 now", one for each key whose values differ.
std::vector<std::string> differences(const Json& before, const Json& now);

}  // namespace bursar::evaluation
