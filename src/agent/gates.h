// Gates: the methods at whose entries bursts may begin.
// Runs in: any
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/method_table.h"

namespace bursar::agent {

class Gates {
 public:
  bool contains(core::MethodId method) const {
    const std::lock_guard guard(lock_);
    return methods_.contains(method);
  }
  // Says whether it was none yet.
  bool add(core::MethodId method) {
    const std::lock_guard guard(lock_);
    return methods_.insert(method).second;
  }
  void remove(core::MethodId method) {
    const std::lock_guard guard(lock_);
    methods_.erase(method);
  }
  // Methods that are gates from the start, whatever their class loader: java/util/List.add.
  void name(std::string class_and_method) { named_.insert(std::move(class_and_method)); }
  bool is_named(std::string_view class_name, std::string_view method) const {
    return !named_.empty() && named_.contains(std::string(class_name) + "." + std::string(method));
  }
  std::size_t size() const {
    const std::lock_guard guard(lock_);
    return methods_.size();
  }

 private:
  mutable std::mutex lock_;
  std::unordered_set<core::MethodId> methods_;
  std::unordered_set<std::string> named_;  // does not change once classes are loaded
};

}  // namespace bursar::agent
