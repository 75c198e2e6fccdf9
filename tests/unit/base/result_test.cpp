#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace bursar::base {
namespace {

Result<int> parse_digit(char letter) {
  if (letter < '0' || letter > '9') return Error{std::string("not a digit: ") + letter};
  return letter - '0';
}

TEST(Result, holds_a_value_or_an_error) {
  const Result<int> seven = parse_digit('7');
  ASSERT_TRUE(seven.ok());
  EXPECT_TRUE(static_cast<bool>(seven));
  EXPECT_EQ(*seven, 7);
  const Result<int> wrong = parse_digit('x');
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().message, "not a digit: x");
}

TEST(Result, gives_away_a_value_that_can_only_be_moved) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 5);
}

TEST(Result, says_whether_an_action_was_done) {
  const Status done = Done{};
  EXPECT_TRUE(done.ok());
  const Status failed = Error{"no"};
  EXPECT_FALSE(failed.ok());
}

TEST(ResultDeathTest, stops_the_program_when_the_wrong_one_is_taken) {
  EXPECT_DEATH(static_cast<void>(parse_digit('x').value()), "");
  EXPECT_DEATH(static_cast<void>(parse_digit('1').error()), "");
}

}  // namespace
}  // namespace bursar::base
