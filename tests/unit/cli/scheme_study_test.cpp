#include "cli/scheme_study.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "trace/events.h"
#include "trace/trace_file.h"

namespace {

using bursar::cli::study_schemes;
namespace trace = bursar::trace;

class SchemeStudyTest : public testing::Test {
 protected:
  // A tenth of a second of a method that calls another every 10 us.
  void SetUp() override {
    const auto writer = trace::TraceWriter::create(path_, 1 << 20);
    ASSERT_TRUE(writer);
    (*writer)->methods({{"Main", "run", "()V"}, {"Main", "step", "()V"}});
    trace::EventEncoder encoder;
    encoder.call(0, trace::kNoSite, 0);
    for (std::uint64_t now = 1'000; now < 100'000'000; now += 10'000) {
      encoder.call(1, 3, now);
      encoder.ret(now + 5'000);
    }
    const std::uint64_t start = encoder.pending_start();
    (*writer)->events(0, start, encoder.take_pending());
    ASSERT_TRUE((*writer)->finish());
  }
  void TearDown() override { std::filesystem::remove(path_); }

  const std::string path_ = testing::TempDir() + "scheme_study_" + std::to_string(getpid());
};

TEST_F(SchemeStudyTest, holds_every_scheme_and_the_variants_of_adaptive) {
  const auto study = study_schemes(path_, [] { return false; });
  ASSERT_TRUE(study) << study.error().message;
  EXPECT_EQ((*study)["calls"], 10'001);
  ASSERT_EQ((*study)["variants"].size(), 3U);
  for (const auto& variant : (*study)["variants"]) EXPECT_FALSE(variant["over_time"].empty());
  EXPECT_EQ((*study)["sweep"].size(), 24U);
  for (const auto& variant : (*study)["sweep"]) {
    EXPECT_EQ(variant["scheme"], "adaptive");
    EXPECT_FALSE(variant.contains("over_time"));
  }
}

TEST_F(SchemeStudyTest, ends_when_it_is_told_to) {
  for (int patience = 0; patience < 3; ++patience) {
    int asked = 0;
    const auto study = study_schemes(path_, [&] { return asked++ == patience; });
    EXPECT_FALSE(study);
    EXPECT_EQ(asked, patience + 1);
  }
}

}  // namespace
