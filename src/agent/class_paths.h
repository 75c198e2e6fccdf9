// ClassPaths: the numbers of one class's paths, while it is rewritten: those it had before, if it was there before.
// Runs in: any thread that may allocate; an object rewrites one class
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "agent/filter.h"
#include "agent/path_registry.h"
#include "classfile/path_probes.h"

namespace bursar::agent {

using PathRefusals = std::array<std::uint64_t, classfile::kPathRefusalNames.size()>;  // methods, by PathRefusal

class ClassPaths : public classfile::PathSink {
 public:
  // `firsts`: of its methods with code, in their order.
  ClassPaths(PathRegistry& registry, const Filter& filter, std::vector<std::uint32_t> firsts)
      : registry_(registry), filter_(filter), firsts_(std::move(firsts)) {}

  // The next method is the class's nth with code.
  void set_method(std::size_t ordinal) { ordinal_ = ordinal; }

  bool wants(const classfile::MethodView& method) override;
  void refused(const classfile::MethodView& method, classfile::PathRefusal refusal) override;
  std::optional<std::uint32_t> add(const classfile::MethodView& method, classfile::PathNumbering numbering) override;

  const PathRefusals& refusals() const { return refusals_; }
  std::vector<std::uint32_t> take_firsts() { return std::move(firsts_); }

 protected:
  static constexpr std::uint32_t kNoFirst = 0xffffffff;

  const std::vector<std::uint32_t>& firsts() const { return firsts_; }
  // Of the method at hand; kNoFirst if it has none yet.
  std::uint32_t& first();
  std::optional<std::uint32_t> add_anew(const classfile::MethodView& method, classfile::PathNumbering numbering);

 private:
  PathRegistry& registry_;
  const Filter& filter_;
  std::vector<std::uint32_t> firsts_;
  std::size_t ordinal_ = 0, last_refused_ = static_cast<std::size_t>(-1);
  PathRefusals refusals_{};
};

}  // namespace bursar::agent
