// ClassRewriter: what happens to a class on its way into the VM.
//
// Puts the probes in and the members that the agent adds to classes of java.lang, and keeps the registry up to date.
// The same class loaded again (another loader, the same lambda form) gets the same method ids, so that a program that
// loads classes for ever does not fill the method table.
// Runs in: any thread that may allocate; several at a time
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/call_positions.h"
#include "agent/class_paths.h"
#include "agent/class_registry.h"
#include "agent/gates.h"
#include "base/byte_reader.h"
#include "classfile/rewriter.h"
#include "core/method_table.h"

namespace bursar::agent {

class ClassRewriter {
 public:
  // `traced`: probes note what happens, for a trace. `gates`: where there are any, calls are counted in bursts; and
  // paths, if there are `paths`.
  ClassRewriter(core::MethodTable& methods, ClassRegistry& registry, bool traced = false, Gates* gates = nullptr,
                PathRegistry* paths = nullptr)
      : methods_(methods), registry_(registry), traced_(traced), gates_(gates), paths_(paths) {}

  // A method of a hidden class, which the registry does not know: of the last one of this name.
  core::MethodId hidden_method(std::string_view class_name, std::string_view name, std::string_view descriptor) const;

  // Of the calls in copies and gates.
  const CallPositions& positions() const { return positions_; }

  // The new bytes; empty if the class stays as it is.
  std::vector<std::uint8_t> rewrite(base::Bytes class_file, bool hidden);

  // From now on rewrite() gets hidden classes, too. The class library's first lambdas came before.
  void sees_hidden_classes() { sees_hidden_ = true; }

  struct Totals {
    classfile::RewriteCounts counts;
    std::uint64_t classes = 0;          // that were taken apart, changed or not
    std::uint64_t refused_classes = 0;  // malformed, newer than we know, or without room for copies
    std::uint64_t cpu_ns = 0;
    PathRefusals refused_paths{};
  };
  Totals totals() const;
  // A class.
  bool refused_any() const { return refused_any_.load(std::memory_order_relaxed); }

 private:
  void count_refused();  // under lock_
  std::vector<core::MethodId> ids_of(std::uint64_t class_hash);
  std::vector<std::uint32_t> firsts_of(std::uint64_t class_hash);
  std::vector<std::uint8_t> with_added_members(std::string_view name, std::vector<std::uint8_t> bytes,
                                               base::Bytes original) const;

  core::MethodTable& methods_;
  ClassRegistry& registry_;
  const bool traced_;
  Gates* const gates_;
  PathRegistry* const paths_;
  CallPositions positions_;
  mutable std::mutex lock_;
  std::unordered_map<std::uint64_t, std::vector<core::MethodId>> ids_;    // by hash of the class file
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> firsts_;  // of paths, likewise
  std::unordered_map<std::string, core::MethodId> hidden_;                // by class, name and descriptor
  Totals totals_;
  std::atomic<bool> refused_any_ = false, sees_hidden_ = false;
};

}  // namespace bursar::agent
