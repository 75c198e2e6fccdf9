// Random programs, run by TinyVm: the profile says what its books say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "profile/profile_file.h"
#include "tiny_vm.h"
#include "trace/trace_file.h"

namespace bursar::agent {
namespace {

// A handful of classes whose methods call each other at random.
class RandomProgram {
 public:
  RandomProgram(std::uint64_t seed, bool initialisers)
      : random_(seed), initialisers_(initialisers), self_covering_(seed % 2 == 0) {}

  void load_into(TinyVm& vm) {
    // Known to all others: else a native method is counted when it has returned, and what it calls back is not below
    // it.
    vm.load(natives());
    vm.load(native_override());
    std::vector<ClassBuilder> classes = {
        java_class("Base", "java/lang/Object"),  java_class("Sub", "Base"),
        java_class("Plain", "java/lang/Object"), java_class("Back", "java/lang/Object"),
        java_class("Doom", "java/lang/Object"),  replaced_methods()};
    if (!self_covering_) classes.push_back(java_class("Vm", "java/lang/Object"));
    std::shuffle(classes.begin(), classes.end(), random_);
    for (const ClassBuilder& builder : classes) vm.load(builder);
  }
  // A native override in the middle of a run: until then, nothing by its name was native.
  static void load_late_into(TinyVm& vm) {
    ClassBuilder late = class_named("LateSub", "Plain");
    late.method(kPublic | kNative, "quietV", "()V");
    vm.load(late);
  }

 private:
  static constexpr unsigned kMethods = 2;

  // Natives of all protocols: bound, of an object that may be null, below an argument, open to overriding.
  static ClassBuilder natives() {
    ClassBuilder n = class_named("Native");
    for (const char* name : {"quiet", "back", "fails"}) n.method(kStatic | kNative, name, "()V");
    n.method(kFinal | kNative, "failsOn", "()V");
    n.method(kFinal | kNative, "backOn", "()V");
    n.method(kFinal | kNative, "onInt", "(I)V");
    n.method(kPublic | kNative, "backOpen", "()V");
    n.method(kPublic | kNative, "failsOpen", "()V");
    n.method(kPublic | kNative, "failsOpenInt", "(I)V");
    return n;
  }
  // s0, s1 are static; v, and backV and quietV, which are native in subclasses, virtual.
  ClassBuilder java_class(std::string name, std::string super_name) {
    ClassBuilder builder = class_named(name, std::move(super_name));
    builder.version = 49;
    if (name == "Vm") {
      builder.method(kStatic, "call", "()V", body(builder, false));
      return builder;
    }
    if (name == "Back") {
      for (const char* method : {"b0", "b1"}) builder.method(kStatic, method, "()V", body(builder, true));
      return builder;
    }
    for (unsigned i = 0; i < kMethods; ++i) {
      builder.method(kStatic, "s" + std::to_string(i), "()V", body(builder, true));
    }
    for (const char* method : {"v", "backV", "quietV"}) builder.method(kPublic, method, "()V", body(builder, true));
    if (initialisers_) builder.method(kStatic, "<clinit>", "()V", body(builder, false));
    return builder;
  }
  ClassBuilder replaced_methods() {
    ClassBuilder builder = class_named("Fast");
    builder.version = 49;
    for (unsigned i = 0; i < kMethods; ++i) {
      CodeBuilder code;
      for (std::uint64_t n = random_() % 3; n > 0; --n) if_coin(builder, code, [&] { call(builder, code); });
      if_coin(builder, code, [&] {
        code.op2(op::kInvokestatic, builder.method_ref("Doom", "s" + std::to_string(random_() % kMethods), "()V"));
        code.op(op::kAconstNull);
        code.op(op::kAthrow);
      });
      if_coin(builder, code, [&] { call(builder, code); });
      code.op(op::kReturn);
      intrinsic(builder, kStatic, "s" + std::to_string(i), "()V", code);
    }
    return builder;
  }
  static ClassBuilder native_override() {
    ClassBuilder builder = class_named("NativeSub", "Base");
    builder.method(kPublic | kNative, "backV", "()V");
    return builder;
  }

  template <class Then>
  static void if_coin(ClassBuilder& builder, CodeBuilder& code, Then&& then) {
    const auto behind = code.label();
    code.op2(op::kGetstatic, builder.member(9, "W", "coin", "I"));
    code.jump(op::kIfeq, behind);
    then();
    code.bind(behind);
  }

  // Tries, catches, throws, and calls all the others, as coins say.
  CodeBuilder body(ClassBuilder& builder, bool may_throw) {
    CodeBuilder code;
    for (std::uint64_t n = 2 + random_() % 6; n > 0; --n) {
      if_coin(builder, code, [&] {
        if (!may_throw || random_() % 2 == 0) return caught_call(builder, code, may_throw);
        if (random_() % 12 == 0) {
          code.op(op::kAconstNull);
          code.op(op::kAthrow);
          return;
        }
        call(builder, code);
      });
    }
    code.op(op::kReturn);
    return code;
  }
  void caught_call(ClassBuilder& builder, CodeBuilder& code, bool may_throw) {
    const auto start = code.here(), behind = code.label();
    call(builder, code);
    if (random_() % 2 == 0) call(builder, code);
    const auto end = code.here();
    code.jump(op::kGoto, behind);
    const auto handler = code.here();
    if (may_throw && random_() % 3 == 0) {
      call(builder, code);
      code.op(op::kAthrow);
    } else {
      code.op(op::kPop);
    }
    const auto handler_end = code.here();
    code.bind(behind);
    code.catches(start, end, handler);
    // As in a synchronized block.
    if (self_covering_ && !may_throw && random_() % 2 == 0) code.catches(handler, handler_end, handler);
  }
  void call(ClassBuilder& builder, CodeBuilder& code) {
    const auto any_of = [&](std::initializer_list<const char*> names) {
      return std::string(names.begin()[random_() % names.size()]);
    };
    const auto call_static = [&](const std::string& cls, const std::string& name) {
      code.op2(op::kInvokestatic, builder.method_ref(cls, name, "()V"));
    };
    const auto call_virtual = [&](const std::string& cls, const std::string& name, bool on_int = false) {
      code.op2(op::kGetstatic, builder.member(9, "W", cls, "L" + cls + ";"));
      if (on_int) code.op(op::kIconst0);
      code.op2(op::kInvokevirtual, builder.method_ref(cls, name, on_int ? "(I)V" : "()V"));
    };
    const std::string number = std::to_string(random_() % kMethods);
    switch (random_() % 6) {
      case 0:
        return call_static("Native", any_of({"quiet", "back", "fails"}));
      case 1:
        return call_virtual("Native", any_of({"failsOn", "backOn", "backOpen", "failsOpen"}));
      case 2:
        return call_virtual("Native", any_of({"onInt", "failsOpenInt"}), true);
      case 3:
        return call_static("Fast", "s" + number);
      case 4:
        return call_virtual(any_of({"Base", "Sub", "Plain"}), any_of({"v", "backV", "quietV"}));
      default:
        return call_static(any_of({"Base", "Sub", "Plain"}), "s" + number);
    }
  }

  std::mt19937_64 random_;
  bool initialisers_;
  // Whether handlers cover themselves, which get no probe; or else, the VM calls on its own, maybe just behind one.
  bool self_covering_;
};

std::map<TinyVm::Chain, std::uint64_t> counts_of(const profile::Profile& profile) {
  std::map<TinyVm::Chain, std::uint64_t> counts;
  std::vector<TinyVm::Chain> chains;
  const profile::Contexts& contexts = profile->contexts;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    TinyVm::Chain chain = contexts.parent[i] != profile::kNone ? chains[contexts.parent[i]] : TinyVm::Chain();
    const profile::Method& method = profile->methods[contexts.method[i]];
    chain.emplace_back(method.class_name + "." + method.name, contexts.site[i]);
    if (contexts.columns.at(0).value[i] != 0) counts[chain] = contexts.columns[0].value[i];
    chains.push_back(chain);
  }
  return counts;
}

std::string first_difference(const std::map<TinyVm::Chain, std::uint64_t>& expected,
                             const std::map<TinyVm::Chain, std::uint64_t>& found) {
  const auto show = [](const TinyVm::Chain& chain) {
    std::string text;
    for (const auto& [name, site] : chain) text += (text.empty() ? "" : " > ") + name;
    return text;
  };
  for (const auto& [chain, count] : expected) {
    const auto at = found.find(chain);
    const std::uint64_t had = at != found.end() ? at->second : 0;
    if (had != count) return show(chain) + ": " + std::to_string(had) + ", not " + std::to_string(count);
  }
  for (const auto& [chain, count] : found) {
    if (!expected.contains(chain)) return show(chain) + ": " + std::to_string(count) + ", not 0";
  }
  return "";
}

void check(std::uint64_t seed, bool call_sites, std::size_t& contexts) {
  AgentOptions options;
  options.output = testing::TempDir() + "tiny_vm_" + std::to_string(call_sites) + "_%p.bursar";
  options.call_sites = call_sites;
  Session session(options);
  TinyVm vm(session, seed);
  // The VM initialises classes at the call site or before it, as it likes.
  RandomProgram(seed, !call_sites).load_into(vm);
  for (int n = 0; n < 40; ++n) {
    if (n == 20) RandomProgram::load_late_into(vm);
    vm.run("Base", "s" + std::to_string(n % 2), 200);
  }
  const SavedProfile outcome = session.save({}, {});
  ASSERT_EQ(outcome.error, "");
  const auto profile = profile::read_file(outcome.path);
  std::remove(outcome.path.c_str());
  ASSERT_TRUE(profile.ok());
  ASSERT_EQ(first_difference(vm.counts(), counts_of(*profile)), "") << "seed " << seed;
  contexts += vm.counts().size();
}

// The calls of a trace, each in its context.
std::vector<TinyVm::Chain> calls_in(const std::string& path) {
  const auto trace = std::move(trace::TraceReader::open(path).value());
  trace::EventDecoder decoder;
  std::vector<TinyVm::Chain> calls;
  trace::Events events;
  while (trace->next(events)) {
    const auto methods = static_cast<std::uint32_t>(trace->methods().size());
    EXPECT_TRUE(decoder.decode(events.bytes, events.start, methods,
                               [&](trace::EventKind kind, std::uint32_t node, std::uint64_t) {
                                 if (kind == trace::EventKind::kReturn) return;
                                 TinyVm::Chain chain;
                                 for (; node != trace::kRoot; node = decoder.tree().parent[node]) {
                                   const profile::Method& method = trace->methods()[decoder.tree().method[node]];
                                   chain.emplace(chain.begin(), method.class_name + "." + method.name,
                                                 decoder.tree().site[node]);
                                 }
                                 calls.push_back(chain);
                               }))
        << decoder.error();
  }
  EXPECT_EQ(trace->shortcoming(), "");
  EXPECT_EQ(decoder.at(), trace::kRoot) << "all methods have returned";
  return calls;
}

void check_trace(std::uint64_t seed, std::size_t& calls) {
  AgentOptions options;
  options.mode = "trace";
  options.output = testing::TempDir() + "tiny_vm_%p.trace";
  Session session(options);
  ASSERT_EQ(session.begin_trace({}), "");
  TinyVm vm(session, seed);
  RandomProgram(seed, false).load_into(vm);
  for (int n = 0; n < 40; ++n) {
    if (n == 20) RandomProgram::load_late_into(vm);
    vm.run("Base", "s" + std::to_string(n % 2), 200);
  }
  const Session::SavedTrace outcome = session.end_trace({{vm.log(), "main"}});
  ASSERT_EQ(outcome.error, "");
  const std::vector<TinyVm::Chain> found = calls_in(outcome.path);
  std::remove(outcome.path.c_str());
  EXPECT_EQ(outcome.events, 2 * found.size());
  for (std::size_t i = 0; i < found.size() && i < vm.calls().size(); ++i) {
    ASSERT_EQ(found[i], vm.calls()[i]) << "call " << i << ", seed " << seed;
  }
  ASSERT_EQ(found.size(), vm.calls().size()) << "seed " << seed;
  calls += found.size();
}

TEST(RandomPrograms, a_trace_has_every_call_in_its_context_in_order) {
  std::size_t calls = 0;
  for (std::uint64_t seed = 2000; seed < 2050 && !HasFatalFailure(); ++seed) check_trace(seed, calls);
  EXPECT_GT(calls, 100'000U);
}

TEST(RandomPrograms, every_call_is_counted_in_its_context) {
  std::size_t contexts = 0;
  for (std::uint64_t seed = 0; seed < 50 && !HasFatalFailure(); ++seed) check(seed, false, contexts);
  EXPECT_GT(contexts, 50'000U);
}

TEST(RandomPrograms, every_call_is_counted_at_its_call_site) {
  std::size_t contexts = 0;
  for (std::uint64_t seed = 1000; seed < 1050 && !HasFatalFailure(); ++seed) check(seed, true, contexts);
  EXPECT_GT(contexts, 50'000U);
}

}  // namespace
}  // namespace bursar::agent
