#include "export/compiler_directives.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bursar::exports {
namespace {

using analysis::InlineRoot;

const std::vector<profile::Method> kMethods = {{"com.acme.Shop", "serve", "(I)V"},
                                               {"com.acme.Cart$Item", "<init>", "(Ljava/lang/String;[I)V"},
                                               {"com.acme.Log", "off", "()V"},
                                               {"com.acme.Shop$$Lambda", "run", "()V"}};
enum : profile::MethodId { kServe, kInit, kOff, kLambda };

TEST(CompilerDirectives, are_json_with_a_directive_for_each_root) {
  const std::vector<InlineRoot> roots = {{.method = kServe, .inlined = {kInit}, .refused = {kOff}},
                                         {.method = kOff, .inlined = {kInit}}};
  const CompilerDirectives directives = compiler_directives(kMethods, roots, 10, Refusals::kWritten);
  const auto json = nlohmann::json::parse(directives.text);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json[0]["match"], nlohmann::json({"com/acme/Shop.serve(I)V"}));
  EXPECT_EQ(json[0]["c2"]["inline"],
            nlohmann::json({"+com/acme/Cart$Item.<init>(Ljava/lang/String;[I)V", "-com/acme/Log.off()V"}));
  EXPECT_EQ(directives.roots.size(), 2U);
  EXPECT_EQ(directives.unnamed_methods, 0U);
}

TEST(CompilerDirectives, refuse_only_where_asked_to) {
  const CompilerDirectives directives = compiler_directives(
      kMethods, {{.method = kServe, .inlined = {kInit}, .refused = {kOff}}}, 10, Refusals::kLeftOut);
  EXPECT_EQ(directives.text.find('-'), std::string::npos);
}

TEST(CompilerDirectives, leave_out_and_count_what_cannot_be_named) {
  const std::vector<InlineRoot> roots = {{.method = kLambda, .inlined = {kInit}},
                                         {.method = kServe, .inlined = {kInit, kLambda}},
                                         {.method = kOff, .inlined = {kLambda}}};
  const CompilerDirectives directives = compiler_directives(kMethods, roots, 10, Refusals::kLeftOut);
  ASSERT_EQ(directives.roots.size(), 1U);
  EXPECT_EQ(directives.roots[0].inlined, (std::vector<profile::MethodId>{kInit}));
  EXPECT_EQ(directives.unnamed_methods, 1U);
}

TEST(CompilerDirectives, stop_at_the_limit_and_say_how_many_were_left) {
  const std::vector<InlineRoot> roots(3, {.method = kServe, .inlined = {kInit}});
  const CompilerDirectives directives = compiler_directives(kMethods, roots, 2, Refusals::kLeftOut);
  EXPECT_EQ(directives.roots.size(), 2U);
  EXPECT_EQ(directives.beyond_limit, 1U);
}

TEST(CompilerDirectives, none_are_an_empty_list) {
  EXPECT_EQ(compiler_directives(kMethods, {}, 10, Refusals::kLeftOut).text, "[\n]\n");
}

}  // namespace
}  // namespace bursar::exports
