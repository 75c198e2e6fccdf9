// Variant: a profiler of the plan that is a mode with options of its own, by a name of its own.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace bursar::evaluation {

struct Variant {
  std::string name;
  std::vector<std::string> options;  // of bursar record, the mode among them
};

// How bursar record is told to be this profiler: a variant, of a study (studies.h) or of the path modes
// (path_variants.h), or else a mode.
std::vector<std::string> record_options(const std::string& profiler);

// Of variants, or of whatever else has a name.
template <typename Named>
const Named* find_by_name(const std::vector<Named>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&name](const Named& each) { return each.name == name; });
  return found == list.end() ? nullptr : &*found;
}

template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& list) {
  std::vector<std::string> names;
  for (const Named& each : list) names.push_back(each.name);
  return names;
}

}  // namespace bursar::evaluation
