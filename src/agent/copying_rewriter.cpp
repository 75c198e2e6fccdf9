#include "agent/copying_rewriter.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agent/added_members.h"
#include "agent/burst_probes.h"
#include "agent/copied_methods.h"
#include "classfile/method_copies.h"
#include "classfile/quiet_loops.h"
#include "classfile/two_bodies.h"

namespace bursar::agent {
namespace {

using Body = ExactProbes::Body;
using Code = std::vector<std::uint8_t>;

constexpr std::uint16_t kFirstWithInvokedynamic = 51;

class CopyingRewriter {
 public:
  CopyingRewriter(classfile::ClassFile& file, ExactProbes& probes, ClassPaths* paths, CallPositions& positions,
                  bool early)
      : file_(file),
        probes_(probes),
        paths_(paths),
        all_probes_(probes, paths),
        positions_(positions),
        bootstraps_(file),
        class_name_(file.name()),
        abstract_copies_(early && classfile::may_forward_abstract_copies(file) ? classfile::AbstractCopies::kForward
                                                                               : classfile::AbstractCopies::kAbstract) {
    options_.placement = classfile::LocalPlacement::kAtEnd;
    options_.cross_compile_limit = true;
    if (file.major_version >= kFirstWithInvokedynamic) probes_.use(bootstraps_, file.pool);
  }

  // False if there is no room for a copy: callers would look for it.
  bool run() {
    const bool copies = class_name_ != kObjectClass && !is_ours(class_name_);
    std::vector<classfile::Member> added;
    std::size_t ordinal = 0;
    for (classfile::Member& method : file_.methods) {
      const std::string name(file_.member_name(method)), descriptor(file_.member_descriptor(method));
      const int at = file_.code_attribute(method);
      ordinal_ = ordinal;
      if (at >= 0) ++ordinal;
      std::optional<classfile::MethodOutcome> with_gates;
      core::MethodId id = core::kNoMethod;
      if (copies && has_copy(name, descriptor)) {
        auto copy = copy_with_gates(method, with_gates);
        if (!copy) return false;
        if (at >= 0) id = probes_.id();
        quiet_loops(copy->member);
        added.push_back(std::move(copy->member));
        if (id != core::kNoMethod) positions_.set(id, true, std::move(copy->calls));
        changed_ = true;
      }
      if (at < 0) continue;
      ++counts_.methods_with_code;
      classfile::Attribute& code = method.attributes[static_cast<std::size_t>(at)];
      const base::Bytes original = code.data;
      replace_original(code, with_gates ? *std::move(with_gates) : rewrite(method, original, Body::kOriginal, options_),
                       id);
      if (has_inner_body(class_name_, name, descriptor)) add_inner_body(method, code, original);
      quiet_loops(method);
    }
    file_.methods.insert(file_.methods.end(), added.begin(), added.end());
    return bootstraps_.write_to(file_);
  }

  bool changed() const { return changed_; }
  const classfile::RewriteCounts& counts() const { return counts_; }

 private:
  classfile::MethodOutcome rewrite(const classfile::Member& method, base::Bytes code, Body body,
                                   const classfile::RewriteOptions& options) {
    set_body(body);
    return classfile::rewrite_method(file_, method, code, all_probes_, options);
  }

  void set_body(Body body, ExactProbes::Gated gated = ExactProbes::Gated::kYes) {
    probes_.set_body(body, ordinal_, gated);
    if (paths_ != nullptr) paths_->set_method(ordinal_);
  }

  // The last of all: it finds the loops of what probes have become part of.
  void quiet_loops(classfile::Member& method) {
    const int at = file_.code_attribute(method);
    if (at < 0) return;
    classfile::Attribute& code = method.attributes[static_cast<std::size_t>(at)];
    auto quiet = classfile::with_quiet_loops(file_, method, code.data);
    if (quiet) replace(code, *std::move(quiet));
  }

  void replace(classfile::Attribute& code, Code bytes) {
    code.data = file_.keep(std::move(bytes));
    changed_ = true;
  }

  std::optional<classfile::Copy> copy_of(const classfile::Member& method, ExactProbes::Gated gated) {
    set_body(Body::kCopy, gated);
    return classfile::copy_of(file_, method, all_probes_, options_, counts_, abstract_copies_);
  }

  // The copy, and the method itself if both have gates: that must not become too large for the JIT. Either both have
  // them or neither, or a thread would pass more of them in bursts than outside, or fewer, and bursts there be too
  // short, or too long.
  std::optional<classfile::Copy> copy_with_gates(const classfile::Member& method,
                                                 std::optional<classfile::MethodOutcome>& with_gates) {
    const classfile::RewriteCounts before = counts_;
    auto copy = copy_of(method, ExactProbes::Gated::kYes);
    const int at = file_.code_attribute(method);
    if (!copy || at < 0 || !probes_.has_gates()) return copy;
    if (!copy->calls.empty()) {
      classfile::RewriteOptions options = options_;
      options.cross_compile_limit = false;
      with_gates = rewrite(method, method.attributes[static_cast<std::size_t>(at)].data, Body::kOriginal, options);
      if (!with_gates->reason) return copy;
      with_gates.reset();
    }
    counts_ = before;
    return copy_of(method, ExactProbes::Gated::kNo);
  }

  // What is done besides counting is done in the method itself.
  void replace_original(classfile::Attribute& code, classfile::MethodOutcome besides, core::MethodId id) {
    if (!besides.attribute.empty()) replace(code, std::move(besides.attribute));
    if (id != core::kNoMethod && besides.calls.empty()) positions_.forget(id, false);
    if (id != core::kNoMethod && !besides.calls.empty()) positions_.set(id, false, std::move(besides.calls));
  }

  void add_inner_body(const classfile::Member& method, classfile::Attribute& code, base::Bytes original) {
    const Code counting = rewrite(method, original, Body::kInner, options_).attribute;
    if (counting.empty()) return;
    const classfile::Choice in_burst{kObjectClass, kInBurst.name, static_cast<std::int32_t>(probes_.id())};
    auto both = classfile::two_bodies(file_, method, in_burst, code.data, counting);
    if (both) replace(code, *std::move(both));
  }

  classfile::ClassFile& file_;
  ExactProbes& probes_;
  ClassPaths* const paths_;
  BurstProbes all_probes_;
  CallPositions& positions_;
  classfile::BootstrapMethods bootstraps_;
  const std::string class_name_;
  const classfile::AbstractCopies abstract_copies_;
  classfile::RewriteOptions options_;
  classfile::RewriteCounts counts_;
  std::size_t ordinal_ = 0;  // of the method at hand, among those with code
  bool changed_ = false;
};

}  // namespace

base::Result<classfile::Rewritten> rewrite_with_copies(base::Bytes class_file, ExactProbes& probes, ClassPaths* paths,
                                                       CallPositions& positions, bool early) {
  base::Result<classfile::ClassFile> file = classfile::ClassFile::parse(class_file);
  if (!file) return file.error();
  CopyingRewriter rewriter(*file, probes, paths, positions, early);
  if (!rewriter.run()) return base::Error{"the class has no room for copies of its methods"};
  classfile::Rewritten result;
  result.counts = rewriter.counts();
  if (rewriter.changed()) result.bytes = file->write();
  return result;
}

}  // namespace bursar::agent
