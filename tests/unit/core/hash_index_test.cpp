#include "core/hash_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <unordered_set>

#include "core/count_table.h"

namespace bursar::core {
namespace {

TEST(HashIndex, is_empty_at_first_and_has_no_memory) {
  const HashIndex index;
  EXPECT_EQ(index.find(7, [](std::uint64_t) { return true; }), 0U);
  EXPECT_EQ(index.bytes(), 0U);
}

TEST(HashIndex, finds_what_was_inserted_also_when_hashes_collide) {
  std::mt19937_64 random(1);
  HashIndex index;
  std::multimap<std::uint64_t, std::uint64_t> oracle;
  for (std::uint64_t number = 1; number <= 5'000; ++number) {
    // Few hashes, all of which begin their search at one of four places.
    const std::uint64_t hash = random() % 300 << 32 | random() % 4;
    ASSERT_TRUE(index.reserve(1));
    index.insert(hash, number);
    oracle.emplace(hash, number);
  }
  for (const auto& [hash, number] : oracle) {
    EXPECT_EQ(index.find(hash, [&](std::uint64_t found) { return found == number; }), number);
    EXPECT_EQ(index.find(hash, [](std::uint64_t) { return false; }), 0U);
  }
  EXPECT_EQ(index.find(5, [](std::uint64_t) { return true; }), 0U);
  EXPECT_EQ(index.size(), 5'000U);
}

TEST(HashIndex, makes_room_for_many_at_once) {
  HashIndex index;
  ASSERT_TRUE(index.reserve(1'000));
  const std::size_t bytes = index.bytes();
  for (std::uint64_t number = 1; number <= 1'000; ++number) index.insert(hash_of(number, 0), number);
  EXPECT_EQ(index.bytes(), bytes);
}

TEST(HashIndex, says_so_when_there_is_no_memory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers end the program instead";
#endif
  HashIndex index;
  ASSERT_TRUE(index.reserve(1));
  index.insert(1, 10);
  EXPECT_FALSE(index.reserve(std::size_t{1} << 55));
  EXPECT_EQ(index.find(1, [](std::uint64_t) { return true; }), 10U);
}

TEST(HashOf, is_different_for_different_first_words) {
  std::unordered_set<std::uint64_t> hashes, low_bits;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const std::uint64_t hash = hash_of(0x7f00'0000'0000 + 16 * i, 0xffff'ffff'0000'0007);
    hashes.insert(hash);
    low_bits.insert(hash & 0x1ffff);
  }
  EXPECT_EQ(hashes.size(), 100'000U);
  // Thrown at random into 131,072 places, 100,000 balls hit some 70,000 of them.
  EXPECT_GT(low_bits.size(), 68'000U);
}

TEST(CountTable, counts_by_key) {
  std::mt19937_64 random(2);
  CountTable table;
  std::map<CountTable::Key, std::uint64_t> oracle;
  for (int i = 0; i < 20'000; ++i) {
    const auto digit = [&] { return static_cast<std::uint32_t>(random() % 12) - 1; };
    const CountTable::Key key = {digit(), digit(), digit()};
    EXPECT_EQ(table.find(key) == CountTable::kNoRow, !oracle.contains(key));
    const std::uint32_t row = table.find_or_add(key);
    ASSERT_LT(row, table.size());
    const std::uint64_t more = random() % 100;
    table.add(row, more);
    oracle[key] += more;
  }
  ASSERT_EQ(table.size(), oracle.size());
  for (std::size_t row = 0; row < table.size(); ++row) EXPECT_EQ(table.counts()[row], oracle.at(table.key(row)));
}

}  // namespace
}  // namespace bursar::core
