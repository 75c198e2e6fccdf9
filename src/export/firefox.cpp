#include "export/firefox.h"

#include <vector>

#include "export/pieces.h"

namespace bursar::exports {

namespace {

class FirefoxProfile {
 public:
  FirefoxProfile(const ExportRequest& request, const Sink& sink)
      : request_(request),
        data_(request.data()),
        tree_(prune(*request.profile, request.limits)),
        own_(whole_numbers(tree_.columns[request.limits.metric], request.metric().scale_log2)),
        left_out_(data_.methods.size()),
        out_(sink) {}

  Pruned write() {
    out_.text(
        "{\"meta\":{\"interval\":1,\"startTime\":0,\"processType\":0,\"version\":29,\"preprocessedProfileVersion\":49,"
        "\"stackwalk\":1,\"symbolicated\":true,\"debug\":false,\"markerSchema\":[],\"usesOnlyOneStackType\":true,"
        "\"categories\":[{\"name\":\"Java\",\"color\":\"blue\",\"subcategories\":[\"Other\"]},"
        "{\"name\":\"Native\",\"color\":\"green\",\"subcategories\":[\"Other\"]},"
        "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}],\"importedFrom\":\"Bursar\","
        "\"product\":");
    out_.json(request_.name);
    out_.text(
        "},\"libs\":[],\"threads\":[{\"processType\":\"default\",\"processStartupTime\":0,"
        "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],"
        "\"isMainThread\":true,\"showMarkersInTimeline\":false,\"pid\":\"0\",\"tid\":0,\"name\":");
    out_.json(request_.metric().name);
    samples();
    stacks();
    functions();
    out_.text("}]}\n");
    return tree_.pruned;
  }

 private:
  // A table's column, one number or word for each row.
  template <class Value>
  void column(std::string_view name, std::size_t rows, Value value) {
    out_.add("\"{}\":[", name);
    Commas commas;
    for (std::size_t row = 0; row < rows; ++row) out_.add("{}{}", commas.next(), value(row));
    out_.text("],");
  }

  void constant(std::string_view name, std::size_t rows, std::string_view value) {
    column(name, rows, [value](std::size_t) { return value; });
  }

  void samples() {
    std::vector<std::size_t> nodes;
    for (std::size_t node = 0; node < tree_.size(); ++node) {
      if (own_[node] > 0) nodes.push_back(node);
    }
    out_.text(",\"samples\":{\"weightType\":\"samples\",");
    column("stack", nodes.size(), [&](std::size_t i) { return nodes[i]; });
    column("time", nodes.size(), [](std::size_t i) { return i; });
    column("weight", nodes.size(), [&](std::size_t i) { return own_[nodes[i]]; });
    out_.add("\"length\":{}}},", nodes.size());
    out_.text(
        "\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[],"
        "\"length\":0},");
  }

  std::size_t function_of(std::size_t node) const {
    return tree_.stands_in(node) ? left_out_ : data_.contexts.method[tree_.context[node]];
  }

  std::size_t category(std::size_t function) const {
    if (function == left_out_) return 2;
    const profile::MethodKind kind = data_.methods[function].kind;
    return kind == profile::MethodKind::kJava ? 0 : kind == profile::MethodKind::kNative ? 1 : 2;
  }

  void stacks() {
    const std::size_t size = tree_.size();
    out_.text("\"stackTable\":{");
    column("frame", size, [&](std::size_t node) { return function_of(node); });
    column("prefix", size, [&](std::size_t node) {
      return tree_.parent[node] == profile::kNone ? std::string("null") : std::to_string(tree_.parent[node]);
    });
    column("category", size, [&](std::size_t node) { return category(function_of(node)); });
    constant("subcategory", size, "0");
    out_.add("\"length\":{}}},", size);
  }

  // One frame for each function, under the same number; its name is the string of that number.
  void functions() {
    const std::size_t size = left_out_ + 1;
    const auto itself = [](std::size_t i) { return i; };
    out_.text("\"frameTable\":{");
    constant("address", size, "-1");
    constant("inlineDepth", size, "0");
    column("category", size, [&](std::size_t i) { return category(i); });
    constant("subcategory", size, "0");
    column("func", size, itself);
    for (const char* none : {"nativeSymbol", "innerWindowID", "implementation", "line", "column"}) {
      constant(none, size, "null");
    }
    out_.add("\"length\":{}}},\"funcTable\":{{", size);
    constant("isJS", size, "false");
    constant("relevantForJS", size, "false");
    column("name", size, itself);
    constant("resource", size, "-1");
    for (const char* none : {"fileName", "lineNumber", "columnNumber"}) constant(none, size, "null");
    out_.add("\"length\":{}}},", size);
    out_.text(
        "\"resourceTable\":{\"lib\":[],\"name\":[],\"host\":[],\"type\":[],\"length\":0},"
        "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],\"length\":0},"
        "\"stringArray\":[");
    for (const std::string& name : frame_names(data_)) {
      out_.json(name);
      out_.text(",");
    }
    out_.json(kLeftOutName);
    out_.text("]");
  }

  const ExportRequest& request_;
  const profile::ProfileData& data_;
  PrunedTree tree_;
  std::vector<std::uint64_t> own_;
  std::size_t left_out_;  // the function that stands for what was left out
  Pieces out_;
};

}  // namespace

Pruned export_firefox(const ExportRequest& request, const Sink& sink) {
  return FirefoxProfile(request, sink).write();
}

}  // namespace bursar::exports
