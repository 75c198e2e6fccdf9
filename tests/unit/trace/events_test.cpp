#include "trace/events.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

namespace bursar::trace {
namespace {

using Seen = std::tuple<EventKind, std::uint32_t, std::uint32_t, std::uint64_t>;  // method, site, time

// What a decoder makes of bytes, on top of what it knows already.
std::vector<Seen> decoded(EventDecoder& decoder, base::Bytes bytes, std::uint64_t start, std::uint32_t methods = 1000) {
  std::vector<Seen> seen;
  EXPECT_TRUE(decoder.decode(bytes, start, methods, [&](EventKind kind, std::uint32_t node, std::uint64_t time_ns) {
    seen.emplace_back(kind, decoder.tree().method[node], decoder.tree().site[node], time_ns);
  })) << decoder.error();
  return seen;
}

TEST(Events, come_back_as_they_were) {
  EventEncoder encoder;
  encoder.frame(1, kNoSite, 1600);
  encoder.call(2, 7, 1616);
  encoder.call(2, 0, 1632);
  encoder.ret(1'000'000);
  encoder.ret(1'000'016);
  encoder.call(2, 7, 1'000'032);
  const std::uint64_t start = encoder.pending_start();
  const std::vector<std::uint8_t> bytes = encoder.take_pending();
  EventDecoder decoder;
  const std::vector<Seen> expected = {{EventKind::kFrame, 1, kNoSite, 1600}, {EventKind::kCall, 2, 7, 1616},
                                      {EventKind::kCall, 2, 0, 1632},        {EventKind::kReturn, 2, 0, 1'000'000},
                                      {EventKind::kReturn, 2, 7, 1'000'016}, {EventKind::kCall, 2, 7, 1'000'032}};
  EXPECT_EQ(decoded(decoder, bytes, start), expected);
  EXPECT_EQ(decoder.tree().size(), 4U);
  EXPECT_EQ(encoder.events(), 6U);
}

TEST(Events, go_on_in_the_next_chunk) {
  EventEncoder encoder;
  encoder.call(1, kNoSite, 160);
  EventDecoder decoder;
  EXPECT_EQ(decoded(decoder, encoder.take_pending(), 10).size(), 1U);
  encoder.call(2, 3, 320);
  encoder.ret(336);
  EXPECT_EQ(encoder.pending_start(), 20U);
  const std::vector<Seen> expected = {{EventKind::kCall, 2, 3, 320}, {EventKind::kReturn, 2, 3, 336}};
  EXPECT_EQ(decoded(decoder, encoder.take_pending(), 20), expected);
}

TEST(Events, a_clock_that_goes_back_stands_still) {
  EventEncoder encoder;
  encoder.call(1, kNoSite, 1600);
  encoder.call(2, 3, 320);
  EventDecoder decoder;
  EXPECT_EQ(std::get<3>(decoded(decoder, encoder.take_pending(), 100).back()), 1600U);
}

TEST(Events, a_return_from_nothing_is_left_out) {
  EventEncoder encoder;
  encoder.ret(5);
  EXPECT_EQ(encoder.events(), 0U);
  EXPECT_EQ(encoder.pending_bytes(), 0U);
}

TEST(Events, of_a_busy_program_take_less_than_two_bytes) {
  EventEncoder encoder;
  std::mt19937 random(1);
  int depth = 0;
  std::uint64_t now = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    now += 20 + random() % 100;
    if (depth > 0 && (depth == 8 || random() % 2 == 0)) {
      encoder.ret(now);
      --depth;
    } else {
      const auto site = static_cast<std::uint32_t>(random() % 3);
      encoder.call(site * 7, site, now);
      ++depth;
    }
  }
  EXPECT_LT(encoder.pending_bytes(), 1'800'000U);
}

TEST(Events, random_ones_come_back) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const auto number = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
    EventEncoder encoder;
    EventDecoder decoder;
    std::vector<Seen> expected, found;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;
    std::uint64_t now = 0;
    for (int i = 0; i < 3000; ++i) {
      now += (random() % 5 == 0 ? random() % 1'000'000 : random() % 1000) / 16 * 16;
      if (!stack.empty() && random() % 2 == 0) {
        expected.emplace_back(EventKind::kReturn, stack.back().first, stack.back().second, now);
        stack.pop_back();
        encoder.ret(now);
      } else {
        stack.emplace_back(number(40), number(4) == 0 ? kNoSite : number(65535));
        expected.emplace_back(EventKind::kCall, stack.back().first, stack.back().second, now);
        encoder.call(stack.back().first, stack.back().second, now);
      }
      if (random() % 100 == 0 || i == 2999) {
        const std::uint64_t start = encoder.pending_start();
        const std::vector<std::uint8_t> bytes = encoder.take_pending();
        for (const Seen& seen : decoded(decoder, bytes, start)) found.push_back(seen);
      }
    }
    ASSERT_EQ(found, expected) << seed;
  }
}

TEST(Events, bytes_that_make_no_sense_are_refused) {
  const auto refused = [](std::vector<std::uint8_t> bytes) {
    EventDecoder decoder;
    return decoder.decode(bytes, 0, 10, [](EventKind, std::uint32_t, std::uint64_t) {}) ? "" : decoder.error();
  };
  EXPECT_EQ(refused({1, 0, 3, 0}), "");
  EXPECT_EQ(refused({0}), "a return from no method");
  EXPECT_EQ(refused({3}), "an unknown event");
  EXPECT_EQ(refused({1, 1}), "a call of an unknown method or context");
  EXPECT_EQ(refused({1, 0, 10, 0}), "a call of an unknown method or context");
  EXPECT_EQ(refused({1, 0, 3, 0xff, 0xff, 0xff, 1}), "a call of an unknown method or context");
  EXPECT_EQ(refused({1, 0, 3}), "a call of an unknown method or context");
  EXPECT_EQ(refused({1, 0, 3, 0, 1}), "an event that is cut off");
  EXPECT_EQ(refused({0xfd}), "an event that is cut off");
  EXPECT_EQ(refused({0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 3, 0}), "a time beyond that of any run");
}

}  // namespace
}  // namespace bursar::trace
