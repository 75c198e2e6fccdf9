#include "export/view_paths.h"

#include <algorithm>
#include <map>
#include <set>

#include "export/method_flow.h"

namespace bursar::exports {

namespace {

using nlohmann::ordered_json;
using profile::MethodId;
using profile::ProfileData;

// Beyond these nobody looks, and the page stays small.
constexpr std::size_t kMostPaths = 20'000, kMostBranches = 20'000;

using Key = std::vector<std::uint32_t>;  // the method, then blocks; or the method, place and outcome

Key path_key(MethodId method, const profile::Paths& paths, std::size_t path) {
  const auto first = paths.blocks.begin();
  Key key{method};
  key.insert(key.end(), first + static_cast<std::ptrdiff_t>(paths.first_block[path]),
             first + static_cast<std::ptrdiff_t>(paths.first_block[path + 1]));
  return key;
}

// Where the methods of one profile are among those of another; kNone where they are not.
std::vector<MethodId> methods_in(const ProfileData& all, const ProfileData& one) {
  std::vector<MethodId> found;
  for (const profile::Method& method : one.methods) {
    const auto at = std::lower_bound(all.methods.begin(), all.methods.end(), method);
    const bool there = at != all.methods.end() && !(method < *at);
    found.push_back(there ? static_cast<MethodId>(at - all.methods.begin()) : profile::kNone);
  }
  return found;
}

std::map<Key, std::uint64_t> path_counts(const ProfileData& all, const ProfileData& one) {
  const std::vector<MethodId> methods = methods_in(all, one);
  std::map<Key, std::uint64_t> counts;
  for (std::size_t i = 0; i < one.paths.size(); ++i) {
    counts[path_key(methods[one.paths.method[i]], one.paths, i)] += one.paths.count.value[i];
  }
  return counts;
}

std::map<Key, std::uint64_t> branch_counts(const ProfileData& all, const ProfileData& one) {
  const std::vector<MethodId> methods = methods_in(all, one);
  std::map<Key, std::uint64_t> counts;
  const profile::Branches& branches = one.branches;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    counts[{methods[branches.method[i]], branches.bci[i], branches.outcome[i]}] += branches.count.value[i];
  }
  return counts;
}

template <class Value>
Value found_or_zero(const std::map<Key, Value>& values, const Key& key) {
  const auto at = values.find(key);
  return at == values.end() ? Value{} : at->second;
}

}  // namespace

ViewedPaths::ViewedPaths(const ProfileData& all, std::vector<const ProfileData*> each)
    : all_(all), each_(std::move(each)) {
  const analysis::PathSummary summary = analysis::summarize_paths(all_);
  find_rows(summary);
  find_branches(summary);
}

void ViewedPaths::find_rows(const analysis::PathSummary& summary) {
  std::vector<std::map<Key, std::uint64_t>> counts;
  for (const ProfileData* one : each_) {
    const analysis::PathSummary of_one = analysis::summarize_paths(*one);
    runs_.push_back(of_one.runs);
    flow_.push_back(of_one.flow);
    counts.push_back(path_counts(all_, *one));
  }
  for (const analysis::PathRow& path : summary.paths) {
    if (rows_.size() == kMostPaths) break;
    Row row{path.path, {}};
    const Key key = path_key(all_.paths.method[path.path], all_.paths, path.path);
    for (const auto& of_one : counts) row.counts.push_back(found_or_zero(of_one, key));
    rows_.push_back(std::move(row));
  }
}

void ViewedPaths::find_branches(const analysis::PathSummary& summary) {
  std::vector<std::map<Key, std::uint64_t>> counts;
  for (const ProfileData* one : each_) counts.push_back(branch_counts(all_, *one));
  for (const analysis::BranchRow& branch : summary.branches) {
    if (branches_.size() == kMostBranches) break;
    Branch row{branch.method, branch.bci, {}};
    for (std::size_t i = branch.first; i < branch.end; ++i) {
      const std::uint32_t outcome = all_.branches.outcome[i];
      std::vector<std::uint64_t> numbers{outcome};
      for (const auto& of_one : counts) numbers.push_back(found_or_zero(of_one, {row.method, row.bci, outcome}));
      row.outcomes.push_back(std::move(numbers));
    }
    branches_.push_back(std::move(row));
  }
}

std::vector<MethodId> ViewedPaths::methods() const {
  std::vector<MethodId> named;
  for (const Row& row : rows_) named.push_back(all_.paths.method[row.path]);
  for (const Branch& branch : branches_) named.push_back(branch.method);
  return named;
}

std::int64_t ViewedPaths::place(MethodId method, std::uint32_t bci) const {
  const auto line = analysis::line_at(all_.lines, method, bci);
  return line ? std::int64_t{*line} : ~std::int64_t{bci};
}

ordered_json ViewedPaths::json(const std::vector<std::uint32_t>& number_of, const SourceLine& source) const {
  ordered_json json = {{"kind", profile::kind_word(all_.paths.kind)},
                       {"runs", runs_},
                       {"flow", flow_},
                       {"different", all_.paths.size()}};
  ordered_json& rows = json["rows"] = ordered_json::array();
  for (const Row& row : rows_) {
    const MethodId method = all_.paths.method[row.path];
    ordered_json places = ordered_json::array();
    for (std::uint64_t i = all_.paths.first_block[row.path]; i < all_.paths.first_block[row.path + 1]; ++i) {
      places.push_back(place(method, all_.paths.blocks[i]));
    }
    ordered_json entry = {number_of[method], all_.paths.branches[row.path], std::move(places)};
    for (const std::uint64_t count : row.counts) entry.push_back(count);
    rows.push_back(std::move(entry));
  }
  ordered_json& branches = json["branches"] = ordered_json::array();
  for (const Branch& branch : branches_) {
    ordered_json entry = {number_of[branch.method], place(branch.method, branch.bci), branch.bci};
    for (const auto& outcome : branch.outcomes) entry.push_back(outcome);
    branches.push_back(std::move(entry));
  }
  if (source) json["sources"] = sources(number_of, source);
  return json;
}

ordered_json ViewedPaths::sources(const std::vector<std::uint32_t>& number_of, const SourceLine& source) const {
  std::map<MethodId, std::set<std::int64_t>> named;
  for (const Row& row : rows_) {
    const MethodId method = all_.paths.method[row.path];
    for (std::uint64_t i = all_.paths.first_block[row.path]; i < all_.paths.first_block[row.path + 1]; ++i) {
      named[method].insert(place(method, all_.paths.blocks[i]));
    }
  }
  for (const Branch& branch : branches_) named[branch.method].insert(place(branch.method, branch.bci));
  ordered_json sources = ordered_json::object();
  for (const auto& [method, places] : named) {
    const std::string file = source_file_of(all_.methods[method]);
    ordered_json lines = ordered_json::object();
    for (const std::int64_t line : places) {
      if (line < 0 || file.empty()) continue;
      if (auto text = source(file, static_cast<std::uint32_t>(line))) lines[std::to_string(line)] = std::move(*text);
    }
    if (!lines.empty()) sources[std::to_string(number_of[method])] = std::move(lines);
  }
  return sources;
}

}  // namespace bursar::exports
