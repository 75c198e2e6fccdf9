// bursar-sweep: takes a pack of class files through the class-file library and says what happened.
//
// Reads the pack that tests/jvm/sweep writes (ClassPack.java has the format), checks the round trip of every class and
// the numbers of all paths, puts probes into every method, and writes a pack of the rewritten classes for a JVM to
// verify.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "call_probes.h"
#include "classfile/path_probes.h"
#include "classfile/rewriter.h"
#include "path_check.h"
#include "round_trip.h"

namespace bursar::class_sweep {
namespace {

constexpr std::uint32_t kPackMagic = 0x42504b31;  // BPK1
constexpr std::uint16_t kEndOfPack = 0xffff;
constexpr std::size_t kMostExamples = 5;  // of each kind

struct Settings {
  std::string pack;
  std::string rewrite_to;
  std::string json_to;
  std::vector<std::string> probes;
  std::string placement = "after-parameters";
  bool cross_compile_limit = true;
};

struct Totals {
  std::uint64_t classes = 0;
  std::uint64_t refused = 0;
  std::uint64_t round_trip_failures = 0;
  std::uint64_t old_bytes = 0;
  std::uint64_t new_bytes = 0;
  double rewrite_seconds = 0;
  classfile::RewriteCounts counts;
  PathCounts paths;
  std::vector<std::string> examples;
};

std::vector<std::uint8_t> read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string text(base::Bytes bytes) {
  return {bytes.begin(), bytes.end()};
}

void write_record(base::ByteWriter& out, base::Bytes origin, base::Bytes name, base::Bytes bytes) {
  out.u2_be(static_cast<std::uint32_t>(origin.size()));
  out.append(origin);
  out.u2_be(static_cast<std::uint32_t>(name.size()));
  out.append(name);
  out.u4_be(static_cast<std::uint32_t>(bytes.size()));
  out.append(bytes);
}

// Takes all paths there are.
class AllPaths : public classfile::PathSink {
 public:
  bool wants(const classfile::MethodView&) override { return true; }
  void refused(const classfile::MethodView&, classfile::PathRefusal) override {}
  std::optional<std::uint32_t> add(const classfile::MethodView&, classfile::PathNumbering numbering) override {
    const std::uint32_t first = next_;
    next_ += numbering.paths();
    return first;
  }

 private:
  std::uint32_t next_ = 0;
};

class Sweep {
 public:
  explicit Sweep(const Settings& settings) : settings_(settings) {
    options_.cross_compile_limit = settings.cross_compile_limit;
    if (settings.placement == "at-end") options_.placement = classfile::LocalPlacement::kAtEnd;
    has_path_register_ = settings.probes == std::vector<std::string>{"paths"};
    if (settings.probes.empty() || has_path_register_) return;
    static constexpr std::array<std::string_view, 8> kNames = {"entry",      "exit",   "handler", "before-call",
                                                               "after-call", "branch", "loop",    "unwind"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      probes_.wanted[i] = std::find(settings.probes.begin(), settings.probes.end(), kNames[i]) != settings.probes.end();
    }
  }

  bool run(base::Bytes pack) {
    base::ByteReader reader(pack);
    if (reader.u4_be() != kPackMagic) return false;
    out_.u4_be(kPackMagic);
    for (;;) {
      const std::uint16_t origin_length = reader.u2_be();
      if (!reader.ok()) return false;
      if (origin_length == kEndOfPack) break;
      const base::Bytes origin = reader.take(origin_length);
      const base::Bytes name = reader.take(reader.u2_be());
      const base::Bytes bytes = reader.take(reader.u4_be());
      if (!reader.ok()) return false;
      one(origin, name, bytes);
    }
    out_.u2_be(kEndOfPack);
    return reader.at_end();
  }

  const Totals& totals() const { return totals_; }
  base::Bytes rewritten_pack() const { return out_.view(); }

 private:
  void one(base::Bytes origin, base::Bytes name, base::Bytes bytes) {
    ++totals_.classes;
    const auto note = [&](const std::string& what) {
      if (examples_of_[what]++ >= kMostExamples) return;
      totals_.examples.push_back(what + ": " + text(name) + " in " + text(origin));
    };
    if (const auto difference = round_trip_difference(bytes)) {
      ++totals_.round_trip_failures;
      note(*difference);
    }
    check_paths(bytes, totals_.paths);
    const auto start = std::chrono::steady_clock::now();
    const auto rewritten = classfile::rewrite(bytes, instrumentation(), options_);
    totals_.rewrite_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto keep = [&](base::Bytes result) {
      if (!settings_.rewrite_to.empty()) write_record(out_, origin, name, result);
    };
    if (!rewritten) {
      ++totals_.refused;
      note(rewritten.error().message);
      return keep(bytes);
    }
    for (std::size_t i = 0; i < rewritten->counts.skipped.size(); ++i) {
      if (rewritten->counts.skipped[i] != 0) note(std::string(classfile::kSkipReasonNames[i]));
    }
    totals_.counts += rewritten->counts;
    if (rewritten->bytes.empty()) return keep(bytes);
    totals_.old_bytes += bytes.size();
    totals_.new_bytes += rewritten->bytes.size();
    keep(rewritten->bytes);
  }

  classfile::Instrumentation& instrumentation() {
    if (has_path_register_) return path_probes_;
    return probes_;
  }

  const Settings& settings_;
  CallProbes probes_;
  AllPaths all_paths_;
  classfile::PathProbes path_probes_{all_paths_, "bursar/probe/Probe", "edge"};
  bool has_path_register_ = false;
  classfile::RewriteOptions options_;
  Totals totals_;
  std::map<std::string, std::size_t> examples_of_;
  base::ByteWriter out_;
};

nlohmann::ordered_json to_json(const Totals& totals) {
  nlohmann::ordered_json skipped = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < totals.counts.skipped.size(); ++i) {
    if (totals.counts.skipped[i] != 0) skipped[std::string(classfile::kSkipReasonNames[i])] = totals.counts.skipped[i];
  }
  nlohmann::ordered_json refused = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < totals.paths.refused.size(); ++i) {
    refused[std::string(classfile::kPathRefusalNames[i])] = totals.paths.refused[i];
  }
  const nlohmann::ordered_json paths = {{"numbered_methods", totals.paths.numbered},
                                        {"cut_methods", totals.paths.cut},
                                        {"left_out", refused},
                                        {"paths", totals.paths.paths},
                                        {"most_paths", totals.paths.most_paths},
                                        {"faults", totals.paths.faults}};
  return {{"classes", totals.classes},
          {"refused_classes", totals.refused},
          {"round_trip_failures", totals.round_trip_failures},
          {"methods_with_code", totals.counts.methods_with_code},
          {"rewritten", totals.counts.rewritten},
          {"skipped", skipped},
          {"old_code_bytes", totals.counts.old_code_bytes},
          {"new_code_bytes", totals.counts.new_code_bytes},
          {"old_class_bytes", totals.old_bytes},
          {"new_class_bytes", totals.new_bytes},
          {"crossed_inline_limit", totals.counts.crossed_inline_limit},
          {"crossed_frequent_inline_limit", totals.counts.crossed_frequent_inline_limit},
          {"crossed_compile_limit", totals.counts.crossed_compile_limit},
          {"rewrite_seconds", totals.rewrite_seconds},
          {"paths", paths},
          {"examples", totals.examples}};
}

void print(const Totals& totals) {
  const auto& counts = totals.counts;
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  fmt::print("classes              {:>12}\n", totals.classes);
  fmt::print("round trip differs   {:>12}\n", totals.round_trip_failures);
  fmt::print("refused              {:>12}\n", totals.refused);
  fmt::print("methods with code    {:>12}\n", counts.methods_with_code);
  fmt::print("rewritten            {:>12}  {:.4f} %\n", counts.rewritten,
             share(counts.rewritten, counts.methods_with_code));
  for (std::size_t i = 0; i < counts.skipped.size(); ++i) {
    if (counts.skipped[i] == 0) continue;
    fmt::print("  {:<18} {:>12}\n", classfile::kSkipReasonNames[i], counts.skipped[i]);
  }
  fmt::print("code bytes           {:>12}  {:.1f} % of before\n", counts.new_code_bytes,
             share(counts.new_code_bytes, counts.old_code_bytes));
  fmt::print("class bytes          {:>12}  {:.1f} % of before\n", totals.new_bytes,
             share(totals.new_bytes, totals.old_bytes));
  fmt::print("outgrew {} / {} / {} bytes: {} / {} / {} methods\n", classfile::kInlineLimit,
             classfile::kFrequentInlineLimit, classfile::kCompileLimit, counts.crossed_inline_limit,
             counts.crossed_frequent_inline_limit, counts.crossed_compile_limit);
  fmt::print("rewriting            {:>12.2f} s\n", totals.rewrite_seconds);
  const PathCounts& paths = totals.paths;
  fmt::print("methods with paths   {:>12}  {} paths, at most {}; cut in {}\n", paths.numbered, paths.paths,
             paths.most_paths, paths.cut);
  for (std::size_t i = 0; i < paths.refused.size(); ++i) {
    fmt::print("  {:<18} {:>12}\n", classfile::kPathRefusalNames[i], paths.refused[i]);
  }
  for (const std::string& fault : paths.faults) fmt::print("  wrong paths: {}\n", fault);
  for (const std::string& example : totals.examples) fmt::print("  {}\n", example);
}

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      "Examples:\n"
      "  bursar-sweep classes.pack\n"
      "  bursar-sweep classes.pack --rewrite out.pack --json report.json\n"
      "  bursar-sweep classes.pack --probes entry,exit --placement at-end\n\n"
      "Checks the class-file library on every class of a pack. Exit status: 0 all classes came back unchanged from "
      "the\n"
      "round trip and all paths have their numbers, 1 some did not or a file could not be used, 2 wrong options.");
  app.add_option("PACK", settings.pack, "class files, as written by tests/jvm/sweep")->required();
  app.add_option("--rewrite", settings.rewrite_to, "write the rewritten classes to this pack");
  app.add_option("--json", settings.json_to, "write the figures to this file");
  app.add_option("--probes", settings.probes,
                 "entry, exit, handler, before-call, after-call, branch, loop, unwind (default: all); or paths: the "
                 "path register")
      ->delimiter(',');
  app.add_option("--placement", settings.placement, "where new locals go")
      ->check(CLI::IsMember({"after-parameters", "at-end"}));
  app.add_flag("!--keep-compile-limit", settings.cross_compile_limit,
               "leave methods alone that would outgrow the compile limit");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const std::vector<std::uint8_t> pack = read_all(settings.pack);
  Sweep sweep(settings);
  if (!sweep.run(pack)) {
    fmt::print(stderr, "bursar-sweep: {} is missing or not a whole class pack; make one with bench/sweep\n",
               settings.pack);
    return 1;
  }
  print(sweep.totals());
  const auto write = [](const std::string& path, base::Bytes bytes) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) fmt::print(stderr, "bursar-sweep: cannot write {}\n", path);
    return bool(out);
  };
  if (!settings.rewrite_to.empty() && !write(settings.rewrite_to, sweep.rewritten_pack())) return 1;
  if (!settings.json_to.empty()) {
    const std::string json = to_json(sweep.totals()).dump(2) + "\n";
    if (!write(settings.json_to, {reinterpret_cast<const std::uint8_t*>(json.data()), json.size()})) return 1;
  }
  const Totals& totals = sweep.totals();
  return totals.round_trip_failures == 0 && totals.refused == 0 && totals.paths.faults.empty() ? 0 : 1;
}

}  // namespace
}  // namespace bursar::class_sweep

int main(int argc, char** argv) {
  return bursar::class_sweep::main(argc, argv);
}
