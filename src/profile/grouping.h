// Grouping: which rows of a table coincide, and in which order the groups come.
//
// Invariant: every old row belongs to one group; groups are numbered in canonical order. Freezing a table is to find
// its grouping, take one row of each group for the keys, and add up the numbers of all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "profile/profile.h"
#include "profile/saturating.h"

namespace bursar::profile {

struct Grouping {
  std::vector<std::uint32_t> group_of;        // for each old row
  std::vector<std::uint32_t> representative;  // for each group, the old row that stands for it

  std::size_t size() const { return representative.size(); }
};

// Sorts `rows` by `less` and puts those that are `alike` (an equivalence that `less` keeps together) into one group.
// Rows that are not listed keep the group kNone.
template <class Less, class Alike>
Grouping group_rows(std::vector<std::uint32_t> rows, std::size_t table_size, const Less& less, const Alike& alike) {
  if (!std::is_sorted(rows.begin(), rows.end(), less)) std::sort(rows.begin(), rows.end(), less);
  Grouping grouping;
  grouping.group_of.assign(table_size, kNone);
  grouping.representative.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    if (grouping.representative.empty() || !alike(grouping.representative.back(), row)) {
      grouping.representative.push_back(row);
    }
    grouping.group_of[row] = static_cast<std::uint32_t>(grouping.representative.size() - 1);
  }
  return grouping;
}

// All rows 0 … size - 1; alike means that neither is less. Which of several alike rows stands for the group is open,
// so `less` has to see every key.
template <class Less>
Grouping group_rows(std::size_t size, const Less& less) {
  std::vector<std::uint32_t> rows(size);
  std::iota(rows.begin(), rows.end(), 0U);
  return group_rows(std::move(rows), size, less, [&](std::uint32_t a, std::uint32_t b) { return !less(a, b); });
}

template <class T>
std::vector<T> take_representatives(const std::vector<T>& values, const Grouping& grouping) {
  std::vector<T> result;
  result.reserve(grouping.size());
  for (const std::uint32_t row : grouping.representative) result.push_back(values[row]);
  return result;
}

template <class Number>
std::vector<Number> add_up(const std::vector<Number>& values, const Grouping& grouping) {
  if (values.empty()) return {};
  std::vector<Number> sums(grouping.size());
  for (std::size_t row = 0; row < values.size(); ++row) {
    Number& sum = sums[grouping.group_of[row]];
    sum = saturating_add(sum, values[row]);
  }
  return sums;
}

inline void add_up(Column& column, const Grouping& grouping) {
  column.value = add_up(column.value, grouping);
  column.variance = add_up(column.variance, grouping);
}

inline void add_up(std::vector<Column>& columns, const Grouping& grouping) {
  for (Column& column : columns) add_up(column, grouping);
}

}  // namespace bursar::profile
