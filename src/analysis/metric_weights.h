// Which metric of a profile an analysis reads, and its numbers in natural units: an estimate's fixed-point value
// divided by 2^scale. Doubles hold every count below 2^53 exactly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace bursar::analysis {

// The calls if the profile counts them, else what calls weigh, else its samples, else its first metric; nothing if it
// has no metric.
std::optional<std::size_t> default_metric(const profile::Profile& profile);

std::optional<std::size_t> find_metric(const profile::Profile& profile, const std::string& name);

// As asked for by name, or the default where the name is empty. The error lists what the profile has.
base::Result<std::optional<std::size_t>> choose_metric(const profile::Profile& profile, const std::string& name);

// What one step of a stored value is worth: 2^-scale_log2.
double step_of(const profile::Metric& metric);

std::vector<double> weights_of(const profile::Column& column, const profile::Metric& metric);

// The variance of each weight; all zero where the metric has none.
std::vector<double> variances_of(const profile::Column& column, const profile::Metric& metric);

}  // namespace bursar::analysis
