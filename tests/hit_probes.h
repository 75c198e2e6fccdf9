// HitProbes: a probe at every place of every method, of a shape that can be recognised in the rewritten code.
//
//   entry, before the rest:  iconst_0, istore S         (a long and an object local are left to their defaults)
//   every probe:             push number, iload S, invokestatic Hit.hit(II)V
//
// The number is that of the point in points of its method, so a reader of the code knows which place it was made for.
#pragma once

#include <array>
#include <vector>

#include "classfile/probes.h"

namespace bursar::classfile {

class HitProbes : public Instrumentation {
 public:
  struct Method {
    std::vector<ProbePoint> points;
    bool rewritten = false;
  };
  std::vector<Method> methods;  // those that the rewriter began, in their order

  bool begin(const MethodView&) override {
    methods.emplace_back();
    return true;
  }
  std::span<const NewLocal> locals() const override { return locals_; }
  void emit(const ProbePoint& point, Snippet& snippet) override {
    if (point.kind == ProbeKind::kEntry) {
      snippet.push_int(0);
      snippet.store(0);
    }
    snippet.push_int(static_cast<std::int32_t>(methods.back().points.size()));
    snippet.load(0);
    snippet.invoke_static("Hit", "hit", "(II)V");
    methods.back().points.push_back(point);
  }
  void end(bool rewritten) override { methods.back().rewritten = rewritten; }

 private:
  std::array<NewLocal, 3> locals_ = {NewLocal{.type = NewLocal::Type::kInt, .class_name = {}},
                                     NewLocal{.type = NewLocal::Type::kLong, .class_name = {}},
                                     NewLocal{.type = NewLocal::Type::kObject, .class_name = "Hit"}};
};

}  // namespace bursar::classfile
