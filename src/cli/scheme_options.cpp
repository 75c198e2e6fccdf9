#include "cli/scheme_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "cli/duration.h"
#include "cli/suggestion.h"
#include "cli/text.h"
#include "schemes/yieldpoint_sampler.h"

namespace bursar::cli {

namespace {

using schemes::Collision;
using schemes::Correction;
using schemes::Kind;
using schemes::Options;

struct Word {
  Kind kind;
  std::string_view word;
};
constexpr std::array<Word, 5> kWords = {{{Kind::kExhaustive, "exhaustive"},
                                         {Kind::kStackWalk, "sample"},
                                         {Kind::kStatic, "burst"},
                                         {Kind::kAdaptive, "adaptive"},
                                         {Kind::kCounter, "cbs"}}};

constexpr std::uint32_t kMostSamples = 1'000'000'000;
constexpr std::array<std::string_view, 3> kCorrectionWords = {"none", "density", "density+latency"};

std::string_view correction_word(Correction correction) {
  return kCorrectionWords[static_cast<std::size_t>(correction)];
}

template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

std::string set_time(std::uint64_t& ns, const std::string& text, std::uint64_t least) {
  const bool has_unit = text.empty() || text.back() < '0' || text.back() > '9';
  const auto time = parse_duration(has_unit ? text : text + "ms");
  if (!time) return time.error().message;
  if (*time < least) return fmt::format("{} is shorter than {}", printable(text), duration_text(least));
  ns = *time;
  return "";
}

std::string set_part(double& part, const std::string& text) {
  const auto number = number_in<double>(text);
  if (!number || !(*number >= 0 && *number <= 1)) {
    return fmt::format("{} is not a number from 0 to 1", printable(text));
  }
  part = *number;
  return "";
}

std::string set_count(std::uint32_t& count, const std::string& text, std::uint32_t most) {
  const auto number = number_in<std::uint32_t>(text);
  if (!number || *number == 0 || *number > most) {
    return fmt::format("{} is not a number from 1 to {}", printable(text), most);
  }
  count = *number;
  return "";
}

std::string set_amount(double& amount, const std::string& text, double least) {
  constexpr double kMost = 1e18;
  const auto number = number_in<double>(text);
  if (!number || !(*number >= least && *number <= kMost)) {
    return fmt::format("{} is not a number from {:g} to {:g}", printable(text), least, kMost);
  }
  amount = *number;
  return "";
}

std::string set_interval(Options& options, const std::string& text) {
  return set_time(options.interval_ns, text, 1'000);
}
std::string set_burst(Options& options, const std::string& text) {
  return set_time(options.burst_ns, text, 1);
}
std::string set_reenable(Options& options, const std::string& text) {
  return set_part(options.reenable, text);
}
std::string set_history(Options& options, const std::string& text) {
  constexpr std::uint32_t kMost = 1 << 28;
  return set_count(options.history, text, kMost);
}
std::string set_collision(Options& options, const std::string& text) {
  if (text != "replace" && text != "keep") return fmt::format("{} is neither replace nor keep", printable(text));
  options.collision = text == "keep" ? Collision::kKeep : Collision::kReplace;
  return "";
}
std::string set_jitter(Options& options, const std::string& text) {
  return set_part(options.jitter, text);
}
std::string set_seed(Options& options, const std::string& text) {
  const auto number = number_in<std::uint64_t>(text);
  if (!number) return fmt::format("{} is not a whole number", printable(text));
  options.seed = *number;
  return "";
}

std::string set_samples(Options& options, const std::string& text) {
  return set_count(options.samples, text, kMostSamples);
}
std::string set_stride(Options& options, const std::string& text) {
  return set_count(options.stride, text, kMostSamples);
}
std::string set_correct(Options& options, const std::string& text) {
  const auto found = std::find(kCorrectionWords.begin(), kCorrectionWords.end(), text);
  if (found == kCorrectionWords.end()) {
    return fmt::format("{} is unknown; there is {}", printable(text), fmt::join(kCorrectionWords, ", "));
  }
  options.correction = static_cast<Correction>(found - kCorrectionWords.begin());
  return "";
}
std::string set_lambda(Options& options, const std::string& text) {
  return set_amount(options.lambda_cycles, text, 1);
}
std::string set_alpha(Options& options, const std::string& text) {
  return set_amount(options.alpha, text, 0);
}

// Kinds, as a set.
constexpr unsigned set_of(Kind kind) {
  return 1U << static_cast<unsigned>(kind);
}
constexpr unsigned kAdapting = set_of(Kind::kAdaptive);
constexpr unsigned kBursting = set_of(Kind::kStatic) | kAdapting;
constexpr unsigned kCounting = set_of(Kind::kCounter);
constexpr unsigned kTicking = set_of(Kind::kStackWalk) | kBursting | kCounting;

struct Setting {
  std::string_view name;
  const char* type;
  const char* help;
  unsigned kinds;  // that use it
  std::string (*set)(Options&, const std::string&);
};
constexpr std::array<Setting, 12> kSettings = {{
    {"interval", "TIME", "One tick in each; 10ms unless given, cbs: 4ms", kTicking, set_interval},
    {"jitter", "PART", "A tick comes at random within this part of its interval; 1 unless given", kTicking, set_jitter},
    {"seed", "N", "Of all that is random; 1 unless given", kTicking, set_seed},
    {"burst-length", "TIME", "Of a burst; 0.2ms unless given", kBursting, set_burst},
    {"reenable", "PART", "Of the bursts at stacks seen before this part takes place; 0.05 unless given", kAdapting,
     set_reenable},
    {"history", "N", "Stacks that are remembered; 2048 unless given", kAdapting, set_history},
    {"collision", "RULE", "Of two stacks for one place: replace (unless given) the old one, or keep it", kAdapting,
     set_collision},
    {"samples", "N", "cbs: so many of the calls behind a tick are samples; 8 unless given", kCounting, set_samples},
    {"stride", "N", "cbs: every so many calls one of them; 2 unless given", kCounting, set_stride},
    {"correct", "WHAT",
     "cbs: what samples weigh by: none, density of calls, or density+latency (unless given), also how long a tick\n"
     "waited for its first sample",
     kCounting, set_correct},
    {"lambda", "CYCLES", "cbs: the interval that latency is held against, 2.5 cycles in a ns; --interval unless given",
     kCounting, set_lambda},
    {"alpha", "N", "cbs: how much latency counts; 1000 unless given", kCounting, set_alpha},
}};

const Setting* find_setting(std::string_view name) {
  const auto found = std::find_if(kSettings.begin(), kSettings.end(), [&](const Setting& s) { return s.name == name; });
  return found != kSettings.end() ? &*found : nullptr;
}

std::string unknown_setting(std::string_view name) {
  std::vector<std::string> names;
  std::string list;
  for (const Setting& setting : kSettings) {
    names.emplace_back(setting.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return fmt::format("{} is unknown{}; there is {}", printable(name), did_you_mean(std::string(name), names), list);
}

bool uses(Kind kind, const Setting& setting) {
  return (setting.kinds & set_of(kind)) != 0;
}

// Without latency all that λ does is to make all weights larger or smaller, and α does nothing.
bool weighs_latency(const Options& options) {
  return options.kind == Kind::kCounter && options.correction == Correction::kDensityAndLatency;
}

bool same_to_its_kind(const Options& a, const Options& b) {
  return scheme_json(a) == scheme_json(b);
}

}  // namespace

std::vector<std::string> scheme_words() {
  std::vector<std::string> words;
  words.reserve(kWords.size());
  for (const Word& word : kWords) words.emplace_back(word.word);
  return words;
}

std::string_view scheme_word(Kind kind) {
  return kWords[static_cast<std::size_t>(kind)].word;
}

Kind scheme_kind(std::string_view word) {
  const auto found = std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return w.word == word; });
  return found != kWords.end() ? found->kind : Kind::kAdaptive;
}

std::string set_scheme_option(Options& options, std::string_view name, const std::string& value) {
  const Setting* const setting = find_setting(name);
  return setting != nullptr ? setting->set(options, value) : unknown_setting(name);
}

void add_scheme_options(CLI::App& app, std::vector<Sweep>& given) {
  for (const Setting& setting : kSettings) {
    const auto set = [&given, &setting](const std::string& value) {
      given.push_back({.name = std::string(setting.name), .values = {value}});
    };
    const CLI::Validator check{[&setting](std::string& value) {
                                 Options trial;
                                 return setting.set(trial, value);
                               },
                               ""};
    app.add_option_function<std::string>(fmt::format("--{}", setting.name), set, setting.help)
        ->type_name(setting.type)
        ->check(check);
  }
}

std::string scheme_text(const Options& options) {
  const Options usual = schemes::usual_options(options.kind);
  const Kind kind = options.kind;
  std::string text(scheme_word(kind));
  if (kind == Kind::kExhaustive) return text;
  if ((set_of(kind) & kBursting) != 0) text += " " + duration_text(options.burst_ns);
  if (kind == Kind::kCounter) text += fmt::format(" {}, {}", options.samples, options.stride);
  text += " every " + duration_text(options.interval_ns);
  if (kind == Kind::kCounter) text += fmt::format(", correct {}", correction_word(options.correction));
  if (weighs_latency(options)) {
    if (options.lambda_cycles > 0) text += fmt::format(", lambda {:.10g}", options.lambda_cycles);
    if (options.alpha != usual.alpha) text += fmt::format(", alpha {:g}", options.alpha);
  }
  if (kind == Kind::kAdaptive) {
    text += fmt::format(", reenable {:g}", options.reenable);
    if (options.history != usual.history) text += fmt::format(", history {}", options.history);
    if (options.collision == Collision::kKeep) text += ", collision keep";
  }
  if (options.jitter != usual.jitter) text += fmt::format(", jitter {:g}", options.jitter);
  if (options.seed != usual.seed) text += fmt::format(", seed {}", options.seed);
  return text;
}

nlohmann::ordered_json scheme_json(const Options& options) {
  nlohmann::ordered_json object;
  object["scheme"] = scheme_word(options.kind);
  const auto used = [&](std::string_view name) { return uses(options.kind, *find_setting(name)); };
  if (used("interval")) object["interval_ns"] = options.interval_ns;
  if (used("burst-length")) object["burst_ns"] = options.burst_ns;
  if (used("reenable")) object["reenable"] = options.reenable;
  if (used("history")) object["history"] = options.history;
  if (used("collision")) object["collision"] = options.collision == Collision::kKeep ? "keep" : "replace";
  if (used("samples")) object["samples"] = options.samples;
  if (used("stride")) object["stride"] = options.stride;
  if (used("correct")) object["correct"] = correction_word(options.correction);
  if (weighs_latency(options)) {
    object["lambda_cycles"] = schemes::antibias_of(options).lambda;
    object["alpha"] = options.alpha;
  }
  if (used("jitter")) object["jitter"] = options.jitter;
  if (used("seed")) object["seed"] = options.seed;
  return object;
}

base::Result<Sweep> parse_sweep(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    return base::Error{fmt::format("{} is not name=value,value…, such as reenable=0,0.05,1", printable(text))};
  }
  Sweep sweep{.name = text.substr(0, equals), .values = {}};
  for (std::size_t at = equals + 1; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    std::string value = text.substr(at, comma - at);
    Options trial;
    if (const std::string problem = set_scheme_option(trial, sweep.name, value); !problem.empty()) {
      return base::Error{problem};
    }
    sweep.values.push_back(std::move(value));
    at = comma + 1;
  }
  return sweep;
}

std::vector<Options> scheme_variants(const std::vector<Kind>& kinds, const std::vector<Sweep>& sweeps) {
  std::vector<Options> variants;
  for (const Kind kind : kinds) {
    std::vector<Options> of_kind = {schemes::usual_options(kind)};
    for (const Sweep& sweep : sweeps) {
      std::vector<Options> next;
      for (const Options& options : of_kind) {
        for (const std::string& value : sweep.values) {
          next.push_back(options);
          set_scheme_option(next.back(), sweep.name, value);
        }
      }
      of_kind = std::move(next);
    }
    for (const Options& options : of_kind) {
      const bool known = std::any_of(variants.begin(), variants.end(),
                                     [&](const Options& other) { return same_to_its_kind(options, other); });
      if (!known) variants.push_back(options);
    }
  }
  return variants;
}

}  // namespace bursar::cli
