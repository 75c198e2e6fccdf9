// A context on one line, callee first: the nearest callers and the root; what does not fit between them is counted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/method_names.h"
#include "cli/output.h"
#include "profile/profile.h"

namespace bursar::cli {

// From the context up to its root.
std::vector<profile::ContextId> callers_of(const profile::Contexts& contexts, profile::ContextId context);

class ContextLines {
 public:
  // All must outlive this.
  ContextLines(const profile::ProfileData& data, const MethodNames& names, const Terminal& terminal)
      : data_(data), names_(names), terminal_(terminal) {}

  std::string line(profile::ContextId context) const;
  // Columns for the text of a row, about; 0 where there is no limit.
  std::size_t room() const;

 private:
  std::string frame(profile::ContextId context) const;

  const profile::ProfileData& data_;
  const MethodNames& names_;
  const Terminal& terminal_;
};

}  // namespace bursar::cli
