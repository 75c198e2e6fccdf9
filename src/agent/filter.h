// Filter: which methods the user wants to see (--include, --exclude).
//
// A pattern is matched against the class (com.acme.Shop) and against the method (com.acme.Shop.open); * stands for any
// text. A method is wanted if it, or its class, matches an include (or there are none) and no exclude.
// Immutable after construction.
// Runs in: any
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bursar::agent {

class Filter {
 public:
  Filter() = default;
  Filter(std::vector<std::string> include, std::vector<std::string> exclude)
      : include_(std::move(include)), exclude_(std::move(exclude)) {}

  bool wants_everything() const { return include_.empty() && exclude_.empty(); }
  // `class_name` as the class file has it: com/acme/Shop.
  bool wants(std::string_view class_name, std::string_view method) const;

 private:
  std::vector<std::string> include_, exclude_;
};

bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace bursar::agent
