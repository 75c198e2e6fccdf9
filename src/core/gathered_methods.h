// GatheredMethods: the methods that contexts name, each once, whatever numbers the probes gave it.
//
// Ids are dense from 0 in the order in which they were first asked for.
// Owner: the gathering.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/method_table.h"
#include "profile/profile.h"

namespace bursar::core {

// With its class name as runs agree on it.
profile::Method as_runs_agree(const Method& method);

class GatheredMethods {
 public:
  explicit GatheredMethods(const MethodTable& methods) : methods_(methods) {}

  profile::MethodId id_of(MethodId method);
  profile::MethodId overflow();

  std::vector<profile::Method> list() const;

 private:
  profile::MethodId add(const profile::Method& method);

  const MethodTable& methods_;
  std::vector<profile::MethodId> id_of_;              // by MethodId; kNone where nobody asked yet
  std::map<profile::Method, profile::MethodId> ids_;  // by identity
  std::vector<std::uint32_t> code_bytes_;             // of the largest version of each
};

}  // namespace bursar::core
