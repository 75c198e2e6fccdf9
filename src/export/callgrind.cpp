#include "export/callgrind.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "export/frame_name.h"
#include "export/pieces.h"

namespace bursar::exports {

namespace {

using profile::ContextId;
using profile::kNone;
using profile::MethodId;

struct Call {
  std::uint64_t calls = 0;
  std::uint64_t cost = 0;   // of outermost calls, with everything below
  std::size_t covered = 0;  // up to where the outermost call at hand reaches
};

// An event's name must be one word.
std::string event_name(const std::string& metric) {
  std::string name = metric;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c <= ' ' || c == ':' || c == '='; }, '_');
  return name;
}

std::optional<std::size_t> calls_metric(const profile::ProfileData& data) {
  for (std::size_t i = 0; i < data.metrics.size(); ++i) {
    if (data.metrics[i].name == profile::kCalls && data.metrics[i].kind != profile::MetricKind::kSamples) return i;
  }
  return std::nullopt;
}

}  // namespace

Pruned export_callgrind(const ExportRequest& request, const Sink& sink) {
  const profile::ProfileData& data = request.data();
  const profile::Contexts& contexts = data.contexts;
  const auto whole = [&](std::size_t metric) {
    return whole_numbers(contexts.columns[metric], data.metrics[metric].scale_log2);
  };
  const std::vector<std::uint64_t> own = whole(request.limits.metric);
  const auto counted = calls_metric(data);
  const std::vector<std::uint64_t> calls = counted ? whole(*counted) : std::vector<std::uint64_t>(contexts.size());
  const Subtrees subtrees = subtrees_of(contexts, own);

  std::vector<std::uint64_t> self(data.methods.size());
  std::vector<std::map<MethodId, Call>> calls_of(data.methods.size());
  for (std::size_t id = 0; id < contexts.size(); ++id) {
    self[contexts.method[id]] += own[id];
    if (contexts.parent[id] == kNone) continue;
    Call& call = calls_of[contexts.method[contexts.parent[id]]][contexts.method[id]];
    call.calls += calls[id];
    if (id >= call.covered) {
      call.cost += subtrees.total[id];
      call.covered = id + subtrees.size[id];
    }
  }

  Pieces out(sink);
  out.add("# callgrind format\nversion: 1\ncreator: bursar\ncmd: {}\npositions: line\nevents: {}\n",
          escape(request.name), event_name(request.metric().name));
  out.add("summary: {}\n", std::accumulate(self.begin(), self.end(), std::uint64_t{0}));
  // Names go by number, and are spelled out where a number comes first.
  std::vector<bool> named(data.methods.size());
  const std::vector<std::string> names = frame_names(data);
  const auto function = [&](std::string_view key, MethodId method) {
    out.add("{}=({})", key, method + 1);
    if (!named[method]) out.add(" {}", escape(names[method]));
    named[method] = true;
    out.text("\n");
  };
  for (MethodId method = 0; method < data.methods.size(); ++method) {
    out.text("\nfl=\n");
    function("fn", method);
    out.add("0 {}\n", self[method]);
    for (const auto& [callee, call] : calls_of[method]) {
      if (call.calls == 0 && call.cost == 0) continue;
      function("cfn", callee);
      out.add("calls={} 0\n0 {}\n", std::max<std::uint64_t>(call.calls, 1), call.cost);
    }
  }
  return {};
}

}  // namespace bursar::exports
