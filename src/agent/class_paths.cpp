#include "agent/class_paths.h"

#include <string>
#include <utility>

#include "agent/left_alone.h"

namespace bursar::agent {

bool ClassPaths::wants(const classfile::MethodView& method) {
  return !is_left_alone(method.file, method.member) && filter_.wants(method.class_name, method.name);
}

void ClassPaths::refused(const classfile::MethodView&, classfile::PathRefusal refusal) {
  // It may be asked for again, for another body of the method.
  if (std::exchange(last_refused_, ordinal_) != ordinal_) ++refusals_[static_cast<std::size_t>(refusal)];
}

std::uint32_t& ClassPaths::first() {
  if (ordinal_ >= firsts_.size()) firsts_.resize(ordinal_ + 1, kNoFirst);
  return firsts_[ordinal_];
}

std::optional<std::uint32_t> ClassPaths::add(const classfile::MethodView& method, classfile::PathNumbering numbering) {
  if (first() != kNoFirst) return first();
  return add_anew(method, std::move(numbering));
}

std::optional<std::uint32_t> ClassPaths::add_anew(const classfile::MethodView& method,
                                                  classfile::PathNumbering numbering) {
  const auto added = registry_.add({.class_name = std::string(method.class_name),
                                    .name = std::string(method.name),
                                    .descriptor = std::string(method.descriptor),
                                    .code_bytes = static_cast<std::uint32_t>(method.code.instructions.code().size())},
                                   std::move(numbering), classfile::LineNumbers::of(method.file, method.code));
  if (added) first() = *added;
  return added;
}

}  // namespace bursar::agent
