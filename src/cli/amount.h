// Amounts of a metric, as text and as JSON: an estimate always shows that it is one, and how far off it may be.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "analysis/summary.h"
#include "cli/output.h"
#include "profile/profile.h"

namespace bursar::cli {

// The header of a column that holds the metric: "calls", "calls (estimated)".
std::string column_header(const profile::Metric& metric);

// Half of the 95 % interval of an estimate.
double error_95(const analysis::Amount& amount);

// "1,234", or "1,234 ± 56" for an estimate.
std::string amount_text(const analysis::Amount& amount, const profile::Metric& metric, const Terminal& terminal);

// A whole number unless it is an estimate.
nlohmann::ordered_json number(double value, const profile::Metric& metric);

// Sets `key`, and for an estimate `key`_error, the half of its 95 % interval.
void set_amount(nlohmann::ordered_json& object, const std::string& key, const analysis::Amount& amount,
                const profile::Metric& metric);

double share_of(double part, double whole);

// JSON as it is printed: indented, invalid UTF-8 replaced.
std::string json_text(const nlohmann::ordered_json& value);

}  // namespace bursar::cli
