#include "agent/agent_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace bursar::agent {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::string decoded(std::string_view text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    if (escape) {
      value += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      value += text[i];
    }
  }
  return value;
}

// Empty if the value is fine.
template <class Number>
std::string set_number(Number& number, std::string_view key, const std::string& text, std::uint64_t least,
                       std::uint64_t most) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= most) return "";
  return std::string(key) + " is '" + text + "', not a number from " + std::to_string(least) + " to " +
         std::to_string(most);
}

std::string set_part(double& part, std::string_view key, const std::string& text) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part);
  if (error == std::errc() && end == text.data() + text.size() && part >= 0 && part <= 1) return "";
  return std::string(key) + " is '" + text + "', not a number from 0 to 1";
}

// Empty if it is one of the words; otherwise there is no such `what`.
template <class Value, std::size_t kCount>
std::string set_word(Value& value, std::string_view what, const std::string& word,
                     const std::pair<const char*, Value> (&words)[kCount]) {
  std::string list;
  for (const auto& [name, known] : words) {
    if (word == name) {
      value = known;
      return "";
    }
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  return "there is no " + std::string(what) + " '" + word + "' (there is: " + list + ")";
}

constexpr std::pair<const char*, AttachAction> kActions[] = {{"start", AttachAction::kStart},
                                                             {"stop", AttachAction::kStop},
                                                             {"dump", AttachAction::kDump},
                                                             {"status", AttachAction::kStatus},
                                                             {"recompile", AttachAction::kRecompile}};
constexpr std::pair<const char*, SampleClock> kClocks[] = {{"cpu", SampleClock::kCpu}, {"wall", SampleClock::kWall}};
constexpr std::pair<const char*, SampleWalks> kWalks[] = {
    {"full", SampleWalks::kFull}, {"new", SampleWalks::kNew}, {"check", SampleWalks::kCheck}};
constexpr std::pair<const char*, PathPlacement> kPlacements[] = {
    {"code", PathPlacement::kCode}, {"profile", PathPlacement::kProfile}, {"worst", PathPlacement::kWorst}};
constexpr std::pair<const char*, schemes::Correction> kCorrections[] = {
    {"none", schemes::Correction::kNone},
    {"density", schemes::Correction::kDensity},
    {"density+latency", schemes::Correction::kDensityAndLatency}};
constexpr std::pair<const char*, DensitySource> kDensities[] = {
    {"any", DensitySource::kAny}, {"hardware", DensitySource::kHardware}, {"software", DensitySource::kSoftware}};

std::string set_size(double& number, std::string_view key, const std::string& text) {
  constexpr double kMost = 1e15;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 0 && number <= kMost) return "";
  return std::string(key) + " is '" + text + "', not a number from 0 to 1e15";
}

// Empty if the value is fine.
std::string set(AgentOptions& options, std::string_view key, std::string value) {
  if (key == "mode") {
    options.mode = std::move(value);
    static constexpr std::array<std::string_view, 8> kModes = {kAdaptiveMode, kExactMode, kSampleMode,     kTraceMode,
                                                               kBurstMode,    kPathsMode, kExactPathsMode, kCbsMode};
    if (std::find(kModes.begin(), kModes.end(), options.mode) == kModes.end()) {
      return "there is no mode '" + options.mode +
             "' (there is: adaptive, exact, sample, trace, burst, cbs, paths, exact-paths)";
    }
  } else if (key == "output") {
    options.output = std::move(value);
    options.names_output = true;
    if (options.output.empty()) return "output is empty";
  } else if (key == "call_sites") {
    if (value != "0" && value != "1") return "call_sites is '" + value + "', not 0 or 1";
    options.call_sites = value == "1";
  } else if (key == "max_contexts") {
    return set_number(options.max_contexts, key, value, 1, kMostContexts);
  } else if (key == "max_size") {
    return set_number(options.max_size, key, value, kLeastMaxSize, std::numeric_limits<std::int64_t>::max());
  } else if (key == "skip_ms") {
    return set_number(options.skip_ms, key, value, 0, kLongestSkipMs);
  } else if (key == "interval_ns") {
    const std::string problem = set_number(options.interval_ns, key, value, kShortestIntervalNs, kLongestIntervalNs);
    options.bursts.interval_ns = options.interval_ns;
    return problem;
  } else if (key == "seed") {
    return set_number(options.seed, key, value, 0, std::numeric_limits<std::uint64_t>::max());
  } else if (key == "clock") {
    return set_word(options.clock, key, value, kClocks);
  } else if (key == "walks") {
    return set_word(options.walks, key, value, kWalks);
  } else if (key == "tune") {
    if (value != "0" && value != "1") return "tune is '" + value + "', not 0 or 1";
    options.tunes_interval = value == "1";
  } else if (key == "min_interval_ns") {
    return set_number(options.min_interval_ns, key, value, kShortestIntervalNs, kLongestIntervalNs);
  } else if (key == "max_interval_ns") {
    return set_number(options.max_interval_ns, key, value, kShortestIntervalNs, kLongestIntervalNs);
  } else if (key == "action") {
    return set_word(options.action, key, value, kActions);
  } else if (key == "burst_ns") {
    return set_number(options.bursts.burst_ns, key, value, kShortestBurstNs, kLongestIntervalNs);
  } else if (key == "reenable") {
    return set_part(options.bursts.reenable, key, value);
  } else if (key == "history") {
    return set_number(options.bursts.history, key, value, 1, kLargestHistory);
  } else if (key == "collision") {
    if (value != "replace" && value != "keep") return "collision is '" + value + "', not replace or keep";
    options.bursts.collision = value == "keep" ? schemes::Collision::kKeep : schemes::Collision::kReplace;
  } else if (key == "samples") {
    return set_number(options.samples, key, value, 1, kMostSamples);
  } else if (key == "stride") {
    return set_number(options.stride, key, value, 1, kLongestStride);
  } else if (key == "window_ns") {
    return set_number(options.window_ns, key, value, 0, kLongestWindowNs);
  } else if (key == "placement") {
    return set_word(options.placement, key, value, kPlacements);
  } else if (key == "first_ns") {
    return set_number(options.first_ns, key, value, 0, kNoLimitNs);
  } else if (key == "correct") {
    return set_word(options.antibias.correction, key, value, kCorrections);
  } else if (key == "lambda") {
    return set_size(options.antibias.lambda, key, value);
  } else if (key == "alpha") {
    return set_size(options.antibias.alpha, key, value);
  } else if (key == "density") {
    return set_word(options.density, key, value, kDensities);
  } else if (key == "gate") {
    options.gates.push_back(std::move(value));
  } else if (key == "include") {
    options.include.push_back(std::move(value));
  } else if (key == "exclude") {
    options.exclude.push_back(std::move(value));
  } else if (key == "command") {
    options.command = std::move(value);
  } else if (key == "status") {
    options.status = std::move(value);
  } else {
    return "there is no option '" + std::string(key) + "'";
  }
  return "";
}

}  // namespace

base::Result<AgentOptions> parse_agent_options(std::string_view text) {
  AgentOptions options;
  options.antibias.lambda = 0;
  bool names_interval = false, names_samples = false, names_stride = false, names_ticks = false;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      return base::Error{"agent options: '" + std::string(item) + "' is not key=value"};
    }
    names_interval = names_interval || item.substr(0, equals) == "interval_ns";
    names_samples = names_samples || item.substr(0, equals) == "samples";
    names_stride = names_stride || item.substr(0, equals) == "stride";
    for (const char* key : {"samples", "stride", "window_ns", "first_ns", "placement"})
      names_ticks = names_ticks || item.substr(0, equals) == key;
    const std::string problem = set(options, item.substr(0, equals), decoded(item.substr(equals + 1)));
    if (!problem.empty()) return base::Error{"agent options: " + problem};
  }
  options.path_ticks = options.mode == kPathsMode && names_ticks;
  // In mode sample it goes by activations that were seen before.
  if (options.tunes_interval && options.walks == SampleWalks::kFull) options.walks = SampleWalks::kNew;
  if ((options.mode == kAdaptiveMode || options.counts_paths()) && !names_interval) {
    options.tunes_interval = true;
    options.bursts.interval_ns = options.interval_ns = kDefaultFirstIntervalNs;
  }
  if (options.mode == kCbsMode) {
    if (!names_interval) options.interval_ns = kDefaultCallIntervalNs;
    options.tunes_interval = !names_interval;
    if (!names_samples) options.samples = kDefaultCallSamples;
    if (!names_stride) options.stride = kDefaultCallStride;
  }
  if (options.path_ticks && !names_interval) options.interval_ns = kDefaultPathIntervalNs;
  options.bursts.kind = options.mode == kBurstMode ? schemes::Kind::kStatic : schemes::Kind::kAdaptive;
  options.bursts.seed = options.seed;
  return options;
}

}  // namespace bursar::agent
