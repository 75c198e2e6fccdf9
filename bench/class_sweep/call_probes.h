// CallProbes: every kind of probe in every method, each calling a static method of bursar.probe.Probe.
//
// Made to strain the rewriter, not to measure: an int local that lives through the whole method (a path register, as
// the paths mode will have), a long local, and calls at every place of the vocabulary.
#pragma once

#include <array>
#include <cstdint>

#include "classfile/probes.h"

namespace bursar::class_sweep {

class CallProbes : public classfile::Instrumentation {
 public:
  // Which places get a probe, by ProbeKind.
  std::array<bool, classfile::kProbeKinds> wanted = {true, true, true, true,
                                                     true, true, true, true};  // the rest is not watched

  bool begin(const classfile::MethodView&) override {
    ++method_;
    edge_ = 0;
    return true;
  }
  std::span<const classfile::NewLocal> locals() const override { return locals_; }
  void emit(const classfile::ProbePoint& point, classfile::Snippet& snippet) override;
  void end(bool) override {}

 private:
  static constexpr std::size_t kPath = 0;
  static constexpr std::size_t kCalls = 1;

  std::array<classfile::NewLocal, 2> locals_ = {
      classfile::NewLocal{.type = classfile::NewLocal::Type::kInt, .class_name = {}},
      classfile::NewLocal{.type = classfile::NewLocal::Type::kLong, .class_name = {}}};
  std::int32_t method_ = 0;
  std::int32_t edge_ = 0;
};

}  // namespace bursar::class_sweep
