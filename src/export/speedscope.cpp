#include "export/speedscope.h"

#include <numeric>
#include <vector>

#include "export/pieces.h"

namespace bursar::exports {

Pruned export_speedscope(const ExportRequest& request, const Sink& sink) {
  const profile::ProfileData& data = request.data();
  const PrunedTree tree = prune(*request.profile, request.limits);
  const std::vector<std::uint64_t> own =
      whole_numbers(tree.columns[request.limits.metric], request.metric().scale_log2);
  const std::uint64_t total = std::accumulate(own.begin(), own.end(), std::uint64_t{0});

  Pieces out(sink);
  out.text("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"bursar\",\"name\":");
  out.json(request.name);
  out.text(",\"activeProfileIndex\":0,\"shared\":{\"frames\":[");
  Commas frames;
  for (const std::string& name : frame_names(data)) {
    out.add("{}{{\"name\":", frames.next());
    out.json(name);
    out.text("}");
  }
  const std::size_t left_out = data.methods.size();
  out.add("{}{{\"name\":\"{}\"}}]}},\"profiles\":[{{\"type\":\"evented\",\"name\":", frames.next(), kLeftOutName);
  out.json(request.metric().name);
  out.add(",\"unit\":\"none\",\"startValue\":0,\"endValue\":{},\"events\":[", total);

  std::uint64_t at = 0;
  Commas events;
  const auto event = [&](char type, std::size_t node) {
    const std::size_t frame = tree.stands_in(node) ? left_out : data.contexts.method[tree.context[node]];
    out.add("{}{{\"type\":\"{}\",\"frame\":{},\"at\":{}}}", events.next(), type, frame, at);
  };
  std::vector<std::uint32_t> open;
  const auto close_down_to = [&](std::uint32_t parent) {
    for (; !open.empty() && open.back() != parent; open.pop_back()) event('C', open.back());
  };
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    close_down_to(tree.parent[node]);
    event('O', node);
    open.push_back(node);
    at += own[node];
  }
  close_down_to(profile::kNone);
  out.text("]}]}\n");
  return tree.pruned;
}

}  // namespace bursar::exports
