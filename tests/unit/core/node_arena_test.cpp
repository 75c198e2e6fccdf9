#include "core/node_arena.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "core/common_nodes.h"
#include "probe.h"

namespace bursar::core {
namespace {

NodeAddress address_in(void* memory) {
  return reinterpret_cast<NodeAddress>(memory) + kAddressInNode;
}

TEST(NodeArena, finds_the_node_of_every_slot) {
  std::mt19937_64 random(3);
  NodeArena arena;
  std::map<NodeAddress, std::uint32_t> sites_of;
  for (int i = 0; i < 3'000; ++i) {
    if (random() % 3 == 0) {
      ASSERT_NE(arena.allocate(1 + random() % 100), nullptr);
    }
    const auto sites = static_cast<std::uint32_t>(random() % 50 == 0 ? random() % (kMaxSites + 1) : random() % 12);
    void* memory = arena.allocate_node(sites);
    ASSERT_NE(memory, nullptr);
    sites_of[address_in(memory)] = sites;
  }
  for (const auto& [node, sites] : sites_of) {
    EXPECT_EQ(node % kSlotSize, 8U);
    EXPECT_EQ(NodeArena::node_of(node), node);
    for (int i = 0; i < 20; ++i) {
      const SlotAddress slot = slot_address(node, static_cast<std::uint32_t>(random() % (sites + 1)));
      ASSERT_EQ(NodeArena::node_of(slot), node);
    }
    EXPECT_EQ(NodeArena::node_of(slot_address(node, sites)), node);
  }
}

TEST(NodeArena, gives_out_zeroed_memory_that_does_not_overlap) {
  NodeArena arena;
  std::vector<std::pair<std::byte*, std::size_t>> given;
  for (std::size_t i = 0; i < 2'000; ++i) {
    const std::size_t bytes = 1 + i * 37 % 5'000;
    auto* memory = static_cast<std::byte*>(arena.allocate(bytes));
    ASSERT_NE(memory, nullptr);
    for (std::size_t b = 0; b < bytes; ++b) ASSERT_EQ(memory[b], std::byte{0});
    std::fill_n(memory, bytes, std::byte{0xee});
    given.emplace_back(memory, bytes);
  }
  std::sort(given.begin(), given.end());
  for (std::size_t i = 1; i < given.size(); ++i) ASSERT_LE(given[i - 1].first + given[i - 1].second, given[i].first);
  EXPECT_GE(arena.bytes(), 2'000U * 2'000);
}

TEST(NodeArena, refuses_more_than_a_chunk_holds) {
  NodeArena arena;
  EXPECT_EQ(arena.allocate(NodeArena::kChunkSize), nullptr);
  EXPECT_NE(arena.allocate(NodeArena::kChunkSize - NodeArena::kFirstByte), nullptr);
}

TEST(NodeArena, a_leaf_is_32_bytes) {
  EXPECT_EQ(node_bytes(0), 32U);
}

TEST(NodeArena, of_an_idle_thread_touches_two_pages) {
  NodeArena arena;
  void* memory = arena.allocate_node(1);
  lay_out_node(memory, 0, 1, 0);
  const auto chunk = reinterpret_cast<std::uint64_t>(memory) & ~(NodeArena::kChunkSize - 1);
  std::vector<unsigned char> resident(NodeArena::kChunkSize / 4096);
  ASSERT_EQ(mincore(reinterpret_cast<void*>(chunk), NodeArena::kChunkSize, resident.data()), 0);
  std::size_t pages = 0;
  for (const unsigned char page : resident) pages += page & 1U;
  EXPECT_LE(pages, 2U);
}

TEST(CommonNodes, have_slots_that_name_nobody_whose_method_matches_none) {
  const CommonNodes& common = CommonNodes::instance();
  ASSERT_NE(common.nobody, 0U);
  EXPECT_EQ(load32(common.nobody - 8), kNoMethod);
  EXPECT_EQ(load64(common.nobody), common.nobody);
  EXPECT_NE(common.stranger, common.nobody);
  EXPECT_EQ(load32(common.stranger - 8), kNoMethod);
  for (const NodeAddress node : {common.mute, common.overflow, common.asleep}) {
    const NodeAddress empty = node == common.overflow ? common.stranger : common.nobody;
    EXPECT_EQ(load32(node - 8), kNoMethod);
    EXPECT_EQ(load64(node - 16), node) << "leaving it leads to itself";
    EXPECT_EQ(load64(node), empty);
    for (std::uint32_t k = 1; k <= kMaxSites; ++k) ASSERT_EQ(load64(node - 8 + 16 * k), empty);
  }
}

TEST(CommonNodes, know_their_slots) {
  const CommonNodes& common = CommonNodes::instance();
  for (const std::uint32_t k : {0U, 1U, kMaxSites}) {
    EXPECT_TRUE(common.is_mute(slot_address(common.mute, k)));
    EXPECT_FALSE(common.is_overflow(slot_address(common.mute, k)));
    EXPECT_TRUE(common.is_overflow(slot_address(common.overflow, k)));
    EXPECT_FALSE(common.is_mute(slot_address(common.overflow, k)));
    EXPECT_TRUE(common.is_asleep(slot_address(common.asleep, k)));
    EXPECT_FALSE(common.is_mute(slot_address(common.asleep, k)));
    EXPECT_FALSE(common.is_asleep(slot_address(common.overflow, k)));
    EXPECT_LT(slot_address(common.asleep, k), common.end_of_asleep());
    EXPECT_EQ(NodeArena::node_of(slot_address(common.asleep, k)), 0U);
    EXPECT_EQ(NodeArena::node_of(slot_address(common.mute, k)), 0U);
    EXPECT_EQ(NodeArena::node_of(slot_address(common.overflow, k)), 0U);
  }
  EXPECT_FALSE(common.is_mute(common.nobody));
  EXPECT_FALSE(common.is_overflow(common.nobody));
  EXPECT_FALSE(common.is_mute(0));
  EXPECT_FALSE(common.is_mute(slot_address(common.mute, kMaxSites + 1)));
}

}  // namespace
}  // namespace bursar::core
