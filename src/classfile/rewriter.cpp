#include "classfile/rewriter.h"

#include <utility>

#include "classfile/method_rewriter.h"

namespace bursar::classfile {
namespace {

void count(const MethodOutcome& outcome, RewriteCounts& counts) {
  ++counts.methods_with_code;
  if (outcome.reason) {
    ++counts.skipped[static_cast<std::size_t>(*outcome.reason)];
    return;
  }
  if (outcome.declined) return;
  ++counts.rewritten;
  counts.old_code_bytes += outcome.old_size;
  counts.new_code_bytes += outcome.new_size;
  const auto crossed = [&](std::uint32_t limit) { return outcome.old_size <= limit && outcome.new_size > limit; };
  counts.crossed_inline_limit += crossed(kInlineLimit);
  counts.crossed_frequent_inline_limit += crossed(kFrequentInlineLimit);
  counts.crossed_compile_limit += crossed(kCompileLimit);
}

}  // namespace

RewriteCounts& RewriteCounts::operator+=(const RewriteCounts& other) {
  methods_with_code += other.methods_with_code;
  rewritten += other.rewritten;
  for (std::size_t i = 0; i < skipped.size(); ++i) skipped[i] += other.skipped[i];
  old_code_bytes += other.old_code_bytes;
  new_code_bytes += other.new_code_bytes;
  crossed_inline_limit += other.crossed_inline_limit;
  crossed_frequent_inline_limit += other.crossed_frequent_inline_limit;
  crossed_compile_limit += other.crossed_compile_limit;
  return *this;
}

base::Result<Rewritten> rewrite(base::Bytes class_file, Instrumentation& instrumentation,
                                const RewriteOptions& options) {
  base::Result<ClassFile> parsed = ClassFile::parse(class_file);
  if (!parsed) return parsed.error();
  ClassFile& file = *parsed;
  Rewritten result;
  bool changed = false;
  for (Member& method : file.methods) {
    const int at = file.code_attribute(method);
    if (at < 0) continue;
    Attribute& attribute = method.attributes[static_cast<std::size_t>(at)];
    MethodOutcome outcome = rewrite_method(file, method, attribute.data, instrumentation, options);
    count(outcome, result.counts);
    if (outcome.attribute.empty()) continue;
    attribute.data = file.keep(std::move(outcome.attribute));
    changed = true;
  }
  if (changed) result.bytes = file.write();
  return result;
}

}  // namespace bursar::classfile
