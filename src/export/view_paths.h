// What the viewer's page tells of paths and branches, as JSON among its facts (view_page.h):
//
//   kind       exact, or samples: then numbers are weights
//   runs       of all paths, for each profile; flow likewise: runs times the branches along them
//   different  paths there are; rows has the hottest of them, by flow
//   rows       [method, branches along it, [place of each block], number for each profile …]
//   branches   [method, place, bytecode index, [outcome, number for each profile …] …], those that ran most often first
//   sources    by method, by line: the text, of lines that something above names and that could be read
//
// A place is a source line, or ~bytecode index where that is not known.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/path_summary.h"
#include "profile/profile.h"

namespace bursar::exports {

// A line of a source file (a/b/C.java), where it can be had.
using SourceLine = std::function<std::optional<std::string>(const std::string& file, std::uint32_t line)>;

// The paths of a page. `all` is the profile itself, or two merged; `each` has what is told apart, one or two.
class ViewedPaths {
 public:
  ViewedPaths(const profile::ProfileData& all, std::vector<const profile::ProfileData*> each);

  bool empty() const { return rows_.empty() && branches_.empty(); }
  // Methods that are named, each once or more.
  std::vector<profile::MethodId> methods() const;
  // Methods as `number_of` has them.
  nlohmann::ordered_json json(const std::vector<std::uint32_t>& number_of, const SourceLine& source) const;

 private:
  struct Row {
    std::size_t path;  // of all_.paths
    std::vector<std::uint64_t> counts;
  };
  struct Branch {
    profile::MethodId method;
    std::uint32_t bci;
    std::vector<std::vector<std::uint64_t>> outcomes;  // each its number, then counts
  };

  void find_rows(const analysis::PathSummary& summary);
  void find_branches(const analysis::PathSummary& summary);
  std::int64_t place(profile::MethodId method, std::uint32_t bci) const;
  nlohmann::ordered_json sources(const std::vector<std::uint32_t>& number_of, const SourceLine& source) const;

  const profile::ProfileData& all_;
  std::vector<const profile::ProfileData*> each_;
  std::vector<Row> rows_;
  std::vector<Branch> branches_;
  std::vector<double> runs_, flow_;  // of each
};

}  // namespace bursar::exports
