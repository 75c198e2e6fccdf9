#include "trace/events.h"

#include <algorithm>
#include <utility>

namespace bursar::trace {
namespace {

std::size_t hash_of(std::uint32_t parent, std::uint32_t method, std::uint32_t site) {
  std::uint64_t hash = (std::uint64_t{parent} << 32 | method) * 0x9e3779b97f4a7c15;
  hash = (hash ^ hash >> 32 ^ site) * 0xd6e8feb86659fd93;
  return hash ^ hash >> 32;
}

}  // namespace

EventEncoder::Child& EventEncoder::find(std::uint32_t method, std::uint32_t site) {
  const std::size_t mask = children_.size() - 1;
  for (std::size_t i = hash_of(at_, method, site);; ++i) {
    Child& child = children_[i & mask];
    if (child.node == kRoot || (child.parent == at_ && child.method == method && child.site == site)) return child;
  }
}

void EventEncoder::grow() {
  const std::vector<Child> old = std::exchange(children_, std::vector<Child>(2 * children_.size()));
  const std::size_t mask = children_.size() - 1;
  for (const Child& child : old) {
    if (child.node == kRoot) continue;
    std::size_t i = hash_of(child.parent, child.method, child.site);
    while (children_[i & mask].node != kRoot) ++i;
    children_[i & mask] = child;
  }
}

void EventEncoder::begin(EventKind kind, std::uint64_t time_ns) {
  const std::uint64_t time = time_ns / kTimeUnitNs;
  if (out_.size() == 0) start_ = now_ = std::max(now_, time);
  const std::uint64_t delta = time > now_ ? time - now_ : 0;
  now_ += delta;
  out_.u1(static_cast<std::uint32_t>(kind) | static_cast<std::uint32_t>(std::min(delta, kLongDelta)) << 2);
  if (delta >= kLongDelta) out_.varint(delta - kLongDelta);
  ++events_;
}

void EventEncoder::enter(EventKind kind, std::uint32_t method, std::uint32_t site, std::uint64_t time_ns) {
  begin(kind, time_ns);
  Child* child = &find(method, site);
  const bool is_new = child->node == kRoot;
  if (is_new) {
    if (2 * parent_.size() >= children_.size()) {
      grow();
      child = &find(method, site);
    }
    *child = {at_, method, site, static_cast<std::uint32_t>(parent_.size()), child_count_[at_]++};
    parent_.push_back(at_);
    child_count_.push_back(0);
  }
  out_.varint(child->ordinal);
  if (is_new) {
    out_.varint(method);
    out_.varint(site == kNoSite ? 0 : std::uint64_t{site} + 1);
  }
  at_ = child->node;
}

void EventEncoder::ret(std::uint64_t time_ns) {
  if (at_ == kRoot) return;
  begin(EventKind::kReturn, time_ns);
  at_ = parent_[at_];
}

std::vector<std::uint8_t> EventEncoder::take_pending() {
  std::vector<std::uint8_t> bytes = out_.take();
  out_ = {};
  return bytes;
}

bool EventDecoder::enter_new(base::ByteReader& reader, std::uint32_t methods) {
  const std::uint64_t method = reader.varint();
  const std::uint64_t site = reader.varint();
  constexpr std::uint64_t kLargestSite = 65535;
  if (!reader.ok() || method >= methods || site > kLargestSite || tree_.size() == kNoSite) return false;
  const auto node = static_cast<std::uint32_t>(tree_.size());
  tree_.parent.push_back(at_);
  tree_.method.push_back(static_cast<std::uint32_t>(method));
  tree_.site.push_back(site == 0 ? kNoSite : static_cast<std::uint32_t>(site - 1));
  tree_.children.emplace_back();
  tree_.children[at_].push_back(node);
  at_ = node;
  return true;
}

bool EventDecoder::refuse(const char* why) {
  error_ = why;
  return false;
}

}  // namespace bursar::trace
