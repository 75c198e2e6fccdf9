#include "export/pprof.h"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "export/gzip.h"
#include "export/pprof_fields.h"
#include "export/protobuf.h"

namespace bursar::exports {

namespace {

class PprofProfile {
 public:
  explicit PprofProfile(const ExportRequest& request)
      : request_(request), data_(request.data()), tree_(prune(*request.profile, request.limits)) {}

  const PrunedTree& tree() const { return tree_; }

  std::string make() {
    string("");
    for (const profile::Metric& metric : data_.metrics) {
      inner_.clear();
      inner_.number(pprof::kType, string(metric.name));
      inner_.number(pprof::kUnit, string(metric.unit.empty() ? "count" : metric.unit));
      out_.block(pprof::kSampleType, inner_.bytes());
    }
    samples();
    functions();
    out_.number(pprof::kDefaultSampleType, string(request_.metric().name));
    out_.number(pprof::kComment, string("bursar: " + request_.name));
    for (const std::string& text : strings_) out_.block(pprof::kStringTable, text);
    return out_.bytes();
  }

 private:
  std::uint64_t string(const std::string& text) {
    const auto [at, is_new] = numbers_.try_emplace(text, strings_.size());
    if (is_new) strings_.push_back(text);
    return at->second;
  }

  // Locations and functions have the method's number + 1; that after the last stands for what was left out.
  std::uint64_t location(std::size_t node) const {
    return tree_.stands_in(node) ? data_.methods.size() + 1 : data_.contexts.method[tree_.context[node]] + 1U;
  }

  void samples() {
    std::vector<std::vector<std::uint64_t>> own;
    for (std::size_t metric = 0; metric < data_.metrics.size(); ++metric) {
      own.push_back(whole_numbers(tree_.columns[metric], data_.metrics[metric].scale_log2));
    }
    MessageWriter packed;
    for (std::size_t node = 0; node < tree_.size(); ++node) {
      if (std::all_of(own.begin(), own.end(), [&](const auto& column) { return column[node] == 0; })) continue;
      inner_.clear();
      packed.clear();
      for (std::size_t at = node; at != profile::kNone; at = tree_.parent[at]) packed.varint(location(at));
      inner_.block(pprof::kLocationId, packed.bytes());
      packed.clear();
      for (const auto& column : own) {
        packed.varint(std::min<std::uint64_t>(column[node], std::numeric_limits<std::int64_t>::max()));
      }
      inner_.block(pprof::kValue, packed.bytes());
      out_.block(pprof::kSample, inner_.bytes());
    }
  }

  void functions() {
    const std::vector<std::string> names = frame_names(data_);
    for (std::size_t method = 0; method < names.size(); ++method) {
      const std::string& descriptor = data_.methods[method].descriptor;
      function(method + 1, names[method], descriptor.empty() ? "" : names[method] + descriptor);
    }
    if (tree_.pruned.contexts > 0) function(names.size() + 1, kLeftOutName, "");
  }

  void function(std::uint64_t id, const std::string& name, const std::string& system_name) {
    inner_.clear();
    inner_.number(pprof::kId, id);
    inner_.number(pprof::kName, string(name));
    inner_.number(pprof::kSystemName, string(system_name));
    out_.block(pprof::kFunction, inner_.bytes());
    MessageWriter line;
    line.number(pprof::kFunctionId, id);
    inner_.clear();
    inner_.number(pprof::kId, id);
    inner_.block(pprof::kLine, line.bytes());
    out_.block(pprof::kLocation, inner_.bytes());
  }

  const ExportRequest& request_;
  const profile::ProfileData& data_;
  PrunedTree tree_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::uint64_t> numbers_;
  MessageWriter out_, inner_;
};

}  // namespace

Pruned export_pprof(const ExportRequest& request, const Sink& sink) {
  PprofProfile profile(request);
  write_gzip(profile.make(), sink);
  return profile.tree().pruned;
}

}  // namespace bursar::exports
