// merge() puts the tables of all profiles one after the other, under one numbering and one list of metrics, and lets
// freeze() add up what coincides. Everything that could depend on the order is settled before: the metrics, the kinds.
#include "profile/merge.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "profile/freeze.h"
#include "profile/saturating.h"

namespace bursar::profile {
namespace {

using Inputs = std::span<const Profile* const>;

base::Error refusal(const std::string& why) {
  return {"cannot merge these profiles: " + why};
}

// An exact number is an estimate without variance; a number of samples is neither.
bool can_add(MetricKind a, MetricKind b) {
  return (a == MetricKind::kSamples) == (b == MetricKind::kSamples);
}
MetricKind sum_kind(MetricKind a, MetricKind b) {
  return std::max(a, b);
}
static_assert(MetricKind::kExact < MetricKind::kEstimate);

base::Result<std::vector<Metric>> unite_metrics(Inputs inputs) {
  std::map<std::string, Metric> united;
  for (const Profile* input : inputs) {
    for (const Metric& metric : input->data().metrics) {
      const auto [at, is_new] = united.emplace(metric.name, metric);
      if (is_new) continue;
      Metric& sum = at->second;
      if (sum.unit != metric.unit) {
        return refusal("\"" + sum.name + "\" is in \"" + sum.unit + "\" in one and in \"" + metric.unit +
                       "\" in another");
      }
      if (!can_add(sum.kind, metric.kind)) {
        return refusal("\"" + sum.name + "\" counts samples in one and events in another");
      }
      sum.kind = sum_kind(sum.kind, metric.kind);
      sum.scale_log2 = std::max(sum.scale_log2, metric.scale_log2);
    }
  }
  std::vector<Metric> metrics;
  metrics.reserve(united.size());
  for (auto& [name, metric] : united) metrics.push_back(std::move(metric));
  return metrics;
}

base::Result<Identity> unite_identities(Inputs inputs) {
  Identity identity = inputs.front()->data().identity;
  for (const Profile* input : inputs) {
    const base::Result<Identity> common = common_identity(identity, input->data().identity);
    if (!common) return common.error();
    identity = *common;
  }
  return identity;
}

// Of paths or of branches; a profile without any has no say.
template <class Table>
base::Result<MetricKind> unite_kinds(Inputs inputs, Table ProfileData::*table, const std::string& what) {
  bool counted = false;
  bool sampled = false;
  MetricKind kind = MetricKind::kExact;
  for (const Profile* input : inputs) {
    const Table& rows = input->data().*table;
    if (rows.size() == 0) continue;
    (rows.kind == MetricKind::kSamples ? sampled : counted) = true;
    kind = sum_kind(kind, rows.kind);
  }
  if (counted && sampled) return refusal("one counts " + what + ", another samples of " + what);
  return kind;
}

base::Status check_series_units(Inputs inputs) {
  std::map<std::string, std::string> units;
  for (const Profile* input : inputs) {
    for (const Series& series : input->data().series) {
      const auto [at, is_new] = units.emplace(series.name, series.unit);
      if (is_new || at->second == series.unit) continue;
      return refusal("series \"" + series.name + "\" is in \"" + at->second + "\" in one and in \"" + series.unit +
                     "\" in another");
    }
  }
  return base::Done{};
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append_ids(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& from, std::uint32_t offset) {
  to.reserve(to.size() + from.size());
  for (const std::uint32_t id : from) to.push_back(id == kNone ? kNone : id + offset);
}

// `finer_by` is the difference of the scales' logarithms.
void append_column(Column& to, const Column& from, MetricKind kind, unsigned finer_by) {
  to.value.reserve(to.value.size() + from.value.size());
  for (const std::uint64_t value : from.value) to.value.push_back(saturating_shift_left(value, finer_by));
  if (kind != MetricKind::kEstimate) return;
  if (from.variance.empty()) {
    to.variance.resize(to.variance.size() + from.value.size());
    return;
  }
  to.variance.reserve(to.variance.size() + from.variance.size());
  for (const Uint128 variance : from.variance) {
    to.variance.push_back(saturating_shift_left(variance, 2 * finer_by));
  }
}

void add_counters(std::map<std::string, std::uint64_t>& to, const std::map<std::string, std::uint64_t>& from) {
  for (const auto& [name, count] : from) to[name] = saturating_add(to[name], count);
}

// Puts the tables of one profile after those of the profiles before it.
class Appender {
 public:
  explicit Appender(ProfileData& sum) : sum_(sum) {}

  void append_profile(const ProfileData& from) {
    from_ = &from;
    first_method_ = static_cast<MethodId>(sum_.methods.size());
    first_context_ = static_cast<ContextId>(sum_.contexts.size());
    first_thread_ = static_cast<std::uint32_t>(sum_.threads.size());
    append(sum_.methods, from.methods);
    append_contexts();
    append_edges();
    append_threads();
    append_paths();
    append_branches();
    append_lines();
    append_series();
    append_facts();
  }

 private:
  void append_columns(std::vector<Column>& to, const std::vector<Column>& from, std::size_t rows) {
    to.resize(sum_.metrics.size());
    for (std::size_t m = 0; m < sum_.metrics.size(); ++m) {
      const Metric& metric = sum_.metrics[m];
      const auto same = std::find_if(from_->metrics.begin(), from_->metrics.end(),
                                     [&](const Metric& other) { return other.name == metric.name; });
      if (same == from_->metrics.end()) {
        Column zeros;
        zeros.value.resize(rows);
        append_column(to[m], zeros, metric.kind, 0);
        continue;
      }
      const unsigned finer_by = static_cast<unsigned>(metric.scale_log2 - same->scale_log2);
      append_column(to[m], from[static_cast<std::size_t>(same - from_->metrics.begin())], metric.kind, finer_by);
    }
  }

  void append_contexts() {
    append_ids(sum_.contexts.parent, from_->contexts.parent, first_context_);
    append_ids(sum_.contexts.method, from_->contexts.method, first_method_);
    append(sum_.contexts.site, from_->contexts.site);
    append_columns(sum_.contexts.columns, from_->contexts.columns, from_->contexts.size());
  }

  void append_edges() {
    append_ids(sum_.edges.caller, from_->edges.caller, first_method_);
    append(sum_.edges.site, from_->edges.site);
    append_ids(sum_.edges.callee, from_->edges.callee, first_method_);
    append_columns(sum_.edges.columns, from_->edges.columns, from_->edges.size());
  }

  void append_threads() {
    for (const Thread& thread : from_->threads) {
      Thread& to = sum_.threads.emplace_back();
      to.name = thread.name;
      append_ids(to.context, thread.context, first_context_);
      append_columns(to.columns, thread.columns, thread.context.size());
    }
  }

  void append_paths() {
    const Paths& paths = from_->paths;
    const std::uint64_t first_block = sum_.paths.blocks.size();
    append_ids(sum_.paths.method, paths.method, first_method_);
    append(sum_.paths.blocks, paths.blocks);
    append(sum_.paths.branches, paths.branches);
    append_column(sum_.paths.count, paths.count, sum_.paths.kind, 0);
    if (paths.size() > 0 && sum_.paths.first_block.empty()) sum_.paths.first_block.push_back(0);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      sum_.paths.first_block.push_back(first_block + paths.first_block[i + 1]);
    }
  }

  void append_branches() {
    const Branches& branches = from_->branches;
    append_ids(sum_.branches.method, branches.method, first_method_);
    append(sum_.branches.bci, branches.bci);
    append(sum_.branches.outcome, branches.outcome);
    append_column(sum_.branches.count, branches.count, sum_.branches.kind, 0);
  }

  void append_lines() {
    append_ids(sum_.lines.method, from_->lines.method, first_method_);
    append(sum_.lines.bci, from_->lines.bci);
    append(sum_.lines.line, from_->lines.line);
  }

  void append_series() {
    for (const Series& series : from_->series) {
      Series& to = sum_.series.emplace_back(series);
      to.thread.clear();
      append_ids(to.thread, series.thread, first_thread_);
    }
  }

  void append_facts() {
    for (const auto& [name, values] : from_->info) sum_.info[name].insert(values.begin(), values.end());
    add_counters(sum_.counters, from_->counters);
    add_counters(sum_.dropped, from_->dropped);
    add_counters(sum_.skipped_methods, from_->skipped_methods);
  }

  ProfileData& sum_;
  const ProfileData* from_ = nullptr;
  MethodId first_method_ = 0;
  ContextId first_context_ = 0;
  std::uint32_t first_thread_ = 0;
};

// Before freezing, ids have to tell all rows of all profiles apart.
template <class Size>
bool fits_ids(Inputs inputs, const Size& size) {
  std::size_t total = 0;
  for (const Profile* input : inputs) total += size(input->data());
  return total < kNone;
}

base::Result<Profile> merge_all(Inputs inputs) {
  if (inputs.empty()) return Profile();
  if (inputs.size() == 1) return *inputs.front();

  ProfileData sum;
  const base::Result<Identity> identity = unite_identities(inputs);
  if (!identity) return identity.error();
  base::Result<std::vector<Metric>> metrics = unite_metrics(inputs);
  if (!metrics) return metrics.error();
  const base::Result<MetricKind> path_kind = unite_kinds(inputs, &ProfileData::paths, "paths");
  if (!path_kind) return path_kind.error();
  const base::Result<MetricKind> branch_kind = unite_kinds(inputs, &ProfileData::branches, "branches");
  if (!branch_kind) return branch_kind.error();
  if (const base::Status units = check_series_units(inputs); !units) return units.error();
  if (!fits_ids(inputs, [](const ProfileData& data) { return data.contexts.size(); }) ||
      !fits_ids(inputs, [](const ProfileData& data) { return data.methods.size(); })) {
    return refusal("together they have more than 4 billion contexts or methods");
  }

  sum.identity = *identity;
  sum.metrics = std::move(*metrics);
  sum.paths.kind = *path_kind;
  sum.branches.kind = *branch_kind;
  Appender appender(sum);
  for (const Profile* input : inputs) appender.append_profile(input->data());
  return freeze(std::move(sum));
}

}  // namespace

base::Result<Identity> common_identity(const Identity& a, const Identity& b) {
  if (a.folded_recursion != b.folded_recursion) {
    return base::Error{
        "one profile has its recursion folded and the other has not, so their contexts cannot be matched; "
        "record both with the same setting"};
  }
  return Identity{a.call_sites && b.call_sites, a.descriptors && b.descriptors, a.folded_recursion};
}

base::Result<Profile> project(const Profile& profile, const Identity& identity) {
  const base::Result<Identity> common = common_identity(profile->identity, identity);
  if (!common) return common.error();
  if (*common != identity) {
    return base::Error{"the profile has no " +
                       std::string(identity.call_sites == common->call_sites ? "descriptors" : "call sites") +
                       ": it cannot be brought to a finer identity than its own"};
  }
  if (profile->identity == identity) return profile;
  ProfileData data = profile.data();
  data.identity = identity;
  return freeze(std::move(data));
}

base::Result<Profile> merge(const Profile& a, const Profile& b) {
  const Profile* const inputs[] = {&a, &b};
  return merge_all(inputs);
}

base::Result<Profile> merge(const std::vector<Profile>& profiles) {
  std::vector<const Profile*> inputs;
  inputs.reserve(profiles.size());
  for (const Profile& profile : profiles) inputs.push_back(&profile);
  return merge_all(inputs);
}

}  // namespace bursar::profile
