// NamedMethods: the methods that the VM named by jmethodID, each once by name.
//
// Ids are asked about when they are first seen and then remembered: a class that is unloaded and loaded again costs
// nothing. One user at a time, under the owner's lock.
// Owner: a recording.
// Runs in: any thread that may allocate, never a signal handler
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "core/method_table.h"

namespace bursar::agent {

class NamedMethods {
 public:
  // The method with that jmethodID, without call sites. Its name is empty if the class is there no more.
  using Namer = std::function<core::Method(void* method)>;

  NamedMethods() : unknown_(add_pseudo("[unknown method]")) {}

  core::MethodId id_of(void* id, const Namer& namer);
  core::MethodId add_pseudo(const char* name);

  const core::MethodTable& table() const { return table_; }
  const core::Method& operator[](core::MethodId id) const { return table_[id]; }
  // Where a virtual thread begins on its carrier; kNoMethod if none was seen.
  core::MethodId continuation() const { return continuation_; }
  // Ids that were asked about too late.
  std::uint64_t unloaded() const { return unloaded_; }

 private:
  core::MethodTable table_;
  core::MethodId unknown_, continuation_ = core::kNoMethod;
  std::unordered_map<void*, core::MethodId> by_id_;
  std::map<std::tuple<std::string, std::string, std::string>, core::MethodId> by_name_;
  std::uint64_t unloaded_ = 0;
};

}  // namespace bursar::agent
