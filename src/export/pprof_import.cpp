#include <boost/unordered/unordered_flat_map.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "export/frame_name.h"
#include "export/gzip.h"
#include "export/pprof.h"
#include "export/pprof_fields.h"
#include "export/protobuf.h"
#include "profile/freeze.h"
#include "profile/saturating.h"

namespace bursar::exports {

namespace {

using profile::ContextId;
using profile::kNone;
using profile::MethodId;

constexpr std::size_t kMaxUnpacked = std::size_t{4} << 30;

class PprofReader {
 public:
  base::Result<profile::Profile> read(std::string_view bytes) {
    if (!collect(bytes)) return base::Error{problem_};
    if (sample_types_.empty()) return base::Error{"this is no pprof file, or one without any sample type"};
    if (!name_functions() || !place_locations() || !name_metrics() || !add_samples()) return base::Error{problem_};
    data_.identity.descriptors = false;
    data_.info["mode"] = {"import"};
    data_.info["tool"] = {"pprof"};
    return profile::freeze(std::move(data_));
  }

 private:
  bool fail(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
    return false;
  }

  // Tables may come in any order, so samples wait until all others are known.
  bool collect(std::string_view bytes) {
    MessageReader reader(bytes);
    while (reader.next()) {
      switch (reader.field()) {
        case pprof::kSampleType:
          sample_types_.push_back(reader.block());
          break;
        case pprof::kSample:
          samples_.push_back(reader.block());
          break;
        case pprof::kLocation:
          locations_.push_back(reader.block());
          break;
        case pprof::kFunction:
          functions_.push_back(reader.block());
          break;
        case pprof::kStringTable:
          strings_.push_back(reader.block());
          break;
        default:
          break;
      }
    }
    return reader.ok() || fail("this is no pprof file, or it is damaged or cut off");
  }

  bool string(std::uint64_t index, std::string& text) {
    if (index >= strings_.size()) return fail("string " + std::to_string(index) + " is not in the table of strings");
    text = strings_[index];
    return true;
  }

  bool name_functions() {
    for (const std::string_view block : functions_) {
      std::uint64_t id = 0, name = 0;
      MessageReader reader(block);
      while (reader.next()) {
        if (reader.field() == pprof::kId) id = reader.number();
        if (reader.field() == pprof::kName) name = reader.number();
      }
      std::string text;
      if (!reader.ok()) return fail("function " + std::to_string(id) + " is damaged");
      if (!string(name, text)) return false;
      method_of_function_[id] = method(text);
    }
    return true;
  }

  MethodId method(const std::string& frame) {
    const auto next = static_cast<MethodId>(data_.methods.size());
    const auto [at, is_new] = method_of_frame_.try_emplace(frame, next);
    if (is_new) data_.methods.push_back(frame.empty() ? parse_frame("[unknown]") : parse_frame(frame));
    return at->second;
  }

  // A location has the function it lies in first, then those it was inlined into.
  bool place_locations() {
    for (const std::string_view block : locations_) {
      std::uint64_t id = 0, address = 0;
      std::vector<MethodId> methods;
      MessageReader reader(block);
      while (reader.next()) {
        if (reader.field() == pprof::kId) id = reader.number();
        if (reader.field() == pprof::kAddress) address = reader.number();
        if (reader.field() != pprof::kLine) continue;
        MessageReader line(reader.block());
        std::uint64_t function = 0;
        while (line.next()) {
          if (line.field() == pprof::kFunctionId) function = line.number();
        }
        const auto found = method_of_function_.find(function);
        if (!line.ok() || found == method_of_function_.end()) {
          return fail("location " + std::to_string(id) + " names function " + std::to_string(function) +
                      ", which is not there");
        }
        methods.push_back(found->second);
      }
      if (!reader.ok()) return fail("location " + std::to_string(id) + " is damaged");
      // Without symbols an address is all there is.
      if (methods.empty()) methods.push_back(method("[" + std::to_string(address) + "]"));
      methods_of_location_[id] = std::move(methods);
    }
    return true;
  }

  bool name_metrics() {
    if (sample_types_.size() > profile::kMaxMetrics) return fail("more than 64 sample types");
    for (const std::string_view block : sample_types_) {
      std::uint64_t type = 0, unit = 0;
      MessageReader reader(block);
      while (reader.next()) {
        if (reader.field() == pprof::kType) type = reader.number();
        if (reader.field() == pprof::kUnit) unit = reader.number();
      }
      profile::Metric metric;
      if (!reader.ok()) return fail("a sample type is damaged");
      if (!string(type, metric.name) || !string(unit, metric.unit)) return false;
      metric.kind = metric.name == profile::kCalls ? profile::MetricKind::kExact : profile::MetricKind::kSamples;
      for (const profile::Metric& other : data_.metrics) {
        if (other.name == metric.name) return fail("sample type \"" + metric.name + "\" is there twice");
      }
      data_.metrics.push_back(std::move(metric));
    }
    data_.contexts.columns.resize(data_.metrics.size());
    return true;
  }

  ContextId child(ContextId parent, MethodId method) {
    const auto next = static_cast<ContextId>(data_.contexts.size());
    const auto [at, is_new] = children_.try_emplace({parent, method}, next);
    if (is_new) {
      data_.contexts.parent.push_back(parent);
      data_.contexts.method.push_back(method);
      data_.contexts.site.push_back(profile::kNoSite);
      for (profile::Column& column : data_.contexts.columns) column.value.push_back(0);
    }
    return at->second;
  }

  bool add_samples() {
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const std::string where = "sample " + std::to_string(i + 1);
      std::vector<std::uint64_t> locations, values;
      MessageReader reader(samples_[i]);
      while (reader.next()) {
        if (reader.field() == pprof::kLocationId) reader.numbers([&](std::uint64_t id) { locations.push_back(id); });
        if (reader.field() == pprof::kValue) reader.numbers([&](std::uint64_t value) { values.push_back(value); });
      }
      if (!reader.ok()) return fail(where + " is damaged");
      if (values.size() != data_.metrics.size()) {
        return fail(where + " has " + std::to_string(values.size()) + " values, but there are " +
                    std::to_string(data_.metrics.size()) + " sample types");
      }
      if (!add_sample(where, locations, values)) return false;
    }
    return true;
  }

  bool add_sample(const std::string& where, const std::vector<std::uint64_t>& locations,
                  const std::vector<std::uint64_t>& values) {
    ContextId at = kNone;
    for (auto location = locations.rbegin(); location != locations.rend(); ++location) {
      const auto found = methods_of_location_.find(*location);
      if (found == methods_of_location_.end()) {
        return fail(where + " names location " + std::to_string(*location) + ", which is not there");
      }
      for (auto method = found->second.rbegin(); method != found->second.rend(); ++method) at = child(at, *method);
      if (data_.contexts.size() >= kNone) return fail("more contexts than a profile can hold");
    }
    if (at == kNone) at = child(kNone, method(""));
    for (std::size_t metric = 0; metric < values.size(); ++metric) {
      if (values[metric] > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return fail(where + " has a negative value: a difference of profiles cannot be imported");
      }
      std::uint64_t& sum = data_.contexts.columns[metric].value[at];
      sum = profile::saturating_add(sum, values[metric]);
    }
    return true;
  }

  std::string problem_;
  std::vector<std::string_view> sample_types_, samples_, locations_, functions_, strings_;
  boost::unordered_flat_map<std::uint64_t, MethodId> method_of_function_;
  boost::unordered_flat_map<std::string, MethodId> method_of_frame_;
  boost::unordered_flat_map<std::uint64_t, std::vector<MethodId>> methods_of_location_;
  boost::unordered_flat_map<std::pair<ContextId, MethodId>, ContextId> children_;
  profile::ProfileData data_;
};

}  // namespace

base::Result<profile::Profile> import_pprof(std::string_view bytes) {
  if (!is_gzip(bytes)) return PprofReader().read(bytes);
  const auto unpacked = read_gzip(bytes, kMaxUnpacked);
  if (!unpacked) return unpacked.error();
  return PprofReader().read(*unpacked);
}

}  // namespace bursar::exports
