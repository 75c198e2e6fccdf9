// Table: numbers right-aligned under their headers, then one column of text that takes the rest of the line.
#pragma once

#include <string>
#include <vector>

#include "cli/output.h"

namespace bursar::cli {

class Table {
 public:
  Table(std::vector<std::string> headers, std::string text_header);

  void add(std::vector<std::string> numbers, std::string text);
  bool empty() const { return rows_.size() == 1; }
  // Elides the text where the terminal has an edge.
  std::string layout(const Terminal& terminal) const;

 private:
  struct Row {
    std::vector<std::string> numbers;
    std::string text;
  };

  std::vector<Row> rows_;  // the first holds the headers
};

// Text as a heading, where there are colours.
std::string bold(std::string_view text, const Terminal& terminal);
std::string dim(std::string_view text, const Terminal& terminal);

}  // namespace bursar::cli
