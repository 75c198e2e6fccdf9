// What a profile says about the run it comes from, and what was lost in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/summary.h"
#include "cli/output.h"
#include "profile/profile.h"

namespace bursar::cli {

// "exact", "import", or several joined by '+' if profiles of different modes were merged; "unknown" if not recorded.
std::string mode_of(const profile::ProfileData& data);

std::optional<std::uint64_t> counter(const profile::ProfileData& data, const std::string& name);

struct Overhead {
  std::uint64_t profiler_cpu_ns = 0;
  std::uint64_t process_cpu_ns = 0;

  double percent() const;
};

// Nothing unless the run measured both.
std::optional<Overhead> overhead_of(const profile::ProfileData& data);
// Of mode cbs, the part of it that finds out how dense calls are.
std::optional<Overhead> density_overhead_of(const profile::ProfileData& data);

// Lines of text on JVM, command, overhead and rewriting, as far as known.
std::string run_text(const profile::ProfileData& data);

// Lines of text on what was dropped, skipped and put into the overflow; says so if that is nothing.
std::string losses_text(const profile::ProfileData& data, const analysis::Summary& summary, const Terminal& terminal);

}  // namespace bursar::cli
