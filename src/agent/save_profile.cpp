#include "agent/save_profile.h"

#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "agent/status_file.h"
#include "profile/freeze.h"
#include "profile/profile_file.h"

namespace bursar::agent {

std::string with_process_id(std::string path) {
  if (const std::size_t at = path.find("%p"); at != std::string::npos) path.replace(at, 2, std::to_string(getpid()));
  return path;
}

SavedProfile save_profile(profile::ProfileData data, const std::string& output) {
  SavedProfile saved;
  saved.path = with_process_id(output);
  base::Result<profile::Profile> frozen = profile::freeze(std::move(data));
  if (!frozen) {
    saved.error = frozen.error().message;
    return saved;
  }
  saved.contexts = (*frozen)->contexts.size();
  const std::vector<profile::Metric>& metrics = (*frozen)->metrics;
  const bool has_contexts = saved.contexts > 0;
  saved.edges = has_contexts ? 0 : (*frozen)->edges.size();
  const std::vector<profile::Column>& columns = has_contexts ? (*frozen)->contexts.columns : (*frozen)->edges.columns;
  // What a recording counts first of all: samples where there are any.
  const auto samples = std::find_if(metrics.begin(), metrics.end(),
                                    [](const profile::Metric& metric) { return metric.name == profile::kSamples; });
  const auto at = static_cast<std::size_t>(samples != metrics.end() ? samples - metrics.begin() : 0);
  const profile::Column& counted = columns.empty() ? (*frozen)->paths.count : columns.at(at);
  for (const std::uint64_t number : counted.value) saved.total += number;
  const base::Status written = profile::write_file(*frozen, saved.path);
  if (!written) saved.error = written.error().message;
  return saved;
}

void tell_outcome(const std::string& status_path, const SavedProfile& saved, const char* metric) {
  if (!saved.error.empty()) return tell(status_path, "error", saved.error);
  tell(status_path, "contexts", std::to_string(saved.contexts));
  if (saved.edges > 0) tell(status_path, "edges", std::to_string(saved.edges));
  tell(status_path, metric, std::to_string(saved.total));
  tell(status_path, "saved", saved.path);
}

}  // namespace bursar::agent
