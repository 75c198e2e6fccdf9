#include "export/view_page.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/byte_writer.h"
#include "export/base64.h"
#include "export/view_series.h"

namespace bursar::exports {

namespace {

using nlohmann::ordered_json;
using profile::kNone;

// viewer/index.html has these where the title and the profile go.
constexpr std::string_view kTitlePlace = "<title>Bursar</title>";
constexpr std::string_view kDataPlace = "<!--profile-->";

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

// Inside a script element '<' must not appear: </script> would end it.
std::string script_json(const ordered_json& value) {
  const std::string text = value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

ordered_json run_json(const ViewedRun& run) {
  const profile::ProfileData& data = run.profile->data();
  return {{"file", run.file},           {"contexts", data.contexts.size()}, {"info", data.info},
          {"counters", data.counters},  {"dropped", data.dropped},          {"skippedMethods", data.skipped_methods},
          {"series", series_json(data)}};
}

ViewedPaths paths_of(const ViewRequest& request) {
  std::vector<const profile::ProfileData*> each;
  for (const ViewedRun& run : request.runs) each.push_back(&run.profile->data());
  return {request.profile->data(), std::move(each)};
}

// Modes that know no tree by thread may know threads all the same.
bool is_shown(const profile::Thread& thread) {
  return !thread.context.empty();
}

class Columns {
 public:
  Columns(const ViewRequest& request, const PrunedTree& tree, const ViewedPaths& paths)
      : data_(request.profile->data()), tree_(tree) {
    number_methods(paths);
  }

  // Methods that many contexts have come first: their numbers are short.
  const std::vector<profile::MethodId>& method_order() const { return order_; }
  const std::vector<std::uint32_t>& method_numbers() const { return number_of_; }

  std::vector<std::uint8_t> make() {
    bytes_.reserve(tree_.size() * 8);
    levels();
    for (std::size_t node = 0; node < tree_.size(); ++node) {
      bytes_.varint(tree_.stands_in(node) ? 0 : number_of_[data_.contexts.method[tree_.context[node]]] + 1);
    }
    for (const std::uint32_t left_out : tree_.left_out) {
      if (left_out > 0) bytes_.varint(left_out);
    }
    if (data_.identity.call_sites) {
      for (std::size_t node = 0; node < tree_.size(); ++node) site(node);
    }
    for (const profile::Column& column : tree_.columns) numbers(column);
    for (const profile::Thread& thread : data_.threads) {
      if (is_shown(thread)) add_thread(thread);
    }
    return bytes_.take();
  }

 private:
  void number_methods(const ViewedPaths& paths) {
    std::vector<std::size_t> uses(data_.methods.size());
    for (const profile::MethodId method : paths.methods()) uses[method] = 1;
    for (std::size_t node = 0; node < tree_.size(); ++node) {
      if (!tree_.stands_in(node)) ++uses[data_.contexts.method[tree_.context[node]]];
    }
    order_.resize(data_.methods.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](auto a, auto b) { return uses[a] > uses[b]; });
    while (!order_.empty() && uses[order_.back()] == 0) order_.pop_back();
    number_of_.assign(data_.methods.size(), kNone);
    for (std::uint32_t i = 0; i < order_.size(); ++i) number_of_[order_[i]] = i;
  }

  void levels() {
    std::vector<std::uint32_t> depth(tree_.size());
    std::uint32_t before = 0;
    for (std::size_t node = 0; node < tree_.size(); ++node) {
      depth[node] = tree_.parent[node] == kNone ? 1 : depth[tree_.parent[node]] + 1;
      bytes_.varint(before + 1 - depth[node]);
      before = depth[node];
    }
  }

  void site(std::size_t node) {
    const std::uint32_t site = tree_.stands_in(node) ? profile::kNoSite : data_.contexts.site[tree_.context[node]];
    bytes_.varint(site == profile::kNoSite ? 0 : std::uint64_t{site} + 1);
  }

  void numbers(const profile::Column& column) {
    for (const std::uint64_t value : column.value) bytes_.varint(value);
    for (const profile::Uint128 variance : column.variance) {
      bytes_.varint(static_cast<std::uint64_t>(std::min(std::round(std::sqrt(static_cast<double>(variance))), 0x1p62)));
    }
  }

  // Several contexts of a thread may have been left out under one stand-in.
  void add_thread(const profile::Thread& thread) {
    std::map<std::uint32_t, std::vector<std::size_t>> rows;  // by node
    for (std::size_t i = 0; i < thread.context.size(); ++i) rows[tree_.node_of[thread.context[i]]].push_back(i);
    bytes_.varint(rows.size());
    std::uint32_t before = 0;
    for (const auto& [node, unused] : rows) {
      bytes_.varint(node - before);
      before = node;
    }
    for (const profile::Column& column : thread.columns) {
      profile::Column sums;
      for (const auto& [unused, from] : rows) {
        std::uint64_t value = 0;
        profile::Uint128 variance = 0;
        for (const std::size_t i : from) {
          value += column.value[i];
          if (!column.variance.empty()) variance += column.variance[i];
        }
        sums.value.push_back(value);
        if (!column.variance.empty()) sums.variance.push_back(variance);
      }
      numbers(sums);
    }
  }

  const profile::ProfileData& data_;
  const PrunedTree& tree_;
  std::vector<profile::MethodId> order_;
  std::vector<std::uint32_t> number_of_;  // by MethodId
  base::ByteWriter bytes_;
};

ordered_json facts(const ViewRequest& request, const PrunedTree& tree, const ViewedPaths& paths,
                   const Columns& columns) {
  const profile::ProfileData& data = request.profile->data();
  ordered_json facts;
  facts["title"] = request.title;
  facts["nodes"] = tree.size();
  facts["contexts"] = data.contexts.size();
  facts["leftOut"] = tree.pruned.contexts;
  facts["compared"] = request.compared;
  facts["callSites"] = data.identity.call_sites;
  facts["metric"] = request.limits.metric;
  facts["metrics"] = ordered_json::array();
  for (const profile::Metric& metric : data.metrics) {
    facts["metrics"].push_back(
        {{"name", metric.name}, {"kind", profile::kind_word(metric.kind)}, {"scale", metric.scale_log2}});
  }
  facts["threads"] = ordered_json::array();
  for (const profile::Thread& thread : data.threads) {
    if (is_shown(thread)) facts["threads"].push_back(thread.name);
  }
  facts["runs"] = ordered_json::array();
  for (const ViewedRun& run : request.runs) facts["runs"].push_back(run_json(run));
  ordered_json methods = ordered_json::array();
  for (const profile::MethodId method : columns.method_order()) {
    methods.push_back(
        {request.names[method].package, request.names[method].rest, static_cast<int>(data.methods[method].kind)});
  }
  facts["methods"] = std::move(methods);
  facts["paths"] = paths.empty() ? ordered_json() : paths.json(columns.method_numbers(), request.source);
  return facts;
}

}  // namespace

Pruned write_view_page(const ViewRequest& request, std::string_view viewer, const Sink& sink) {
  const bool has_tree = !request.profile->data().metrics.empty();
  const PrunedTree tree = has_tree ? prune(*request.profile, request.limits) : PrunedTree{};
  const ViewedPaths paths = paths_of(request);
  Columns columns(request, tree, paths);
  const std::vector<std::uint8_t> bytes = columns.make();
  const std::size_t title = viewer.find(kTitlePlace), data = viewer.find(kDataPlace);
  const std::string head = std::string(viewer.substr(0, title)) + "<title>" + html_text(request.title) + "</title>";
  const std::string_view middle = viewer.substr(title + kTitlePlace.size(), data - title - kTitlePlace.size());
  const std::string block = "<script type=\"application/json\" id=\"facts\">" +
                            script_json(facts(request, tree, paths, columns)) +
                            "</script>\n<script type=\"text/plain\" id=\"columns\">";
  (void)(sink(head) && sink(middle) && sink(block) && write_base64(bytes, sink) && sink("</script>") &&
         sink(viewer.substr(data + kDataPlace.size())));
  return tree.pruned;
}

}  // namespace bursar::exports
