// The trace file: every call and return of every thread of a run. docs/format.md describes it byte by byte.
//
// Written as a stream of records, each with its length and checksum, while the program runs: what was written before a
// crash can be read. The last record says that the trace is whole, or why it is not.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "base/result.h"
#include "profile/profile.h"

namespace bursar::trace {

inline constexpr std::uint32_t kVersion = 1;

enum class RecordKind : std::uint8_t {
  kFacts = 1,    // key and value, both text, repeated
  kMethods = 2,  // methods that come next in the numbering
  kThread = 3,   // number and name of a thread
  kEvents = 4,   // of one thread, from a time on (events.h)
  kEnd = 5,      // why the trace ends here; empty: the program ended
};

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

// Appends records. What does not fit into `max_bytes` is left out, and the trace then ends with that reason; names of
// threads and facts may still follow, in a little room that is kept for them.
// Runs in: any thread that may block; several at a time
class TraceWriter {
 public:
  static base::Result<std::unique_ptr<TraceWriter>> create(const std::string& path, std::uint64_t max_bytes);

  void facts(const std::map<std::string, std::string>& facts);
  void methods(const std::vector<profile::Method>& next);
  void thread(std::uint32_t number, std::string_view name);
  // False if the trace has come to its end: no more need be made.
  bool events(std::uint32_t thread, std::uint64_t start, base::Bytes bytes);
  // Nothing may follow. The error names the path and the system's reason, if any write failed.
  base::Status finish();

  bool is_full() const { return full_.load(std::memory_order_relaxed); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  TraceWriter(File file, std::string path, std::uint64_t max_bytes)
      : file_(std::move(file)), path_(std::move(path)), max_bytes_(max_bytes) {}

  bool append(RecordKind kind, base::Bytes payload);
  void put(base::Bytes bytes);

  File file_;
  const std::string path_;
  const std::uint64_t max_bytes_;
  std::mutex lock_;
  std::uint64_t bytes_ = 0;
  std::atomic<bool> full_ = false;
  int error_ = 0;
};

struct Events {
  std::uint32_t thread = 0;
  std::uint64_t start = 0;
  base::Bytes bytes;  // until the next call of next()
};

// Reads the records in order. Trusts nothing: a length, checksum or number that makes no sense is an error that says
// where; a file that just stops is no error, but not complete().
// Runs in: the command
class TraceReader {
 public:
  static base::Result<std::unique_ptr<TraceReader>> open(const std::string& path);

  // The next events; false at the end or on an error.
  bool next(Events& events);

  const std::vector<profile::Method>& methods() const { return methods_; }
  const std::map<std::uint32_t, std::string>& threads() const { return threads_; }
  const std::map<std::string, std::string>& facts() const { return facts_; }
  const std::string& error() const { return error_; }
  bool complete() const { return ended_ && end_reason_.empty(); }
  // Why the trace is not of the whole run; empty if it is.
  std::string shortcoming() const;
  std::uint64_t bytes() const { return position_; }

 private:
  explicit TraceReader(File file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  bool read_record(RecordKind& kind);
  bool take(RecordKind kind, Events& events, bool& has_events);
  bool refuse(const std::string& why);

  File file_;
  const std::string path_;
  std::uint64_t position_ = 0;
  std::vector<std::uint8_t> payload_;
  std::vector<profile::Method> methods_;
  std::map<std::uint32_t, std::string> threads_;
  std::map<std::string, std::string> facts_;
  bool ended_ = false;
  std::string end_reason_;
  std::string error_;
};

}  // namespace bursar::trace
