#include "agent/call_recording.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/gathering.h"

namespace bursar::agent {
namespace {

constexpr std::size_t kMostPoints = 100'000;
constexpr std::uint8_t kScaleLog2 = 16;

std::uint64_t fixed_point(double value) {
  const double scaled = std::ldexp(value, kScaleLog2);
  constexpr double kMost = 9e18;
  return static_cast<std::uint64_t>(std::llround(std::min(scaled, kMost)));
}

// Variances are in squares of steps.
profile::Uint128 fixed_point_variance(double value) {
  constexpr double kMost = 1e38;
  return static_cast<profile::Uint128>(std::min(std::ldexp(value, 2 * kScaleLog2), kMost));
}

}  // namespace

CallRecording::CallRecording(const AgentOptions& options)
    : filter_(options.include, options.exclude),
      antibias_(options.antibias),
      usual_samples_(options.samples),
      gathered_(methods_.table()) {}

std::uint32_t CallRecording::thread_of(const std::string& name) {
  const bool is_full = threads_.size() >= core::kMaxThreads && !threads_.contains(name);
  const std::string& kept = is_full ? std::string(core::kOtherThreads) : name;
  return threads_.try_emplace(kept, static_cast<std::uint32_t>(threads_.size())).first->second;
}

void CallRecording::Curve::add(std::uint64_t at_ns, std::uint32_t of_thread, double number) {
  if (seen++ % every != 0) return;
  if (value.size() >= kMostPoints) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < value.size(); i += 2, ++kept) {
      time_ns[kept] = time_ns[i];
      thread[kept] = thread[i];
      value[kept] = value[i];
    }
    time_ns.resize(kept);
    thread.resize(kept);
    value.resize(kept);
    every *= 2;
  }
  time_ns.push_back(at_ns);
  thread.push_back(of_thread);
  value.push_back(number);
}

// Calls per cycle of the program. Windows run in the interpreter, where a call takes far longer than in compiled code,
// which is the interpreter's time and not the program's. What is left, if it is no more than that, says nothing any
// more about how dense calls are.
double CallRecording::density_in(const CallWindow& window) const {
  const double calls = static_cast<double>(std::max<std::uint64_t>(window.calls, 1));
  return 1 / std::max(static_cast<double>(window.cycles) / calls - cost_of_call_, cost_of_call_);
}

void CallRecording::add(const Seen& seen, const NamedMethods::Namer& namer) {
  const CallWindow& window = seen.window;
  const double ran = static_cast<double>(window.ran_ns) * seen.cycles_per_ns;
  if (window.samples.empty() || ran <= 0) return;
  const double density = seen.calls ? static_cast<double>(*seen.calls) / ran : density_in(window);
  const double calls = density * ran;
  // Without correction all time weighs the same, however far windows are apart.
  const double uncorrected = ran / antibias_.lambda;
  const double weight = antibias_.correction == schemes::Correction::kNone
                            ? uncorrected
                            : schemes::weight_of(antibias_, calls, static_cast<double>(window.latency));
  // A window that was taken back has fewer samples for its calls.
  const double each = static_cast<double>(usual_samples_) / static_cast<double>(window.samples.size());
  const std::uint32_t number = thread_of(seen.thread);
  constexpr double kCyclesOfUnit = 1000;
  density_.add(seen.time_ns, number, density * kCyclesOfUnit);
  latency_.add(seen.time_ns, number, static_cast<double>(window.latency));

  touched_.clear();
  for (const CallSample& sample : window.samples) {
    if (sample.caller == nullptr) {
      ++without_caller_;
      continue;
    }
    const core::MethodId caller = methods_.id_of(sample.caller, namer), callee = methods_.id_of(sample.callee, namer);
    if (!filter_.wants_everything() && !filter_.wants(methods_[callee].class_name, methods_[callee].name)) {
      ++left_out_;
      continue;
    }
    const std::uint32_t site = sample.bci >= 0 ? static_cast<std::uint32_t>(sample.bci) : profile::kNoSite;
    const std::uint32_t row = edges_.find_or_add({gathered_.id_of(caller), site, gathered_.id_of(callee)});
    if (row == core::CountTable::kNoRow) {
      ++no_memory_;
      continue;
    }
    if (row >= weights_.size()) weights_.resize(row + 1);
    edges_.add(row, 1);
    ++samples_;
    touched_.push_back(row);
  }
  std::sort(touched_.begin(), touched_.end());
  for (std::size_t i = 0; i < touched_.size();) {
    std::size_t end = i;
    while (end < touched_.size() && touched_[end] == touched_[i]) ++end;
    const double samples = each * static_cast<double>(end - i);
    weights_[touched_[i]].weight.add_window(weight * samples);
    weights_[touched_[i]].uncorrected.add_window(uncorrected * samples);
    i = end;
  }
}

profile::Series CallRecording::series_of(const Curve& curve, const char* name, const char* unit) const {
  return {.name = name, .unit = unit, .time_ns = curve.time_ns, .thread = curve.thread, .value = curve.value};
}

profile::ProfileData CallRecording::to_profile() const {
  profile::ProfileData data;
  const bool is_corrected = antibias_.correction != schemes::Correction::kNone;
  constexpr const char *kOfTime = "intervals", *kOfCalls = "calls per 1000 cycles";
  const auto estimate = [](const char* name, const char* unit) {
    return profile::Metric{
        .name = name, .unit = unit, .kind = profile::MetricKind::kEstimate, .scale_log2 = kScaleLog2};
  };
  data.metrics = {
      {.name = profile::kSamples, .unit = profile::kSamples, .kind = profile::MetricKind::kSamples, .scale_log2 = 0},
      estimate(profile::kWeight, is_corrected ? kOfCalls : kOfTime)};
  if (is_corrected) data.metrics.push_back(estimate(kUncorrected, kOfTime));
  data.methods = gathered_.list();
  data.contexts.columns.resize(data.metrics.size());
  data.edges.columns.resize(data.metrics.size());
  for (std::size_t row = 0; row < edges_.size(); ++row) {
    const core::CountTable::Key& key = edges_.key(row);
    data.edges.caller.push_back(key[0]);
    data.edges.site.push_back(key[1]);
    data.edges.callee.push_back(key[2]);
    data.edges.columns[0].value.push_back(edges_.counts()[row]);
    const auto add = [&](std::size_t metric, const Weight& sum) {
      data.edges.columns[metric].value.push_back(fixed_point(sum.value));
      data.edges.columns[metric].variance.push_back(fixed_point_variance(sum.variance));
    };
    add(1, weights_[row].weight);
    if (is_corrected) add(2, weights_[row].uncorrected);
  }
  data.threads.resize(threads_.size());
  for (const auto& [name, number] : threads_) {
    data.threads[number].name = name;
    data.threads[number].columns.resize(data.metrics.size());
  }
  data.series.push_back(series_of(density_, "call_density", "calls per 1000 cycles"));
  data.series.push_back(series_of(latency_, "sampling_latency", "cycles"));
  const auto drop = [&](const char* reason, std::uint64_t count) {
    if (count > 0) data.dropped[reason] = count;
  };
  drop("call-without-caller", without_caller_);
  drop("not-included", left_out_);
  drop("no-memory", no_memory_);
  drop("method-unloaded", methods_.unloaded());
  return data;
}

}  // namespace bursar::agent
