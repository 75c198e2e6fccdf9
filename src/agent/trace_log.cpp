#include "agent/trace_log.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace bursar::agent {
namespace {

using core::CommonNodes;
using core::NodeAddress;

constexpr std::uint64_t kNoteBits = 7;
constexpr std::size_t kRecordBytes = 1 << 15;
constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};

std::uint64_t new_buffer(const TraceLog* log) {
  void* memory = std::aligned_alloc(kLogBytes, kLogBytes);
  if (memory == nullptr) return 0;
  std::memset(memory, 0, kLogBytes);
  const auto owner = reinterpret_cast<std::uint64_t>(log);
  std::memcpy(memory, &owner, sizeof owner);
  return reinterpret_cast<std::uint64_t>(memory);
}

void* at_address(std::uint64_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): a long in Java
}

}  // namespace

TraceLog::Frame TraceLog::frame_of(NodeAddress address) {
  const core::Node& node = core::node_at(address);
  // The site of one that was called back is its caller's caller's.
  return {address, node.method, node.has(core::kCalledBack) ? 0 : node.site()};
}

TraceLog::TraceLog(TraceSink& sink, const core::ContextTree& tree, std::uint32_t number)
    : sink_(sink), tree_(tree), number_(number), buffer_(new_buffer(this)), next_(first()) {}

TraceLog::~TraceLog() {
  std::free(at_address(buffer_));
}

TraceLog& TraceLog::of(std::uint64_t position) {
  std::uint64_t owner = 0;
  std::memcpy(&owner, at_address(buffer_of(position)), sizeof owner);
  return *static_cast<TraceLog*>(at_address(owner));
}

std::uint64_t TraceLog::drain(std::uint64_t position) {
  const std::lock_guard guard(lock_);
  take_notes(position);
  if (encoder_.pending_bytes() >= kRecordBytes) write();
  if (closed_) return 0;
  if ((position & (kLogBytes - 1)) != 0) return position;
  return next_ = first();
}

void TraceLog::close(std::uint64_t position) {
  const std::lock_guard guard(lock_);
  take_notes(position);
  if (!closed_) write();
  closed_ = true;
}

void TraceLog::write() {
  if (!sink_.write(number_, encoder_, encoder_.events() - written_)) closed_ = true;
  written_ = encoder_.events();
}

void TraceLog::take_notes(std::uint64_t position) {
  std::uint64_t words[2];
  static_assert(sizeof words == kNoteBytes);
  for (; next_ < position && !closed_; next_ += kNoteBytes) {
    std::memcpy(words, at_address(next_), sizeof words);
    // Another thread ends the trace, and the owner has just not written it.
    if (words[0] == 0) return;
    std::memset(at_address(next_), 0, sizeof words);
    now_ns_ = words[1] - std::min(words[1], sink_.begin_ns());
    if (!begun_ && words[1] >= sink_.begin_ns()) begin();
    take(words[0]);
  }
}

void TraceLog::begin() {
  begun_ = true;
  for (std::size_t i = 0; i < stack_.size(); ++i) encoder_.frame(number_of(stack_[i].method), site_of(i), 0);
}

void TraceLog::take(std::uint64_t note) {
  const std::uint64_t address = note & ~kNoteBits;
  const CommonNodes& common = CommonNodes::instance();
  if (common.is_mute(address) || common.is_asleep(address) || common.is_overflow(address)) return;
  switch (static_cast<Note>(note & kNoteBits)) {
    case Note::kEntered:
      return enter(address);
    case Note::kLeft:
      if (return_to(address) && !stack_.empty()) pop();
      return;
    case Note::kAt:
      return_to(address);
      return;
    case Note::kCounted:
      return count(address);
    case Note::kCountedInSlot:
      return count_in_slot(address);
  }
}

void TraceLog::enter(NodeAddress node) {
  follow_to(parent_of(node));
  push(frame_of(node));
}

void TraceLog::count(NodeAddress node) {
  const NodeAddress parent = parent_of(node);
  for (std::size_t i = stack_.size(); i-- > 0 && stack_[i].node != parent;) {
    if (stack_[i].node != node) continue;
    // It called back, and was seen then.
    return_to(node);
    return pop();
  }
  enter(node);
  pop();
}

void TraceLog::count_in_slot(core::SlotAddress slot) {
  const core::ContextTree::Place place = core::ContextTree::locate(slot);
  if (place.node == 0 || place.slot == 0) return;
  const std::vector<core::CallSite>& sites = sink_.methods()[core::node_at(place.node).method].sites;
  if (place.slot > sites.size() || sites[place.slot - 1].callee == core::kNoMethod) return;
  follow_to(place.node);
  push({0, sites[place.slot - 1].callee, place.slot});
}

// The stack then ends with this node.
void TraceLog::follow_to(NodeAddress node) {
  missing_.clear();
  for (; !return_to(node); node = parent_of(node)) missing_.push_back(node);
  for (; !missing_.empty(); missing_.pop_back()) push(frame_of(missing_.back()));
}

// Leaves what stands above the node; false if it is not on the stack.
bool TraceLog::return_to(NodeAddress node) {
  if (!stack_.empty() && stack_.back().node == 0) {
    // What was counted in a slot calls back after all, and has a node now; else it is over.
    const core::Node& found = core::node_at(node);
    const NodeAddress below = stack_.size() > 1 ? stack_[stack_.size() - 2].node : tree_.root();
    const bool same = node != tree_.root() && found.method == stack_.back().method &&
                      found.site() == stack_.back().slot && parent_of(node) == below;
    if (same) {
      stack_.back().node = node;
      return true;
    }
    pop();
  }
  std::size_t depth = stack_.size();
  if (node == tree_.root()) {
    depth = 0;
  } else {
    while (depth > 0 && stack_[depth - 1].node != node) --depth;
    if (depth == 0) return false;
  }
  while (stack_.size() > depth) pop();
  return true;
}

NodeAddress TraceLog::parent_of(NodeAddress node) {
  if (!core::node_at(node).has(core::kCalledBack)) return tree_.parent_of(node);
  const auto [at, is_new] = callers_back_.try_emplace(node, 0);
  if (is_new) at->second = tree_.parent_of(node);
  return at->second;
}

void TraceLog::push(const Frame& frame) {
  stack_.push_back(frame);
  if (!begun_) return;
  encoder_.call(number_of(frame.method), site_of(stack_.size() - 1), now_ns_);
  last_ns_ = now_ns_;
}

void TraceLog::pop() {
  // What is counted in a slot takes no time that we know of.
  if (stack_.back().node != 0) last_ns_ = now_ns_;
  stack_.pop_back();
  if (begun_) encoder_.ret(last_ns_);
}

std::uint32_t TraceLog::number_of(core::MethodId method) {
  if (method >= numbers_.size()) numbers_.resize(std::size_t{method} + 1, kNoNumber);
  if (numbers_[method] == kNoNumber) numbers_[method] = sink_.number_of(method);
  return numbers_[method];
}

std::uint32_t TraceLog::site_of(std::size_t frame) const {
  const std::uint32_t slot = stack_[frame].slot;
  if (frame == 0 || slot == 0) return trace::kNoSite;
  const std::vector<core::CallSite>& sites = sink_.methods()[stack_[frame - 1].method].sites;
  return slot <= sites.size() ? sites[slot - 1].bci : trace::kNoSite;
}

}  // namespace bursar::agent
