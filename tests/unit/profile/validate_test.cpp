#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "profile/freeze.h"
#include "random_profile.h"

namespace bursar::profile {
namespace {

// Small and canonical, with something in every table.
ProfileData sound() {
  ProfileData data;
  data.metrics = {{"allocations", "", MetricKind::kExact, 0}, {"calls", "", MetricKind::kEstimate, 4}};
  data.methods = {{"A", "f", "()V", MethodKind::kJava},
                  {"A", "g", "()V", MethodKind::kJava},
                  {"B", "f", "()V", MethodKind::kNative}};
  data.identity.call_sites = true;
  data.contexts.parent = {kNone, 0, 1, 0};
  data.contexts.method = {0, 1, 2, 1};
  data.contexts.site = {kNoSite, 3, 5, 9};
  data.contexts.columns = {{{1, 2, 3, 4}, {}}, {{1, 2, 3, 4}, {1, 2, 3, 4}}};
  data.edges = {{0, 0}, {3, 9}, {1, 1}, {{{2, 4}, {}}, {{2, 4}, {0, 0}}}};
  data.threads = {{"a", {0, 1}, {{{1, 1}, {}}, {{1, 1}, {0, 0}}}}, {"b", {}, {{}, {}}}};
  data.paths = {{0, 0}, {0, 2, 3}, {0, 7, 4}, {1, 0}, {{5, 6}, {}}, MetricKind::kExact};
  data.branches = {{1, 1}, {4, 4}, {0, 1}, {{8, 9}, {}}, MetricKind::kSamples};
  data.lines = {{0, 1}, {7, 4}, {12, 30}};
  data.series = {{"density", "", {1, 1, 2}, {0, kNone, 1}, {0.5, 0.25, 0.0}}};
  return data;
}

TEST(Validate, finds_nothing_wrong_with_sound_data) {
  EXPECT_EQ(validate(sound()), std::vector<std::string>());
  EXPECT_TRUE(accept_canonical(sound()).ok());
  EXPECT_TRUE(freeze(sound()).value().data() == sound());
}

TEST(Validate, names_every_deviation_from_the_canonical_form) {
  const std::pair<const char*, std::function<void(ProfileData&)>> kDamages[] = {
      {"metric 1 is out of order", [](ProfileData& d) { d.metrics[1].name = "a"; }},
      {"metric 0 (calls) has the scale",
       [](ProfileData& d) {
         d.metrics = {{"calls", "", MetricKind::kExact, 1}};
       }},
      {"has no name", [](ProfileData& d) { d.metrics[0].name = ""; }},
      {"unknown kind 7", [](ProfileData& d) { d.metrics[0].kind = static_cast<MetricKind>(7); }},
      {"method 1 is out of order", [](ProfileData& d) { std::swap(d.methods[0], d.methods[1]); }},
      {"method 1 is out of order", [](ProfileData& d) { d.methods[1] = d.methods[0]; }},
      {"unknown kind 4", [](ProfileData& d) { d.methods[2].kind = static_cast<MethodKind>(4); }},
      {"method 2 (f) is named by nobody", [](ProfileData& d) { d.contexts.method[2] = 0; }},
      {"has a descriptor", [](ProfileData& d) { d.identity.descriptors = false; }},
      {"its parent 2 is not on the way",
       [](ProfileData& d) {
         d.contexts.parent = {kNone, 0, 0, 2};
         d.contexts.method = {0, 1, 2, 0};
         d.contexts.parent[1] = 2;
       }},
      {"context 3 is out of order or there twice among its siblings",
       [](ProfileData& d) { d.contexts.site[3] = d.contexts.site[1]; }},
      {"context 0 has a call site but no caller", [](ProfileData& d) { d.contexts.site[0] = 4; }},
      {"the profile says that contexts have none", [](ProfileData& d) { d.identity.call_sites = false; }},
      {"edge 1 is out of order", [](ProfileData& d) { d.edges.site[1] = 3; }},
      {"caller of edge 1 is 3", [](ProfileData& d) { d.edges.caller[1] = 3; }},
      {"thread 1 is out of order", [](ProfileData& d) { d.threads[1].name = "a"; }},
      {"thread 0: context 1 is out of order", [](ProfileData& d) { d.threads[0].context[1] = 0; }},
      {"thread 0 (a): column calls (variance) has 0", [](ProfileData& d) { d.threads[0].columns[1].variance.clear(); }},
      {"path 1 is out of order", [](ProfileData& d) { d.paths.blocks[2] = 0; }},
      {"path 1 ends before it starts", [](ProfileData& d) { d.paths.first_block[1] = 4; }},
      {"first_block does not run", [](ProfileData& d) { d.paths.first_block[2] = 2; }},
      {"branch 1 is out of order", [](ProfileData& d) { d.branches.outcome[1] = 0; }},
      {"branches: there are none, yet not exact",
       [](ProfileData& d) {
         d.branches = {{}, {}, {}, {}, MetricKind::kSamples};
       }},
      {"line 1 is out of order", [](ProfileData& d) { d.lines.method[1] = 0; }},
      {"method of line 1 is 3", [](ProfileData& d) { d.lines.method[1] = 3; }},
      {"lines: bci has 1", [](ProfileData& d) { d.lines.bci.pop_back(); }},
      {"series 0: point 1 is out of order", [](ProfileData& d) { d.series[0].time_ns[0] = 2; }},
      {"point 2 is a negative zero", [](ProfileData& d) { d.series[0].value[2] = -0.0; }},
      {"thread of point 2 is 2", [](ProfileData& d) { d.series[0].thread[2] = 2; }},
  };
  for (const auto& [expected, damage] : kDamages) {
    ProfileData data = sound();
    damage(data);
    const std::vector<std::string> findings = validate(data);
    bool found = false;
    for (const std::string& finding : findings) found = found || finding.find(expected) != std::string::npos;
    EXPECT_TRUE(found) << expected << ", but: " << (findings.empty() ? "nothing" : findings.front());
    EXPECT_FALSE(accept_canonical(data).ok()) << expected;
  }
}

TEST(Validate, refuses_a_native_beside_a_java_method_without_descriptors) {
  ProfileData data = sound();
  data.identity.descriptors = false;
  for (Method& method : data.methods) method.descriptor.clear();
  data.methods[1] = {"A", "f", "", MethodKind::kNative};
  ASSERT_EQ(validate(data).size(), 1U);
  EXPECT_NE(validate(data)[0].find("there as a Java method too"), std::string::npos);
}

TEST(Validate, stops_at_the_limit) {
  ProfileData data = sound();
  data.contexts.method = {9, 9, 9, 9};
  EXPECT_EQ(validate(data, 2).size(), 2U);
  EXPECT_EQ(validate(data).size(), 4U);
}

}  // namespace
}  // namespace bursar::profile
