#include "analysis/devirtualisation.h"

#include <gtest/gtest.h>

#include "hand_profile.h"

namespace bursar::analysis {
namespace {

// X and Y are methods run() of two classes.
HandProfile with_two_runs(profile::Identity identity = {}) {
  HandProfile profile(identity);
  profile.named("X", "t.X", "run").named("Y", "t.Y", "run");
  return profile;
}

std::vector<SiteTarget> found(const profile::Profile& profile, double least_calls = 0) {
  return site_targets(profile, 0, least_calls);
}

// At one site both are called, as often: they are virtual, and that site has no main target.
HandProfile with_virtual_runs() {
  return with_two_runs().edge("B", 9, "X", 1).edge("B", 9, "Y", 1);
}

TEST(Devirtualisation, a_site_with_one_target_counts_where_that_is_one_of_several_elsewhere) {
  const profile::Profile profile = with_virtual_runs().edge("A", 1, "X", 70).edge("A", 2, "Y", 30).frozen();
  const std::vector<SiteTarget> sites = found(profile);
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_EQ(sites[0].kind, TargetKind::kOnlyTarget);
  EXPECT_EQ(sites[0].site, 1U);
  EXPECT_EQ(profile->methods[sites[0].callee].class_name, "t.X");
  EXPECT_EQ(sites[0].target_share, 1);
}

TEST(Devirtualisation, a_method_that_is_alone_at_every_site_may_as_well_be_static) {
  EXPECT_TRUE(found(with_two_runs().edge("A", 1, "X", 70).edge("A", 2, "Y", 30).frozen()).empty());
}

TEST(Devirtualisation, one_target_with_nine_tenths_is_the_main_one) {
  const auto sites = [](std::uint64_t others) {
    return found(with_two_runs().edge("A", 1, "X", 90).edge("A", 1, "Y", others).frozen());
  };
  ASSERT_EQ(sites(10).size(), 1U);
  EXPECT_EQ(sites(10)[0].kind, TargetKind::kMainTarget);
  EXPECT_EQ(sites(10)[0].targets, 2U);
  EXPECT_DOUBLE_EQ(sites(10)[0].target_share, 0.9);
  EXPECT_TRUE(sites(11).empty());
}

TEST(Devirtualisation, what_the_vm_calls_at_the_same_place_is_no_target) {
  const profile::Profile profile =
      with_virtual_runs().named("I", "t.X", "<clinit>").edge("A", 1, "X", 10).edge("A", 1, "I", 90).frozen();
  ASSERT_EQ(found(profile).size(), 1U);
  EXPECT_EQ(found(profile)[0].kind, TargetKind::kOnlyTarget);
  EXPECT_EQ(found(profile)[0].calls, 10);
}

TEST(Devirtualisation, a_target_for_each_calling_context_is_found_where_none_is_overall) {
  const profile::Profile profile =
      with_two_runs({.call_sites = true}).context("M;P@1;A@5;X@7", 60).context("M;Q@2;A@6;Y@7", 40).frozen();
  const std::vector<SiteTarget> sites = found(profile);
  ASSERT_EQ(sites.size(), 1U);
  EXPECT_EQ(sites[0].kind, TargetKind::kInContext);
  EXPECT_EQ(sites[0].site, 7U);
  EXPECT_EQ(sites[0].contexts, 2U);
  EXPECT_EQ(sites[0].calls, 100);
  EXPECT_DOUBLE_EQ(sites[0].target_share, 1);
}

TEST(Devirtualisation, contexts_that_mix_targets_are_none) {
  const profile::Profile profile = with_two_runs({.call_sites = true})
                                       .context("M;P@1;A@5;X@7", 60)
                                       .context("M;P@1;A@5;Y@7", 40)
                                       .context("M;Q@2;A@6;Y@7", 40)
                                       .frozen();
  EXPECT_TRUE(found(profile).empty());
}

TEST(Devirtualisation, contexts_without_call_sites_tell_callers_apart_all_the_same) {
  const profile::Profile profile = with_two_runs().context("M;P;A;X", 60).context("M;Q;A;Y", 40).frozen();
  ASSERT_EQ(found(profile).size(), 1U);
  EXPECT_EQ(found(profile)[0].kind, TargetKind::kInContext);
  EXPECT_EQ(found(profile)[0].site, profile::kNoSite);
}

TEST(Devirtualisation, sites_with_few_calls_are_left_out) {
  const profile::Profile profile = with_virtual_runs().edge("A", 1, "X", 70).edge("A", 2, "Y", 30).frozen();
  EXPECT_EQ(found(profile, 31).size(), 1U);
}

}  // namespace
}  // namespace bursar::analysis
