#include "export/flamegraph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

#include "export/flamegraph_page.h"
#include "export/frame_name.h"
#include "profile/saturating.h"

namespace bursar::exports {

namespace {

using profile::ContextId;
using profile::kNone;

constexpr std::size_t kPieceSize = 1 << 16;

// Text inside a script element: besides what JSON asks for, '<' must not appear (</script> would end it).
std::string script_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '<' || c == '"' || c == '\\') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string joined(const std::map<std::string, std::set<std::string>>& info, const std::string& key) {
  std::string out;
  const auto found = info.find(key);
  if (found == info.end()) return out;
  for (const std::string& value : found->second) out += (out.empty() ? "" : " + ") + value;
  return out;
}

// Collects small pieces of text and hands them on as larger ones; once the sink has refused, it stays silent.
class Pieces {
 public:
  explicit Pieces(const Sink& sink) : sink_(sink) {}
  std::string& text() { return text_; }
  bool pass_on(std::size_t above = kPieceSize) {
    if (text_.size() > above) {
      open_ = open_ && sink_(text_);
      text_.clear();
    }
    return open_;
  }

 private:
  const Sink& sink_;
  std::string text_;
  bool open_ = true;
};

// The contexts that are shown: those whose subtree reaches the threshold. A shown context has a shown parent.
struct Selection {
  std::vector<ContextId> shown;         // in pre-order
  std::vector<std::uint32_t> depth;     // of each shown context; roots are 1
  std::vector<std::uint32_t> left_out;  // contexts missing directly below each shown context, subtrees included
  std::uint32_t left_out_roots = 0;     // … and above all roots
  Pruned pruned;
};

Selection select(const profile::Contexts& contexts, const Subtrees& subtrees, std::uint64_t threshold) {
  Selection result;
  std::vector<std::size_t> ancestors;  // indices into shown
  for (std::size_t id = 0; id < contexts.size(); ++id) {
    const ContextId parent = contexts.parent[id];
    while (!ancestors.empty() && (parent == kNone || result.shown[ancestors.back()] != parent)) ancestors.pop_back();
    if (subtrees.total[id] < threshold) {
      (ancestors.empty() ? result.left_out_roots : result.left_out[ancestors.back()]) += subtrees.size[id];
      result.pruned.contexts += subtrees.size[id];
      result.pruned.amount = profile::saturating_add(result.pruned.amount, subtrees.total[id]);
      id += subtrees.size[id] - 1;
      continue;
    }
    ancestors.push_back(result.shown.size());
    result.shown.push_back(static_cast<ContextId>(id));
    result.depth.push_back(static_cast<std::uint32_t>(ancestors.size()));
    result.left_out.push_back(0);
  }
  return result;
}

std::uint64_t half_width_95(profile::Uint128 variance, unsigned scale_log2) {
  const double deviation = std::sqrt(static_cast<double>(variance)) * std::exp2(-static_cast<double>(scale_log2));
  return static_cast<std::uint64_t>(std::min(std::round(1.96 * deviation), 0x1p53));
}

class Page {
 public:
  Page(const profile::Profile& profile, const FlamegraphOptions& options, const Sink& sink)
      : data_(profile.data()),
        options_(options),
        metric_(data_.metrics[options.metric]),
        column_(data_.contexts.columns[options.metric]),
        subtrees_(subtrees_of(data_.contexts, column_.value)),
        selection_(select(data_.contexts, subtrees_, share_threshold(subtrees_.sum, options.min_share_percent))),
        pieces_(sink) {}

  Pruned write() {
    std::string_view page = kFlamegraphPage;
    write_up_to(page, "<!--title-->");
    pieces_.text() += html_text(options_.title);
    write_up_to(page, "/*profile*/");
    facts();
    names();
    nodes();
    pieces_.text() += page;
    pieces_.pass_on(0);
    return selection_.pruned;
  }

 private:
  void write_up_to(std::string_view& page, std::string_view mark) {
    const std::size_t at = page.find(mark);
    pieces_.text() += page.substr(0, at);
    page.remove_prefix(at + mark.size());
  }

  void facts() {
    fmt::format_to(std::back_inserter(pieces_.text()),
                   "{{title: {}, mode: {}, metric: {}, kind: {}, total: {}, contexts: {}, minShare: {},\n"
                   "leftOut: {{contexts: {}, amount: {}, roots: {}}},\n",
                   script_string(options_.title), script_string(joined(data_.info, "mode")),
                   script_string(metric_.name), script_string(profile::kind_word(metric_.kind)), whole(subtrees_.sum),
                   data_.contexts.size(), options_.min_share_percent, selection_.pruned.contexts,
                   whole(selection_.pruned.amount), selection_.left_out_roots);
  }

  // [package with its dot, rest of the name, kind] for each method that is shown.
  void names() {
    name_of_method_.assign(data_.methods.size(), kNone);
    pieces_.text() += "names: [";
    std::uint32_t next = 0;
    for (const ContextId id : selection_.shown) {
      const profile::MethodId method = data_.contexts.method[id];
      if (name_of_method_[method] != kNone) continue;
      name_of_method_[method] = next++;
      const std::string name = frame_name(data_.methods[method]);
      const std::size_t package = package_size(data_.methods[method]);
      fmt::format_to(std::back_inserter(pieces_.text()), "\n[{},{},{}],", script_string(name.substr(0, package)),
                     script_string(name.substr(package)), static_cast<int>(data_.methods[method].kind));
      if (!pieces_.pass_on()) return;
    }
    pieces_.text() += "],\n";
  }

  static std::size_t package_size(const profile::Method& method) {
    const std::size_t dot = method.class_name.rfind('.', method.class_name.find('/'));
    return dot == std::string::npos ? 0 : dot + 1;
  }

  // Six numbers for each context: depth, name, own, subtree, contexts left out below it, call site.
  void nodes() {
    const bool sites = data_.identity.call_sites;
    pieces_.text() += "nodes: [";
    for (std::size_t i = 0; i < selection_.shown.size(); ++i) {
      const ContextId id = selection_.shown[i];
      const std::uint32_t site = sites ? data_.contexts.site[id] : profile::kNoSite;
      fmt::format_to(std::back_inserter(pieces_.text()), "\n{},{},{},{},{},{},", selection_.depth[i],
                     name_of_method_[data_.contexts.method[id]], whole(column_.value[id]), whole(subtrees_.total[id]),
                     selection_.left_out[i], site == profile::kNoSite ? -1 : std::int64_t{site});
      if (!pieces_.pass_on()) return;
    }
    pieces_.text() += "],\nerrors: [";
    if (metric_.kind == profile::MetricKind::kEstimate) {
      for (const ContextId id : selection_.shown) {
        fmt::format_to(std::back_inserter(pieces_.text()), "{},",
                       half_width_95(column_.variance[id], metric_.scale_log2));
        if (!pieces_.pass_on()) return;
      }
    }
    pieces_.text() += "]}";
  }

  std::uint64_t whole(std::uint64_t value) const { return rounded(value, metric_.scale_log2); }

  const profile::ProfileData& data_;
  const FlamegraphOptions& options_;
  const profile::Metric& metric_;
  const profile::Column& column_;
  Subtrees subtrees_;
  Selection selection_;
  std::vector<std::uint32_t> name_of_method_;
  Pieces pieces_;
};

}  // namespace

Pruned export_flamegraph(const profile::Profile& profile, const FlamegraphOptions& options, const Sink& sink) {
  return Page(profile, options, sink).write();
}

}  // namespace bursar::exports
