// ClassRegistry: what is known of the classes that were loaded: their methods, and which of them carry a probe.
//
// Answers two questions. When a class is rewritten: which method does this call mean, and will it count itself? When a
// call was not counted by what it called: what was that? Classes are known by name, as contexts are: of two classes
// with one name the later one answers. Only grows.
// Runs in: any
#pragma once

#include <cstdint>
#include <functional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/filter.h"
#include "agent/trust.h"
#include "classfile/class_file.h"
#include "core/method_table.h"

namespace bursar::agent {

class ClassRegistry {
 public:
  ClassRegistry(core::MethodTable& methods, const Filter& filter) : methods_(methods), filter_(filter) {}

  const Filter& filter() const { return filter_; }

  // A class was loaded; none of its methods carries a probe yet.
  void add(const classfile::ClassFile& file);
  // This method of it does, under this id.
  void set_probed(std::string_view class_name, std::string_view name, std::string_view descriptor, core::MethodId id);

  // A class of this name was loaded.
  bool knows(std::string_view class_name);

  enum class Counting : std::uint8_t {
    kUnknown,  // not loaded yet
    kItself,   // carries a probe that always counts
    kSoon,     // will, unless it cannot be rewritten: its class is being rewritten just now
    kMaybe,    // has bytecode; whether it counts itself shows when it was called
    kCaller,   // never counts itself: native, or a method that no probe can be put into
    kNobody,   // the user does not want to see it
  };
  struct Target {
    Counting counting = Counting::kUnknown;
    bool only_one = false;  // no class can override it
    bool own = false;       // a method of the very class that was named, not inherited
  };
  // The class was rewritten: a method with code that was not named by now cannot carry a probe.
  void settle(std::string_view class_name);

  // What a call that spells its callee like this means if no receiver decides.
  Target target(std::string_view class_name, std::string_view name, std::string_view descriptor);

  // The JIT puts its own code in place of calls of this method of a class in java.base.
  bool is_replaced(std::string_view class_name, std::string_view name, std::string_view descriptor);

  // A call site relies on what it calls to count itself, if it may: false if it may not. Right until doubted().
  bool rely(std::string_view class_name, std::string_view name, std::string_view descriptor, bool is_static);
  // There is a class of which nothing is known.
  void doubt();
  bool doubted() const { return trust_.doubted(); }

  // A virtual call like this may mean a method that does not count itself.
  bool may_be_uncounted(std::string_view name, std::string_view descriptor);
  // Only the receiver tells which method a virtual call means that does not count itself: there are native ones.
  bool needs_receiver(std::string_view name, std::string_view descriptor);
  // What a call site means for a receiver of this class if that does not count itself; else kNoMethod.
  core::MethodId uncounted_for(const core::CallSite& site, std::string_view receiver_class);

  // What a call site called that did not count itself; kNoMethod if it is not to be counted. `member_class` is the
  // class of a method handle's target, for kLinkTo.
  core::MethodId uncounted(const core::CallSite& site, std::string_view member_class, std::string_view member_name);
  // Of a method of this very class; kNoMethod if it is not known or not wanted.
  core::MethodId id_of_named(std::string_view class_name, std::string_view name, std::string_view descriptor);
  // The native method that a call site names.
  core::MethodId native_behind(const core::CallSite& site);
  // A native method that a virtual call may mean, though it names another one.
  core::MethodId native_override(const core::CallSite& site);

 private:
  struct KnownMethod {
    std::uint64_t key = 0;  // of name and descriptor
    std::uint16_t access = 0;
    bool wanted = true;
    bool replaced = false;
    bool has_code = false;
    core::MethodId id = core::kNoMethod;  // if it carries a probe, or once something without one was counted
    bool probed = false;
    bool settled = false;

    bool counts_itself() const { return probed && !replaced; }
    bool may_get_probe() const { return has_code && !replaced && !settled; }
    bool never_counts_itself() const;
  };
  struct KnownClass {
    std::string name;
    std::string super_name;
    std::vector<std::string> interfaces;
    std::uint16_t access = 0;
    std::vector<KnownMethod> methods;  // sorted by key
  };
  struct Found {
    KnownClass* owner = nullptr;
    KnownMethod* method = nullptr;
  };

  Found resolve(std::string_view class_name, std::uint64_t key);
  Found resolve_in_interfaces(const KnownClass& cls, std::uint64_t key, int depth);
  Found unprobed_override(std::uint64_t key);
  Found member(const core::CallSite& site, std::string_view member_class, std::string_view member_name,
               std::string& descriptor);
  core::MethodId id_of(Found found, std::string_view name, std::string_view descriptor);
  core::MethodId unknown_callee();

  core::MethodTable& methods_;
  const Filter& filter_;
  std::shared_mutex lock_;
  // Looked up without making a string of the name.
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
  };
  std::unordered_map<std::string, KnownClass, NameHash, std::equal_to<>> classes_;
  // Virtual methods that may be called without counting themselves, by key: names of their classes.
  std::unordered_map<std::uint64_t, std::vector<std::string>> unprobed_virtuals_;
  // Descriptors of methods without a probe, by class and name: a method handle's target is known by these only.
  std::unordered_map<std::string, std::vector<std::string>> unprobed_descriptors_;
  core::MethodId unknown_callee_ = core::kNoMethod;
  Trust trust_;
};

}  // namespace bursar::agent
