#include "export/folded.h"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <vector>

#include "export/frame_name.h"
#include "profile/saturating.h"

namespace bursar::exports {

Pruned export_folded(const profile::Profile& profile, const FoldedOptions& options, const Sink& sink) {
  const profile::ProfileData& data = profile.data();
  const profile::Contexts& contexts = data.contexts;
  const std::vector<std::uint64_t>& own = contexts.columns[options.metric].value;
  const unsigned scale = data.metrics[options.metric].scale_log2;

  std::vector<std::string> frames;
  frames.reserve(data.methods.size());
  for (const profile::Method& method : data.methods) frames.push_back(escape(frame_name(method)));

  Subtrees subtrees;
  std::uint64_t threshold = 0;
  if (options.min_share_percent > 0) {
    subtrees = subtrees_of(contexts, own);
    threshold = share_threshold(subtrees.sum, options.min_share_percent);
  }

  // The stack of the context at hand. In pre-order the parent's stack is always a prefix of it, so a context costs its
  // own frame plus the line that is written, however deep the tree is.
  std::string stack;
  std::vector<std::size_t> stack_size(contexts.size());
  Pruned pruned;
  for (std::size_t id = 0; id < contexts.size(); ++id) {
    if (threshold > 0 && subtrees.total[id] < threshold) {
      pruned.contexts += subtrees.size[id];
      pruned.amount = profile::saturating_add(pruned.amount, subtrees.total[id]);
      id += subtrees.size[id] - 1;
      continue;
    }
    const profile::ContextId parent = contexts.parent[id];
    stack.resize(parent == profile::kNone ? 0 : stack_size[parent]);
    if (parent != profile::kNone) stack += ';';
    stack += frames[contexts.method[id]];
    stack_size[id] = stack.size();
    fmt::format_to(std::back_inserter(stack), " {}\n", rounded(own[id], scale));
    if (!sink(stack)) break;
  }
  return pruned;
}

}  // namespace bursar::exports
