// The options of schemes on the command line: --interval 10ms --burst-length 0.2ms --reenable 0.05 …, one at a time or
// several values of one to be tried (sweeps). Shared by all verbs and modes that run a scheme.
#pragma once

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schemes/options.h"

namespace bursar::cli {

// exhaustive, sample, burst, adaptive, cbs.
std::vector<std::string> scheme_words();
std::string_view scheme_word(schemes::Kind kind);
schemes::Kind scheme_kind(std::string_view word);  // of one of the above

// Sets one by its name without dashes. Times may lack a unit, then they are milliseconds. Empty, or what is wrong.
std::string set_scheme_option(schemes::Options& options, std::string_view name, const std::string& value);

// Values of one option to be tried.
struct Sweep {
  std::string name;
  std::vector<std::string> values;
};

// Adds one option for each to a verb; what is given becomes a sweep of one value. `given` must live as long as it.
void add_scheme_options(CLI::App& app, std::vector<Sweep>& given);

// "adaptive 0.2ms every 10ms, reenable 0.05": what makes a difference to this scheme and, of the rest, what is unusual.
std::string scheme_text(const schemes::Options& options);
// All that makes a difference to it.
nlohmann::ordered_json scheme_json(const schemes::Options& options);

// name=value,value…
base::Result<Sweep> parse_sweep(const std::string& text);

// Every kind, as is usual for it, with every combination of the sweeps' values, of which later ones win; each once,
// where a value makes no difference to a kind.
std::vector<schemes::Options> scheme_variants(const std::vector<schemes::Kind>& kinds,
                                              const std::vector<Sweep>& sweeps);

}  // namespace bursar::cli
