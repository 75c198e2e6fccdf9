// bench_context_map: what the Call Context Map answers at, against a scan of all contexts; and what it costs to feed it
// stacks as sub-paths of several lengths, against one tree with cross-links. Every answer is checked against the scan.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/context_questions.h"
#include "core/profile_map.h"
#include "profile/freeze.h"
#include "profile/profile_file.h"
#include "realistic_profile.h"

namespace {

using namespace bursar;
using core::ContextMap;
using core::ContextQuestions;
using profile::ContextId;
using profile::kNone;

constexpr const char* kUsage =
    "usage: bench_context_map [FILE] [--contexts N] [--questions N] [--samples N] [--seed N]\n"
    "\n"
    "  bench_context_map                   a made-up but realistic tree of a million contexts\n"
    "  bench_context_map run.bursar        the contexts of a profile\n";

struct Options {
  std::string path;
  std::size_t contexts = 1'000'000;
  std::size_t questions = 300;
  std::size_t samples = 100'000;
  std::uint64_t seed = 1;
};

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "bench_context_map: %s\n", why.c_str());
  std::exit(1);
}

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto value = [&]() -> std::uint64_t {
      if (++i == argc) stop(std::string(word) + " needs a value\n" + kUsage);
      return std::strtoull(argv[i], nullptr, 10);
    };
    if (word == "--contexts") {
      options.contexts = value();
    } else if (word == "--questions") {
      options.questions = value();
    } else if (word == "--samples") {
      options.samples = value();
    } else if (word == "--seed") {
      options.seed = value();
    } else if (!word.starts_with('-') && options.path.empty()) {
      options.path = word;
    } else {
      stop("unknown argument " + std::string(word) + "\n" + kUsage);
    }
  }
  if (options.contexts == 0 || options.questions == 0) stop("at least 1 context and 1 question are needed");
  return options;
}

double seconds_of(const auto& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

profile::Profile load(const Options& options) {
  if (options.path.empty()) {
    return profile::freeze(profile::RealisticProfile(options.contexts, 20'000, options.seed).data(true)).value();
  }
  auto read = profile::read_file(options.path);
  if (!read) stop(read.error().message);
  if ((*read)->contexts.size() == 0 || (*read)->metrics.empty()) stop(options.path + " holds no contexts");
  return std::move(*read);
}

using Path = std::vector<ContextQuestions::Step>;

// The last `methods` methods of a context.
Path path_to(const profile::Contexts& contexts, ContextId context, std::size_t methods) {
  Path path;
  for (ContextId at = context; at != kNone && path.size() < methods; at = contexts.parent[at]) {
    path.insert(path.begin(), {contexts.method[at]});
  }
  return path;
}

// The questions by going through all contexts, with the columns of the profile and nothing else.
class Scan {
 public:
  Scan(const profile::Contexts& contexts, const ContextMap& map) : contexts_(contexts) {
    // What the map counts (of samples: whole stacks), so that both answer the same question.
    for (const ContextMap::CalleeRef& ref : map.refs()) counts_.push_back(ref.count);
  }

  bool ends_with(std::size_t context, const Path& path) const {
    for (std::size_t i = path.size(); i-- > 0; context = contexts_.parent[context]) {
      if (context == kNone || contexts_.method[context] != path[i].method) return false;
    }
    return true;
  }
  std::uint64_t count_of(const Path& path) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < contexts_.size(); ++i) sum += ends_with(i, path) ? counts_[i] : 0;
    return sum;
  }
  std::uint64_t hottest(const Path& path) const {
    std::vector<std::pair<std::uint64_t, ContextId>> found;
    for (std::size_t i = 0; i < contexts_.size(); ++i) {
      if (ends_with(i, path)) found.emplace_back(counts_[i], static_cast<ContextId>(i));
    }
    const auto ten = found.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(10, found.size()));
    std::partial_sort(found.begin(), ten, found.end(), std::greater());
    std::uint64_t sum = 0;
    for (auto each = found.begin(); each != ten; ++each) sum += each->first;
    return sum;
  }
  // Whether all that `caller` calls at the site is one method.
  std::uint64_t single(profile::MethodId caller, std::uint32_t site) const {
    profile::MethodId target = kNone;
    for (std::size_t i = 0; i < contexts_.size(); ++i) {
      if (contexts_.parent[i] == kNone || contexts_.site[i] != site) continue;
      if (contexts_.method[contexts_.parent[i]] != caller) continue;
      if (target != kNone && target != contexts_.method[i]) return 0;
      target = contexts_.method[i];
    }
    return 1;
  }

 private:
  const profile::Contexts& contexts_;
  std::vector<std::uint64_t> counts_;
};

// Asks the same of both in turn, three times, and prints what an answer took: the least of the three, because the
// machine may do something else in between.
void compare(const char* what, const std::vector<ContextId>& drawn, const auto& by_map, const auto& by_scan) {
  std::vector<double> map_s(drawn.size(), 1e9);
  std::vector<double> scan_s(drawn.size(), 1e9);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      std::uint64_t of_map = 0;
      std::uint64_t of_scan = 0;
      map_s[i] = std::min(map_s[i], seconds_of([&] { of_map = by_map(drawn[i]); }));
      scan_s[i] = std::min(scan_s[i], seconds_of([&] { of_scan = by_scan(drawn[i]); }));
      if (of_map != of_scan) stop(std::string(what) + ": map and scan do not agree");
    }
  }
  std::vector<double> ratios;
  for (std::size_t i = 0; i < drawn.size(); ++i) ratios.push_back(scan_s[i] / map_s[i]);
  std::ranges::sort(ratios);
  const double all_map_s = std::accumulate(map_s.begin(), map_s.end(), 0.0);
  const double all_scan_s = std::accumulate(scan_s.begin(), scan_s.end(), 0.0);
  const auto each = static_cast<double>(drawn.size());
  std::printf("  %-34s %10.2f %12.2f %12.1f %10.0f %10.0f\n", what, 1e6 * all_map_s / each,
              1e6 * std::ranges::max(map_s), 1e6 * all_scan_s / each, all_scan_s / all_map_s,
              ratios[ratios.size() / 2]);
}

void ask(const profile::Profile& profile, const Options& options) {
  const profile::Contexts& contexts = profile->contexts;
  ContextMap map;
  const double build_s = seconds_of([&] { map = core::map_of_contexts(profile, 0); });
  std::optional<core::PathOrder> order;
  const double order_s = seconds_of([&] { order.emplace(map); });
  const ContextQuestions questions(map);
  const ContextQuestions ordered(map, &*order);
  const Scan scan(contexts, map);
  const auto bytes_a_context = [&](std::size_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(contexts.size());
  };
  std::printf(
      "%zu contexts, %zu calls; the map takes %.2f s and %.0f bytes a context, its order of paths %.2f and %.0f\n\n",
      contexts.size(), map.callees().size(), build_s, bytes_a_context(map.bytes()), order_s,
      bytes_a_context(order->bytes()));

  // Contexts at random: a call is asked for the more often, the more contexts it has.
  std::mt19937_64 random(options.seed);
  std::vector<ContextId> drawn;
  for (std::size_t tries = 0; drawn.size() < options.questions && tries < 1000 * options.questions; ++tries) {
    const auto context =
        static_cast<ContextId>(std::uniform_int_distribution<std::size_t>(0, contexts.size() - 1)(random));
    if (path_to(contexts, context, 4).size() == 4) drawn.push_back(context);
  }
  if (drawn.empty()) stop("no context has four methods");
  std::printf("  %-34s %10s %12s %12s %10s %10s\n", "microseconds an answer", "map", "slowest", "scan", "faster",
              "median");
  const auto path = [&](ContextId context, std::size_t methods) { return path_to(contexts, context, methods); };
  compare(
      "total of a method", drawn, [&](ContextId c) { return *questions.count_of(path(c, 1)); },
      [&](ContextId c) { return scan.count_of(path(c, 1)); });
  compare(
      "calls of a callee by a method", drawn, [&](ContextId c) { return *questions.count_of(path(c, 2)); },
      [&](ContextId c) { return scan.count_of(path(c, 2)); });
  const auto caller = [&](ContextId c) { return contexts.method[contexts.parent[c]]; };
  compare(
      "has the site one target", drawn,
      [&](ContextId c) {
        return std::uint64_t{questions.only_target(map.find_site(caller(c), contexts.site[c])) != kNone};
      },
      [&](ContextId c) { return scan.single(caller(c), contexts.site[c]); });
  compare(
      "10 hottest contexts of a call", drawn,
      [&](ContextId c) {
        std::uint64_t sum = 0;
        for (const auto ref : questions.hottest_contexts_of(questions.callees(path(c, 2)[0], contexts.method[c]), 10))
          sum += map.refs()[ref].count;
        return sum;
      },
      [&](ContextId c) { return scan.hottest(path(c, 2)); });
  const auto count_paths = [&](const char* how, const ContextQuestions& asked, std::size_t methods) {
    const std::string what = "path of " + std::to_string(methods) + " methods" + how;
    compare(
        what.c_str(), drawn, [&](ContextId c) { return *asked.count_of(path(c, methods)); },
        [&](ContextId c) { return scan.count_of(path(c, methods)); });
  };
  for (const std::size_t methods : {std::size_t{3}, std::size_t{4}, std::size_t{6}})
    count_paths("", questions, methods);
  for (const std::size_t methods : {std::size_t{6}, std::size_t{16}}) count_paths(", ordered", ordered, methods);
}

using Stack = std::vector<ContextMap::Frame>;

// Stacks that end in contexts drawn by their counts, as samples would find them.
std::vector<Stack> draw_stacks(const profile::Profile& profile, const Options& options) {
  const profile::Contexts& contexts = profile->contexts;
  std::vector<double> sums;
  double sum = 0;
  for (const std::uint64_t value : contexts.columns[0].value) sums.push_back(sum += static_cast<double>(value));
  std::mt19937_64 random(options.seed);
  std::uniform_real_distribution<double> draw(0, sum);
  std::vector<Stack> stacks;
  while (stacks.size() < options.samples) {
    const auto found = std::ranges::upper_bound(sums, draw(random));
    Stack& stack = stacks.emplace_back();
    for (auto at = static_cast<ContextId>(std::min(found, sums.end() - 1) - sums.begin()); at != kNone;
         at = contexts.parent[at]) {
      stack.push_back({contexts.method[at], contexts.site[at]});
    }
    std::ranges::reverse(stack);
  }
  return stacks;
}

void print_feeding(const std::string& what, const ContextMap& map, double seconds, std::size_t samples) {
  std::printf("  %-22s %12zu %10.1f %12.2f\n", what.c_str(), map.refs().size(), static_cast<double>(map.bytes()) / 1e6,
              1e6 * seconds / static_cast<double>(samples));
}

void feed(const profile::Profile& profile, const Options& options) {
  const std::vector<Stack> stacks = draw_stacks(profile, options);
  double frames = 0;
  for (const Stack& stack : stacks) frames += static_cast<double>(stack.size());
  std::printf("\n%zu stacks, %.1f frames each\n\n  %-22s %12s %10s %12s\n", stacks.size(),
              frames / static_cast<double>(stacks.size()), "kept as", "contexts", "MB", "us a stack");
  for (const std::uint32_t longest : {2U, 3U, 4U, 6U, 8U, 16U, 4096U}) {
    ContextMap map({.shape = ContextMap::Shape::kSubPaths, .max_sub_path = longest, .max_contexts = 50'000'000});
    const double seconds = seconds_of([&] {
      for (const Stack& stack : stacks) map.add_sample(stack);
    });
    print_feeding(longest > 1000 ? "all sub-paths" : "sub-paths up to " + std::to_string(longest), map, seconds,
                  stacks.size());
  }
  ContextMap tree;
  const double seconds = seconds_of([&] {
    for (const Stack& stack : stacks) {
      ContextMap::Index at = kNone;
      profile::MethodId caller = kNone;
      for (const ContextMap::Frame& frame : stack) {
        at = tree.add_context(at, caller, frame, 1);
        caller = frame.method;
      }
    }
  });
  print_feeding("one tree", tree, seconds, stacks.size());
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse_options(argc, argv);
  const profile::Profile profile = load(options);
  ask(profile, options);
  feed(profile, options);
}
