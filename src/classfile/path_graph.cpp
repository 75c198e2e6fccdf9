#include "classfile/path_graph.h"

#include <algorithm>

#include "classfile/loop_forest.h"

namespace bursar::classfile {

std::variant<PathGraph, PathRefusal> PathGraph::of(const CodeAttribute& code, const ControlFlow& flow) {
  const Instructions& instructions = code.instructions;
  PathGraph graph;
  bool decides = false;
  for (const Block& block : flow.blocks()) {
    decides |= block.reachable && block.successors.size() > 1;
    graph.blocks.push_back({.pc = instructions[block.first].pc,
                            .last_pc = instructions[block.last].pc,
                            .successors = block.successors,
                            .reachable = block.reachable,
                            .joined = block.predecessors != 0,
                            .is_header = block.is_loop_header,
                            .is_handler = block.is_handler});
  }
  if (instructions.has_subroutines()) return PathRefusal::kSubroutine;
  if (!decides) return PathRefusal::kNoBranch;
  if (!flow.retreating_edges().empty()) {
    const LoopForest forest(flow);
    const auto& loops = forest.loops();
    if (!std::all_of(loops.begin(), loops.end(), [](const Loop& loop) { return loop.reducible; })) {
      return PathRefusal::kIrreducible;
    }
  }
  return graph;
}

}  // namespace bursar::classfile
