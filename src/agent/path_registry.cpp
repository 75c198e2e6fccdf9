#include "agent/path_registry.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/gathered_methods.h"

namespace bursar::agent {

std::optional<std::uint32_t> PathRegistry::add(core::Method method, classfile::PathNumbering numbering,
                                               const classfile::LineNumbers& lines) {
  std::vector<Line> places;
  for (std::uint32_t b = 0; b < numbering.blocks(); ++b) {
    for (const std::uint32_t bci : {numbering.pc(b), numbering.branch_pc(b)}) {
      if (bci != numbering.pc(b) && !numbering.decides(b)) continue;
      if (const auto line = lines.line_at(bci)) places.push_back({bci, *line});
    }
  }
  const std::lock_guard guard(lock_);
  if (numbering.paths() > capacity_ - size_) return std::nullopt;
  const core::MethodId id = methods_.add(std::move(method));
  if (id == core::kNoMethod) return std::nullopt;
  const std::uint32_t first = size_;
  size_ += numbering.paths();
  ranges_.push_back(std::make_unique<const Range>(Range{first, id, std::move(numbering), std::move(places)}));
  return first;
}

std::uint32_t PathRegistry::size() const {
  const std::lock_guard guard(lock_);
  return size_;
}

std::vector<PathRegistry::Misplaced> PathRegistry::misplaced(const std::vector<std::uint64_t>& counts,
                                                             double least_share) const {
  const std::lock_guard guard(lock_);
  std::vector<Misplaced> found;
  std::uint64_t decisions = 0;
  for (const auto& range : ranges_) {
    const classfile::PathNumbering& numbering = range->numbering;
    classfile::EdgeWeights edges(numbering.blocks());
    for (std::uint32_t i = 0; i < numbering.paths() && range->first + i < counts.size(); ++i) {
      const std::uint64_t count = counts[range->first + i];
      const auto path = count != 0 ? numbering.path(i) : std::nullopt;
      if (!path) continue;
      for (std::size_t at = 0; at < path->outcomes.size(); ++at) {
        const std::uint32_t block = path->blocks[at];
        if (!numbering.decides(block)) continue;
        edges[block].resize(numbering.outcomes(block));
        edges[block][path->outcomes[at]] += count;
        decisions += count;
      }
    }
    const std::uint64_t gain = numbering.spared_by(edges);
    if (gain != 0) found.push_back({range->first, methods_[range->method].class_name, std::move(edges), gain});
  }
  const double least = least_share * static_cast<double>(decisions);
  std::erase_if(found, [least](const Misplaced& each) { return static_cast<double>(each.gain) < least; });
  std::sort(found.begin(), found.end(), [](const Misplaced& a, const Misplaced& b) { return a.gain > b.gain; });
  return found;
}

profile::ProfileData PathRegistry::to_profile(const std::vector<std::uint64_t>& counts, profile::MetricKind kind,
                                              ByGroups& groups) const {
  const std::lock_guard guard(lock_);
  profile::ProfileData data;
  core::GatheredMethods methods(methods_);
  struct Taken {
    std::uint64_t count = 0;
    core::ByGroup groups{};
  };
  std::map<std::tuple<profile::MethodId, std::uint32_t, std::uint32_t>, Taken> outcomes;
  data.paths.first_block.push_back(0);
  for (const auto& range : ranges_) {
    const classfile::PathNumbering& numbering = range->numbering;
    const std::size_t paths_before = data.paths.method.size();
    for (std::uint32_t i = 0; i < numbering.paths() && range->first + i < counts.size(); ++i) {
      const std::uint64_t count = counts[range->first + i];
      const auto path = count != 0 ? numbering.path(i) : std::nullopt;
      if (!path) continue;
      const profile::MethodId method = methods.id_of(range->method);
      data.paths.method.push_back(method);
      for (const std::uint32_t block : path->blocks) data.paths.blocks.push_back(numbering.pc(block));
      data.paths.first_block.push_back(data.paths.blocks.size());
      data.paths.branches.push_back(numbering.decisions(*path));
      data.paths.count.value.push_back(count);
      const std::size_t number = range->first + i;
      const core::ByGroup by_group = number < groups.numbers.size() ? groups.numbers[number] : core::ByGroup{};
      groups.paths.push_back(by_group);
      for (std::size_t at = 0; at < path->outcomes.size(); ++at) {
        const std::uint32_t block = path->blocks[at];
        if (!numbering.decides(block)) continue;
        Taken& taken = outcomes[{method, numbering.branch_pc(block), path->outcomes[at]}];
        taken.count += count;
        for (std::size_t group = 0; group < by_group.size(); ++group) taken.groups[group] += by_group[group];
      }
    }
    if (data.paths.method.size() == paths_before) continue;
    for (const Line& line : range->lines) {
      data.lines.method.push_back(methods.id_of(range->method));
      data.lines.bci.push_back(line.bci);
      data.lines.line.push_back(line.line);
    }
  }
  for (const auto& [outcome, taken] : outcomes) {
    data.branches.method.push_back(std::get<0>(outcome));
    data.branches.bci.push_back(std::get<1>(outcome));
    data.branches.outcome.push_back(std::get<2>(outcome));
    data.branches.count.value.push_back(taken.count);
    groups.branches.push_back(taken.groups);
  }
  if (data.paths.method.empty()) data.paths.first_block.clear();
  if (!data.paths.method.empty()) data.paths.kind = kind;
  if (!data.branches.method.empty()) data.branches.kind = kind;
  data.methods = methods.list();
  return data;
}

}  // namespace bursar::agent
