// MethodNames: the methods of a profile as people read them.
//
// A method is package.Class.method; where a class has several of that name, the parameters tell them apart:
// java.util.List.remove(int), java.util.List.remove(Object). Safe to print. The profile must outlive this.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace bursar::cli {

class MethodNames {
 public:
  explicit MethodNames(const profile::ProfileData& data);

  const std::string& full(profile::MethodId method) const { return full_[method]; }
  // Without the package.
  std::string brief(profile::MethodId method) const { return full_[method].substr(package_size_[method]); }
  // Callees may be told apart by their call site as well: "@17".
  static std::string at_site(std::uint32_t site);

 private:
  std::vector<std::string> full_;
  std::vector<std::size_t> package_size_;
};

// (Ljava/lang/String;[I)V as "(String, int[])"; as it is if it is not a descriptor.
std::string parameter_list(std::string_view descriptor);

}  // namespace bursar::cli
