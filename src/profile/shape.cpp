#include "profile/shape.h"

#include <cmath>
#include <string>

namespace bursar::profile {
namespace {

using std::to_string;

constexpr std::uint8_t kMaxScaleLog2 = 32;

bool known(MetricKind kind) {
  return kind <= MetricKind::kSamples;
}
bool known(MethodKind kind) {
  return kind <= MethodKind::kOverflow;
}

bool check_length(const std::string& what, std::size_t length, std::size_t expected, Findings& findings) {
  if (length == expected) return true;
  findings.add(what + " has " + to_string(length) + " entries where " + to_string(expected) + " belong");
  return false;
}

template <class Id>
void check_ids(const std::string& what, const std::vector<Id>& ids, std::size_t limit, bool none_allowed,
               Findings& findings) {
  for (std::size_t i = 0; i < ids.size() && !findings.full(); ++i) {
    if (ids[i] < limit || (none_allowed && ids[i] == kNone)) continue;
    findings.add(what + " " + to_string(i) + " is " + to_string(ids[i]) + ", but there are only " + to_string(limit));
  }
}

void check_column(const std::string& what, const Column& column, MetricKind kind, std::size_t rows,
                  Findings& findings) {
  check_length(what, column.value.size(), rows, findings);
  check_length(what + " (variance)", column.variance.size(), kind == MetricKind::kEstimate ? rows : 0, findings);
}

void check_columns(const std::string& what, const std::vector<Column>& columns, const std::vector<Metric>& metrics,
                   std::size_t rows, Findings& findings) {
  if (!check_length(what + ": the list of columns", columns.size(), metrics.size(), findings)) return;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    check_column(what + ": column " + metrics[m].name, columns[m], metrics[m].kind, rows, findings);
  }
}

void check_metrics(const std::vector<Metric>& metrics, Findings& findings) {
  if (metrics.size() > kMaxMetrics) {
    findings.add("metrics: there are " + to_string(metrics.size()) + ", at most " + to_string(kMaxMetrics) + " can be");
  }
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const Metric& metric = metrics[m];
    const std::string what = "metric " + to_string(m) + " (" + metric.name + ")";
    if (metric.name.empty()) findings.add(what + " has no name");
    if (!known(metric.kind)) {
      findings.add(what + " has the unknown kind " + to_string(static_cast<unsigned>(metric.kind)));
    }
    if (metric.scale_log2 > (metric.kind == MetricKind::kEstimate ? kMaxScaleLog2 : 0)) {
      findings.add(what + " has the scale 2^" + to_string(metric.scale_log2) +
                   "; only an estimate has one, and at most 2^32");
    }
  }
}

void check_methods(const std::vector<Method>& methods, Findings& findings) {
  if (methods.size() >= kNone) findings.add("methods: more than ids can tell apart");
  for (std::size_t i = 0; i < methods.size() && !findings.full(); ++i) {
    if (known(methods[i].kind)) continue;
    findings.add("method " + to_string(i) + " (" + methods[i].name + ") has the unknown kind " +
                 to_string(static_cast<unsigned>(methods[i].kind)));
  }
}

void check_contexts(const ProfileData& data, Findings& findings) {
  const Contexts& contexts = data.contexts;
  const std::size_t rows = contexts.size();
  if (rows >= kNone) findings.add("contexts: more than ids can tell apart");
  check_length("contexts: method", contexts.method.size(), rows, findings);
  check_length("contexts: site", contexts.site.size(), rows, findings);
  check_ids("contexts: parent of context", contexts.parent, rows, true, findings);
  check_ids("contexts: method of context", contexts.method, data.methods.size(), false, findings);
  check_columns("contexts", contexts.columns, data.metrics, rows, findings);
}

void check_edges(const ProfileData& data, Findings& findings) {
  const Edges& edges = data.edges;
  const std::size_t rows = edges.size();
  if (rows >= kNone) findings.add("edges: too many");
  check_length("edges: site", edges.site.size(), rows, findings);
  check_length("edges: callee", edges.callee.size(), rows, findings);
  check_ids("edges: caller of edge", edges.caller, data.methods.size(), false, findings);
  check_ids("edges: callee of edge", edges.callee, data.methods.size(), false, findings);
  check_columns("edges", edges.columns, data.metrics, rows, findings);
}

void check_threads(const ProfileData& data, Findings& findings) {
  if (data.threads.size() >= kNone) findings.add("threads: more than ids can tell apart");
  for (std::size_t t = 0; t < data.threads.size() && !findings.full(); ++t) {
    const Thread& thread = data.threads[t];
    const std::string what = "thread " + to_string(t) + " (" + thread.name + ")";
    if (thread.context.size() >= kNone) findings.add(what + ": too many contexts");
    check_ids(what + ": context", thread.context, data.contexts.size(), false, findings);
    check_columns(what, thread.columns, data.metrics, thread.context.size(), findings);
  }
}

void check_paths(const ProfileData& data, Findings& findings) {
  const Paths& paths = data.paths;
  const std::size_t rows = paths.size();
  if (rows >= kNone) findings.add("paths: too many");
  if (!known(paths.kind)) findings.add("paths: unknown kind " + to_string(static_cast<unsigned>(paths.kind)));
  check_ids("paths: method of path", paths.method, data.methods.size(), false, findings);
  check_length("paths: branches", paths.branches.size(), rows, findings);
  check_column("paths: count", paths.count, paths.kind, rows, findings);

  const std::vector<std::uint64_t>& first = paths.first_block;
  if (!check_length("paths: first_block", first.size(), rows == 0 ? 0 : rows + 1, findings)) return;
  if (rows == 0) {
    if (!paths.blocks.empty()) findings.add("paths: there are blocks but no paths");
    return;
  }
  if (first.front() != 0 || first.back() != paths.blocks.size()) {
    findings.add("paths: first_block does not run from 0 to the number of blocks");
  }
  for (std::size_t i = 0; i < rows && !findings.full(); ++i) {
    if (first[i] > first[i + 1]) findings.add("paths: path " + to_string(i) + " ends before it starts");
  }
}

void check_branches(const ProfileData& data, Findings& findings) {
  const Branches& branches = data.branches;
  const std::size_t rows = branches.size();
  if (rows >= kNone) findings.add("branches: too many");
  if (!known(branches.kind)) findings.add("branches: unknown kind " + to_string(static_cast<unsigned>(branches.kind)));
  check_ids("branches: method of branch", branches.method, data.methods.size(), false, findings);
  check_length("branches: bci", branches.bci.size(), rows, findings);
  check_length("branches: outcome", branches.outcome.size(), rows, findings);
  check_column("branches: count", branches.count, branches.kind, rows, findings);
}

void check_lines(const ProfileData& data, Findings& findings) {
  const Lines& lines = data.lines;
  if (lines.size() >= kNone) findings.add("lines: too many");
  check_ids("lines: method of line", lines.method, data.methods.size(), false, findings);
  check_length("lines: bci", lines.bci.size(), lines.size(), findings);
  check_length("lines: line", lines.line.size(), lines.size(), findings);
}

void check_series(const ProfileData& data, Findings& findings) {
  for (std::size_t s = 0; s < data.series.size() && !findings.full(); ++s) {
    const Series& series = data.series[s];
    const std::string what = "series " + to_string(s) + " (" + series.name + ")";
    const std::size_t rows = series.time_ns.size();
    if (rows >= kNone) findings.add(what + ": too many points");
    check_length(what + ": thread", series.thread.size(), rows, findings);
    check_length(what + ": value", series.value.size(), rows, findings);
    check_ids(what + ": thread of point", series.thread, data.threads.size(), true, findings);
    for (std::size_t i = 0; i < series.value.size() && !findings.full(); ++i) {
      if (!std::isfinite(series.value[i]))
        findings.add(what + ": the value of point " + to_string(i) + " is not finite");
    }
  }
}

}  // namespace

void check_shape(const ProfileData& data, Findings& findings) {
  check_metrics(data.metrics, findings);
  check_methods(data.methods, findings);
  check_contexts(data, findings);
  check_edges(data, findings);
  check_threads(data, findings);
  check_paths(data, findings);
  check_branches(data, findings);
  check_lines(data, findings);
  check_series(data, findings);
}

}  // namespace bursar::profile
