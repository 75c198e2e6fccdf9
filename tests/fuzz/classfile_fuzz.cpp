// Fuzzes the class-file library: any bytes are refused or survive a round trip, and every method that is rewritten does
// what it did before, with each probe where it belongs and frames, handlers, lines and variables to match.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "class_rewrite_check.h"
#include "classfile/loop_forest.h"

namespace {

using namespace bursar;
using namespace bursar::classfile;

constexpr std::size_t kSmall = 4096;  // what is rewritten a second time

void check(const std::optional<std::string>& difference) {
  if (!difference) return;
  std::fprintf(stderr, "%s\n", difference->c_str());
  std::abort();
}

// Loops nest: a header lies in its own loop, and depth grows by one from each loop to the next inner one.
void check_loops(const ClassFile& file) {
  for (const Member& method : file.methods) {
    const int at = file.code_attribute(method);
    if (at < 0) continue;
    const auto code = CodeAttribute::parse(method.attributes[static_cast<std::size_t>(at)].data, file.pool);
    if (!code) continue;
    const auto flow = ControlFlow::of(*code);
    if (!flow) continue;
    const LoopForest forest(*flow);
    const std::vector<Loop>& loops = forest.loops();
    for (std::uint32_t i = 0; i < loops.size(); ++i) {
      const Loop& loop = loops[i];
      if (loop.reducible && forest.loop_of(loop.header) != i) check("a header outside its loop");
      if (loop.depth != (loop.parent == kNoLoop ? 1 : loops[loop.parent].depth + 1)) check("a wrong depth");
      if (loop.parent != kNoLoop && loop.parent <= i) check("an outer loop before an inner one");
    }
  }
}

void check_class(base::Bytes bytes, int rounds) {
  for (const LocalPlacement placement : {LocalPlacement::kAfterParameters, LocalPlacement::kAtEnd}) {
    const bool cross = placement == LocalPlacement::kAtEnd;
    ClassRewriteCheck rewriting(bytes, {.placement = placement, .cross_compile_limit = cross});
    check(rewriting.difference());
    const std::size_t size = rewriting.after().size();
    if (rounds > 1 && size != 0 && size <= kSmall) check_class(rewriting.after(), rounds - 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const base::Bytes bytes(data, size);
  const auto file = ClassFile::parse(bytes);
  if (!file) return 0;
  check_loops(*file);
  check_class(bytes, 2);
  return 0;
}
