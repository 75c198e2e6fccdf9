#include "schemes/history_table.h"

#include <gtest/gtest.h>

namespace bursar::schemes {
namespace {

TEST(HistoryTable, remembers_what_it_was_asked) {
  HistoryTable table(16, Collision::kReplace);
  EXPECT_FALSE(table.seen(5));
  EXPECT_TRUE(table.seen(5));
  EXPECT_FALSE(table.seen(6));
  EXPECT_TRUE(table.seen(5));
}

TEST(HistoryTable, the_later_of_two_that_share_a_place_stays) {
  HistoryTable table(16, Collision::kReplace);
  EXPECT_FALSE(table.seen(5));
  EXPECT_FALSE(table.seen(5 + 16));
  EXPECT_TRUE(table.seen(5 + 16));
  EXPECT_FALSE(table.seen(5));
}

TEST(HistoryTable, or_the_earlier_one) {
  HistoryTable table(16, Collision::kKeep);
  EXPECT_FALSE(table.seen(5));
  EXPECT_FALSE(table.seen(5 + 16));
  EXPECT_FALSE(table.seen(5 + 16));
  EXPECT_TRUE(table.seen(5));
}

TEST(HistoryTable, knows_every_number) {
  HistoryTable table(0, Collision::kReplace);
  for (const Signature signature : {Signature{0}, Signature{1}, ~Signature{1}}) {
    EXPECT_FALSE(table.seen(signature)) << signature;
    EXPECT_TRUE(table.seen(signature)) << signature;
  }
}

}  // namespace
}  // namespace bursar::schemes
