// A context on one line of text, and as the frames of a JSON object. Shared by the verbs that list contexts.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/method_names.h"
#include "cli/output.h"
#include "profile/profile.h"

namespace bursar::cli {

// From the context up to its root.
std::vector<profile::ContextId> callers_of(const profile::Contexts& contexts, profile::ContextId context);

// "Cart.add ← Shop.serve ← 2 more ← Main.main": callee first, the nearest callers and the root; what does not fit
// between them is counted.
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

// Sets `key` to package.Class.method, and the descriptor where there is one.
void set_method(nlohmann::ordered_json& object, const std::string& key, const std::string& descriptor_key,
                const profile::Method& method);

// Sets `stack`, from the root as in a folded line, and `sites` where contexts keep them.
void set_stack(nlohmann::ordered_json& object, const profile::ProfileData& data, profile::ContextId context);

}  // namespace bursar::cli
