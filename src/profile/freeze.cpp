#include "profile/freeze.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "profile/findings.h"
#include "profile/freeze_contexts.h"
#include "profile/grouping.h"
#include "profile/shape.h"

namespace bursar::profile {
namespace {

using Ids = std::vector<std::uint32_t>;

void renumber(Ids& ids, const Ids& new_id) {
  for (std::uint32_t& id : ids) {
    if (id != kNone) id = new_id[id];
  }
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// A table without rows may come without columns.
void supply_columns(std::vector<Column>& columns, std::size_t rows, std::size_t metrics) {
  if (rows == 0 && columns.empty()) columns.resize(metrics);
}

void supply_columns(ProfileData& data) {
  const std::size_t metrics = data.metrics.size();
  supply_columns(data.contexts.columns, data.contexts.size(), metrics);
  supply_columns(data.edges.columns, data.edges.size(), metrics);
  for (Thread& thread : data.threads) supply_columns(thread.columns, thread.context.size(), metrics);
  if (data.paths.size() == 0 && data.paths.first_block.size() == 1) data.paths.first_block.clear();
}

// What the identity leaves out is not there.
void apply_identity(ProfileData& data) {
  Contexts& contexts = data.contexts;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    if (!data.identity.call_sites || contexts.parent[i] == kNone) contexts.site[i] = kNoSite;
  }
  if (!data.identity.descriptors) {
    for (Method& method : data.methods) method.descriptor.clear();
  }
}

void freeze_metrics(ProfileData& data, Findings& findings) {
  Ids order(data.metrics.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto less = [&](std::uint32_t a, std::uint32_t b) { return data.metrics[a].name < data.metrics[b].name; };
  std::stable_sort(order.begin(), order.end(), less);
  const auto reorder = [&](auto& list) {
    std::remove_reference_t<decltype(list)> sorted;
    sorted.reserve(order.size());
    for (const std::uint32_t i : order) sorted.push_back(std::move(list[i]));
    list = std::move(sorted);
  };
  reorder(data.metrics);
  reorder(data.contexts.columns);
  reorder(data.edges.columns);
  for (Thread& thread : data.threads) reorder(thread.columns);
  for (std::size_t m = 1; m < data.metrics.size(); ++m) {
    if (data.metrics[m].name == data.metrics[m - 1].name) {
      findings.add("metric " + data.metrics[m].name + " is there twice");
    }
  }
}

// Without descriptors a Java and a native method may be the same to us. The group then counts as Java, whichever comes
// first: a rule that does not depend on the order in which profiles are merged.
bool alike_without_descriptor(const Method& a, const Method& b) {
  const auto has_frames = [](MethodKind kind) { return kind == MethodKind::kJava || kind == MethodKind::kNative; };
  return a.class_name == b.class_name && a.name == b.name &&
         (a.kind == b.kind || (has_frames(a.kind) && has_frames(b.kind)));
}

void freeze_methods(ProfileData& data) {
  std::vector<bool> used(data.methods.size());
  for (const Ids* ids :
       {&data.contexts.method, &data.edges.caller, &data.edges.callee, &data.paths.method, &data.branches.method}) {
    for (const MethodId id : *ids) used[id] = true;
  }
  Ids rows;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) rows.push_back(static_cast<std::uint32_t>(i));
  }
  const std::vector<Method>& methods = data.methods;
  const Grouping grouping = group_rows(
      std::move(rows), methods.size(), [&](std::uint32_t a, std::uint32_t b) { return methods[a] < methods[b]; },
      [&](std::uint32_t a, std::uint32_t b) {
        return data.identity.descriptors ? !(methods[a] < methods[b])
                                         : alike_without_descriptor(methods[a], methods[b]);
      });
  std::vector<Method> frozen = take_representatives(methods, grouping);
  // Two versions of a method may differ in size: the larger one, in whatever order profiles are merged.
  for (std::size_t i = 0; i < methods.size(); ++i) {
    if (grouping.group_of[i] == kNone) continue;
    std::uint32_t& size = frozen[grouping.group_of[i]].code_bytes;
    size = std::max(size, methods[i].code_bytes);
  }
  data.methods = std::move(frozen);
  for (Ids* ids :
       {&data.contexts.method, &data.edges.caller, &data.edges.callee, &data.paths.method, &data.branches.method}) {
    renumber(*ids, grouping.group_of);
  }
  renumber(data.lines.method, grouping.group_of);  // kNone where nothing else names the method
}

void freeze_contexts(ProfileData& data, Findings& findings) {
  Contexts& contexts = data.contexts;
  const Grouping grouping = group_contexts(contexts);
  const auto lost = std::find(grouping.group_of.begin(), grouping.group_of.end(), kNone);
  if (lost != grouping.group_of.end()) {
    findings.add("contexts: context " + std::to_string(lost - grouping.group_of.begin()) +
                 " has no root: its parents form a cycle");
    return;
  }
  contexts.parent = take_representatives(contexts.parent, grouping);
  renumber(contexts.parent, grouping.group_of);
  contexts.method = take_representatives(contexts.method, grouping);
  contexts.site = take_representatives(contexts.site, grouping);
  add_up(contexts.columns, grouping);
  for (Thread& thread : data.threads) renumber(thread.context, grouping.group_of);
}

void freeze_edges(Edges& edges) {
  const auto key = [&](std::uint32_t i) { return std::tuple(edges.caller[i], edges.site[i], edges.callee[i]); };
  const Grouping grouping = group_rows(edges.size(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  edges.caller = take_representatives(edges.caller, grouping);
  edges.site = take_representatives(edges.site, grouping);
  edges.callee = take_representatives(edges.callee, grouping);
  add_up(edges.columns, grouping);
}

void freeze_threads(ProfileData& data) {
  const Grouping by_name = group_rows(data.threads.size(), [&](std::uint32_t a, std::uint32_t b) {
    return data.threads[a].name < data.threads[b].name;
  });
  std::vector<Thread> united(by_name.size());
  std::vector<bool> begun(by_name.size());
  for (std::size_t t = 0; t < data.threads.size(); ++t) {
    Thread& from = data.threads[t];
    Thread& to = united[by_name.group_of[t]];
    if (!begun[by_name.group_of[t]]) {
      begun[by_name.group_of[t]] = true;
      to = std::move(from);
      continue;
    }
    append(to.context, from.context);
    for (std::size_t m = 0; m < to.columns.size(); ++m) {
      append(to.columns[m].value, from.columns[m].value);
      append(to.columns[m].variance, from.columns[m].variance);
    }
  }
  for (Thread& thread : united) {
    const Grouping grouping = group_rows(
        thread.context.size(), [&](std::uint32_t a, std::uint32_t b) { return thread.context[a] < thread.context[b]; });
    thread.context = take_representatives(thread.context, grouping);
    add_up(thread.columns, grouping);
  }
  data.threads = std::move(united);
  for (Series& series : data.series) renumber(series.thread, by_name.group_of);
}

void freeze_paths(Paths& paths) {
  const auto blocks = [&](std::uint32_t i) {
    return std::span(paths.blocks).subspan(paths.first_block[i], paths.first_block[i + 1] - paths.first_block[i]);
  };
  const Grouping grouping = group_rows(paths.size(), [&](std::uint32_t a, std::uint32_t b) {
    if (paths.method[a] != paths.method[b]) return paths.method[a] < paths.method[b];
    const auto left = blocks(a);
    const auto right = blocks(b);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });
  Paths frozen;
  frozen.kind = paths.size() == 0 ? MetricKind::kExact : paths.kind;
  frozen.method = take_representatives(paths.method, grouping);
  frozen.blocks.reserve(paths.blocks.size());
  if (grouping.size() > 0) frozen.first_block.push_back(0);
  for (const std::uint32_t row : grouping.representative) {
    const auto run = blocks(row);
    frozen.blocks.insert(frozen.blocks.end(), run.begin(), run.end());
    frozen.first_block.push_back(frozen.blocks.size());
  }
  // Overloads that became one method may disagree about the decisions along equal blocks.
  frozen.branches.resize(grouping.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::uint32_t& branches = frozen.branches[grouping.group_of[i]];
    branches = std::max(branches, paths.branches[i]);
  }
  frozen.count = std::move(paths.count);
  add_up(frozen.count, grouping);
  paths = std::move(frozen);
}

void freeze_branches(Branches& branches) {
  const auto key = [&](std::uint32_t i) {
    return std::tuple(branches.method[i], branches.bci[i], branches.outcome[i]);
  };
  const Grouping grouping =
      group_rows(branches.size(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  if (branches.size() == 0) branches.kind = MetricKind::kExact;
  branches.method = take_representatives(branches.method, grouping);
  branches.bci = take_representatives(branches.bci, grouping);
  branches.outcome = take_representatives(branches.outcome, grouping);
  add_up(branches.count, grouping);
}

// Of several lines for one place, the first in the source, in whatever order profiles are merged.
void freeze_lines(Lines& lines) {
  Ids rows;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    if (lines.method[i] != kNone) rows.push_back(i);
  }
  const auto place = [&](std::uint32_t i) { return std::pair(lines.method[i], lines.bci[i]); };
  const auto key = [&](std::uint32_t i) { return std::pair(place(i), lines.line[i]); };
  const Grouping grouping = group_rows(
      std::move(rows), lines.size(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); },
      [&](std::uint32_t a, std::uint32_t b) { return place(a) == place(b); });
  lines.method = take_representatives(lines.method, grouping);
  lines.bci = take_representatives(lines.bci, grouping);
  lines.line = take_representatives(lines.line, grouping);
}

void sort_points(Series& series) {
  // -0.0 equals 0.0 but is other bytes.
  for (double& value : series.value) value = value == 0.0 ? 0.0 : value;
  const auto key = [&](std::uint32_t i) { return std::tuple(series.time_ns[i], series.thread[i], series.value[i]); };
  const auto less = [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); };
  Ids order(series.time_ns.size());
  std::iota(order.begin(), order.end(), 0U);
  if (std::is_sorted(order.begin(), order.end(), less)) return;
  std::sort(order.begin(), order.end(), less);
  Series sorted{series.name, series.unit, {}, {}, {}};
  for (const std::uint32_t i : order) {
    sorted.time_ns.push_back(series.time_ns[i]);
    sorted.thread.push_back(series.thread[i]);
    sorted.value.push_back(series.value[i]);
  }
  series = std::move(sorted);
}

void freeze_series(std::vector<Series>& all, Findings& findings) {
  std::stable_sort(all.begin(), all.end(), [](const Series& a, const Series& b) { return a.name < b.name; });
  std::vector<Series> united;
  for (Series& series : all) {
    if (united.empty() || united.back().name != series.name) {
      united.push_back(std::move(series));
      continue;
    }
    Series& to = united.back();
    if (to.unit != series.unit) {
      findings.add("series " + to.name + " is there twice, in " + to.unit + " and in " + series.unit);
      return;
    }
    append(to.time_ns, series.time_ns);
    append(to.thread, series.thread);
    append(to.value, series.value);
  }
  for (Series& series : united) sort_points(series);
  all = std::move(united);
}

base::Error refusal(const Findings& findings) {
  return {"the profile data is not sound: " + findings.first()};
}

}  // namespace

class Freezer {
 public:
  static base::Result<Profile> freeze(ProfileData data) {
    Findings findings(1);
    supply_columns(data);
    check_shape(data, findings);
    if (!findings.empty()) return refusal(findings);

    apply_identity(data);
    freeze_metrics(data, findings);
    freeze_methods(data);
    freeze_contexts(data, findings);
    if (!findings.empty()) return refusal(findings);

    freeze_edges(data.edges);
    freeze_threads(data);
    freeze_paths(data.paths);
    freeze_branches(data.branches);
    freeze_lines(data.lines);
    freeze_series(data.series, findings);
    if (!findings.empty()) return refusal(findings);
    return Profile(std::move(data));
  }

  static base::Result<Profile> accept(ProfileData data) {
    const std::vector<std::string> wrong = validate(data, 1);
    if (!wrong.empty()) return base::Error{wrong.front()};
    return Profile(std::move(data));
  }
};

base::Result<Profile> freeze(ProfileData data) {
  return Freezer::freeze(std::move(data));
}
base::Result<Profile> accept_canonical(ProfileData data) {
  return Freezer::accept(std::move(data));
}

}  // namespace bursar::profile
