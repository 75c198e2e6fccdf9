#include "analysis/profile_pair.h"

#include <tuple>

#include "analysis/metric_weights.h"
#include "profile/merge.h"

namespace bursar::analysis {
namespace {

using profile::Method;

// Merges the two tables, which are sorted. With descriptors left out, overloads stand next to each other and get one
// number.
class MethodMerger {
 public:
  MethodMerger(ProfilePair& pair, bool descriptors) : pair_(pair), descriptors_(descriptors) {}

  void merge() {
    const std::vector<Method>& a = pair_.truth.data().methods;
    const std::vector<Method>& b = pair_.estimate.data().methods;
    pair_.truth.method_number.reserve(a.size());
    pair_.estimate.method_number.reserve(b.size());
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size()) {
      const bool from_truth = j == b.size() || (i < a.size() && key(a[i]) <= key(b[j]));
      const Method& least = from_truth ? a[i] : b[j];
      const std::uint32_t number = pair_.methods++;
      i = take_equal(a, i, least, number, pair_.truth);
      j = take_equal(b, j, least, number, pair_.estimate);
    }
  }

 private:
  std::tuple<const std::string&, const std::string&, const std::string&> key(const Method& method) const {
    static const std::string kLeftOut;
    return {method.class_name, method.name, descriptors_ ? method.descriptor : kLeftOut};
  }

  std::size_t take_equal(const std::vector<Method>& methods, std::size_t next, const Method& least,
                         std::uint32_t number, ProfileSide& side) {
    std::optional<std::uint32_t> of_overflow;
    for (; next < methods.size() && key(methods[next]) == key(least); ++next) {
      const bool overflow = methods[next].kind == profile::MethodKind::kOverflow;
      if (overflow && !of_overflow) of_overflow = pair_.methods++;
      side.method_number.push_back(overflow ? *of_overflow : number);
    }
    return next;
  }

  ProfilePair& pair_;
  bool descriptors_;
};

}  // namespace

base::Result<ProfilePair> pair_profiles(const profile::Profile& truth, const profile::Profile& estimate,
                                        const std::string& truth_metric, const std::string& estimate_metric) {
  auto identity = profile::common_identity(truth->identity, estimate->identity);
  if (!identity) return identity.error();
  auto of_truth = choose_metric(truth, truth_metric);
  if (!of_truth) return base::Error{"truth: " + of_truth.error().message};
  auto of_estimate = choose_metric(estimate, estimate_metric);
  if (!of_estimate) return base::Error{"estimate: " + of_estimate.error().message};

  ProfilePair pair;
  pair.truth = {&truth, *of_truth, {}};
  pair.estimate = {&estimate, *of_estimate, {}};
  pair.identity = *identity;
  MethodMerger(pair, identity->descriptors).merge();
  return pair;
}

}  // namespace bursar::analysis
