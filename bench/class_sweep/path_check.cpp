#include "path_check.h"

#include <algorithm>

#include "classfile/class_file.h"
#include "classfile/path_numbering.h"
#include "path_oracle.h"

namespace bursar::class_sweep {
namespace {

using namespace classfile;

const char* check(const CodeAttribute& code, const ControlFlow& flow, PathCounts& counts) {
  const auto graph = PathGraph::of(code, flow);
  const auto* refusal = std::get_if<PathRefusal>(&graph);
  const char* fault = "";
  for (const EdgeOrder order : {EdgeOrder::kHottestFirst, EdgeOrder::kColdestFirst}) {
    if (refusal != nullptr || *fault != 0) break;
    const PathGraph& found = *std::get_if<PathGraph>(&graph);
    const auto numbering = PathNumbering::of(found, {.order = order});
    refusal = std::get_if<PathRefusal>(&numbering);
    if (refusal != nullptr) break;
    const PathNumbering& numbers = *std::get_if<PathNumbering>(&numbering);
    fault = numbering_fault(found, numbers);
    if (*fault == 0) fault = partial_fault(found, numbers);
    if (order != EdgeOrder::kHottestFirst) continue;
    ++counts.numbered;
    counts.paths += numbers.paths();
    counts.most_paths = std::max<std::uint64_t>(counts.most_paths, numbers.paths());
    for (std::uint32_t b = 0; b < numbers.blocks(); ++b) {
      if (!numbers.is_cut(b) || found.blocks[b].is_header) continue;
      ++counts.cut;
      break;
    }
  }
  if (refusal != nullptr) ++counts.refused[static_cast<std::size_t>(*refusal)];
  return fault;
}

}  // namespace

void check_paths(base::Bytes class_file, PathCounts& counts) {
  const auto file = ClassFile::parse(class_file);
  if (!file) return;
  for (const Member& method : file->methods) {
    const int at = file->code_attribute(method);
    if (at < 0) continue;
    const auto code = CodeAttribute::parse(method.attributes[static_cast<std::size_t>(at)].data, file->pool);
    if (!code) continue;
    const auto flow = ControlFlow::of(*code);
    if (!flow) continue;
    const char* const fault = check(*code, *flow, counts);
    if (*fault != 0) {
      counts.faults.push_back(std::string(file->name()) + "." + std::string(file->member_name(method)) + ": " + fault);
    }
  }
}

}  // namespace bursar::class_sweep
