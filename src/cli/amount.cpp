#include "cli/amount.h"

#include <cmath>

#include "cli/text.h"

namespace bursar::cli {

std::string column_header(const profile::Metric& metric) {
  const std::string name = printable(metric.name);
  if (metric.kind == profile::MetricKind::kEstimate) return name + " (estimated)";
  if (metric.kind == profile::MetricKind::kSamples && metric.name != profile::kSamples) return name + " (samples)";
  return name;
}

double error_95(const analysis::Amount& amount) {
  return 1.96 * amount.deviation;
}

std::string amount_text(const analysis::Amount& amount, const profile::Metric& metric, const Terminal& terminal) {
  std::string text = grouped(amount.value);
  if (metric.kind == profile::MetricKind::kEstimate)
    text += (terminal.utf8 ? " ± " : " +- ") + grouped(error_95(amount));
  return text;
}

nlohmann::ordered_json number(double value, const profile::Metric& metric) {
  if (metric.kind == profile::MetricKind::kEstimate) return value;
  return value >= 0x1p64 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(value);
}

void set_amount(nlohmann::ordered_json& object, const std::string& key, const analysis::Amount& amount,
                const profile::Metric& metric) {
  object[key] = number(amount.value, metric);
  if (metric.kind == profile::MetricKind::kEstimate) object[key + "_error"] = error_95(amount);
}

double share_of(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace bursar::cli
