#include "agent/copying_rewriter.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/added_members.h"
#include "agent/copied_methods.h"
#include "classfile/method_copies.h"
#include "classfile/two_bodies.h"

namespace bursar::agent {
namespace {

using Body = ExactProbes::Body;
using Code = std::vector<std::uint8_t>;

class CopyingRewriter {
 public:
  CopyingRewriter(classfile::ClassFile& file, ExactProbes& probes, const Gates& gates, CallPositions& positions)
      : file_(file), probes_(probes), gates_(gates), positions_(positions), class_name_(file.name()) {
    options_.placement = classfile::LocalPlacement::kAtEnd;
    options_.cross_compile_limit = true;
  }

  // False if there is no room for a copy: callers would look for it.
  bool run() {
    const bool copies = class_name_ != kObjectClass && class_name_ != kProbeClass && class_name_ != kTrustClass;
    std::vector<classfile::Member> added;
    std::size_t ordinal = 0;
    for (classfile::Member& method : file_.methods) {
      const std::string name(file_.member_name(method)), descriptor(file_.member_descriptor(method));
      const int at = file_.code_attribute(method);
      ordinal_ = ordinal;
      if (at >= 0) ++ordinal;
      core::MethodId id = core::kNoMethod;
      if (copies && has_copy(name, descriptor)) {
        probes_.set_body(Body::kCopy, ordinal_);
        auto copy = classfile::copy_of(file_, method, probes_, options_, counts_);
        if (!copy) return false;
        if (at >= 0) id = probes_.id();
        added.push_back(std::move(copy->member));
        if (id != core::kNoMethod) positions_.set(id, true, std::move(copy->calls));
        changed_ = true;
      }
      if (at < 0) continue;
      ++counts_.methods_with_code;
      classfile::Attribute& code = method.attributes[static_cast<std::size_t>(at)];
      if (id < Gates::kMost && gates_.wants(file_, method)) {
        make_gate(method, code, added.back());
      } else {
        if (id != core::kNoMethod) positions_.forget(id, false);
        rewrite_original(method, code, has_inner_body(class_name_, name, descriptor));
      }
    }
    file_.methods.insert(file_.methods.end(), added.begin(), added.end());
    return true;
  }

  bool changed() const { return changed_; }
  const classfile::RewriteCounts& counts() const { return counts_; }

 private:
  // Empty if the method cannot be rewritten. `descriptor`: of its copy, if the code is for that.
  Code body(const classfile::Member& method, base::Bytes code, Body kind, std::string_view descriptor = {}) {
    probes_.set_body(kind, ordinal_);
    return classfile::rewrite_method(file_, method, code, probes_, options_, descriptor).attribute;
  }

  classfile::Choice choice(const AddedMember& by) const {
    return {.class_name = kObjectClass, .name = by.name, .argument = static_cast<std::int32_t>(probes_.id())};
  }

  void replace(classfile::Attribute& code, Code bytes) {
    code.data = file_.keep(std::move(bytes));
    changed_ = true;
  }

  // What is done besides counting is done in the method itself.
  void rewrite_original(const classfile::Member& method, classfile::Attribute& code, bool inner) {
    const base::Bytes original = code.data;
    if (Code besides = body(method, original, Body::kOriginal); !besides.empty()) replace(code, std::move(besides));
    if (!inner) return;
    const Code counting = body(method, original, Body::kInner);
    if (counting.empty()) return;
    auto both = classfile::two_bodies(file_, method, choice(kInBurst), code.data, counting);
    if (both) replace(code, *std::move(both));
  }

  // Both or neither: the copy of a gate decides as well. Loops are shared if they can be.
  void make_gate(const classfile::Member& method, classfile::Attribute& code, classfile::Member& copy) {
    const base::Bytes original = code.data;
    const std::string of_copy = classfile::descriptor_of_copy(file_.member_descriptor(method));
    auto both = gate_code(method, method, original, kGate, {});
    auto both_of_copy = gate_code(method, copy, original, kGateOfCopy, of_copy);
    if (!both || !both_of_copy) return rewrite_original(method, code, false);
    replace(code, std::move(both->code));
    replace(copy.attributes.back(), std::move(both_of_copy->code));
    positions_.set(probes_.id(), false, std::move(both->calls));
    positions_.set(probes_.id(), true, std::move(both_of_copy->calls));
  }

  struct GateCode {
    Code code;
    std::vector<std::uint32_t> calls;
  };
  std::optional<GateCode> gate_code(const classfile::Member& method, const classfile::Member& of, base::Bytes original,
                                    const AddedMember& choose, std::string_view descriptor) {
    const auto outcome = [&](Body kind) {
      probes_.set_body(kind, ordinal_);
      return classfile::rewrite_method(file_, method, original, probes_, options_, descriptor);
    };
    const classfile::MethodOutcome counting = outcome(Body::kGateway);
    const std::vector<std::uint32_t> loops = probes_.shared_loops();
    if (counting.attribute.empty()) return std::nullopt;
    const classfile::MethodOutcome quiet = outcome(Body::kQuiet);
    if (quiet.attribute.empty()) return std::nullopt;
    base::ByteReader reader(original, 2);
    const auto first_local = classfile::locals_with_parameters(reader.u2_be(), method, descriptor);
    classfile::LoopSwitch shared{.class_name = kObjectClass,
                                 .mark = kNode.name,
                                 .state = kBegan.name,
                                 .passes = kPassesOf.name,
                                 .argument = static_cast<std::int32_t>(probes_.id()),
                                 .mark_slot = first_local,
                                 .state_slot = static_cast<std::uint16_t>(first_local + 2),
                                 .passes_slot = static_cast<std::uint16_t>(first_local + 4),
                                 .loops = {}};
    for (const std::uint32_t at : loops) shared.loops.push_back({quiet.arrivals[at], counting.arrivals[at]});
    auto both = classfile::two_bodies(file_, of, choice(choose), quiet.attribute, counting.attribute, shared);
    if (!both) return std::nullopt;
    GateCode gate{*std::move(both), {}};
    for (const std::uint32_t at : quiet.calls) gate.calls.push_back(classfile::kFirstBody + at);
    for (const std::uint32_t at : counting.calls) gate.calls.push_back(classfile::second_body(quiet.new_size) + at);
    return gate;
  }

  classfile::ClassFile& file_;
  ExactProbes& probes_;
  const Gates& gates_;
  CallPositions& positions_;
  const std::string class_name_;
  classfile::RewriteOptions options_;
  classfile::RewriteCounts counts_;
  std::size_t ordinal_ = 0;  // of the method at hand, among those with code
  bool changed_ = false;
};

}  // namespace

base::Result<classfile::Rewritten> rewrite_with_copies(base::Bytes class_file, ExactProbes& probes, const Gates& gates,
                                                       CallPositions& positions) {
  base::Result<classfile::ClassFile> file = classfile::ClassFile::parse(class_file);
  if (!file) return file.error();
  CopyingRewriter rewriter(*file, probes, gates, positions);
  if (!rewriter.run()) return base::Error{"the class has no room for copies of its methods"};
  classfile::Rewritten result;
  result.counts = rewriter.counts();
  if (rewriter.changed()) result.bytes = file->write();
  return result;
}

}  // namespace bursar::agent
