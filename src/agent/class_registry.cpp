#include "agent/class_registry.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "agent/added_members.h"
#include "agent/left_alone.h"
#include "agent/replaced_methods.h"
#include "classfile/descriptor.h"

namespace bursar::agent {
namespace {

using classfile::kAccAbstract;
using classfile::kAccFinal;
using classfile::kAccNative;
using classfile::kAccPrivate;
using classfile::kAccPublic;
using classfile::kAccStatic;
constexpr int kMaxHierarchy = 1000;

std::uint64_t hashed(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::uint64_t key_of(std::string_view name, std::string_view descriptor) {
  return hashed(descriptor, hashed(name, 0xcbf29ce484222325));
}

std::string joined(std::string_view class_name, std::string_view name) {
  std::string text(class_name);
  text += '.';
  text += name;
  return text;
}

void add_once(std::vector<std::string>& names, std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

// By its name, so not for certain.
bool is_of_class_library(std::string_view class_name) {
  return class_name.starts_with("java/") || class_name.starts_with("javax/") || class_name.starts_with("jdk/") ||
         class_name.starts_with("sun/") || class_name.starts_with("com/sun/management/");
}

// The VM gives these to event classes behind every agent's back, for its flight recorder.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kEventMethods = {
    {{"begin", "()V"}, {"end", "()V"}, {"commit", "()V"}, {"isEnabled", "()Z"}, {"shouldCommit", "()Z"}}};

// The parameters of a descriptor as a method handle's linker sees them: int and below, long, float, double, reference.
std::string basic_parameters(std::string_view descriptor) {
  std::string basic;
  if (!descriptor.empty()) descriptor.remove_prefix(1);
  while (const auto type = classfile::take_field_type(descriptor)) {
    const char kind = type->front();
    const bool is_small = std::string_view("ZBCS").find(kind) != std::string_view::npos;
    basic += kind == '[' ? 'L' : is_small ? 'I' : kind;
  }
  return basic;
}

}  // namespace

bool ClassRegistry::KnownMethod::never_counts_itself() const {
  return (access & kAccNative) != 0 || (settled && has_code && !probed);
}

void ClassRegistry::add(const classfile::ClassFile& file) {
  KnownClass known;
  known.name = file.name();
  if (const auto super_name = file.pool.class_name(file.super_class)) known.super_name = *super_name;
  for (const std::uint16_t interface : file.interfaces) {
    if (const auto name = file.pool.class_name(interface)) known.interfaces.emplace_back(*name);
  }
  known.access = file.access;
  const std::unique_lock guard(lock_);
  for (const classfile::Member& method : file.methods) {
    const std::string_view name = file.member_name(method);
    const std::string_view descriptor = file.member_descriptor(method);
    const KnownMethod entry{.key = key_of(name, descriptor),
                            .access = method.access,
                            .wanted = !is_left_alone(file, method) && filter_.wants(known.name, name),
                            .replaced = is_replaced_by_jit(file, method),
                            .has_code = file.code_attribute(method) >= 0};
    known.methods.push_back(entry);
    if (!entry.wanted) continue;
    const bool native = (method.access & kAccNative) != 0;
    const bool never = known.name == kObjectClass && name == "<init>";
    if (!native && !entry.replaced && !never) continue;
    add_once(unprobed_descriptors_[joined(known.name, name)], descriptor);
    if (!never) trust_.found_uncounted(known.name, entry.key, method.access);
    if ((method.access & (kAccStatic | kAccPrivate)) == 0 && !never)
      add_once(unprobed_virtuals_[entry.key], known.name);
  }
  if (known.super_name == "jdk/internal/event/Event") {
    for (const auto& [name, descriptor] : kEventMethods) {
      known.methods.push_back({.key = key_of(name, descriptor), .has_code = true, .settled = true});
    }
  }
  std::sort(known.methods.begin(), known.methods.end(),
            [](const KnownMethod& a, const KnownMethod& b) { return a.key < b.key; });
  std::string name = known.name;
  classes_.insert_or_assign(std::move(name), std::move(known));
}

void ClassRegistry::set_probed(std::string_view class_name, std::string_view name, std::string_view descriptor,
                               core::MethodId id) {
  const std::unique_lock guard(lock_);
  const Found found = resolve(class_name, key_of(name, descriptor));
  if (found.method == nullptr || found.owner->name != class_name) return;
  found.method->probed = true;
  found.method->id = id;
}

void ClassRegistry::settle(std::string_view class_name) {
  const std::unique_lock guard(lock_);
  const auto at = classes_.find(class_name);
  if (at == classes_.end()) return;
  for (KnownMethod& method : at->second.methods) {
    if (method.settled) continue;
    method.settled = true;
    if (!method.has_code || method.probed || !method.wanted || method.replaced) continue;
    if (class_name != kObjectClass) trust_.found_uncounted(class_name, method.key, method.access);
    const bool is_virtual = (method.access & (kAccStatic | kAccPrivate)) == 0;
    if (is_virtual) add_once(unprobed_virtuals_[method.key], at->second.name);
  }
}

bool ClassRegistry::knows(std::string_view class_name) {
  const std::shared_lock guard(lock_);
  return classes_.contains(class_name);
}

ClassRegistry::Found ClassRegistry::resolve(std::string_view class_name, std::uint64_t key) {
  std::string_view name = class_name.starts_with('[') ? kObjectClass : class_name;
  KnownClass* first = nullptr;
  for (int depth = 0; depth < kMaxHierarchy && !name.empty(); ++depth) {
    const auto at = classes_.find(name);
    if (at == classes_.end()) return {};
    KnownClass& cls = at->second;
    if (first == nullptr) first = &cls;
    const auto method = std::lower_bound(cls.methods.begin(), cls.methods.end(), key,
                                         [](const KnownMethod& m, std::uint64_t k) { return m.key < k; });
    if (method != cls.methods.end() && method->key == key) {
      return {&cls, &*method};
    }
    name = cls.super_name;
  }
  return first != nullptr ? resolve_in_interfaces(*first, key, 0) : Found{};
}

ClassRegistry::Found ClassRegistry::resolve_in_interfaces(const KnownClass& cls, std::uint64_t key, int depth) {
  if (depth > 20) return {};
  for (const std::string& interface : cls.interfaces) {
    const auto at = classes_.find(interface);
    if (at == classes_.end()) continue;
    for (KnownMethod& method : at->second.methods) {
      if (method.key == key) return {&at->second, &method};
    }
    if (const Found found = resolve_in_interfaces(at->second, key, depth + 1); found.method != nullptr) return found;
  }
  const auto super = classes_.find(cls.super_name);
  return super != classes_.end() ? resolve_in_interfaces(super->second, key, depth + 1) : Found{};
}

ClassRegistry::Target ClassRegistry::target(std::string_view class_name, std::string_view name,
                                            std::string_view descriptor) {
  const std::shared_lock guard(lock_);
  const Found found = resolve(class_name, key_of(name, descriptor));
  if (found.method == nullptr) return {};
  Target target{.counting = Counting::kMaybe,
                .only_one = (found.method->access & (kAccStatic | kAccPrivate | kAccFinal)) != 0 ||
                            (found.owner->access & kAccFinal) != 0 || class_name.starts_with('['),
                .own = found.owner->name == class_name};
  if (!found.method->wanted) {
    target.counting = Counting::kNobody;
  } else if (found.method->never_counts_itself()) {
    target.counting = Counting::kCaller;
  } else if (found.method->counts_itself()) {
    target.counting = Counting::kItself;
  } else if (found.method->may_get_probe()) {
    target.counting = Counting::kSoon;
  }
  return target;
}

bool ClassRegistry::is_replaced(std::string_view class_name, std::string_view name, std::string_view descriptor) {
  const std::shared_lock guard(lock_);
  const Found found = resolve(class_name, key_of(name, descriptor));
  return found.method != nullptr && found.owner->name == class_name && found.method->replaced;
}

ClassRegistry::Found ClassRegistry::unprobed_override(std::uint64_t key) {
  const auto at = unprobed_virtuals_.find(key);
  return at != unprobed_virtuals_.end() ? resolve(at->second.front(), key) : Found{};
}

ClassRegistry::Found ClassRegistry::member(const core::CallSite& site, std::string_view member_class,
                                           std::string_view member_name, std::string& descriptor) {
  const auto at = unprobed_descriptors_.find(joined(member_class, member_name));
  if (at == unprobed_descriptors_.end()) return {};
  // linkToVirtual(receiver, arguments…, MemberName): compare what lies between.
  std::string given = basic_parameters(site.descriptor);
  if (!given.empty()) given.pop_back();
  const std::string* best = &at->second.front();
  for (const std::string& candidate : at->second) {
    const std::string wanted = basic_parameters(candidate);
    if (given == wanted || given == "L" + wanted) best = &candidate;
  }
  descriptor = *best;
  return resolve(member_class, key_of(member_name, descriptor));
}

core::MethodId ClassRegistry::id_of(Found found, std::string_view name, std::string_view descriptor) {
  if (!found.method->wanted) return core::kNoMethod;
  if (found.method->id == core::kNoMethod) {
    const bool native = (found.method->access & kAccNative) != 0;
    found.method->id = methods_.add({.class_name = found.owner->name,
                                     .name = std::string(name),
                                     .descriptor = std::string(descriptor),
                                     .nature = native ? core::MethodNature::kNative : core::MethodNature::kJava});
  }
  return found.method->id;
}

core::MethodId ClassRegistry::unknown_callee() {
  if (!filter_.wants_everything()) return core::kNoMethod;  // then it is something that is not wanted
  if (unknown_callee_ == core::kNoMethod) {
    unknown_callee_ = methods_.add({.name = "[unknown callee]", .nature = core::MethodNature::kPseudo});
  }
  return unknown_callee_;
}

core::MethodId ClassRegistry::uncounted(const core::CallSite& site, std::string_view member_class,
                                        std::string_view member_name) {
  const std::unique_lock guard(lock_);
  if (site.kind == core::CallKind::kDynamic) return unknown_callee();
  if (site.kind == core::CallKind::kLinkTo) {
    std::string descriptor;
    const Found found = member(site, member_class, member_name, descriptor);
    return found.method != nullptr ? id_of(found, member_name, descriptor) : unknown_callee();
  }
  const std::uint64_t key = key_of(site.name, site.descriptor);
  Found found = resolve(site.class_name, key);
  const bool decided = found.method != nullptr && !found.method->counts_itself() &&
                       (found.method->has_code || (found.method->access & kAccNative) != 0);
  if (site.kind == core::CallKind::kVirtual && !decided) {
    if (const Found override = unprobed_override(key); override.method != nullptr) {
      found = override;
    } else if (!filter_.wants_everything()) {
      return core::kNoMethod;  // an override that is not wanted
    }
  }
  return found.method != nullptr ? id_of(found, site.name, site.descriptor) : unknown_callee();
}

// Behind abstract methods of classes that others cannot extend the class library likes to hide native ones, and behind
// its classes that are not loaded yet: they would only lead to doubts.
bool ClassRegistry::rely(std::string_view class_name, std::string_view name, std::string_view descriptor,
                         bool is_static) {
  if (!filter_.wants_everything()) return false;  // what is not wanted carries no probe
  if (std::find(kEventMethods.begin(), kEventMethods.end(), std::pair(name, descriptor)) != kEventMethods.end()) {
    return false;
  }
  const std::uint64_t key = key_of(name, descriptor);
  const std::unique_lock guard(lock_);
  if (!is_static && unprobed_virtuals_.contains(key)) return false;
  const Found found = resolve(class_name, key);
  const bool is_loaded = found.method != nullptr;
  const bool is_internal =
      is_loaded && (found.owner->access & kAccPublic) == 0 && (found.method->access & kAccAbstract) != 0;
  const std::string_view owner = is_loaded ? std::string_view(found.owner->name) : class_name;
  if ((!is_loaded || is_internal) && is_of_class_library(owner)) return false;
  return trust_.rely(class_name, key, is_static, is_loaded);
}

void ClassRegistry::doubt() {
  const std::unique_lock guard(lock_);
  trust_.doubt();
}

bool ClassRegistry::may_be_uncounted(std::string_view name, std::string_view descriptor) {
  const std::shared_lock guard(lock_);
  return unprobed_virtuals_.contains(key_of(name, descriptor));
}

bool ClassRegistry::needs_receiver(std::string_view name, std::string_view descriptor) {
  const std::shared_lock guard(lock_);
  const std::uint64_t key = key_of(name, descriptor);
  const auto at = unprobed_virtuals_.find(key);
  if (at == unprobed_virtuals_.end()) return false;
  // Those of Object, and those that the JIT replaces, are the only ones of their kind.
  return std::any_of(at->second.begin(), at->second.end(), [&](const std::string& class_name) {
    const Found found = resolve(class_name, key);
    if (found.method == nullptr || class_name == kObjectClass || found.method->replaced) return false;
    const bool is_final = ((found.method->access | found.owner->access) & kAccFinal) != 0;
    return !is_final || resolve(found.owner->super_name, key).method != nullptr ||
           resolve_in_interfaces(*found.owner, key, 0).method != nullptr;
  });
}

core::MethodId ClassRegistry::uncounted_for(const core::CallSite& site, std::string_view receiver_class) {
  const std::unique_lock guard(lock_);
  const Found found = resolve(receiver_class, key_of(site.name, site.descriptor));
  if (found.method == nullptr || !found.method->never_counts_itself()) return core::kNoMethod;
  return id_of(found, site.name, site.descriptor);
}

core::MethodId ClassRegistry::id_of_named(std::string_view class_name, std::string_view name,
                                          std::string_view descriptor) {
  const std::unique_lock guard(lock_);
  const Found found = resolve(class_name, key_of(name, descriptor));
  if (found.method == nullptr || found.owner->name != class_name) return core::kNoMethod;
  return id_of(found, name, descriptor);
}

core::MethodId ClassRegistry::native_behind(const core::CallSite& site) {
  const std::unique_lock guard(lock_);
  if (site.kind == core::CallKind::kDynamic || site.kind == core::CallKind::kLinkTo) return core::kNoMethod;
  const Found found = resolve(site.class_name, key_of(site.name, site.descriptor));
  if (found.method == nullptr || !found.method->never_counts_itself()) return core::kNoMethod;
  return id_of(found, site.name, site.descriptor);
}

core::MethodId ClassRegistry::native_override(const core::CallSite& site) {
  const std::unique_lock guard(lock_);
  if (site.kind != core::CallKind::kVirtual) return core::kNoMethod;
  const Found found = unprobed_override(key_of(site.name, site.descriptor));
  if (found.method == nullptr || (found.method->access & kAccNative) == 0) return core::kNoMethod;
  return id_of(found, site.name, site.descriptor);
}

}  // namespace bursar::agent
