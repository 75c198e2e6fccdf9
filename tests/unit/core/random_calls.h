// RandomCalls: a thread that calls and returns at random, by all the ways there are, and keeps its own books.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "call_counts.h"
#include "probe.h"

namespace bursar::core {

// Java methods with 0 to 4 call sites, each of which calls 1 to 6 of them (few sites are monomorphic, some never call
// the same one twice in a row), and a few native methods.
struct RandomProgram {
  RandomProgram(MethodTable& methods, std::uint64_t seed, std::uint32_t size = 20) {
    std::mt19937_64 random(seed);
    root = methods.add(method_with("", "[thread]", 0, MethodNature::kPseudo));
    for (std::uint32_t i = 0; i < size; ++i) {
      const auto sites = static_cast<std::uint32_t>(random() % 5);
      java.push_back(methods.add(method_with("p/C" + std::to_string(i % 7), "m" + std::to_string(i), sites)));
      callees.emplace_back(sites + 1);
      for (auto& site : callees.back()) {
        for (std::uint64_t n = 1 + random() % 6; n > 0; --n)
          site.push_back(static_cast<std::uint32_t>(random() % size));
      }
    }
    for (std::uint32_t i = 0; i < 3; ++i) {
      native.push_back(methods.add(method_with("p/N", "n" + std::to_string(i), 0, MethodNature::kNative)));
    }
  }

  MethodId root = kNoMethod;
  std::vector<MethodId> java, native;
  std::vector<std::vector<std::vector<std::uint32_t>>> callees;  // by Java method and slot; indices into java
};

class RandomCalls {
 public:
  RandomCalls(const RandomProgram& program, ContextTree& tree, bool call_sites, std::uint64_t seed)
      : program_(program), probe_(tree), call_sites_(call_sites), random_(seed) {
    // The first of those with the most call sites.
    for (std::uint32_t i = 0; i < program.java.size(); ++i) {
      if (program.callees[i].size() > program.callees[entry_].size()) entry_ = i;
    }
  }

  const CallCounts& counts() const { return counts_; }
  const Probe& probe() const { return probe_; }
  // Whether the VM, native methods and callbacks take part.
  void only_plain_calls() { only_plain_ = true; }

  void run(std::uint32_t calls, std::size_t max_depth) {
    max_depth_ = max_depth;
    for (calls_left_ = calls; calls_left_ > 0;) {
      chain_.clear();
      invoke(entry_, 0);
    }
  }

 private:
  // The cursor stands where the call is made.
  void invoke(std::uint32_t callee, std::uint32_t slot, Route route = {}) {
    const MethodId method = program_.java[callee];
    if (calls_left_ > 0) --calls_left_;
    count(method, slot);
    const bool plain = route.through == kNoMethod && !route.via_vm;
    const Probe::Frame frame = plain ? probe_.enter(method) : probe_.enter_slowly(method, route);
    body(callee, frame);
    chain_.pop_back();
    probe_.leave(frame);
  }

  void body(std::uint32_t self, const Probe::Frame& frame) {
    const auto& sites = program_.callees[self];
    while (calls_left_ > 0 && chain_.size() < max_depth_ && random_() % 4 != 0) {
      const auto slot = static_cast<std::uint32_t>(random_() % sites.size());
      const auto& callees = sites[slot];
      const std::uint32_t callee = callees[random_() % callees.size()];
      probe_.call(frame, slot);
      const std::uint64_t way = only_plain_ || slot == 0 ? 10 : random_() % 20;
      if (way == 0) call_via_vm(callee, slot);
      if (way == 1) {
        call_native(slot);
      } else if (way == 2) {
        call_back(callee, slot);
      } else {
        invoke(callee, slot);
        if (random_() % 16 == 0) call_often(callee, slot, frame);
      }
      if (random_() % 4 == 0) probe_.handle(frame);
    }
  }

  // A burst of calls of one callee, which calls nothing, so that slots change hands.
  void call_often(std::uint32_t callee, std::uint32_t slot, const Probe::Frame& frame) {
    const std::size_t max_depth = std::exchange(max_depth_, 0);
    for (int n = 0; n < 40; ++n) {
      probe_.call(frame, slot);
      invoke(callee, slot);
    }
    max_depth_ = max_depth;
  }
  // The VM calls something before the call site's own callee is entered.
  void call_via_vm(std::uint32_t callee, std::uint32_t slot) {
    const SlotAddress before = probe_.cursor();
    invoke(callee, slot, {kNoMethod, true});
    EXPECT_EQ(probe_.cursor(), before);
  }
  void call_native(std::uint32_t slot) {
    const MethodId method = native();
    count(method, slot);
    probe_.leave(probe_.enter_at_site(method));
    chain_.pop_back();
  }
  // A native method, known only behind the call, calls back before.
  void call_back(std::uint32_t callee, std::uint32_t slot) {
    const MethodId method = native();
    const SlotAddress before = probe_.cursor();
    chain_.emplace_back(method, call_sites_ ? slot : 0);
    invoke(callee, 0, {method, false});
    EXPECT_EQ(probe_.cursor(), before);
    chain_.pop_back();
    count(method, slot);
    probe_.leave(probe_.enter_at_site(method));
    chain_.pop_back();
  }
  MethodId native() { return program_.native[random_() % program_.native.size()]; }
  void count(MethodId method, std::uint32_t slot) {
    chain_.emplace_back(method, call_sites_ ? slot : 0);
    ++counts_[chain_];
  }

  const RandomProgram& program_;
  Probe probe_;
  const bool call_sites_;
  bool only_plain_ = false;
  std::mt19937_64 random_;
  std::uint32_t entry_ = 0;
  std::uint32_t calls_left_ = 0;
  std::size_t max_depth_ = 0;
  Chain chain_;
  CallCounts counts_;
};

}  // namespace bursar::core
