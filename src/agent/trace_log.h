// TraceLog: what the probes of one thread note in mode trace, and the events that are made of it.
//
// A buffer of kLogBytes at an address that is a multiple of it. Its first 16 bytes belong to the log; behind them stand
// notes, 16 bytes each, as BursarProbe writes them:
//
//   0  u64  the address of a node or slot; in its three lowest bits what happened there (Note). 0: not written yet
//   8  u64  when, by Tracer::now_ns
//
// Where the next note goes is in the thread's field bursarLog; a multiple of kLogBytes means that the buffer is full.
//
// The log keeps the stack that follows from the notes, so that it need not rely on every frame to say that it is left.
// A node is on the stack once at most, since recursion is unfolded: its frame follows from its parent's. Whatever
// stands above the frame that a note speaks of has been left; frames that are missing below it (a native method that
// nobody saw coming, and that called back) are entered first.
// Owner: the tracer. Runs in: app thread, the one that it belongs to, and the one that ends the trace
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "agent/trace_sink.h"
#include "core/context_tree.h"
#include "trace/events.h"

namespace bursar::agent {

inline constexpr std::uint64_t kLogBytes = 1 << 14;
inline constexpr std::uint64_t kNoteBytes = 16;

enum class Note : std::uint8_t {
  kEntered = 0,        // a node
  kLeft = 1,           // a node
  kAt = 2,             // a node that has not been left; of slots it says nothing
  kCounted = 3,        // a node: its call is over, and it may not have been seen before
  kCountedInSlot = 4,  // a slot's only callee, which has no node (CallSite::callee): it is being called
};

class TraceLog {
 public:
  TraceLog(TraceSink& sink, const core::ContextTree& tree, std::uint32_t number);
  ~TraceLog();
  TraceLog(const TraceLog&) = delete;
  TraceLog& operator=(const TraceLog&) = delete;

  // Where the first note goes; 0 if there is no memory.
  std::uint64_t first() const { return buffer_ != 0 ? buffer_ + kNoteBytes : 0; }
  // Of the position of its next note.
  static std::uint64_t buffer_of(std::uint64_t position) { return (position - 1) & ~(kLogBytes - 1); }
  static TraceLog& of(std::uint64_t position);

  // Makes events of the notes before `position`. Where the next note goes; 0 if none is wanted any more.
  std::uint64_t drain(std::uint64_t position);
  // The same, for the last time; all that is left goes to the file.
  void close(std::uint64_t position);

  std::uint32_t number() const { return number_; }

 private:
  struct Frame {
    core::NodeAddress node = 0;  // 0: counted in a slot
    core::MethodId method = core::kNoMethod;
    std::uint32_t slot = 0;  // of the node below; 0: the VM or a native method called it
  };

  static Frame frame_of(core::NodeAddress address);

  void take_notes(std::uint64_t position);
  void take(std::uint64_t note);
  void begin();
  void enter(core::NodeAddress node);
  void count(core::NodeAddress node);
  void count_in_slot(core::SlotAddress slot);
  void follow_to(core::NodeAddress node);
  bool return_to(core::NodeAddress node);
  core::NodeAddress parent_of(core::NodeAddress node);
  void push(const Frame& frame);
  void pop();
  std::uint32_t number_of(core::MethodId method);
  std::uint32_t site_of(std::size_t frame) const;
  void write();

  TraceSink& sink_;
  const core::ContextTree& tree_;
  const std::uint32_t number_;
  const std::uint64_t buffer_;
  std::mutex lock_;
  std::uint64_t next_;  // the first note that was not taken yet
  bool closed_ = false;
  bool begun_ = false;         // the time for the first event has come
  std::uint64_t now_ns_ = 0;   // since the trace began
  std::uint64_t last_ns_ = 0;  // of the last event
  std::uint64_t written_ = 0;  // events
  std::vector<Frame> stack_;
  std::vector<core::NodeAddress> missing_;
  std::unordered_map<core::NodeAddress, core::NodeAddress> callers_back_;  // parents of nodes that were called back
  std::vector<std::uint32_t> numbers_;                                     // by MethodId
  trace::EventEncoder encoder_;
};

}  // namespace bursar::agent
