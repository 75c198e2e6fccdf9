#include "evaluation/config.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>

#include "evaluation/studies.h"
#include "evaluation/text_file.h"

namespace bursar::evaluation {

namespace {

// Changes when one of the files does; what is no file counts as an empty one.
std::string fingerprint(const std::vector<std::string>& files) {
  XXH64_hash_t hash = 0;
  for (const std::string& file : files) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(file, failure)) continue;
    const auto bytes = read_text(file);
    if (bytes) hash = XXH3_64bits_withSeed(bytes->data(), bytes->size(), hash);
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::vector<std::string> Config::profilers() const {
  std::vector<std::string> all = modes;
  all.insert(all.end(), peers.begin(), peers.end());
  return all;
}

std::vector<std::string> Config::judged() const {
  std::vector<std::string> all = profilers();
  std::erase_if(all, [](const std::string& name) { return find_advised(name) != nullptr; });
  return all;
}

std::vector<std::string> Config::advised() const {
  std::vector<std::string> all = modes;
  std::erase_if(all, [](const std::string& name) { return find_advised(name) == nullptr; });
  return all;
}

bool Config::is_advice_source(const std::string& profiler) const {
  const std::vector<std::string> ways = advised();
  return std::any_of(ways.begin(), ways.end(),
                     [&](const std::string& name) { return find_advised(name)->profile == profiler; });
}

bool Config::is_peer(const std::string& profiler) const {
  return std::find(peers.begin(), peers.end(), profiler) != peers.end();
}

std::string Config::profile_file(const std::string& workload, const std::string& profiler, std::uint32_t run) const {
  return fmt::format("{}/profiles/{}.{}.{}.bursar", folder, workload, profiler, run);
}

std::string jdk_version(const std::string& java) {
  constexpr std::string_view kKey = "JAVA_RUNTIME_VERSION=\"";
  const auto text = read_text((std::filesystem::path(java).parent_path().parent_path() / "release").string());
  if (!text) return "";
  for (const std::string& line : lines_of(*text)) {
    if (line.starts_with(kKey)) return line.substr(kKey.size(), line.rfind('"') - kKey.size());
  }
  return "";
}

Json settings_of(const Config& config, const std::string& java) {
  Json settings = {{"modes", config.modes}, {"peers", config.peers}};
  if (config.judges_program()) {
    settings["program"] = config.program;
    settings["program_build"] = fingerprint(config.program);  // words such as app.jar are files
  } else {
    settings["iterations"] = config.iterations;
    settings["warmup_iterations"] = config.warmup_iterations;
    settings["warmup_seconds"] = config.warmup_seconds;
    settings["workloads_build"] = fingerprint(config.workloads.files());
  }
  // Runs for accuracy have other rows than runs to be compared with each other.
  if (config.repeat > 0) settings["repeated"] = "walks new";
  if (config.paths) settings["paths"] = true;
  if (!config.interval.empty()) settings["interval"] = config.interval;
  settings["trace_bytes"] = config.trace_bytes;
  settings["jdk"] = jdk_version(java);
  settings["bursar_build"] = fingerprint({config.bursar, config.agent});
  return settings;
}

}  // namespace bursar::evaluation
