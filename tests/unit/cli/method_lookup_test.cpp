#include "cli/method_lookup.h"

#include <gtest/gtest.h>

namespace bursar::cli {
namespace {

class MethodLookup : public testing::Test {
 protected:
  MethodLookup() {
    data_.methods = {{"a.b.Cart", "add", "(I)V"},
                     {"a.b.Cart", "add", "(J)V"},
                     {"a.b.Cart", "total", "()V"},
                     {"a.b.Map$Entry", "get", "()V"},
                     {"c.Cart", "total", "()V"},
                     {"c.Smart", "tool@7", "()V"},
                     {"", "read", "", profile::MethodKind::kNative}};
  }

  std::string found(const std::string& text) {
    const MethodNames names(data_);
    const auto method = find_method(data_, names, text);
    return method ? names.full(*method) : "error: " + method.error().message;
  }

  profile::ProfileData data_;
};

TEST_F(MethodLookup, what_verbs_print_is_found) {
  const MethodNames names(data_);
  for (profile::MethodId method = 0; method < data_.methods.size(); ++method) {
    EXPECT_EQ(*find_method(data_, names, names.full(method)), method);
  }
}

TEST_F(MethodLookup, the_end_of_a_name_is_enough_where_it_means_one) {
  EXPECT_EQ(found("add(long)"), "a.b.Cart.add(long)");
  EXPECT_EQ(found("Entry.get"), "a.b.Map$Entry.get");
  EXPECT_EQ(found("get"), "a.b.Map$Entry.get");
  EXPECT_EQ(found("b.Cart.total"), "a.b.Cart.total");
}

TEST_F(MethodLookup, several_are_listed) {
  EXPECT_EQ(found("a.b.Cart.add"),
            "error: a.b.Cart.add may be 2 methods: a.b.Cart.add(int), a.b.Cart.add(long); say which");
  EXPECT_EQ(found("Cart.total"), "error: Cart.total may be 2 methods: a.b.Cart.total, c.Cart.total; say which");
}

TEST_F(MethodLookup, a_name_ends_at_a_part) {
  EXPECT_EQ(found("art.total"), "error: no method art.total; names that hold this: a.b.Cart.total, c.Cart.total");
}

TEST_F(MethodLookup, a_slip_gets_a_suggestion) {
  EXPECT_EQ(found("Entry.gte"), "error: no method Entry.gte");
  EXPECT_EQ(found("Map$Entry.gte"), "error: no method Map$Entry.gte (did you mean Map$Entry.get?)");
}

TEST_F(MethodLookup, a_site_follows_an_at) {
  const MethodNames names(data_);
  const auto at = find_method_at_site(data_, names, "read@17");
  ASSERT_TRUE(at.ok());
  EXPECT_EQ(at->method, 6U);
  EXPECT_EQ(at->site, 17U);
  const auto without = find_method_at_site(data_, names, "read");
  ASSERT_TRUE(without.ok());
  EXPECT_EQ(without->site, std::nullopt);
  EXPECT_FALSE(find_method_at_site(data_, names, "read@").ok());
  EXPECT_FALSE(find_method_at_site(data_, names, "read@x").ok());
  EXPECT_FALSE(find_method_at_site(data_, names, "@3").ok());
}

// A method of another language may have such a name.
TEST_F(MethodLookup, a_whole_name_goes_before_a_site) {
  const MethodNames names(data_);
  const auto whole = find_method_at_site(data_, names, "c.Smart.tool@7");
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole->method, 5U);
  EXPECT_EQ(whole->site, std::nullopt);
}

}  // namespace
}  // namespace bursar::cli
