#include "export/folded.h"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <vector>

#include "export/frame_name.h"

namespace bursar::exports {

Pruned export_folded(const ExportRequest& request, const Sink& sink) {
  const profile::ProfileData& data = request.data();
  const PrunedTree tree = prune(*request.profile, request.limits);
  const std::vector<std::uint64_t> own =
      whole_numbers(tree.columns[request.limits.metric], request.metric().scale_log2);
  std::vector<std::string> frames = frame_names(data);
  for (std::string& frame : frames) frame = escape(frame);

  // The stack of the node at hand. In pre-order the parent's stack is always a prefix of it, so a node costs its own
  // frame plus the line that is written, however deep the tree is.
  std::string stack;
  std::vector<std::size_t> stack_size(tree.size());
  for (std::size_t node = 0; node < tree.size(); ++node) {
    const std::uint32_t parent = tree.parent[node];
    stack.resize(parent == profile::kNone ? 0 : stack_size[parent]);
    if (parent != profile::kNone) stack += ';';
    stack += tree.stands_in(node) ? kLeftOutName : frames[data.contexts.method[tree.context[node]]];
    stack_size[node] = stack.size();
    fmt::format_to(std::back_inserter(stack), " {}\n", own[node]);
    if (!sink(stack)) break;
  }
  return tree.pruned;
}

}  // namespace bursar::exports
