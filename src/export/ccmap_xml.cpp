#include "export/ccmap_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/profile_map.h"
#include "export/ccmap_text.h"
#include "profile/freeze.h"

namespace bursar::exports {

namespace {

using core::ContextMap;
using Index = ContextMap::Index;

std::string_view kind_word(profile::MethodKind kind) {
  switch (kind) {
    case profile::MethodKind::kJava:
      return "java";
    case profile::MethodKind::kNative:
      return "native";
    case profile::MethodKind::kPseudo:
      return "pseudo";
    case profile::MethodKind::kOverflow:
      return "overflow";
  }
  return "java";
}

class Writer {
 public:
  Writer(const NamedMap& named, const Sink& sink) : named_(named), map_(named.map), sink_(sink) {}

  bool write() {
    head();
    callee_number_.resize(map_.callees().size());
    for (Index method = 0; method < named_.methods.size(); ++method) write_method(method);
    write_contexts();
    text_ += "</callContextMap>\n";
    return flush(0);
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  bool flush(std::size_t above) {
    if (text_.size() > above) {
      wanted_ = wanted_ && sink_(text_);
      text_.clear();
    }
    return wanted_;
  }

  void head() {
    const ContextMap::Options& options = map_.options();
    const profile::Metric& metric = named_.metric;
    add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<callContextMap version=\"1\" shape=\"{}\"",
        options.shape == ContextMap::Shape::kTree ? "tree" : "sub-paths");
    if (options.shape == ContextMap::Shape::kSubPaths) add(" maxSubPath=\"{}\"", options.max_sub_path);
    add("\n metric=\"{}\" unit=\"{}\" kind=\"{}\" scale=\"{}\"\n callSites=\"{}\" descriptors=\"{}\" "
        "foldedRecursion=\"{}\"",
        attribute_text(metric.name), attribute_text(metric.unit), profile::kind_word(metric.kind), metric.scale_log2,
        named_.identity.call_sites, named_.identity.descriptors, named_.identity.folded_recursion);
    const ContextMap::Losses& losses = map_.losses();
    add("\n lostContexts=\"{}\" lostCalls=\"{}\" removedContexts=\"{}\" removedCalls=\"{}\">\n", losses.contexts,
        losses.calls, losses.removed_contexts, losses.removed_calls);
  }

  void write_bci(std::uint32_t bci) {
    if (bci != profile::kNoSite) add(" bci=\"{}\"", bci);
  }

  // An unknown index comes last.
  std::vector<Index> sites_of(Index first) const {
    std::vector<Index> sites;
    for (Index site = first; site != ContextMap::kNone; site = map_.sites()[site].next_of_method) sites.push_back(site);
    std::ranges::sort(sites, std::less(), [&](Index site) { return map_.sites()[site].bci; });
    return sites;
  }

  void write_method(Index number) {
    const profile::Method& method = named_.methods[number];
    const bool known = number < map_.methods().size();
    add(" <method id=\"{}\" class=\"{}\" name=\"{}\" descriptor=\"{}\" kind=\"{}\" codeBytes=\"{}\" total=\"{}\"",
        number, attribute_text(method.class_name), attribute_text(method.name), attribute_text(method.descriptor),
        kind_word(method.kind), method.code_bytes, known ? map_.methods()[number].total : 0);
    const std::vector<Index> sites = known ? sites_of(map_.methods()[number].first_site) : std::vector<Index>();
    text_ += sites.empty() ? "/>\n" : ">\n";
    for (const Index site : sites) {
      add("  <callSite");
      write_bci(map_.sites()[site].bci);
      add(" total=\"{}\">\n", map_.sites()[site].total);
      std::vector<Index> callees;
      for (Index callee = map_.sites()[site].first_callee; callee != ContextMap::kNone;
           callee = map_.callees()[callee].next_of_site) {
        callees.push_back(callee);
      }
      std::ranges::sort(callees, std::less(), [&](Index callee) { return map_.callees()[callee].method; });
      for (const Index callee : callees) {
        callee_number_[callee] = next_callee_++;
        add("   <callee id=\"{}\" method=\"{}\" total=\"{}\"/>\n", callee_number_[callee],
            map_.callees()[callee].method, map_.callees()[callee].total);
      }
      text_ += "  </callSite>\n";
    }
    if (!sites.empty()) text_ += " </method>\n";
    flush(kChunk);
  }

  void write_count(Index ref) {
    add(" count=\"{}\"", map_.refs()[ref].count);
    if (!named_.variance.empty()) add(" variance=\"{}\"", decimal(named_.variance[ref]));
    text_ += "/>\n";
  }

  void write_contexts() {
    // In the order of the document: a context's number is its place here.
    std::vector<Index> order;
    order.reserve(map_.refs().size());
    for (Index method = 0; method < map_.methods().size(); ++method) {
      const Index root = map_.find_root(method);
      if (root == ContextMap::kNone) continue;
      add(" <context id=\"{}\" method=\"{}\"", order.size(), method);
      write_count(root);
      order.push_back(root);
    }
    for (std::size_t number = 0; number < order.size() && flush(kChunk); ++number) write_calls_in(number, order);
  }

  void write_calls_in(std::size_t number, std::vector<Index>& order) {
    std::vector<Index> site_refs;
    for (Index at = map_.refs()[order[number]].first_site_ref; at != ContextMap::kNone;
         at = map_.site_refs()[at].next_of_context) {
      site_refs.push_back(at);
    }
    std::ranges::sort(site_refs, std::less(), [&](Index at) { return map_.sites()[map_.site_refs()[at].site].bci; });
    for (const Index site_ref : site_refs) {
      add(" <callSiteRef context=\"{}\"", number);
      write_bci(map_.sites()[map_.site_refs()[site_ref].site].bci);
      text_ += ">\n";
      std::vector<Index> refs;
      for (Index ref = map_.site_refs()[site_ref].first_callee; ref != ContextMap::kNone;
           ref = map_.refs()[ref].next_of_site_ref) {
        refs.push_back(ref);
      }
      std::ranges::sort(refs, std::less(), [&](Index ref) { return map_.refs()[ref].method; });
      for (const Index ref : refs) {
        add("  <calleeRef id=\"{}\" callee=\"{}\"", order.size(), callee_number_[map_.refs()[ref].callee]);
        write_count(ref);
        order.push_back(ref);
      }
      text_ += " </callSiteRef>\n";
    }
  }

  static constexpr std::size_t kChunk = 1 << 16;

  const NamedMap& named_;
  const ContextMap& map_;
  const Sink& sink_;
  std::string text_;
  bool wanted_ = true;
  std::vector<Index> callee_number_;
  Index next_callee_ = 0;
};

}  // namespace

bool write_ccmap_xml(const NamedMap& map, const Sink& sink) {
  return Writer(map, sink).write();
}

NamedMap ccmap_of(const profile::Profile& profile, std::size_t metric) {
  NamedMap named{.map = core::map_of_contexts(profile, metric),
                 .methods = profile->methods,
                 .metric = profile->metrics[metric],
                 .identity = profile->identity,
                 .variance = {}};
  if (profile->contexts.size() > 0) named.variance = profile->contexts.columns[metric].variance;
  return named;
}

Pruned export_ccmap_xml(const ExportRequest& request, const Sink& sink) {
  write_ccmap_xml(ccmap_of(*request.profile, request.limits.metric), sink);
  return {};
}

base::Result<profile::Profile> profile_of(const NamedMap& named) {
  const ContextMap& map = named.map;
  if (map.options().shape != ContextMap::Shape::kTree) {
    return base::Error{"a map of sub-paths has no complete contexts, so it is no profile"};
  }
  profile::ProfileData data;
  data.identity = named.identity;
  data.metrics = {named.metric};
  data.methods = named.methods;
  profile::Column& column = data.contexts.columns.emplace_back();
  column.variance = named.variance;
  for (const ContextMap::CalleeRef& ref : map.refs()) {
    data.contexts.parent.push_back(ref.parent);
    data.contexts.method.push_back(ref.method);
    data.contexts.site.push_back(ref.callee == ContextMap::kNone ? profile::kNoSite
                                                                 : map.sites()[map.callees()[ref.callee].site].bci);
    column.value.push_back(ref.count);
  }
  if (core::counts_whole_stacks(named.metric)) {
    for (const ContextMap::CalleeRef& ref : map.refs()) {
      if (ref.parent == ContextMap::kNone) continue;
      std::uint64_t& own = column.value[ref.parent];
      if (own < ref.count) {
        return base::Error{fmt::format("more samples have what {}.{} calls on the stack than have the method itself",
                                       named.methods[map.refs()[ref.parent].method].class_name,
                                       named.methods[map.refs()[ref.parent].method].name)};
      }
      own -= ref.count;
    }
  }
  data.edges.columns.resize(1);
  data.info["mode"] = {"import"};
  data.info["source"] = {"ccmap-xml"};
  return profile::freeze(std::move(data));
}

}  // namespace bursar::exports
