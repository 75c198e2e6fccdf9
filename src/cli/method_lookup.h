// From a name that somebody typed to the method of a profile that is meant.
//
// What other verbs print is understood: package.Class.method, with its parameters where a class has several of that
// name. So is what identifies it from the end on: Class.method, method. A name that may mean several is an error that
// lists them; one that nothing has, an error with what it may have been.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/method_names.h"
#include "profile/profile.h"

namespace bursar::cli {

base::Result<profile::MethodId> find_method(const profile::ProfileData& data, const MethodNames& names,
                                            const std::string& text);

struct MethodAtSite {
  profile::MethodId method = profile::kNone;
  std::optional<std::uint32_t> site;
};
// METHOD or METHOD@SITE.
base::Result<MethodAtSite> find_method_at_site(const profile::ProfileData& data, const MethodNames& names,
                                               const std::string& text);

}  // namespace bursar::cli
