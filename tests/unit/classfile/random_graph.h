// random_graph: a method whose blocks jump anywhere, for tests of what looks at control flow only.
#pragma once

#include <random>
#include <vector>

#include "class_builder.h"
#include "classfile/opcode.h"

namespace bursar::classfile {

// Random graphs: every block ends in a jump, switch, conditional jump or return, with a few exception entries.
inline CodeBuilder random_graph(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  CodeBuilder code;
  const std::size_t count = 2 + below(14);
  std::vector<CodeBuilder::Label> labels;
  for (std::size_t i = 0; i <= count; ++i) labels.push_back(code.label());
  const auto anywhere = [&] { return labels[below(count)]; };
  for (std::size_t i = 0; i < count; ++i) {
    code.bind(labels[i]);
    code.op(op::kIload0);
    switch (below(6)) {
      case 0:
        code.jump(op::kGoto, anywhere());
        break;
      case 1:
        code.tableswitch(0, anywhere(), {anywhere(), anywhere()});
        break;
      case 2:
        code.op(op::kReturn);
        break;
      default:
        code.jump(op::kIfeq, anywhere());
    }
  }
  code.bind(labels[count]);
  code.op(op::kReturn);
  for (std::size_t entries = below(3); entries-- > 0;) {
    const std::size_t start = below(count);
    code.catches(labels[start], labels[start + 1 + below(count - start)], anywhere());
  }
  return code;
}

}  // namespace bursar::classfile
