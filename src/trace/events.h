// The events of one thread as bytes: every call and return with its time, in one to four bytes each.
//
//   byte       bits 0-1  0 return, 1 call, 2 a frame that was there when the trace began
//              bits 2-7  time since the event before, in units of 16 ns; 63: a varint follows, to be added to 63
//   varint     of a call or frame: which of the contexts that were entered from here before, in the order in which they
//              came; their number for a new one, which is followed by its method and its call site plus one (0: none)
//
// So writer and reader both keep the thread's calling-context tree, and most calls take two bytes. Numbers of methods
// are the trace's own. Returns by exception are returns.
// Runs in: any thread that may allocate; an encoder or decoder belongs to one thread's events
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"

namespace bursar::trace {

inline constexpr std::uint64_t kTimeUnitNs = 16;
inline constexpr std::uint64_t kLongDelta = 63;
// A year, in units: a reader takes no later time for one of a run.
inline constexpr std::uint64_t kLatest = std::uint64_t{366} * 86'400 * (1'000'000'000 / kTimeUnitNs);
inline constexpr std::uint32_t kNoSite = ~std::uint32_t{0};
inline constexpr std::uint32_t kRoot = 0;

enum class EventKind : std::uint8_t { kReturn = 0, kCall = 1, kFrame = 2 };

class EventEncoder {
 public:
  void call(std::uint32_t method, std::uint32_t site, std::uint64_t time_ns) {
    enter(EventKind::kCall, method, site, time_ns);
  }
  // Before the first call: the stack that the trace finds, from its first frame on.
  void frame(std::uint32_t method, std::uint32_t site, std::uint64_t time_ns) {
    enter(EventKind::kFrame, method, site, time_ns);
  }
  // Of a frame that is there: else it is left out.
  void ret(std::uint64_t time_ns);

  std::uint64_t events() const { return events_; }
  std::size_t pending_bytes() const { return out_.size(); }
  // The time from which the pending bytes count, in units.
  std::uint64_t pending_start() const { return start_; }
  std::vector<std::uint8_t> take_pending();

 private:
  // A context, by the one that it was entered from.
  struct Child {
    std::uint32_t parent, method, site;
    std::uint32_t node = kRoot;  // which is nobody's child: the place is free
    std::uint32_t ordinal;
  };

  // Where it is, or belongs.
  Child& find(std::uint32_t method, std::uint32_t site);
  void grow();
  void enter(EventKind kind, std::uint32_t method, std::uint32_t site, std::uint64_t time_ns);
  void begin(EventKind kind, std::uint64_t time_ns);

  base::ByteWriter out_;
  std::uint64_t start_ = 0, now_ = 0;
  std::uint64_t events_ = 0;
  std::vector<Child> children_ = std::vector<Child>(16);  // open addressing; at most half full
  std::vector<std::uint32_t> parent_ = {kRoot};
  std::vector<std::uint32_t> child_count_ = {0};
  std::uint32_t at_ = kRoot;
};

// The tree that a thread's events have made so far; 0 is its root, which is no method.
struct Tree {
  std::vector<std::uint32_t> parent = {kRoot};
  std::vector<std::uint32_t> method = {0};
  std::vector<std::uint32_t> site = {kNoSite};
  std::vector<std::vector<std::uint32_t>> children = {{}};

  std::size_t size() const { return parent.size(); }
};

class EventDecoder {
 public:
  // Calls `visit(kind, node, time_ns)` for each event: the node that is entered, or the one that is returned from.
  // False if the bytes make no sense; error() then says why. `methods`: numbers below it are known.
  template <class Visit>
  bool decode(base::Bytes bytes, std::uint64_t start, std::uint32_t methods, Visit&& visit);

  const Tree& tree() const { return tree_; }
  std::uint32_t at() const { return at_; }
  const std::string& error() const { return error_; }

 private:
  bool enter_new(base::ByteReader& reader, std::uint32_t methods);
  bool refuse(const char* why);

  Tree tree_;
  std::uint32_t at_ = kRoot;
  std::string error_;
};

template <class Visit>
bool EventDecoder::decode(base::Bytes bytes, std::uint64_t start, std::uint32_t methods, Visit&& visit) {
  base::ByteReader reader(bytes);
  std::uint64_t now = start;
  while (!reader.at_end()) {
    const std::uint8_t first = reader.u1();
    const auto kind = static_cast<EventKind>(first & 3);
    std::uint64_t delta = first >> 2;
    if (delta == kLongDelta) delta += reader.varint();
    if (!reader.ok()) break;
    if (now > kLatest || delta > kLatest) return refuse("a time beyond that of any run");
    now += delta;
    if (kind == EventKind::kReturn) {
      if (at_ == kRoot) return refuse("a return from no method");
      visit(kind, at_, now * kTimeUnitNs);
      at_ = tree_.parent[at_];
      continue;
    }
    if (kind != EventKind::kCall && kind != EventKind::kFrame) return refuse("an unknown event");
    const std::uint64_t ordinal = reader.varint();
    if (!reader.ok()) break;
    const std::vector<std::uint32_t>& known = tree_.children[at_];
    if (ordinal < known.size()) {
      at_ = known[ordinal];
    } else if (ordinal > known.size() || !enter_new(reader, methods)) {
      return refuse("a call of an unknown method or context");
    }
    visit(kind, at_, now * kTimeUnitNs);
  }
  return reader.ok() || refuse("an event that is cut off");
}

}  // namespace bursar::trace
