#include "trace/trace_file.h"

#include <gtest/gtest.h>

#include <fstream>

namespace bursar::trace {
namespace {

using Bytes = std::vector<std::uint8_t>;

class TraceFile : public testing::Test {
 protected:
  TraceFile() : path(testing::TempDir() + "trace_file_test_" + std::to_string(getpid())) {}
  ~TraceFile() override { std::remove(path.c_str()); }

  std::unique_ptr<TraceWriter> writer(std::uint64_t max_bytes = 1 << 30) {
    return std::move(TraceWriter::create(path, max_bytes).value());
  }
  std::unique_ptr<TraceReader> reader() { return std::move(TraceReader::open(path).value()); }
  Bytes content() {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const Bytes& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  void write_small_trace() {
    const auto out = writer();
    out->facts({{"jvm", "a JVM"}});
    out->methods(
        {{"A", "run", "()V", profile::MethodKind::kJava, 12}, {"B", "x", "()I", profile::MethodKind::kNative}});
    out->thread(3, "main");
    EXPECT_TRUE(out->events(3, 100, Bytes{1, 0, 0, 0}));
    EXPECT_TRUE(out->events(3, 200, Bytes{0}));
    EXPECT_TRUE(out->finish().ok());
  }

  const std::string path;
};

TEST_F(TraceFile, comes_back_as_it_was) {
  write_small_trace();
  const auto in = reader();
  Events events;
  ASSERT_TRUE(in->next(events));
  EXPECT_EQ(events.thread, 3U);
  EXPECT_EQ(events.start, 100U);
  EXPECT_EQ(Bytes(events.bytes.begin(), events.bytes.end()), (Bytes{1, 0, 0, 0}));
  EXPECT_EQ(in->facts().at("jvm"), "a JVM");
  EXPECT_EQ(in->threads().at(3), "main");
  ASSERT_EQ(in->methods().size(), 2U);
  EXPECT_EQ(in->methods()[0], (profile::Method{"A", "run", "()V", profile::MethodKind::kJava, 12}));
  EXPECT_EQ(in->methods()[1].kind, profile::MethodKind::kNative);
  ASSERT_TRUE(in->next(events));
  EXPECT_EQ(events.start, 200U);
  EXPECT_FALSE(in->complete());
  EXPECT_FALSE(in->next(events));
  EXPECT_TRUE(in->complete());
  EXPECT_EQ(in->shortcoming(), "");
  EXPECT_EQ(in->bytes(), content().size());
}

TEST_F(TraceFile, what_exceeds_the_limit_is_left_out_and_said) {
  const auto out = writer(10'000);
  const Bytes chunk(1000, 7);
  int written = 0;
  while (out->events(0, 0, chunk)) ++written;
  EXPECT_TRUE(out->is_full());
  EXPECT_FALSE(out->events(0, 0, Bytes(1)));
  ASSERT_TRUE(out->finish().ok());
  EXPECT_LE(content().size(), 10'000U);
  const auto in = reader();
  Events events;
  for (int i = 0; i < written; ++i) ASSERT_TRUE(in->next(events));
  EXPECT_GT(written, 3);
  EXPECT_FALSE(in->next(events));
  EXPECT_FALSE(in->complete());
  EXPECT_EQ(in->shortcoming(), "the size limit was reached");
}

TEST_F(TraceFile, names_and_facts_may_follow_what_exceeds_the_limit) {
  const auto out = writer(10'000);
  while (out->events(0, 0, Bytes(1000, 7))) {
  }
  out->thread(0, "main");
  out->facts({{"late", "fact"}});
  for (std::uint32_t i = 1; i < 1000; ++i) out->thread(i, "one of too many");
  ASSERT_TRUE(out->finish().ok());
  EXPECT_LE(content().size(), 10'000U);
  const auto in = reader();
  Events events;
  while (in->next(events)) {
  }
  EXPECT_EQ(in->threads().at(0), "main");
  EXPECT_EQ(in->facts().at("late"), "fact");
  EXPECT_LT(in->threads().size(), 1000U);
  EXPECT_EQ(in->shortcoming(), "the size limit was reached");
}

TEST_F(TraceFile, one_that_stops_is_read_as_far_as_it_goes) {
  write_small_trace();
  const Bytes whole = content();
  for (std::size_t length = 12; length < whole.size(); ++length) {
    write(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
    const auto in = reader();
    Events events;
    while (in->next(events)) {
    }
    ASSERT_EQ(in->error(), "") << length;
    ASSERT_EQ(in->shortcoming(), "the file stops before the trace does") << length;
  }
}

TEST_F(TraceFile, every_changed_byte_is_noticed) {
  write_small_trace();
  const Bytes whole = content();
  for (std::size_t at = 12; at < whole.size(); ++at) {
    Bytes changed = whole;
    changed[at] ^= 0x41;
    write(changed);
    const auto in = reader();
    Events events;
    while (in->next(events)) {
    }
    ASSERT_NE(in->shortcoming(), "") << at;
  }
}

TEST_F(TraceFile, what_is_no_trace_is_refused) {
  EXPECT_NE(TraceReader::open(path + ".missing").error().message.find("cannot read"), std::string::npos);
  write({1, 2, 3});
  EXPECT_NE(TraceReader::open(path).error().message.find("is no trace"), std::string::npos);
  write_small_trace();
  Bytes newer = content();
  newer[8] = 2;
  write(newer);
  EXPECT_NE(TraceReader::open(path).error().message.find("version 2"), std::string::npos);
}

TEST_F(TraceFile, a_folder_that_is_not_there_is_an_error) {
  EXPECT_NE(TraceWriter::create("/nowhere/at/all", 1).error().message.find("/nowhere/at/all"), std::string::npos);
}

TEST_F(TraceFile, one_that_is_removed_while_it_is_written_is_an_error) {
  const auto out = writer();
  std::remove(path.c_str());
  const base::Status status = out->finish();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("No such file or directory"), std::string::npos);
}

TEST_F(TraceFile, a_full_disk_is_an_error) {
  auto out = TraceWriter::create("/dev/full", 1 << 30);
  if (!out.ok()) GTEST_SKIP() << "no /dev/full";
  const Bytes chunk(1 << 20, 7);
  for (int i = 0; i < 4; ++i) (*out)->events(0, 0, chunk);
  const base::Status status = (*out)->finish();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("No space left"), std::string::npos);
}

}  // namespace
}  // namespace bursar::trace
