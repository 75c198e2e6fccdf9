// Ledger: the naive oracle of freezing, projecting and merging. Everything a profile says, by name instead of by id.
//
// Two profiles say the same if their ledgers are equal, in whatever order their tables are. Quadratic in the depth.
#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "profile/profile.h"

namespace bursar::profile {

struct Amount {
  std::uint64_t value = 0;
  Uint128 variance = 0;

  bool operator==(const Amount&) const = default;
  void add(std::uint64_t more, Uint128 more_variance) {
    value = more > ~value ? ~std::uint64_t{0} : value + more;
    variance = more_variance > ~variance ? ~Uint128{0} : variance + more_variance;
  }
};

class Ledger {
 public:
  using Link = std::pair<Method, std::uint32_t>;
  using Chain = std::vector<Link>;
  using Amounts = std::map<std::string, Amount>;
  using Counters = std::map<std::string, std::uint64_t>;

  // The sum of `all`, under `identity`, in the scales of `metrics`.
  Ledger(std::initializer_list<const ProfileData*> all, Identity identity, std::vector<Metric> metrics)
      : identity_(identity), metrics_(std::move(metrics)) {
    for (const ProfileData* data : all) note_java_methods(*data);
    for (const ProfileData* data : all) add(*data);
  }
  explicit Ledger(const ProfileData& data) : Ledger({&data}, data.identity, data.metrics) {}

  bool operator==(const Ledger& other) const {
    return contexts == other.contexts && edges == other.edges && threads == other.threads && paths == other.paths &&
           branches == other.branches && lines == other.lines && series == other.series && info == other.info &&
           counters == other.counters && dropped == other.dropped && skipped_methods == other.skipped_methods;
  }

  std::map<Chain, Amounts> contexts;
  std::map<std::tuple<Method, std::uint32_t, Method>, Amounts> edges;
  std::map<std::string, std::map<Chain, Amounts>> threads;
  std::map<std::pair<Method, std::vector<std::uint32_t>>, std::pair<std::uint32_t, Amount>> paths;
  std::map<std::tuple<Method, std::uint32_t, std::uint32_t>, Amount> branches;
  std::map<std::pair<Method, std::uint32_t>, std::uint32_t> lines;
  std::map<std::string, std::multiset<std::tuple<std::uint64_t, std::string, double>>> series;
  std::map<std::string, std::set<std::string>> info;
  Counters counters;
  Counters dropped;
  Counters skipped_methods;

 private:
  static std::set<MethodId> used_methods(const ProfileData& data) {
    std::set<MethodId> used;
    for (const auto* ids :
         {&data.contexts.method, &data.edges.caller, &data.edges.callee, &data.paths.method, &data.branches.method}) {
      used.insert(ids->begin(), ids->end());
    }
    return used;
  }

  void note_java_methods(const ProfileData& data) {
    for (const MethodId id : used_methods(data)) {
      const Method& method = data.methods[id];
      if (method.kind == MethodKind::kJava) java_.insert({method.class_name, method.name});
    }
  }

  Method method(const ProfileData& data, MethodId id) const {
    Method method = data.methods[id];
    if (identity_.descriptors) return method;
    method.descriptor.clear();
    if (method.kind == MethodKind::kNative && java_.count({method.class_name, method.name}) > 0) {
      method.kind = MethodKind::kJava;
    }
    return method;
  }

  Chain chain(const ProfileData& data, ContextId id) const {
    Chain chain;
    for (; id != kNone; id = data.contexts.parent[id]) {
      const bool has_site = identity_.call_sites && data.contexts.parent[id] != kNone;
      chain.insert(chain.begin(),
                   {method(data, data.contexts.method[id]), has_site ? data.contexts.site[id] : kNoSite});
    }
    return chain;
  }

  void add(Amounts& to, const ProfileData& data, const std::vector<Column>& columns, std::size_t row) const {
    for (const Metric& metric : metrics_) {
      Amount& amount = to[metric.name];
      for (std::size_t m = 0; m < data.metrics.size(); ++m) {
        if (data.metrics[m].name != metric.name) continue;
        std::uint64_t value = columns[m].value[row];
        Uint128 variance = columns[m].variance.empty() ? 0 : columns[m].variance[row];
        for (int s = data.metrics[m].scale_log2; s < metric.scale_log2; ++s) {
          value = value > ~value ? ~std::uint64_t{0} : value * 2;
          for (int twice = 0; twice < 2; ++twice) variance = variance > ~variance ? ~Uint128{0} : variance * 2;
        }
        amount.add(value, variance);
      }
    }
  }

  static void add(Amount& to, const Column& column, std::size_t row) {
    to.add(column.value[row], column.variance.empty() ? 0 : column.variance[row]);
  }

  static void add(Counters& to, const Counters& from) {
    for (const auto& [name, value] : from) to[name] = value > ~to[name] ? ~std::uint64_t{0} : to[name] + value;
  }

  void add(const ProfileData& data) {
    for (ContextId i = 0; i < data.contexts.size(); ++i) add(contexts[chain(data, i)], data, data.contexts.columns, i);
    for (std::size_t i = 0; i < data.edges.size(); ++i) {
      const auto key =
          std::tuple(method(data, data.edges.caller[i]), data.edges.site[i], method(data, data.edges.callee[i]));
      add(edges[key], data, data.edges.columns, i);
    }
    for (const Thread& thread : data.threads) {
      auto& tree = threads[thread.name];
      for (std::size_t i = 0; i < thread.context.size(); ++i) {
        add(tree[chain(data, thread.context[i])], data, thread.columns, i);
      }
    }
    for (std::size_t i = 0; i < data.paths.size(); ++i) {
      const std::vector<std::uint32_t> blocks(
          data.paths.blocks.begin() + static_cast<std::ptrdiff_t>(data.paths.first_block[i]),
          data.paths.blocks.begin() + static_cast<std::ptrdiff_t>(data.paths.first_block[i + 1]));
      auto& [length, amount] = paths[{method(data, data.paths.method[i]), blocks}];
      length = std::max(length, data.paths.branches[i]);
      add(amount, data.paths.count, i);
    }
    for (std::size_t i = 0; i < data.branches.size(); ++i) {
      const auto key =
          std::tuple(method(data, data.branches.method[i]), data.branches.bci[i], data.branches.outcome[i]);
      add(branches[key], data.branches.count, i);
    }
    const std::set<MethodId> used = used_methods(data);
    for (std::size_t i = 0; i < data.lines.size(); ++i) {
      if (!used.contains(data.lines.method[i])) continue;
      const auto [at, is_new] =
          lines.try_emplace({method(data, data.lines.method[i]), data.lines.bci[i]}, data.lines.line[i]);
      if (!is_new) at->second = std::min(at->second, data.lines.line[i]);
    }
    for (const Series& one : data.series) {
      auto& points = series[one.name + " in " + one.unit];
      for (std::size_t i = 0; i < one.time_ns.size(); ++i) {
        const std::string thread = one.thread[i] == kNone ? "(none)" : data.threads[one.thread[i]].name;
        points.emplace(one.time_ns[i], thread, one.value[i]);
      }
    }
    for (const auto& [name, values] : data.info) info[name].insert(values.begin(), values.end());
    add(counters, data.counters);
    add(dropped, data.dropped);
    add(skipped_methods, data.skipped_methods);
  }

  Identity identity_;
  std::vector<Metric> metrics_;
  std::set<std::pair<std::string, std::string>> java_;
};

}  // namespace bursar::profile
