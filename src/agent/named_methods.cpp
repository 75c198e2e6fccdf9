#include "agent/named_methods.h"

#include <algorithm>
#include <utility>

#include "profile/class_name.h"

namespace bursar::agent {
namespace {

// More ids than this are forgotten and asked for again: classes that come and go leave theirs behind.
constexpr std::size_t kMaxIds = 1'000'000;

}  // namespace

core::MethodId NamedMethods::add_pseudo(const char* name) {
  return table_.add({.name = name, .nature = core::MethodNature::kPseudo});
}

core::MethodId NamedMethods::id_of(void* id, const Namer& namer) {
  if (id == nullptr) return unknown_;
  if (const auto known = by_id_.find(id); known != by_id_.end()) return known->second;
  if (by_id_.size() >= kMaxIds) by_id_.clear();
  core::Method method = namer(id);
  if (method.name.empty()) {
    ++unloaded_;
    return unknown_;
  }
  std::string class_name = method.class_name;
  std::replace(class_name.begin(), class_name.end(), '/', '.');
  const auto [at, is_new] = by_name_.try_emplace(
      {profile::normalised_class_name(class_name), method.name, method.descriptor}, core::kNoMethod);
  if (is_new) {
    const bool begins_virtual_thread = method.name == "enter" && method.class_name == "jdk/internal/vm/Continuation";
    at->second = table_.add(std::move(method));
    if (at->second == core::kNoMethod) at->second = unknown_;
    if (begins_virtual_thread) continuation_ = at->second;
  }
  by_id_[id] = at->second;
  return at->second;
}

}  // namespace bursar::agent
