// HistoryTable: which stacks have had a burst, as far as a table of fixed size remembers.
//
// One place for each signature; two that share a place settle it by the rule in the options. Threads may ask at the
// same time: at worst one of them is told that a stack is new when it is not.
// Runs in: any
#pragma once

#include <atomic>
#include <memory>

#include "schemes/options.h"
#include "schemes/signature.h"

namespace bursar::schemes {

class HistoryTable {
 public:
  HistoryTable(std::uint32_t size, Collision rule);

  // Says whether the stack was seen before; from now on it was, unless the rule says otherwise.
  bool seen(Signature signature);

 private:
  std::uint32_t size_;
  Collision rule_;
  std::unique_ptr<std::atomic<Signature>[]> places_;
};

}  // namespace bursar::schemes
