#include "profile/decode_sections.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace bursar::profile {
namespace {

using std::to_string;

// Undoes deltas(): false when a sum does not fit.
template <class Iterator>
bool sum_deltas(Iterator first, Iterator last) {
  using Number = typename std::iterator_traits<Iterator>::value_type;
  Number sum = 0;
  for (; first != last; ++first) {
    if (*first > std::numeric_limits<Number>::max() - sum) return false;
    sum += *first;
    *first = sum;
  }
  return true;
}

template <class Number>
void sum_deltas(SectionReader& in, const char* column, std::vector<Number>& values) {
  if (!sum_deltas(values.begin(), values.end())) in.fail(std::string("column ") + column + " adds up to too much");
}

Column get_column(SectionReader& in, const char* name, MetricKind kind, std::size_t rows) {
  Column column;
  column.value = in.numbers64(name, rows);
  if (kind == MetricKind::kEstimate) column.variance = in.numbers128(name, rows);
  return column;
}

std::vector<Column> get_columns(SectionReader& in, const std::vector<Metric>& metrics, std::size_t rows) {
  std::vector<Column> columns;
  columns.reserve(metrics.size());
  for (const Metric& metric : metrics) columns.push_back(get_column(in, metric.name.c_str(), metric.kind, rows));
  return columns;
}

MetricKind get_kind(SectionReader& in) {
  const std::uint64_t kind = in.number("kind");
  if (kind > static_cast<std::uint64_t>(MetricKind::kSamples)) in.fail("unknown kind " + to_string(kind));
  return in.ok() ? static_cast<MetricKind>(kind) : MetricKind::kExact;
}

// Strictly: what a map or set could not tell apart would be lost silently.
template <class Iterator>
bool ascend(Iterator first, Iterator last) {
  return std::adjacent_find(first, last, [](const auto& a, const auto& b) { return !(a < b); }) == last;
}

void get_counters(SectionReader& in, const char* what, std::map<std::string, std::uint64_t>& counters) {
  const std::size_t rows = in.count(what);
  std::vector<std::string> names = in.strings(what, rows);
  const std::vector<std::uint64_t> values = in.numbers64(what, rows);
  if (!in.ok()) return;
  if (!ascend(names.begin(), names.end())) return in.fail(std::string("names of ") + what + " are out of order");
  for (std::size_t i = 0; i < rows; ++i) counters.emplace_hint(counters.end(), std::move(names[i]), values[i]);
}

void get_info(SectionReader& in, std::map<std::string, std::set<std::string>>& info) {
  const std::size_t rows = in.count("info");
  std::vector<std::string> names = in.strings("info names", rows);
  const std::vector<std::uint32_t> sizes = in.numbers32("info sizes", rows);
  std::uint64_t total = 0;
  for (const std::uint32_t size : sizes) total += size;
  if (total >= kNone) in.fail("info has " + to_string(total) + " values");
  const std::vector<std::string> values = in.strings("info values", static_cast<std::size_t>(total));
  if (!in.ok()) return;
  if (!ascend(names.begin(), names.end())) return in.fail("names of info are out of order");
  auto value = values.begin();
  for (std::size_t i = 0; i < rows; ++i) {
    const auto end = value + sizes[i];
    if (!ascend(value, end)) return in.fail("values of info " + names[i] + " are out of order");
    info.emplace_hint(info.end(), std::move(names[i]), std::set<std::string>(value, end));
    value = end;
  }
}

void get_meta(SectionReader& in, ProfileData& data) {
  const std::uint64_t identity = in.number("identity");
  if (identity > (kIdentityCallSites | kIdentityDescriptors | kIdentityFoldedRecursion)) {
    in.fail("unknown identity " + to_string(identity));
  }
  data.identity.call_sites = (identity & kIdentityCallSites) != 0;
  data.identity.descriptors = (identity & kIdentityDescriptors) != 0;
  data.identity.folded_recursion = (identity & kIdentityFoldedRecursion) != 0;
  get_info(in, data.info);
  get_counters(in, "counters", data.counters);
  get_counters(in, "dropped", data.dropped);
  get_counters(in, "skipped_methods", data.skipped_methods);
}

void get_metrics(SectionReader& in, ProfileData& data) {
  const std::size_t rows = in.count("metrics");
  // Every thread has a column for every metric: the product must stay small.
  if (rows > kMaxMetrics)
    in.fail("there are " + to_string(rows) + " metrics, at most " + to_string(kMaxMetrics) + " can be");
  std::vector<std::string> names = in.strings("name", rows);
  std::vector<std::string> units = in.strings("unit", rows);
  const std::vector<std::uint8_t> kinds = in.small_numbers("kind", rows);
  const std::vector<std::uint8_t> scales = in.small_numbers("scale", rows);
  if (!in.ok()) return;
  for (std::size_t i = 0; i < rows; ++i) {
    data.metrics.push_back({std::move(names[i]), std::move(units[i]), static_cast<MetricKind>(kinds[i]), scales[i]});
  }
}

void get_methods(SectionReader& in, ProfileData& data) {
  const std::size_t rows = in.count("methods");
  std::vector<std::string> classes = in.strings("class", rows);
  std::vector<std::string> names = in.strings("name", rows);
  std::vector<std::string> descriptors;
  if (data.identity.descriptors) descriptors = in.strings("descriptor", rows);
  const std::vector<std::uint8_t> kinds = in.small_numbers("kind", rows);
  if (!in.ok()) return;
  data.methods.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    Method& method = data.methods[i];
    method.class_name = std::move(classes[i]);
    method.name = std::move(names[i]);
    if (!descriptors.empty()) method.descriptor = std::move(descriptors[i]);
    method.kind = static_cast<MethodKind>(kinds[i]);
  }
}

void get_method_sizes(SectionReader& in, ProfileData& data) {
  const std::size_t rows = in.count("sizes");
  if (in.ok() && rows != data.methods.size()) return in.fail("it has the sizes of another number of methods");
  const std::vector<std::uint32_t> sizes = in.numbers32("size", rows);
  if (!in.ok()) return;
  bool any = false;
  for (std::size_t i = 0; i < rows; ++i) {
    data.methods[i].code_bytes = sizes[i];
    any |= sizes[i] != 0;
  }
  if (!any) in.fail("it knows no size, so it should not be there");
}

void get_parents(SectionReader& in, const std::vector<std::uint32_t>& steps_up, std::vector<ContextId>& parent) {
  parent.resize(steps_up.size());
  for (std::size_t i = 0; i < steps_up.size(); ++i) {
    auto at = static_cast<ContextId>(i - 1);
    for (std::uint32_t step = 0; step < steps_up[i]; ++step) {
      if (at == kNone) return in.fail("context " + to_string(i) + " lies above the roots");
      at = parent[at];
    }
    parent[i] = at;
  }
}

void get_contexts(SectionReader& in, ProfileData& data) {
  Contexts& contexts = data.contexts;
  const std::size_t rows = in.count("contexts");
  get_parents(in, in.numbers32("steps up", rows), contexts.parent);
  contexts.method = in.numbers32("method", rows);
  if (data.identity.call_sites) {
    contexts.site = in.numbers_or_none("site", rows);
  } else if (in.ok()) {
    contexts.site.assign(rows, kNoSite);
  }
  contexts.columns = get_columns(in, data.metrics, rows);
}

void get_edges(SectionReader& in, ProfileData& data) {
  Edges& edges = data.edges;
  const std::size_t rows = in.count("edges");
  edges.caller = in.numbers32("caller", rows);
  sum_deltas(in, "caller", edges.caller);
  edges.site = in.numbers_or_none("site", rows);
  edges.callee = in.numbers32("callee", rows);
  edges.columns = get_columns(in, data.metrics, rows);
}

void get_threads(SectionReader& in, ProfileData& data) {
  const std::size_t count = in.count("threads");
  std::vector<std::string> names = in.strings("name", count);
  const std::vector<std::uint32_t> sizes = in.numbers32("size", count);
  std::uint64_t rows = 0;
  for (const std::uint32_t size : sizes) rows += size;
  std::vector<ContextId> contexts = in.numbers32("context", static_cast<std::size_t>(rows));
  const std::vector<Column> columns = get_columns(in, data.metrics, static_cast<std::size_t>(rows));
  if (!in.ok()) return;
  if (!ascend(names.begin(), names.end())) return in.fail("names of threads are out of order");

  data.threads.reserve(count);
  std::ptrdiff_t first = 0;
  for (std::size_t t = 0; t < count; ++t) {
    const std::ptrdiff_t end = first + sizes[t];
    const auto slice = [&](const auto& all) {
      return std::remove_cvref_t<decltype(all)>(all.begin() + first, all.begin() + end);
    };
    if (!sum_deltas(contexts.begin() + first, contexts.begin() + end)) {
      return in.fail("contexts of thread " + names[t] + " add up to too much");
    }
    Thread& thread = data.threads.emplace_back();
    thread.name = std::move(names[t]);
    thread.context = slice(contexts);
    for (const Column& column : columns) {
      Column& part = thread.columns.emplace_back();
      part.value = slice(column.value);
      if (!column.variance.empty()) part.variance = slice(column.variance);
    }
    first = end;
  }
}

void get_paths(SectionReader& in, ProfileData& data) {
  Paths& paths = data.paths;
  const std::size_t rows = in.count("paths");
  paths.kind = get_kind(in);
  paths.method = in.numbers32("method", rows);
  sum_deltas(in, "method", paths.method);
  paths.first_block = in.numbers64("length", rows);
  sum_deltas(in, "length", paths.first_block);
  if (!in.ok()) return;
  if (rows > 0) paths.first_block.insert(paths.first_block.begin(), 0);
  const std::uint64_t blocks = rows == 0 ? 0 : paths.first_block.back();
  paths.blocks = in.numbers32("block", static_cast<std::size_t>(blocks));
  paths.branches = in.numbers32("branches", rows);
  paths.count = get_column(in, "count", paths.kind, rows);
}

void get_branches(SectionReader& in, ProfileData& data) {
  Branches& branches = data.branches;
  const std::size_t rows = in.count("branches");
  branches.kind = get_kind(in);
  branches.method = in.numbers32("method", rows);
  sum_deltas(in, "method", branches.method);
  branches.bci = in.numbers32("bci", rows);
  branches.outcome = in.numbers32("outcome", rows);
  branches.count = get_column(in, "count", branches.kind, rows);
}

void get_lines(SectionReader& in, ProfileData& data) {
  Lines& lines = data.lines;
  const std::size_t rows = in.count("lines");
  lines.method = in.numbers32("method", rows);
  sum_deltas(in, "method", lines.method);
  lines.bci = in.numbers32("bci", rows);
  lines.line = in.numbers32("line", rows);
}

void get_series(SectionReader& in, ProfileData& data) {
  const std::size_t count = in.count("series");
  std::vector<std::string> names = in.strings("name", count);
  std::vector<std::string> units = in.strings("unit", count);
  for (std::size_t s = 0; s < count && in.ok(); ++s) {
    Series& series = data.series.emplace_back();
    series.name = std::move(names[s]);
    series.unit = std::move(units[s]);
    const std::size_t rows = in.count("points");
    series.time_ns = in.numbers64("time", rows);
    sum_deltas(in, "time", series.time_ns);
    series.thread = in.numbers_or_none("thread", rows);
    series.value = in.doubles("value", rows);
  }
}

}  // namespace

void decode_section(Section section, SectionReader& in, ProfileData& data) {
  switch (section) {
    case Section::kMeta:
      return get_meta(in, data);
    case Section::kMetrics:
      return get_metrics(in, data);
    case Section::kMethods:
      return get_methods(in, data);
    case Section::kMethodSizes:
      return get_method_sizes(in, data);
    case Section::kContexts:
      return get_contexts(in, data);
    case Section::kEdges:
      return get_edges(in, data);
    case Section::kThreads:
      return get_threads(in, data);
    case Section::kPaths:
      return get_paths(in, data);
    case Section::kBranches:
      return get_branches(in, data);
    case Section::kLines:
      return get_lines(in, data);
    case Section::kSeries:
      return get_series(in, data);
  }
}

}  // namespace bursar::profile
