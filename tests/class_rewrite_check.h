// Rewrites a class with HitProbes and says what is wrong with the outcome, for any bytes at all.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/rewriter.h"
#include "rewrite_oracle.h"

namespace bursar::classfile {

class ClassRewriteCheck {
 public:
  ClassRewriteCheck(base::Bytes class_file, const RewriteOptions& options) : before_(class_file), options_(options) {}

  // Nothing if the class was refused, or rewritten as it should be.
  std::optional<std::string> difference() {
    const auto old_file = ClassFile::parse(before_);
    const auto outcome = rewrite(before_, probes_, options_);
    if (old_file.ok() != outcome.ok()) return "the rewriter takes another view of what is a class file";
    if (!old_file) return std::nullopt;
    if (!std::ranges::equal(old_file->write(), before_)) return "the class does not survive a round trip";
    counts_ = outcome->counts;
    after_ = outcome->bytes;
    if (auto wrong = count_difference(*old_file)) return wrong;
    if (after_.empty()) return std::nullopt;
    const auto new_file = ClassFile::parse(after_);
    if (!new_file) return "the result is malformed: " + new_file.error().message;
    if (auto wrong = class_difference(*old_file, *new_file)) return wrong;
    std::size_t begun = 0;
    for (std::size_t i = 0; i < old_file->methods.size(); ++i) {
      if (auto wrong = method_difference(*old_file, *new_file, i, begun)) {
        return "method " + std::to_string(i) + ": " + *wrong;
      }
    }
    return std::nullopt;
  }

  const RewriteCounts& counts() const { return counts_; }
  // The new class; empty if nothing changed.
  const std::vector<std::uint8_t>& after() const { return after_; }

 private:
  std::optional<std::string> count_difference(const ClassFile& file) const {
    std::uint64_t with_code = 0;
    for (const Member& method : file.methods) with_code += file.code_attribute(method) >= 0;
    std::uint64_t skipped = 0;
    for (const std::uint64_t count : counts_.skipped) skipped += count;
    if (with_code != counts_.methods_with_code) return "methods with code are miscounted";
    if (counts_.rewritten + skipped != with_code) return "a method is neither rewritten nor skipped";
    if ((counts_.rewritten != 0) == after_.empty()) return "bytes without a rewritten method, or none with one";
    if (counts_.crossed_compile_limit != 0 && !options_.cross_compile_limit) return "the compile limit was crossed";
    return std::nullopt;
  }

  static bool same(const Attribute& a, const Attribute& b) {
    return a.name_index == b.name_index && std::ranges::equal(a.data, b.data);
  }
  static bool same(const std::vector<Attribute>& a, const std::vector<Attribute>& b) {
    return std::ranges::equal(a, b, [](const Attribute& x, const Attribute& y) { return same(x, y); });
  }
  static bool same_head(const Member& a, const Member& b) {
    return a.access == b.access && a.name_index == b.name_index && a.descriptor_index == b.descriptor_index;
  }

  std::optional<std::string> class_difference(const ClassFile& a, const ClassFile& b) const {
    const bool same_class = a.major_version == b.major_version && a.minor_version == b.minor_version &&
                            a.access == b.access && a.this_class == b.this_class && a.super_class == b.super_class &&
                            a.interfaces == b.interfaces && same(a.attributes, b.attributes);
    if (!same_class) return "something beside the methods changed";
    if (!std::ranges::equal(a.fields, b.fields, [](const Member& x, const Member& y) {
          return same_head(x, y) && same(x.attributes, y.attributes);
        })) {
      return "a field changed";
    }
    if (b.pool.count() < a.pool.count()) return "constants got lost";
    base::ByteWriter old_pool, new_pool;
    a.pool.write(old_pool);
    b.pool.write(new_pool);
    if (!std::ranges::equal(old_pool.view().subspan(2), new_pool.view().subspan(2, old_pool.size() - 2))) {
      return "an old constant changed";
    }
    return std::nullopt;
  }

  std::optional<std::string> method_difference(const ClassFile& old_file, const ClassFile& new_file, std::size_t i,
                                               std::size_t& begun) const {
    const Member& before = old_file.methods[i];
    const Member& after = new_file.methods[i];
    if (!same_head(before, after) || before.attributes.size() != after.attributes.size()) return "its head changed";
    const int code_at = old_file.code_attribute(before);
    for (int a = 0; a < static_cast<int>(before.attributes.size()); ++a) {
      const auto at = static_cast<std::size_t>(a);
      if (a != code_at && !same(before.attributes[at], after.attributes[at])) return "another attribute changed";
    }
    if (code_at < 0) return std::nullopt;
    const Attribute& old_attribute = before.attributes[static_cast<std::size_t>(code_at)];
    const Attribute& new_attribute = after.attributes[static_cast<std::size_t>(code_at)];
    const auto old_code = CodeAttribute::parse(old_attribute.data, old_file.pool);
    const bool was_begun = old_code.ok() && ControlFlow::of(*old_code).has_value();
    const HitProbes::Method* method = was_begun ? &probes_.methods.at(begun++) : nullptr;
    if (method == nullptr || !method->rewritten) {
      if (!same(old_attribute, new_attribute)) return "it was skipped, and still changed";
      return std::nullopt;
    }
    const auto new_code = CodeAttribute::parse(new_attribute.data, new_file.pool);
    if (!new_code) return "its new code is malformed: " + new_code.error().message;
    if (!options_.cross_compile_limit && old_code->instructions.code().size() <= kCompileLimit &&
        new_code->instructions.code().size() > kCompileLimit) {
      return "it outgrew the compile limit";
    }
    return RewriteOracle({old_file, before, *old_code}, {new_file, after, *new_code}, method->points).difference();
  }

  base::Bytes before_;
  RewriteOptions options_;
  HitProbes probes_;
  RewriteCounts counts_;
  std::vector<std::uint8_t> after_;
};

}  // namespace bursar::classfile
