#include <numeric>

#include "analysis/path_summary.h"
#include "export/callgrind.h"
#include "export/frame_name.h"
#include "export/method_flow.h"
#include "export/pieces.h"

namespace bursar::exports {

Pruned export_callgrind_flow(const ExportRequest& request, const Sink& sink) {
  const profile::ProfileData& data = request.data();
  const std::vector<MethodFlow> flows = flows_of(data);
  std::uint64_t total = 0;
  for (const MethodFlow& flow : flows) {
    for (const auto& [bci, ran] : flow.blocks) total += ran;
  }
  Pieces out(sink);
  out.add("# callgrind format\nversion: 1\ncreator: bursar\ncmd: {}\npositions: line\nevents: Blocks\nsummary: {}\n",
          escape(request.name), total);
  const std::vector<std::string> names = frame_names(data);
  for (const MethodFlow& flow : flows) {
    const auto line = [&](std::uint32_t bci) { return analysis::line_at(data.lines, flow.method, bci).value_or(0); };
    out.add("\nfl={}\nfn={}\n", escape(source_file_of(data.methods[flow.method])), escape(names[flow.method]));
    for (const auto& [bci, ran] : flow.blocks) out.add("{} {}\n", line(bci), ran);
    for (const Jump& jump : flow.jumps) {
      if (jump.seen) {
        out.add("jcnd={}/{} {}\n{}\n", jump.taken, *jump.seen, line(jump.to), line(jump.from));
      } else {
        out.add("jump={} {}\n{}\n", jump.taken, line(jump.to), line(jump.from));
      }
    }
  }
  return {};
}

}  // namespace bursar::exports
