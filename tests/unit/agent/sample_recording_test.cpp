#include "agent/sample_recording.h"

#include <gtest/gtest.h>

#include <memory>

#include "profile/freeze.h"

namespace bursar::agent {
namespace {

// jmethodIDs are addresses; the tests' are those of these letters.
constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyz";

void* id_of(char letter) {
  return const_cast<char*>(&kLetters[letter - 'a']);
}

core::Method named(void* method) {
  const char letter = *static_cast<char*>(method);
  if (letter == 'z') return {};
  if (letter == 'v') return {.class_name = "jdk/internal/vm/Continuation", .name = "enter", .descriptor = "()V"};
  if (letter == 'x' || letter == 'y') {
    return {.class_name = letter == 'x' ? "A$$Lambda.0x1" : "A$$Lambda.0x2", .name = "run", .descriptor = "()V"};
  }
  return {.class_name = letter < 'm' ? "app/A" : "lib/B", .name = std::string(1, letter), .descriptor = "()V"};
}

class SampleRecordingTest : public testing::Test {
 protected:
  void make(std::string_view options = "") {
    recording_ = std::make_unique<SampleRecording>(*parse_agent_options(options));
  }
  // The outermost first; sites are 1, 2, …
  void add(const std::string& stack, std::uint32_t thread = 1) {
    walk_->thread = thread;
    walk_->env = &kLetters[thread];
    walk_->frames = static_cast<std::int32_t>(stack.size());
    for (std::size_t i = 0; i < stack.size(); ++i) {
      walk_->frame[stack.size() - 1 - i] = {static_cast<std::int32_t>(i + 1), id_of(stack[i])};
    }
    recording_->add(*walk_, named);
  }
  void fail(std::int32_t reason) {
    walk_->frames = reason;
    recording_->add(*walk_, named);
  }
  // "a;b": samples that ended there; "@site" behind a method where sites are kept.
  std::map<std::string, std::uint64_t> counts(const core::SampleTree::ThreadNames& names = {}) {
    auto profile = profile::freeze(recording_->to_profile(names));
    EXPECT_TRUE(profile.ok());
    data_ = profile->data();
    std::map<std::string, std::uint64_t> result;
    std::vector<std::string> chains;
    for (std::size_t i = 0; i < data_.contexts.size(); ++i) {
      const profile::ContextId parent = data_.contexts.parent[i];
      std::string chain = parent == profile::kNone ? "" : chains[parent] + ";";
      chain += data_.methods[data_.contexts.method[i]].name;
      if (data_.contexts.site[i] != profile::kNoSite) chain += "@" + std::to_string(data_.contexts.site[i]);
      chains.push_back(chain);
      if (data_.contexts.columns[0].value[i] > 0) result[chain] = data_.contexts.columns[0].value[i];
    }
    return result;
  }

  std::unique_ptr<SampleRecording> recording_;
  std::vector<RawFrame> frames_{kMaxFrames + 1};
  std::unique_ptr<Walk> walk_ = std::make_unique<Walk>(Walk{.frame = frames_.data()});
  profile::ProfileData data_;
};

using Counts = std::map<std::string, std::uint64_t>;

TEST_F(SampleRecordingTest, samples_are_counted_where_they_end) {
  make();
  add("ab");
  add("ab");
  add("a");
  add("abc");
  EXPECT_EQ(counts(), (Counts{{"a", 1}, {"a;b", 2}, {"a;b;c", 1}}));
  EXPECT_EQ(recording_->samples(), 4U);
  ASSERT_EQ(data_.metrics.size(), 1U);
  EXPECT_EQ(data_.metrics[0].name, "samples");
  EXPECT_EQ(data_.metrics[0].kind, profile::MetricKind::kSamples);
  EXPECT_TRUE(data_.dropped.empty());
}

TEST_F(SampleRecordingTest, call_sites_are_those_of_the_caller) {
  make("call_sites=1");
  add("abc");
  EXPECT_EQ(counts(), (Counts{{"a;b@1;c@2", 1}}));
  ASSERT_EQ(data_.edges.size(), 1U);
  EXPECT_EQ(data_.edges.site[0], 2U);
}

TEST_F(SampleRecordingTest, a_failed_walk_is_a_sample_of_a_frame_named_after_its_reason) {
  make();
  fail(-2);
  fail(-2);
  fail(0);
  fail(-99);
  EXPECT_EQ(counts(), (Counts{{"[garbage collection]", 2}, {"[no Java frame]", 1}, {"[failed walk]", 1}}));
  EXPECT_EQ(data_.methods[0].kind, profile::MethodKind::kPseudo);
  EXPECT_EQ(data_.dropped, (Counts{{"walk-gc-active", 2}, {"walk-no-java-frame", 1}, {"walk-failed", 1}}));
}

TEST_F(SampleRecordingTest, a_stack_too_deep_loses_its_outer_end) {
  make();
  walk_->frames = kMaxFrames + 1;
  for (RawFrame& frame : frames_) frame = {1, id_of('a')};
  recording_->add(*walk_, named);
  walk_->frames = kMaxFrames;
  recording_->add(*walk_, named);
  counts();
  EXPECT_EQ(data_.dropped, (Counts{{"truncated-stack", 1}}));
  EXPECT_EQ(data_.contexts.size(), 1 + 2 * kMaxFrames);
  EXPECT_EQ(data_.methods[data_.contexts.method[0]].name, "[truncated stack]");
}

// Walks that refer to earlier ones. "abc|de": the walk found `de` new and stopped in c, behind which all was as before.
class StoppedWalksTest : public SampleRecordingTest {
 protected:
  void walk(const std::string& text, std::uint64_t last = 0) {
    const std::size_t bar = text.find('|');
    std::string stack = text;
    if (bar != std::string::npos) stack.erase(bar, 1);
    *walk_ = Walk{.frame = frames_.data()};
    walk_->thread = 1;
    walk_->sequence = ++sequence_;
    walk_->is_compared = walk_->is_remembered = true;
    for (std::size_t i = 0; i < stack.size(); ++i) {
      frames_[stack.size() - 1 - i] = {static_cast<std::int32_t>(i + 1), id_of(stack[i])};
    }
    walk_->unseen = static_cast<std::uint32_t>(stack.size());
    walk_->frames = static_cast<std::int32_t>(stack.size());
    if (bar != std::string::npos) {
      walk_->unseen = static_cast<std::uint32_t>(stack.size() - bar);
      walk_->outside = static_cast<std::uint32_t>(bar - 1);
      walk_->stop = walk_->unseen + 1;
      walk_->last = last != 0 ? last : sequence_ - 1;
      walk_->frames = static_cast<std::int32_t>(is_checked_ ? stack.size() : walk_->stop);
      walk_->is_checked = is_checked_;
    }
    top_was_seen_ = recording_->add(*walk_, named).value();
  }

  bool is_checked_ = false, top_was_seen_ = false;
  std::uint64_t sequence_ = 0;
};

TEST_F(StoppedWalksTest, get_their_outer_frames_from_the_walk_before) {
  make("walks=new");
  walk("abcd");
  EXPECT_FALSE(top_was_seen_);
  walk("abc|ef");
  walk("abcef|");
  EXPECT_TRUE(top_was_seen_);
  walk("a|b");
  EXPECT_FALSE(top_was_seen_);
  counts();
  ASSERT_EQ(data_.metrics[1].name, "samples");
  std::swap(data_.contexts.columns[0], data_.contexts.columns[1]);
  std::map<std::string, std::uint64_t> samples, activations;
  std::vector<std::string> chains;
  for (std::size_t i = 0; i < data_.contexts.size(); ++i) {
    const profile::ContextId parent = data_.contexts.parent[i];
    chains.push_back((parent == profile::kNone ? "" : chains[parent]) + data_.methods[data_.contexts.method[i]].name);
    if (data_.contexts.columns[0].value[i] > 0) samples[chains[i]] = data_.contexts.columns[0].value[i];
    if (data_.contexts.columns[1].value[i] > 0) activations[chains[i]] = data_.contexts.columns[1].value[i];
  }
  EXPECT_EQ(samples, (Counts{{"abcd", 1}, {"abcef", 2}, {"ab", 1}}));
  EXPECT_EQ(activations, (Counts{{"a", 1}, {"ab", 2}, {"abc", 1}, {"abcd", 1}, {"abce", 1}, {"abcef", 1}}));
  EXPECT_EQ(recording_->activations().stopped, 3U);
  EXPECT_EQ(recording_->activations().frames_not_walked, 2U + 4U);
  EXPECT_EQ(recording_->activations().frames_walked, 4U + 3U + 1U + 2U);
  EXPECT_EQ(recording_->activations().tops_seen, 1U);
}

TEST_F(StoppedWalksTest, without_the_walk_before_the_outer_frames_are_lost_and_counted) {
  make("walks=new");
  walk("abc|d", 77);
  EXPECT_EQ(recording_->samples(), 1U);
  counts();
  EXPECT_EQ(data_.dropped, (Counts{{"outer-frames-lost", 1}}));
  EXPECT_EQ(data_.methods[data_.contexts.method[0]].name, "[truncated stack]");
}

TEST_F(StoppedWalksTest, are_checked_against_full_ones) {
  make("walks=check");
  is_checked_ = true;
  walk("abcd");
  walk("abc|ef");
  EXPECT_EQ(recording_->activations().checked, 1U);
  EXPECT_EQ(recording_->activations().false_matches, 0U);
  walk("agc|ef");
  EXPECT_EQ(recording_->activations().false_matches, 1U) << "it was b before";
  EXPECT_EQ(recording_->activations().stopped, 0U);
}

TEST_F(StoppedWalksTest, of_methods_inlined_into_the_activation_the_inner_ones_may_be_new) {
  make("walks=new");
  walk("abcd");
  // All of bcd is one activation; now it is bce.
  *walk_ = Walk{.frame = frames_.data()};
  walk_->thread = 1;
  walk_->sequence = ++sequence_;
  walk_->is_compared = true;
  walk_->frames = 3;
  frames_[0] = {4, id_of('e')};
  walk_->stop = 3;
  walk_->outside = 1;
  walk_->last = sequence_ - 1;
  EXPECT_EQ(recording_->add(*walk_, named), false) << "e is new, though its activation is not";
  frames_[0] = {9, id_of('d')};
  EXPECT_EQ(recording_->add(*walk_, named), true);
  frames_[1].bci = 7;
  EXPECT_EQ(recording_->add(*walk_, named), false) << "c calls d elsewhere now";
  walk_->is_compared = false;
  EXPECT_EQ(recording_->add(*walk_, named), std::nullopt);
}

TEST_F(SampleRecordingTest, generated_classes_of_one_kind_are_one) {
  make();
  add("ax");
  add("ay");
  EXPECT_EQ(counts(), (Counts{{"a;run", 2}}));
}

TEST_F(SampleRecordingTest, a_method_whose_class_is_gone_and_one_without_id_are_unknown) {
  make();
  add("az");
  walk_->frames = 1;
  walk_->frame[0] = {0, nullptr};
  recording_->add(*walk_, named);
  EXPECT_EQ(counts(), (Counts{{"[unknown method]", 1}, {"a;[unknown method]", 1}}));
  EXPECT_EQ(data_.dropped, (Counts{{"method-unloaded", 1}}));
}

TEST_F(SampleRecordingTest, what_is_not_wanted_is_left_out_of_the_stack) {
  make("call_sites=1,include=app.*");
  add("anb");
  add("an");
  add("n");
  EXPECT_EQ(counts(), (Counts{{"a;b@1", 1}, {"a", 1}}));
  EXPECT_EQ(data_.dropped, (Counts{{"nothing-included-on-the-stack", 1}}));
}

TEST_F(SampleRecordingTest, virtual_threads_are_one_and_their_carrier_is_left_out) {
  make();
  add("abvc");
  EXPECT_EQ(counts({{1, "carrier"}}), (Counts{{"enter;c", 1}}));
  ASSERT_EQ(data_.threads.size(), 1U);
  EXPECT_EQ(data_.threads[0].name, "virtual threads");
}

TEST_F(SampleRecordingTest, threads_have_their_names_living_or_ended) {
  make();
  add("a", 1);
  add("a", 2);
  add("a", 3);
  add("b", 4);
  recording_->close(1, "worker");
  recording_->close(2, "worker");
  EXPECT_EQ(recording_->threads().at(&kLetters[3]), 3U);
  counts({{3, "main"}});
  std::map<std::string, std::uint64_t> threads;
  for (const profile::Thread& thread : data_.threads) {
    for (const std::uint64_t samples : thread.columns[0].value) threads[thread.name] += samples;
  }
  EXPECT_EQ(threads, (Counts{{"worker", 2}, {"main", 1}, {"unnamed thread", 1}}));
  EXPECT_EQ(counts(), (Counts{{"a", 3}, {"b", 1}})) << "making a profile changes nothing";
}

TEST_F(SampleRecordingTest, where_contexts_have_no_room_the_cold_ones_are_forgotten_and_counted) {
  make("max_contexts=8");
  for (const std::string stack : {"a", "b", "c", "d", "e", "f", "g", "h"}) add(stack);
  for (int i = 0; i < 10; ++i) add("ab");
  const Counts found = counts();
  EXPECT_EQ(found.at("a;b"), 10U);
  EXPECT_EQ(found.at("[overflow]"), 4U);
  EXPECT_EQ(data_.dropped, (Counts{{"contexts-forgotten", 4}}));
}

TEST_F(SampleRecordingTest, stacks_too_deep_for_the_limit_of_contexts_go_to_the_overflow) {
  make("max_contexts=2");
  add("ab");
  add("abc");
  add("abd");
  EXPECT_EQ(counts(), (Counts{{"a;b", 1}, {"[overflow]", 2}}));
}

}  // namespace
}  // namespace bursar::agent
