// Writes the profiles of the golden cases that folded text cannot express: call sites, threads, estimates, paths,
// losses; and a trace. usage: make_profiles FOLDER
#include <cstdio>
#include <string>

#include "profile/freeze.h"
#include "profile/profile_file.h"
#include "trace/events.h"
#include "trace/trace_file.h"

namespace {

using namespace bursar::profile;

// Methods by their place in methods().
enum : MethodId { kMain, kRun, kRemoveInt, kRemoveObject, kCopy, kVm, kOverflowed };

std::vector<Method> methods() {
  return {{"com.acme.Main", "main", "([Ljava/lang/String;)V"},
          {"com.acme.Worker", "run", "()V"},
          {"java.util.ArrayList", "remove", "(I)Ljava/lang/Object;"},
          {"java.util.ArrayList", "remove", "(Ljava/lang/Object;)Z"},
          {"java.lang.System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", MethodKind::kNative},
          {"", "[vm]", "", MethodKind::kPseudo},
          {"", "[overflow]", "", MethodKind::kOverflow}};
}

// main @12→ run @3→ remove(int) @20→ arraycopy;  run @9→ remove(Object);  [vm] → remove(int);  [overflow]
ProfileData tree() {
  ProfileData data;
  data.identity.call_sites = true;
  data.methods = methods();
  data.contexts.parent = {kNone, 0, 1, 2, 1, kNone, 5, kNone};
  data.contexts.method = {kMain, kRun, kRemoveInt, kCopy, kRemoveObject, kVm, kRemoveInt, kOverflowed};
  data.contexts.site = {kNoSite, 12, 3, 20, 9, kNoSite, kNoSite, kNoSite};
  data.edges.caller = {kMain, kRun, kRemoveInt, kRun, kVm};
  data.edges.site = {12, 3, 20, 9, kNoSite};
  data.edges.callee = {kRun, kRemoveInt, kCopy, kRemoveObject, kRemoveInt};
  return data;
}

void add_paths(ProfileData& data, std::vector<std::uint64_t> paths, std::vector<std::uint64_t> branches,
               MetricKind kind) {
  data.paths.method = {kRun, kRun};
  data.paths.first_block = {0, 3, 5};
  data.paths.blocks = {0, 4, 9, 0, 9};
  data.paths.branches = {2, 1};
  data.paths.count = {std::move(paths), {}};
  data.paths.kind = kind;
  data.branches.method = {kRun, kRun};
  data.branches.bci = {2, 2};
  data.branches.outcome = {0, 1};
  data.branches.count = {std::move(branches), {}};
  data.branches.kind = kind;
}

// As mode paths makes it: nothing but paths, samples with weights, a switch, lines of one of the methods.
ProfileData paths() {
  ProfileData data;
  data.methods = methods();
  data.paths.method = {kRun, kRun, kRemoveInt};
  data.paths.first_block = {0, 3, 5, 7};
  data.paths.blocks = {0, 4, 9, 0, 9, 0, 30};
  data.paths.branches = {2, 1, 1};
  data.paths.count = {{2'900, 1'000, 70}, {}};
  data.paths.kind = MetricKind::kSamples;
  data.branches.method = {kRun, kRun, kRemoveInt, kRemoveInt, kRemoveInt};
  data.branches.bci = {2, 2, 11, 11, 11};
  data.branches.outcome = {0, 1, 0, 2, 5};
  data.branches.count = {{1'000, 2'900, 50, 15, 5}, {}};
  data.branches.kind = MetricKind::kSamples;
  data.lines.method = {kRun, kRun, kRun, kRun};
  data.lines.bci = {0, 2, 4, 9};
  data.lines.line = {31, 31, 32, 35};
  data.info = {{"mode", {"paths"}}, {"command", {"java -jar acme.jar"}}};
  data.counters = {{"rewritten_methods", 9'034}, {"path_samples", 812}};
  data.skipped_methods = {{"irreducible", 1}};
  return data;
}

// As mode cbs makes it: call edges, threads of which no tree is known, call density and latency over time.
ProfileData measured() {
  ProfileData data;
  data.metrics = {{kWeight, "calls per 1000 cycles", MetricKind::kEstimate, 0}};
  data.methods = methods();
  data.contexts.columns.resize(1);
  data.edges.caller = {kMain, kRun, kRemoveInt};
  data.edges.site = {12, 3, 20};
  data.edges.callee = {kRun, kRemoveInt, kCopy};
  data.edges.columns = {{{400, 5'000, 4'000}, {2'500, 90'000, 40'000}}};
  data.threads = {{"main", {}, {{}}}, {"worker-1", {}, {{}}}};
  Series density{"call_density", "calls per 1000 cycles", {}, {}, {}},
      latency{"sampling_latency", "cycles", {}, {}, {}};
  for (std::uint32_t i = 0; i < 2'000; ++i) {
    const bool late = i >= 1'000;  // half-way the program does something else
    for (Series* const series : {&density, &latency}) {
      series->time_ns.push_back(i * 5'000'000ULL);
      series->thread.push_back(i % 3 == 0 ? 1 : 0);
    }
    density.value.push_back((late ? 6.0 : 2.0) + 0.1 * (i % 10));
    latency.value.push_back(20'000.0 + 400.0 * ((i * 7) % 50));
  }
  data.series = {density, latency};
  data.info = {{"mode", {"cbs"}}, {"command", {"java -jar acme.jar"}}};
  return data;
}

ProfileData exact() {
  ProfileData data = tree();
  data.metrics = {{kCalls, kCalls, MetricKind::kExact, 0}, {"bytecodes", "bytecodes", MetricKind::kExact, 0}};
  data.contexts.columns = {{{1, 40'000, 5'000'000, 5'000'000, 120'000, 1, 300, 700}, {}},
                           {{70, 4'000'000, 55'000'000, 0, 1'800'000, 0, 3'300, 0}, {}}};
  data.edges.columns = {{{40'000, 5'000'000, 5'000'000, 120'000, 300}, {}},
                        {{4'000'000, 55'000'000, 0, 1'800'000, 3'300}, {}}};
  data.threads = {{"main", {0}, {{{1}, {}}, {{70}, {}}}},
                  {"worker-1", {1, 2, 3}, {{{40'000, 5'000'000, 5'000'000}, {}}, {{4'000'000, 55'000'000, 0}, {}}}}};
  add_paths(data, {30'000, 10'000}, {10'000, 30'000}, MetricKind::kExact);
  data.info = {{"mode", {"exact"}}, {"jvm", {"OpenJDK 17.0.9"}}, {"command", {"java -jar acme.jar"}}};
  data.counters = {{"threads", 3},
                   {"rewritten_methods", 21'034},
                   {"profiler_cpu_ns", 123'456'789},
                   {"process_cpu_ns", 9'876'543'210}};
  data.dropped = {{"ring full", 12}, {"depth exceeded", 3'400}};
  data.skipped_methods = {{"too large", 2}, {"old class file", 17}};
  return data;
}

// Fixed point with 4 bits: 16 is one call.
ProfileData estimate() {
  ProfileData data = tree();
  data.metrics = {{kCalls, kCalls, MetricKind::kEstimate, 4}};
  const std::vector<std::uint64_t> values = {16, 38'000 * 16, 5'100'000 * 16, 4'900'000 * 16, 100'000 * 16, 0, 0, 0};
  const std::vector<Uint128> variances = {0,
                                          Uint128{2'000} * 2'000 * 256,
                                          Uint128{60'000} * 60'000 * 256,
                                          Uint128{60'000} * 60'000 * 256,
                                          Uint128{9'000} * 9'000 * 256,
                                          0,
                                          0,
                                          0};
  data.contexts.columns = {{values, variances}};
  data.edges.columns = {{{38'000 * 16, 5'100'000 * 16, 4'900'000 * 16, 100'000 * 16, 0},
                         {variances[1], variances[2], variances[3], variances[4], 0}}};
  add_paths(data, {90, 40}, {45, 85}, MetricKind::kSamples);
  data.info = {{"mode", {"adaptive"}}};
  return data;
}

// One call in a hundred lies beyond the limit of contexts.
ProfileData overflowed() {
  ProfileData data = tree();
  data.metrics = {{kCalls, kCalls, MetricKind::kExact, 0}};
  data.contexts.columns = {{{1, 10, 80, 5, 3, 0, 0, 1}, {}}};
  data.edges.columns = {{{10, 80, 5, 3, 0}, {}}};
  data.info = {{"mode", {"exact"}}};
  return data;
}

// Figure 2b of paper 004, the numbers ours: B→C→D runs 8 times, but never from E. C calls D and F from one site.
ProfileData figure_2b(bool call_sites) {
  ProfileData data;
  data.identity.call_sites = call_sites;
  data.metrics = {{kCalls, "", MetricKind::kExact, 0}};
  for (const char* name : {"A", "B", "C", "D", "E", "F"}) data.methods.push_back({"paper.Figure2", name, "()V"});
  enum : MethodId { kA, kB, kC, kD, kE, kF };
  data.contexts.parent = {kNone, 0, 1, 2, kNone, 4, 5, 6, kNone, 8, 9};
  data.contexts.method = {kA, kB, kC, kD, kE, kB, kC, kF, kB, kC, kD};
  data.contexts.site = {kNoSite, 1, 2, 3, kNoSite, 1, 2, 3, kNoSite, 2, 3};
  data.contexts.columns = {{{4, 4, 6, 6, 4, 4, 3, 3, 3, 2, 2}, {}}};
  data.edges.caller = {kA, kE, kB, kC, kC};
  data.edges.site = {1, 1, 2, 3, 3};
  data.edges.callee = {kB, kB, kC, kD, kF};
  data.edges.columns = {{{4, 4, 11, 8, 3}, {}}};
  data.info = {{"mode", {"exact"}}};
  return data;
}

// One call for each verdict of `advise`, one call site for each kind of target, a class that cannot be named.
ProfileData advised() {
  ProfileData data;
  data.identity.call_sites = true;
  data.metrics = {{kCalls, kCalls, MetricKind::kExact, 0}};
  enum : MethodId {
    kStart,
    kServe,
    kAdd,
    kPrice,
    kFind,
    kLog,
    kSlow,
    kCircle,
    kSquare,
    kHash,
    kDraw,
    kBoth,
    kLambda,
    kPaint
  };
  data.methods = {{"com.acme.Main", "main", "([Ljava/lang/String;)V", MethodKind::kJava, 90},
                  {"com.acme.Shop", "serve", "(I)V", MethodKind::kJava, 120},
                  {"com.acme.Cart", "add", "(Lcom/acme/Item;)Z", MethodKind::kJava, 410},
                  {"com.acme.Item", "price", "()I", MethodKind::kJava, 5},
                  {"com.acme.Cart", "find", "(I)I", MethodKind::kJava, 80},
                  {"com.acme.Log", "off", "()V", MethodKind::kJava, 30},
                  {"com.acme.Log", "open", "()V", MethodKind::kJava, 16},
                  {"com.acme.Circle", "area", "()I", MethodKind::kJava, 20},
                  {"com.acme.Square", "area", "()I", MethodKind::kJava, 22},
                  {"java.lang.Object", "hashCode", "()I", MethodKind::kNative, 0},
                  {"com.acme.Round", "draw", "(Lcom/acme/Shape;)I", MethodKind::kJava, 12},
                  {"com.acme.Edgy", "draw", "(Lcom/acme/Shape;)I", MethodKind::kJava, 600},
                  {"com.acme.Shop$$Lambda", "run", "()V", MethodKind::kJava, 9},
                  {"com.acme.Painter", "paint", "(Lcom/acme/Shape;)I", MethodKind::kJava, 40}};
  data.contexts.parent = {kNone, 0, 1, 2, 1, 1, 1, 2, 0, 8, 0, 10, 1, 0, 13, 9, 11, 1, 1};
  data.contexts.method = {kStart, kServe, kAdd, kPrice,  kFind, kLog,    kSlow,   kHash,   kDraw,  kPaint,
                          kBoth,  kPaint, kAdd, kLambda, kAdd,  kCircle, kSquare, kCircle, kSquare};
  data.contexts.site = {kNoSite, 12, 7, 30, 20, 40, 44, 50, 16, 5, 20, 5, 60, 70, 2, 3, 3, 80, 80};
  data.contexts.columns = {{{1, 1'000, 400'000, 900'000, 150, 9, 4, 70'000, 300'000, 300'000, 200'000, 200'000, 2'000,
                             500, 90'000, 300'000, 200'000, 95'000, 5'000},
                            {}}};
  data.info = {{"mode", {"exact"}}, {"command", {"java -jar acme.jar"}}};
  return data;
}

// A fifth of a second of main, which lets a worker run that does something else in its second half.
bool write_trace(const std::string& path) {
  namespace trace = bursar::trace;
  const auto writer = trace::TraceWriter::create(path, 1 << 20);
  if (!writer) return false;
  (*writer)->facts({{"jvm", "OpenJDK 17.0.9"}, {"command", "java -jar acme.jar"}});
  (*writer)->methods(methods());
  constexpr std::uint32_t kMainThread = 0, kWorker = 1;
  constexpr std::uint64_t kMillisecond = 1'000'000;
  trace::EventEncoder main, worker;
  const auto flush = [&](std::uint32_t thread, trace::EventEncoder& encoder) {
    const std::uint64_t start = encoder.pending_start();
    (*writer)->events(thread, start, encoder.take_pending());
  };
  main.call(kMain, trace::kNoSite, 0);
  worker.call(kRun, trace::kNoSite, 100 * kMillisecond);
  std::uint64_t random = 1;
  for (std::uint64_t now = 1'000; now < 200 * kMillisecond; now += 20'000) {
    random = random * 6364136223846793005 + 1442695040888963407;
    const bool object = now > 100 * kMillisecond && random >> 62 != 0;
    trace::EventEncoder& busy = now > 100 * kMillisecond && (random >> 61) % 2 == 0 ? worker : main;
    if (&busy == &main) busy.call(kRun, 12, now);
    busy.call(object ? kRemoveObject : kRemoveInt, object ? 9 : 3, now + 1'000);
    if (!object) busy.call(kCopy, 20, now + 2'000), busy.ret(now + 3'000);
    busy.ret(now + 4'000);
    if (&busy == &main) busy.ret(now + 5'000);
    if (now / 20'000 % 500 == 499) flush(kMainThread, main), flush(kWorker, worker);
  }
  flush(kMainThread, main);
  flush(kWorker, worker);
  (*writer)->thread(kMainThread, "main");
  (*writer)->thread(kWorker, "worker-1");
  (*writer)->facts({{"dropped.of virtual threads", "1200"}});
  return (*writer)->finish().ok();
}

bool write(ProfileData data, const std::string& path) {
  const auto profile = freeze(std::move(data));
  if (!profile) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), profile.error().message.c_str());
    return false;
  }
  const auto written = write_file(*profile, path);
  if (!written) std::fprintf(stderr, "%s\n", written.error().message.c_str());
  return written.ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  const bool ok = write(exact(), folder + "/exact.bursar") && write(estimate(), folder + "/estimate.bursar") &&
                  write(overflowed(), folder + "/overflowed.bursar") && write({}, folder + "/empty.bursar") &&
                  write(paths(), folder + "/paths.bursar") && write(measured(), folder + "/measured.bursar") &&
                  write(figure_2b(true), folder + "/figure_2b.bursar") &&
                  write(figure_2b(false), folder + "/figure_2b_no_sites.bursar") &&
                  write(advised(), folder + "/advised.bursar") && write_trace(folder + "/small.trace");
  return ok ? 0 : 1;
}
