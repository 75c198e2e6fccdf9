#include "agent/trust.h"

#include <gtest/gtest.h>

#include "built_class.h"

namespace bursar::agent {
namespace {

constexpr std::uint64_t kRun = 17, kOther = 18;

TEST(Trust, holds_while_nothing_relied_on_goes_uncounted) {
  Trust trust;
  EXPECT_TRUE(trust.rely("A", kRun, false, true));
  trust.found_uncounted("B", kOther, kPublic);
  EXPECT_FALSE(trust.doubted());
  trust.found_uncounted("B", kRun, kPublic);
  EXPECT_TRUE(trust.doubted()) << "B may be a subclass of A";
}

TEST(Trust, tells_static_methods_from_others) {
  Trust trust;
  EXPECT_TRUE(trust.rely("A", kRun, false, true));
  EXPECT_TRUE(trust.rely("A", kOther, true, true));
  trust.found_uncounted("A", kRun, kStatic);
  trust.found_uncounted("A", kOther, 0);
  EXPECT_FALSE(trust.doubted());
  trust.found_uncounted("A", kOther, kStatic);
  EXPECT_TRUE(trust.doubted());
}

TEST(Trust, a_private_method_is_meant_by_calls_that_name_its_class_only) {
  Trust trust;
  EXPECT_TRUE(trust.rely("A", kRun, false, true));
  EXPECT_TRUE(trust.rely("Later", kRun, false, false));
  trust.found_uncounted("A", kRun, kPrivate);
  trust.found_uncounted("Other", kRun, kPrivate);
  EXPECT_FALSE(trust.doubted()) << "A was loaded: the call meant another";
  trust.found_uncounted("Later", kRun, kPrivate);
  EXPECT_TRUE(trust.doubted());
}

TEST(Trust, nothing_relies_on_what_may_be_inherited_uncounted) {
  Trust trust;
  trust.found_uncounted("Super", kRun, kStatic);
  trust.found_uncounted("Super", kOther, kPrivate | kStatic);
  EXPECT_FALSE(trust.rely("Later", kRun, true, false)) << "may be a subclass";
  EXPECT_TRUE(trust.rely("Later", kOther, true, false));
  EXPECT_FALSE(trust.doubted());
}

TEST(Trust, ends_with_a_class_of_which_nothing_is_known) {
  Trust trust;
  trust.doubt();
  EXPECT_TRUE(trust.doubted());
}

}  // namespace
}  // namespace bursar::agent
