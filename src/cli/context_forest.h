// ContextForest: the part of a context tree that is shown, in the order in which it is shown.
//
// Siblings come hottest first. What is cut off (too deep, too small, without the method asked for) is one row where it
// is missing, so that the rows below any context add up to its subtree. Never recurses: depth is no limit.
// Keeps a reference: the profile must outlive it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/summary.h"
#include "base/result.h"
#include "profile/profile.h"

namespace bursar::cli {

struct ForestOptions {
  std::size_t max_depth = 0;  // 0 is no limit; roots alone are 1
  double min_share_percent = 0;
  std::string thread = {};  // empty for all
  std::string method = {};  // part of a method's name; keeps contexts that hold it, those above and those below
};

struct ForestRow {
  profile::ContextId context;     // kNone: stands for what is left out here
  std::size_t depth;              // roots are 0
  bool last;                      // no sibling follows
  const std::vector<bool>& open;  // for each depth up to this one: do siblings follow there?
  std::size_t left_out = 0;
  double left_out_amount = 0;
};

class ContextForest {
 public:
  // Fails if there is no such thread or no such method.
  static base::Result<ContextForest> make(const profile::ProfileData& data, std::size_t metric,
                                          const ForestOptions& options);

  const profile::ProfileData& data() const { return *data_; }
  analysis::Amount own(profile::ContextId context) const;
  analysis::Amount subtree(profile::ContextId context) const;
  double total() const { return total_; }

  // Calls `visit` for each row until it returns false.
  void walk(const std::function<bool(const ForestRow&)>& visit) const;

 private:
  // The children of one context: those shown, hottest first, and the sum of the others.
  struct Level {
    std::vector<profile::ContextId> shown;
    std::size_t next = 0;
    std::size_t left_out = 0;
    double left_out_amount = 0;

    bool done() const { return next == shown.size() + (left_out > 0 ? 1 : 0); }
  };

  ContextForest(const profile::ProfileData& data, const ForestOptions& options) : data_(&data), options_(options) {}

  base::Status load(std::size_t metric);
  base::Status select_wanted();
  void link();
  Level level_below(profile::ContextId context, std::size_t depth) const;

  const profile::ProfileData* data_;
  ForestOptions options_;
  double total_ = 0;
  double threshold_ = 0;
  std::vector<double> own_, own_variance_, below_, below_variance_;
  std::vector<std::uint8_t> present_;      // in the tree asked for (all, or the thread's)
  std::vector<std::uint8_t> wanted_;       // passes the filter by method
  std::vector<std::uint32_t> below_size_;  // present contexts of the subtree, itself included
  // Children as linked lists in canonical order; roots hang from the entry after the last context.
  std::vector<profile::ContextId> first_child_, next_sibling_;
};

}  // namespace bursar::cli
