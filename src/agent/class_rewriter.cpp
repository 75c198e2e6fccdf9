#include "agent/class_rewriter.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "agent/added_members.h"
#include "agent/clocks.h"
#include "agent/copying_rewriter.h"
#include "agent/exact_probes.h"

namespace bursar::agent {

// The class with what the agent adds to it or changes in it; the class itself if that is nothing, or there is no room.
std::vector<std::uint8_t> ClassRewriter::with_added_members(std::string_view name, std::vector<std::uint8_t> bytes,
                                                            base::Bytes original) const {
  const bool is_thread = name == kThreadClass, is_object = name == kObjectClass;
  const bool is_member_name = name == kMemberNameClass && gates_ != nullptr;
  const bool is_wrong = name == kTrustClass && registry_.doubted();
  if (!is_thread && !is_object && !is_member_name && !is_wrong) return bytes;
  base::Result<classfile::ClassFile> file = classfile::ClassFile::parse(bytes.empty() ? original : base::Bytes(bytes));
  if (!file) return bytes;
  const bool changed = is_thread        ? add_thread_fields(*file)
                       : is_object      ? add_probe_methods(*file, traced_)
                       : is_member_name ? add_twin_field(*file)
                                        : end_trust(*file);
  return changed ? file->write() : bytes;
}

std::vector<std::uint8_t> ClassRewriter::rewrite(base::Bytes class_file, bool hidden) {
  const std::uint64_t start_ns = own_cpu_ns();
  base::Result<classfile::ClassFile> parsed = classfile::ClassFile::parse(class_file);
  if (!parsed) {
    registry_.doubt();
    const std::lock_guard guard(lock_);
    count_refused();
    return {};
  }
  const std::string name(parsed->name());
  if (!hidden) registry_.add(*parsed);

  const std::uint64_t hash = XXH3_64bits(class_file.data(), class_file.size());
  std::vector<core::MethodId> ids = ids_of(hash);
  std::optional<ClassPaths> paths;
  bool complete = false;
  const auto attempt = [&](bool trusting) {
    ExactProbes probes(methods_, registry_, ids, hidden, trusting);
    if (gates_ != nullptr) {
      probes.use(*gates_);
      if (paths_ != nullptr && !hidden)
        paths.emplace(*paths_, registry_.filter(), paths ? paths->take_firsts() : firsts_of(hash));
      base::Result<classfile::Rewritten> rewritten =
          rewrite_with_copies(class_file, probes, paths ? &*paths : nullptr, positions_, !sees_hidden_);
      complete = probes.complete();
      return rewritten;
    }
    classfile::RewriteOptions options;
    // Messages of NullPointerExceptions name local variables by their slots: nothing may move.
    options.placement = classfile::LocalPlacement::kAtEnd;
    options.cross_compile_limit = true;  // `record` lifts the limit (-XX:-DontCompileHugeMethods)
    base::Result<classfile::Rewritten> rewritten = classfile::rewrite(class_file, probes, options);
    complete = probes.complete();
    return rewritten;
  };
  base::Result<classfile::Rewritten> rewritten = attempt(true);
  if (!hidden && rewritten && !complete) {
    registry_.add(*parsed);
    rewritten = attempt(false);
  }
  if (!hidden) {
    registry_.settle(name);
  } else if (!rewritten || !complete) {
    registry_.doubt();
  }
  const std::lock_guard guard(lock_);
  totals_.cpu_ns += own_cpu_ns() - start_ns;
  ++totals_.classes;
  if (!rewritten) {
    count_refused();
    return {};
  }
  totals_.counts += rewritten->counts;
  if (hidden && gates_ != nullptr) {
    for (const core::MethodId id : ids) {
      if (id == core::kNoMethod) continue;
      const core::Method& method = methods_[id];
      hidden_[method.class_name + " " + method.name + method.descriptor] = id;
    }
  }
  ids_.try_emplace(hash, std::move(ids));
  if (paths) {
    for (std::size_t i = 0; i < totals_.refused_paths.size(); ++i) totals_.refused_paths[i] += paths->refusals()[i];
    firsts_.insert_or_assign(hash, paths->take_firsts());
  }
  return with_added_members(name, std::move(rewritten->bytes), class_file);
}

void ClassRewriter::count_refused() {
  ++totals_.refused_classes;
  refused_any_.store(true, std::memory_order_relaxed);
}

std::vector<core::MethodId> ClassRewriter::ids_of(std::uint64_t class_hash) {
  const std::lock_guard guard(lock_);
  const auto at = ids_.find(class_hash);
  return at != ids_.end() ? at->second : std::vector<core::MethodId>();
}

std::vector<std::uint32_t> ClassRewriter::firsts_of(std::uint64_t class_hash) {
  const std::lock_guard guard(lock_);
  const auto at = firsts_.find(class_hash);
  return at != firsts_.end() ? at->second : std::vector<std::uint32_t>();
}

core::MethodId ClassRewriter::hidden_method(std::string_view class_name, std::string_view name,
                                            std::string_view descriptor) const {
  const std::string key = std::string(class_name) + " " + std::string(name) + std::string(descriptor);
  const std::lock_guard guard(lock_);
  const auto at = hidden_.find(key);
  return at != hidden_.end() ? at->second : core::kNoMethod;
}

ClassRewriter::Totals ClassRewriter::totals() const {
  const std::lock_guard guard(lock_);
  return totals_;
}

}  // namespace bursar::agent
