#include "evaluation/variant.h"

#include "evaluation/path_variants.h"
#include "evaluation/studies.h"

namespace bursar::evaluation {

std::vector<std::string> record_options(const std::string& profiler) {
  for (const std::vector<Variant>* list : {&cbs_variants(), &path_variants()}) {
    if (const Variant* variant = find_by_name(*list, profiler); variant != nullptr) return variant->options;
  }
  return {"--mode", profiler};
}

}  // namespace bursar::evaluation
