#include "classfile/skip_reason.h"

#include <gtest/gtest.h>

#include <set>

namespace bursar::classfile {
namespace {

TEST(SkipReason, every_one_has_a_name_of_its_own) {
  EXPECT_EQ(kSkipReasonNames.size(), static_cast<std::size_t>(SkipReason::kBadProbe) + 1);
  const std::set<std::string_view> names(kSkipReasonNames.begin(), kSkipReasonNames.end());
  EXPECT_EQ(names.size(), kSkipReasonNames.size());
  EXPECT_FALSE(names.contains(""));
}

TEST(SkipReason, names_stand_in_the_order_of_the_reasons) {
  EXPECT_EQ(name(SkipReason::kMalformedCode), "malformed-code");
  EXPECT_EQ(name(SkipReason::kMissingFrame), "missing-frame");
  EXPECT_EQ(name(SkipReason::kOverCompileLimit), "over-compile-limit");
  EXPECT_EQ(name(SkipReason::kBadProbe), "bad-probe");
}

}  // namespace
}  // namespace bursar::classfile
