// What every exporter is given, and how they are called.
#pragma once

#include <string>

#include "export/pruned_tree.h"
#include "export/sink.h"
#include "profile/profile.h"

namespace bursar::exports {

struct ExportRequest {
  const profile::Profile* profile = nullptr;
  TreeLimits limits;  // limits.metric is what is exported
  std::string name;   // of the profile, for people

  const profile::ProfileData& data() const { return profile->data(); }
  const profile::Metric& metric() const { return data().metrics[limits.metric]; }
};

// Writes the profile in its format; returns what was left out.
using Exporter = Pruned (*)(const ExportRequest& request, const Sink& sink);

}  // namespace bursar::exports
