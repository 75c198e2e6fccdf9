#include "agent/trust.h"

#include <functional>

#include "classfile/class_file.h"

namespace bursar::agent {
namespace {

constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;

// A call of a static method never means one that is not, and the other way round.
std::uint64_t salted(std::uint64_t key, bool is_static) {
  return is_static ? key * kSpread : key;
}

std::uint64_t member_key(std::string_view class_name, std::uint64_t key) {
  return key ^ std::hash<std::string_view>{}(class_name)*kSpread;
}

}  // namespace

bool Trust::rely(std::string_view class_name, std::uint64_t key, bool is_static, bool is_loaded) {
  if (uncounted_.contains(salted(key, is_static))) return false;
  keys_.insert(salted(key, is_static));
  if (!is_loaded) members_.insert(member_key(class_name, key));
  return true;
}

void Trust::found_uncounted(std::string_view class_name, std::uint64_t key, std::uint16_t access) {
  if ((access & classfile::kAccPrivate) != 0) {
    if (members_.contains(member_key(class_name, key))) doubt();
    return;
  }
  const std::uint64_t inherited = salted(key, (access & classfile::kAccStatic) != 0);
  uncounted_.insert(inherited);
  if (keys_.contains(inherited)) doubt();
}

}  // namespace bursar::agent
