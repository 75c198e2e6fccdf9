// encode(): a Profile to the bytes that docs/format.md describes.
#include <algorithm>
#include <utility>

#include "base/byte_writer.h"
#include "profile/file_layout.h"
#include "profile/profile_file.h"
#include "profile/section_writer.h"

namespace bursar::profile {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Strings = std::vector<const std::string*>;

template <class Rows, class Field>
Strings strings_of(const Rows& rows, Field field) {
  Strings strings;
  strings.reserve(rows.size());
  for (const auto& row : rows) strings.push_back(&(row.*field));
  return strings;
}

// Each number as its distance from the one before; `values` ascend.
template <class Number>
std::vector<Number> deltas(const std::vector<Number>& values) {
  std::vector<Number> result(values);
  for (std::size_t i = result.size(); i-- > 1;) result[i] -= result[i - 1];
  return result;
}

void put_column(SectionWriter& out, const Column& column, MetricKind kind) {
  out.numbers(column.value);
  if (kind == MetricKind::kEstimate) out.numbers(column.variance);
}

void put_columns(SectionWriter& out, const std::vector<Column>& columns, const std::vector<Metric>& metrics) {
  for (std::size_t m = 0; m < metrics.size(); ++m) put_column(out, columns[m], metrics[m].kind);
}

void put_counters(SectionWriter& out, const std::map<std::string, std::uint64_t>& counters) {
  Strings names;
  std::vector<std::uint64_t> values;
  for (const auto& [name, value] : counters) {
    names.push_back(&name);
    values.push_back(value);
  }
  out.number(names.size());
  out.strings(names);
  out.numbers(values);
}

void put_meta(SectionWriter& out, const ProfileData& data) {
  out.number((data.identity.call_sites ? kIdentityCallSites : 0) |
             (data.identity.descriptors ? kIdentityDescriptors : 0) |
             (data.identity.folded_recursion ? kIdentityFoldedRecursion : 0));
  Strings names;
  std::vector<std::uint32_t> sizes;
  Strings values;
  for (const auto& [name, facts] : data.info) {
    names.push_back(&name);
    sizes.push_back(static_cast<std::uint32_t>(facts.size()));
    for (const std::string& fact : facts) values.push_back(&fact);
  }
  out.number(names.size());
  out.strings(names);
  out.numbers(sizes);
  out.strings(values);
  put_counters(out, data.counters);
  put_counters(out, data.dropped);
  put_counters(out, data.skipped_methods);
}

void put_metrics(SectionWriter& out, const ProfileData& data) {
  Bytes kinds;
  Bytes scales;
  for (const Metric& metric : data.metrics) {
    kinds.push_back(static_cast<std::uint8_t>(metric.kind));
    scales.push_back(metric.scale_log2);
  }
  out.number(data.metrics.size());
  out.strings(strings_of(data.metrics, &Metric::name));
  out.strings(strings_of(data.metrics, &Metric::unit));
  out.small_numbers(kinds);
  out.small_numbers(scales);
}

void put_methods(SectionWriter& out, const ProfileData& data) {
  Bytes kinds;
  for (const Method& method : data.methods) kinds.push_back(static_cast<std::uint8_t>(method.kind));
  out.number(data.methods.size());
  out.strings(strings_of(data.methods, &Method::class_name));
  out.strings(strings_of(data.methods, &Method::name));
  if (data.identity.descriptors) out.strings(strings_of(data.methods, &Method::descriptor));
  out.small_numbers(kinds);
}

bool has_sizes(const std::vector<Method>& methods) {
  return std::any_of(methods.begin(), methods.end(), [](const Method& method) { return method.code_bytes != 0; });
}

void put_method_sizes(SectionWriter& out, const std::vector<Method>& methods) {
  std::vector<std::uint32_t> sizes;
  sizes.reserve(methods.size());
  for (const Method& method : methods) sizes.push_back(method.code_bytes);
  out.number(sizes.size());
  out.numbers(sizes);
}

// How many contexts of the chain to the one before are left to reach the parent.
std::vector<std::uint32_t> steps_up(const std::vector<ContextId>& parent) {
  std::vector<std::uint32_t> steps;
  steps.reserve(parent.size());
  for (std::size_t i = 0; i < parent.size(); ++i) {
    std::uint32_t count = 0;
    for (auto at = static_cast<ContextId>(i - 1); at != parent[i]; at = parent[at]) ++count;
    steps.push_back(count);
  }
  return steps;
}

void put_contexts(SectionWriter& out, const ProfileData& data) {
  out.number(data.contexts.size());
  out.numbers(steps_up(data.contexts.parent));
  out.numbers(data.contexts.method);
  if (data.identity.call_sites) out.numbers_or_none(data.contexts.site);
  put_columns(out, data.contexts.columns, data.metrics);
}

void put_edges(SectionWriter& out, const ProfileData& data) {
  out.number(data.edges.size());
  out.numbers(deltas(data.edges.caller));
  out.numbers_or_none(data.edges.site);
  out.numbers(data.edges.callee);
  put_columns(out, data.edges.columns, data.metrics);
}

// The threads' contexts and numbers lie one after the other: many threads have few contexts.
void put_threads(SectionWriter& out, const ProfileData& data) {
  std::vector<std::uint32_t> sizes;
  std::vector<ContextId> contexts;
  std::vector<Column> columns(data.metrics.size());
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const Thread& thread : data.threads) {
    sizes.push_back(static_cast<std::uint32_t>(thread.context.size()));
    append(contexts, deltas(thread.context));
    for (std::size_t m = 0; m < columns.size(); ++m) {
      append(columns[m].value, thread.columns[m].value);
      append(columns[m].variance, thread.columns[m].variance);
    }
  }
  out.number(data.threads.size());
  out.strings(strings_of(data.threads, &Thread::name));
  out.numbers(sizes);
  out.numbers(contexts);
  put_columns(out, columns, data.metrics);
}

void put_paths(SectionWriter& out, const Paths& paths) {
  std::vector<std::uint64_t> lengths;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    lengths.push_back(paths.first_block[i + 1] - paths.first_block[i]);
  }
  out.number(paths.size());
  out.number(static_cast<std::uint64_t>(paths.kind));
  out.numbers(deltas(paths.method));
  out.numbers(lengths);
  out.numbers(paths.blocks);
  out.numbers(paths.branches);
  put_column(out, paths.count, paths.kind);
}

void put_branches(SectionWriter& out, const Branches& branches) {
  out.number(branches.size());
  out.number(static_cast<std::uint64_t>(branches.kind));
  out.numbers(deltas(branches.method));
  out.numbers(branches.bci);
  out.numbers(branches.outcome);
  put_column(out, branches.count, branches.kind);
}

void put_lines(SectionWriter& out, const Lines& lines) {
  out.number(lines.size());
  out.numbers(deltas(lines.method));
  out.numbers(lines.bci);
  out.numbers(lines.line);
}

void put_series(SectionWriter& out, const std::vector<Series>& all) {
  out.number(all.size());
  out.strings(strings_of(all, &Series::name));
  out.strings(strings_of(all, &Series::unit));
  for (const Series& series : all) {
    out.number(series.time_ns.size());
    out.numbers(deltas(series.time_ns));
    out.numbers_or_none(series.thread);
    out.doubles(series.value);
  }
}

struct NamedSection {
  Section section;
  Bytes bytes;
};

std::vector<NamedSection> encode_sections(const ProfileData& data) {
  const ZstdCompressor compressor(ZSTD_createCCtx());
  std::vector<NamedSection> sections;
  const auto put = [&](Section section, bool present, const auto& put_columns_of) {
    if (!present) return;
    SectionWriter out(compressor.get());
    put_columns_of(out);
    sections.push_back({section, out.take()});
  };
  put(Section::kMeta, true, [&](SectionWriter& out) { put_meta(out, data); });
  put(Section::kMetrics, !data.metrics.empty(), [&](SectionWriter& out) { put_metrics(out, data); });
  put(Section::kMethods, !data.methods.empty(), [&](SectionWriter& out) { put_methods(out, data); });
  put(Section::kMethodSizes, has_sizes(data.methods), [&](SectionWriter& out) { put_method_sizes(out, data.methods); });
  put(Section::kContexts, data.contexts.size() > 0, [&](SectionWriter& out) { put_contexts(out, data); });
  put(Section::kEdges, data.edges.size() > 0, [&](SectionWriter& out) { put_edges(out, data); });
  put(Section::kThreads, !data.threads.empty(), [&](SectionWriter& out) { put_threads(out, data); });
  put(Section::kPaths, data.paths.size() > 0, [&](SectionWriter& out) { put_paths(out, data.paths); });
  put(Section::kBranches, data.branches.size() > 0, [&](SectionWriter& out) { put_branches(out, data.branches); });
  put(Section::kLines, data.lines.size() > 0, [&](SectionWriter& out) { put_lines(out, data.lines); });
  put(Section::kSeries, !data.series.empty(), [&](SectionWriter& out) { put_series(out, data.series); });
  return sections;
}

}  // namespace

std::vector<std::uint8_t> encode(const Profile& profile) {
  const std::vector<NamedSection> sections = encode_sections(profile.data());
  const std::size_t first = kHeaderSize + sections.size() * kDirectoryEntrySize + kChecksumSize;
  std::size_t size = first;
  for (const NamedSection& section : sections) size += section.bytes.size();

  base::ByteWriter out;
  out.reserve(size);
  out.append(kSignature);
  out.u2_le(kMajorVersion);
  out.u2_le(kMinorVersion);
  out.u4_le(static_cast<std::uint32_t>(sections.size()));
  out.u8_le(size);
  std::size_t offset = first;
  for (const NamedSection& section : sections) {
    for (const char letter : kSectionTags[static_cast<std::size_t>(section.section)]) {
      out.u1(static_cast<std::uint8_t>(letter));
    }
    out.u4_le(0);
    out.u8_le(offset);
    out.u8_le(section.bytes.size());
    out.u8_le(checksum(section.bytes));
    offset += section.bytes.size();
  }
  out.u8_le(checksum(out.view()));
  for (const NamedSection& section : sections) out.append(section.bytes);
  return out.take();
}

}  // namespace bursar::profile
