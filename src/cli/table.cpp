#include "cli/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text.h"

namespace bursar::cli {

namespace {

constexpr std::size_t kNarrowest = 20;  // what is left of a text on the narrowest terminal

}  // namespace

Table::Table(std::vector<std::string> headers, std::string text_header) {
  rows_.push_back({std::move(headers), std::move(text_header)});
}

void Table::add(std::vector<std::string> numbers, std::string text) {
  rows_.push_back({std::move(numbers), std::move(text)});
}

std::string Table::layout(const Terminal& terminal) const {
  std::vector<std::size_t> width(rows_.front().numbers.size(), 0);
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], display_width(row.numbers[i]));
  }
  std::size_t used = 2;
  for (const std::size_t w : width) used += w + 2;
  const std::size_t room = terminal.width == 0 ? 0 : std::max(terminal.width, used + kNarrowest) - used;

  std::string out;
  for (const Row& row : rows_) {
    std::string line = "  ";
    for (std::size_t i = 0; i < width.size(); ++i) {
      line.append(width[i] - display_width(row.numbers[i]), ' ');
      line += row.numbers[i] + "  ";
    }
    line += elided(row.text, room, terminal.utf8);
    line.resize(line.find_last_not_of(' ') + 1);
    out += (&row == &rows_.front() ? dim(line, terminal) : line) + "\n";
  }
  return out;
}

std::string bold(std::string_view text, const Terminal& terminal) {
  return terminal.colours ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string(text);
}

std::string dim(std::string_view text, const Terminal& terminal) {
  return terminal.colours ? fmt::format("\x1b[2m{}\x1b[0m", text) : std::string(text);
}

}  // namespace bursar::cli
