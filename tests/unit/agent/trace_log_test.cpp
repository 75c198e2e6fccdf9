#include "agent/trace_log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "agent/tracer.h"

namespace bursar::agent {
namespace {

using core::CommonNodes;
using core::ContextTree;
using core::NodeAddress;

constexpr std::uint64_t kSecond = 1'000'000'000;

// A thread whose notes are made by hand, and the events that come of them, as text: "a@ b@2 < <" is a call of a, from
// it one of b by the site at bytecode 2, and two returns; "=a@" is a frame that was there.
class TraceLogTest : public testing::Test {
 protected:
  TraceLogTest() {
    const auto method = [&](const char* name, std::vector<core::CallSite> sites = {},
                            core::MethodNature nature = core::MethodNature::kJava) {
      return methods.add({.class_name = "A", .name = name, .descriptor = "()V", .nature = nature, .sites = sites});
    };
    root = method("[root]");
    native = method("native", {}, core::MethodNature::kNative);
    object = method("object");
    a = method("a", {{.bci = 2}, {.bci = 7}, {.bci = 9, .callee = object}});
    b = method("b", {{.bci = 4}});
    tree.emplace(methods, budget, root, ContextTree::Options{.call_sites = true});
  }
  ~TraceLogTest() override { std::remove(path.c_str()); }

  void begin(Tracer::Options options = {}) {
    options.path = path;
    if (options.max_bytes == 0) options.max_bytes = 1 << 20;
    tracer = std::move(Tracer::create(options, methods, {{"mode", "trace"}}).value());
    log = tracer->open_log(*tree);
    now_ns = Tracer::now_ns();
  }
  void note(Note what, std::uint64_t address) {
    if (log == 0) return;
    const std::uint64_t words[2] = {address | static_cast<std::uint64_t>(what), now_ns += 160};
    std::memcpy(reinterpret_cast<void*>(log), words, sizeof words);
    log += kNoteBytes;
    if (log % kLogBytes == 0) log = TraceLog::of(log).drain(log);
  }
  NodeAddress enter(NodeAddress parent, std::uint32_t slot, core::MethodId method, core::Route route = {}) {
    const NodeAddress node = tree->enter({parent, slot}, method, route);
    note(Note::kEntered, node);
    return node;
  }
  std::string end() {
    outcome = tracer->finish({{log, "main"}}, {});
    EXPECT_EQ(outcome.error, "");
    trace = std::move(trace::TraceReader::open(path).value());
    trace::EventDecoder decoder;
    std::string text;
    trace::Events events;
    while (trace->next(events)) {
      EXPECT_TRUE(decoder.decode(events.bytes, events.start, static_cast<std::uint32_t>(trace->methods().size()),
                                 [&](trace::EventKind kind, std::uint32_t node, std::uint64_t) {
                                   text += text.empty() ? "" : " ";
                                   if (kind == trace::EventKind::kReturn) return void(text += "<");
                                   if (kind == trace::EventKind::kFrame) text += "=";
                                   const std::uint32_t site = decoder.tree().site[node];
                                   text += trace->methods()[decoder.tree().method[node]].name + "@" +
                                           (site == trace::kNoSite ? "" : std::to_string(site));
                                 }));
    }
    return text;
  }

  const std::string path = testing::TempDir() + "trace_log_test_" + std::to_string(getpid());
  core::MethodTable methods;
  core::ContextBudget budget{1000};
  core::MethodId root, native, object, a, b;
  std::optional<ContextTree> tree;
  std::unique_ptr<Tracer> tracer;
  std::uint64_t log = 0, now_ns = 0;
  Tracer::Outcome outcome;
  std::unique_ptr<trace::TraceReader> trace;
};

TEST_F(TraceLogTest, calls_and_returns_with_their_sites) {
  begin();
  const NodeAddress in_a = enter(tree->root(), 0, a);
  const NodeAddress in_b = enter(in_a, 2, b);
  note(Note::kLeft, in_b);
  note(Note::kLeft, in_a);
  EXPECT_EQ(end(), "a@ b@7 < <");
  EXPECT_EQ(outcome.events, 4U);
  EXPECT_FALSE(outcome.full);
  EXPECT_EQ(trace->threads().at(0), "main");
  EXPECT_EQ(trace->facts().at("mode"), "trace");
}

TEST_F(TraceLogTest, frames_that_did_not_say_so_were_left) {
  begin();
  const NodeAddress in_a = enter(tree->root(), 0, a);
  const NodeAddress in_b = enter(in_a, 1, b);
  enter(in_b, 1, a);
  note(Note::kAt, in_a);
  enter(in_a, 1, b);
  enter(in_a, 1, b);  // the same context once more: it was left by an exception that nobody noted
  note(Note::kLeft, in_a);
  EXPECT_EQ(end(), "a@ b@2 a@4 < < b@2 < b@2 < <");
}

TEST_F(TraceLogTest, a_native_method_that_was_counted_when_it_returned) {
  begin();
  const NodeAddress in_a = enter(tree->root(), 0, a);
  note(Note::kCounted, tree->enter_at_site({in_a, 1}, native));
  note(Note::kLeft, in_a);
  EXPECT_EQ(end(), "a@ native@2 < <");
}

TEST_F(TraceLogTest, a_native_method_that_calls_back_is_entered_once) {
  begin();
  const NodeAddress in_a = enter(tree->root(), 0, a);
  for (int i = 0; i < 2; ++i) note(Note::kLeft, enter(in_a, 1, b, {.through = native}));
  note(Note::kCounted, tree->enter_at_site({in_a, 1}, native));
  note(Note::kLeft, in_a);
  EXPECT_EQ(end(), "a@ native@2 b@ < b@ < < <");
}

TEST_F(TraceLogTest, what_is_counted_in_a_slot_may_call_back_too) {
  begin();
  const NodeAddress in_a = enter(tree->root(), 0, a);
  note(Note::kCountedInSlot, core::slot_address(in_a, 3));
  note(Note::kLeft, enter(in_a, 3, b, {.through = object, .from_node = true}));
  note(Note::kCountedInSlot, core::slot_address(in_a, 3));
  note(Note::kLeft, in_a);
  EXPECT_EQ(end(), "a@ object@9 b@ < < object@9 < <");
}

TEST_F(TraceLogTest, what_the_vm_calls_on_the_way_to_a_callee_hangs_under_the_caller) {
  begin();
  const NodeAddress in_a = enter(tree->root(), 0, a);
  note(Note::kLeft, enter(in_a, 1, b, {.via_vm = true}));
  note(Note::kLeft, enter(in_a, 1, b));
  EXPECT_EQ(end(), "a@ b@2 < b@2 <");
}

TEST_F(TraceLogTest, nodes_of_all_trees_are_no_events) {
  begin();
  const NodeAddress in_a = enter(tree->root(), 0, a);
  const CommonNodes& common = CommonNodes::instance();
  for (const NodeAddress node : {common.mute, common.overflow, common.asleep}) {
    note(Note::kEntered, node);
    note(Note::kAt, node);
    note(Note::kCountedInSlot, core::slot_address(node, 5));
    note(Note::kLeft, node);
  }
  note(Note::kAt, core::slot_address(in_a, 1));
  EXPECT_EQ(end(), "a@");
}

TEST_F(TraceLogTest, the_stack_at_the_end_of_what_is_skipped_is_written_as_frames) {
  begin({.path = "", .skip_ns = 10 * kSecond});
  const NodeAddress in_a = enter(tree->root(), 0, a);
  const NodeAddress in_b = enter(in_a, 1, b);
  note(Note::kLeft, enter(in_b, 1, a));
  now_ns += 10 * kSecond;
  note(Note::kLeft, in_b);
  enter(in_a, 2, b);
  EXPECT_EQ(end(), "=a@ =b@2 < b@7");
}

TEST_F(TraceLogTest, nothing_is_kept_of_a_thread_that_does_nothing_after_what_is_skipped) {
  begin({.path = "", .skip_ns = 10 * kSecond});
  enter(tree->root(), 0, a);
  EXPECT_EQ(end(), "");
  EXPECT_TRUE(trace->complete());
}

TEST_F(TraceLogTest, a_full_file_is_the_end_of_notes) {
  begin({.path = "", .max_bytes = 64 << 10});
  const NodeAddress in_a = enter(tree->root(), 0, a);
  for (int i = 0; i < 1'000'000 && log != 0; ++i) note(Note::kLeft, enter(in_a, 1, b));
  EXPECT_EQ(log, 0U);
  EXPECT_EQ(tracer->open_log(*tree), 0U) << "other threads make none either";
  const std::string events = end();
  EXPECT_TRUE(outcome.full);
  EXPECT_EQ(trace->shortcoming(), "the size limit was reached");
  EXPECT_LE(trace->bytes(), std::uint64_t{64} << 10);
  EXPECT_TRUE(events.starts_with("a@ b@2 < b@2 <"));
}

TEST_F(TraceLogTest, many_notes_stay_in_order_from_buffer_to_buffer) {
  begin();
  const NodeAddress in_a = enter(tree->root(), 0, a);
  std::string expected = "a@";
  for (std::uint32_t i = 0; i < 5'000; ++i) {
    note(Note::kLeft, enter(in_a, 1 + i % 2, b));
    expected += i % 2 == 0 ? " b@2 <" : " b@7 <";
  }
  EXPECT_EQ(end(), expected);
}

TEST_F(TraceLogTest, a_thread_that_ended_before_the_trace_is_named) {
  begin();
  enter(tree->root(), 0, a);
  tracer->close_log(log, "early");
  tracer->close_log(log, "twice");
  EXPECT_EQ(end(), "a@");
  EXPECT_EQ(trace->threads().at(0), "early");
}

TEST_F(TraceLogTest, after_the_end_nothing_is_wanted) {
  begin();
  enter(tree->root(), 0, a);
  end();
  while (log != 0) note(Note::kEntered, tree->enter({tree->root(), 0}, b));
  EXPECT_EQ(outcome.events, 1U);
}

}  // namespace
}  // namespace bursar::agent
