// Findings: what a check has found wrong, one sentence each, up to a limit.
//
// Owned by the check that fills it; single writer.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace bursar::profile {

class Findings {
 public:
  explicit Findings(std::size_t limit) : limit_(limit) {}

  // Checks stop early once there is nothing more to say.
  bool full() const { return sentences_.size() >= limit_; }
  bool empty() const { return sentences_.empty(); }
  void add(std::string sentence) {
    if (!full()) sentences_.push_back(std::move(sentence));
  }
  const std::string& first() const { return sentences_.front(); }
  std::vector<std::string> take() { return std::move(sentences_); }

 private:
  std::size_t limit_;
  std::vector<std::string> sentences_;
};

}  // namespace bursar::profile
