// Tracer: mode trace: the logs of all threads and the file that they go to.
//
// Lock order: its own lock, then a log's, then those of the sink and its file.
// Owner: the session.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "agent/trace_log.h"
#include "agent/trace_sink.h"
#include "base/result.h"

namespace bursar::agent {

class Tracer {
 public:
  struct Options {
    std::string path;
    std::uint64_t max_bytes = 0;
    std::uint64_t skip_ns = 0;  // from now on: what happens in that time is not kept
  };
  static base::Result<std::unique_ptr<Tracer>> create(const Options& options, const core::MethodTable& methods,
                                                      const std::map<std::string, std::string>& facts);

  // The clock of notes.
  // Runs in: any
  static std::uint64_t now_ns();

  // Where the thread's first note goes; 0 if there is no memory, or nothing is kept any more.
  // Runs in: app thread, the tree's owner
  std::uint64_t open_log(const core::ContextTree& tree);
  // The thread ends. `position`: where its next note would go.
  // Runs in: app thread, the log's owner
  void close_log(std::uint64_t position, std::string_view thread_name);

  struct OpenLog {
    std::uint64_t position = 0;
    std::string thread_name;
  };
  struct Outcome {
    std::string error;  // empty: all that could be kept is in the file
    std::uint64_t events = 0;
    bool full = false;
  };
  // Threads may go on; what they still note is lost. To be called once.
  Outcome finish(const std::vector<OpenLog>& open, const std::map<std::string, std::string>& facts);

 private:
  Tracer(std::unique_ptr<trace::TraceWriter> file, const core::MethodTable& methods, std::uint64_t begin_ns)
      : sink_(methods, std::move(file), begin_ns) {}

  void name(const TraceLog& log, std::string_view thread_name);

  TraceSink sink_;
  std::mutex lock_;
  std::map<std::uint64_t, std::unique_ptr<TraceLog>> logs_;  // by buffer
  std::uint32_t threads_ = 0;
};

}  // namespace bursar::agent
