// Studies: what is evaluated beside the modes as they are, by names that stand for a mode's: variants of mode cbs (the
// accuracy of paper 001, by samples, stride and correction), and ways to take advice (its Figure 11).
#pragma once

#include <string>
#include <vector>

#include "evaluation/variant.h"

namespace bursar::evaluation {

// Each study is a group of names.
inline constexpr const char* kCallGraphs = "call-graphs";
inline constexpr const char* kAdvice = "advice";

// The first is mode cbs as it is unless told otherwise.
const std::vector<Variant>& cbs_variants();

// The program is not profiled: it runs with directives made of a profile.
struct AdvisedWay {
  std::string name;
  std::string profile;               // the variant of cbs that it is of
  std::vector<std::string> options;  // of bursar advise
};
const std::vector<AdvisedWay>& advised_ways();
const AdvisedWay* find_advised(const std::string& name);

// The names of a study; nothing if there is no such study.
std::vector<std::string> study_names(const std::string& study);

}  // namespace bursar::evaluation
