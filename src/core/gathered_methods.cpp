#include "core/gathered_methods.h"

#include <algorithm>
#include <string>

#include "profile/class_name.h"

namespace bursar::core {
namespace {

profile::MethodKind kind_of(MethodNature nature) {
  switch (nature) {
    case MethodNature::kJava:
      return profile::MethodKind::kJava;
    case MethodNature::kNative:
      return profile::MethodKind::kNative;
    case MethodNature::kPseudo:
      break;
  }
  return profile::MethodKind::kPseudo;
}

}  // namespace

profile::Method as_runs_agree(const Method& method) {
  std::string class_name = method.class_name;
  std::replace(class_name.begin(), class_name.end(), '/', '.');
  return {profile::normalised_class_name(class_name), method.name, method.descriptor, kind_of(method.nature),
          method.code_bytes};
}

profile::MethodId GatheredMethods::id_of(MethodId method) {
  if (method >= id_of_.size()) id_of_.resize(std::size_t{method} + 1, profile::kNone);
  profile::MethodId& id = id_of_[method];
  if (id == profile::kNone) id = add(as_runs_agree(methods_[method]));
  return id;
}

profile::MethodId GatheredMethods::overflow() {
  return add({"", "[overflow]", "", profile::MethodKind::kOverflow, 0});
}

profile::MethodId GatheredMethods::add(const profile::Method& method) {
  const auto next = static_cast<profile::MethodId>(code_bytes_.size());
  const auto [place, is_new] = ids_.try_emplace(method, next);
  if (is_new) code_bytes_.push_back(0);
  std::uint32_t& code_bytes = code_bytes_[place->second];
  code_bytes = std::max(code_bytes, method.code_bytes);
  return place->second;
}

std::vector<profile::Method> GatheredMethods::list() const {
  std::vector<profile::Method> methods(ids_.size());
  for (const auto& [method, id] : ids_) {
    methods[id] = method;
    methods[id].code_bytes = code_bytes_[id];
  }
  return methods;
}

}  // namespace bursar::core
