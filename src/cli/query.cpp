// bursar query: how often a call or a path was taken, in which contexts, and what a call site calls.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

#include "analysis/metric_weights.h"
#include "cli/amount.h"
#include "cli/context_line.h"
#include "cli/context_query.h"
#include "cli/files.h"
#include "cli/method_lookup.h"
#include "cli/option_checks.h"
#include "cli/run_facts.h"
#include "cli/table.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "core/profile_map.h"

namespace bursar::cli {

namespace {

using nlohmann::ordered_json;
using Step = core::ContextQuestions::Step;

struct QueryOptions {
  std::string file;
  std::vector<std::string> path;
  bool from_root = false;
  std::size_t top = 10;
  std::string metric;
  bool json = false;
};

struct Question {
  const profile::ProfileData& data;
  const profile::Metric& metric;
  const ContextQuery& query;
  const QueryOptions& options;
  std::vector<Step> path;
};

ordered_json site_json(std::uint32_t site) {
  return site == profile::kNoSite ? ordered_json() : ordered_json(site);
}

class QueryJson {
 public:
  explicit QueryJson(const Question& question) : q_(question) {}

  ordered_json overview(const std::vector<HotCall>& calls) const {
    ordered_json result = head();
    result["contexts"] = q_.query.map().refs().size();
    result["call_edges"] = q_.query.map().callees().size();
    result["methods"] = q_.data.methods.size();
    ordered_json& list = result["hot_calls"] = ordered_json::array();
    for (const HotCall& call : calls) {
      ordered_json entry;
      set_method(entry, "caller", "caller_descriptor", q_.data.methods[call.caller]);
      if (q_.query.contexts_know_sites()) entry["site"] = site_json(call.site);
      set_method(entry, "callee", "callee_descriptor", q_.data.methods[call.callee]);
      set(entry, "count", call.amount);
      entry["share"] = share_of(call.amount.value, q_.query.total().value);
      entry["contexts"] = call.contexts;
      entry["half_in_contexts"] = call.half_in;
      if (q_.query.contexts_know_sites()) entry["only_target"] = call.only_target;
      list.push_back(std::move(entry));
    }
    return result;
  }

  ordered_json answer(const PathAnswer& answer) const {
    ordered_json result = head();
    ordered_json& path = result["path"] = ordered_json::array();
    for (const Step& step : q_.path) {
      ordered_json& entry = path.emplace_back();
      set_method(entry, "method", "descriptor", q_.data.methods[step.method]);
      if (step.site) entry["site"] = *step.site;
    }
    result["from_root"] = q_.options.from_root;
    set(result, "count", answer.amount);
    result["share"] = share_of(answer.amount.value, q_.query.total().value);
    if (q_.path.size() > 1) set(result, "last_call_count", answer.last_call);
    set(result, "method_count", answer.method);
    result["contexts"] = answer.contexts;
    ordered_json& hottest = result["hot_contexts"] = ordered_json::array();
    for (const auto& [context, amount] : answer.hottest) {
      ordered_json& entry = hottest.emplace_back();
      set(entry, "count", amount);
      entry["share"] = share_of(amount.value, answer.amount.value);
      set_stack(entry, q_.data, context);
    }
    result["callers"] = targets(std::span(answer.callers).first(std::min(q_.options.top, answer.callers.size())));
    result["calls"] = calls(answer.calls);
    if (q_.query.edges_know_sites()) result["call_sites"] = calls(answer.sites);
    return result;
  }

 private:
  ordered_json head() const {
    ordered_json result = {{"metric", q_.metric.name}, {"kind", profile::kind_word(q_.metric.kind)}};
    set(result, "total", q_.query.total());
    return result;
  }

  void set(ordered_json& object, const std::string& key, const analysis::Amount& amount) const {
    set_amount(object, key, amount, q_.metric);
  }

  ordered_json targets(std::span<const CallTarget> list) const {
    ordered_json result = ordered_json::array();
    for (const CallTarget& target : list) {
      ordered_json& entry = result.emplace_back();
      set_method(entry, "method", "descriptor", q_.data.methods[target.method]);
      set(entry, "count", target.amount);
    }
    return result;
  }

  ordered_json calls(const std::vector<CallsFrom>& list) const {
    ordered_json result = ordered_json::array();
    for (const CallsFrom& from : list) {
      ordered_json& entry = result.emplace_back();
      entry["site"] = site_json(from.site);
      set(entry, "count", from.amount);
      if (from.site != profile::kNoSite) {
        entry["one_target"] = from.targets.size() == 1;
        entry["one_target_overall"] = from.targets_overall == 1;
      }
      entry["targets"] = targets(from.targets);
    }
    return result;
  }

  const Question& q_;
};

class QueryText {
 public:
  explicit QueryText(const Question& question, const MethodNames& names)
      : q_(question),
        names_(names),
        terminal_(Terminal::detect()),
        lines_(question.data, names_, terminal_),
        header_(column_header(question.metric)) {}

  std::string overview(const std::vector<HotCall>& calls) {
    text_ += bold(printable(q_.options.file), terminal_) + "  mode " + printable(mode_of(q_.data)) + "\n";
    text_ += fmt::format(
        "  {} {}\n  {}, {}, {}\n", amount(q_.query.total()), header_, counted(q_.query.map().refs().size(), "context"),
        counted(q_.query.map().callees().size(), "call edge"), counted(q_.data.methods.size(), "method"));
    const bool sites = q_.query.contexts_know_sites();
    std::vector<std::string> headers = {header_, "share", "contexts", "half in"};
    if (sites) headers.emplace_back("targets");
    Table table(headers, (sites ? "caller @site" : "caller") + arrow() + "callee");
    for (const HotCall& call : calls) {
      std::vector<std::string> numbers = {amount(call.amount), percent(call.amount.value, q_.query.total().value),
                                          grouped(std::uint64_t{call.contexts}), grouped(std::uint64_t{call.half_in})};
      if (sites) numbers.emplace_back(call.only_target ? "one" : "several");
      table.add(std::move(numbers),
                names_.full(call.caller) + MethodNames::at_site(call.site) + arrow() + names_.full(call.callee));
    }
    section("Hottest calls, over all contexts", table);
    text_ += dim(fmt::format("  half in: so many of its contexts have half of it{}\n",
                             sites ? "; targets: of its call site" : ""),
                 terminal_);
    return finish();
  }

  std::string answer(const PathAnswer& answer) {
    text_ += bold((q_.options.from_root ? "from the root: " : "") + path_text(0), terminal_) + "\n";
    Table shares({header_, "share"}, "of");
    const auto part_of = [&](const analysis::Amount& whole, const std::string& what) {
      shares.add({amount(whole), percent(answer.amount.value, whole.value)}, what);
    };
    if (q_.path.size() > 2) part_of(answer.last_call, path_text(q_.path.size() - 2));
    if (q_.path.size() > 1) part_of(answer.method, names_.full(q_.path.back().method) + ", whoever calls it");
    part_of(q_.query.total(), "all");
    text_ += fmt::format("  {} {} in {}\n\n", amount(answer.amount), header_, counted(answer.contexts, "context"));
    text_ += shares.layout(terminal_);
    contexts(answer);
    callers(answer);
    if (q_.query.contexts_know_sites() || !q_.path.back().site) {
      calls(q_.path.size() > 1 ? "Calls made there" : "Calls it makes", answer.calls, true);
    }
    if (q_.query.edges_know_sites()) calls("Its call sites, in all contexts", answer.sites, false);
    return finish();
  }

 private:
  std::string arrow() const { return terminal_.utf8 ? " → " : " -> "; }
  std::string amount(const analysis::Amount& value) const { return amount_text(value, q_.metric, terminal_); }

  std::string path_text(std::size_t from) const {
    std::string text;
    for (std::size_t i = from; i < q_.path.size(); ++i) {
      text += (i == from ? "" : arrow()) + names_.full(q_.path[i].method);
      if (q_.path[i].site) text += MethodNames::at_site(*q_.path[i].site);
    }
    return text;
  }

  void section(const std::string& title, const Table& table) {
    text_ += "\n" + bold(title, terminal_) + "\n" + (table.empty() ? "  none\n" : table.layout(terminal_));
  }

  void contexts(const PathAnswer& answer) {
    Table table({header_, "share"}, "context, callee first");
    for (const auto& [context, value] : answer.hottest) {
      table.add({amount(value), percent(value.value, answer.amount.value)}, lines_.line(context));
    }
    add_rest(table, 2, answer.contexts - answer.hottest.size());
    section("In which contexts", table);
  }

  void callers(const PathAnswer& answer) {
    Table table({header_, "share"}, "caller");
    for (std::size_t i = 0; i < std::min(q_.options.top, answer.callers.size()); ++i) {
      const CallTarget& caller = answer.callers[i];
      table.add({amount(caller.amount), percent(caller.amount.value, answer.amount.value)}, names_.full(caller.method));
    }
    add_rest(table, 2, answer.callers.size() - std::min(q_.options.top, answer.callers.size()));
    section(q_.path.size() > 1 ? "Called by: the first of the path" : "Called by", table);
  }

  // `here`: in some contexts, so that there may be more targets in others.
  void calls(const std::string& title, const std::vector<CallsFrom>& list, bool here) {
    const bool sites = std::ranges::any_of(list, [](const auto& from) { return from.site != profile::kNoSite; });
    std::vector<std::string> headers = {header_, "share"};
    if (sites) headers.emplace_back("targets");
    if (sites && here) headers.emplace_back("overall");
    Table table(headers, sites ? "call site" + arrow() + "callee" : "callee");
    std::size_t rows = 0, left_out = 0;
    for (const CallsFrom& from : list) {
      for (std::size_t i = 0; i < from.targets.size(); ++i) {
        if (rows == q_.options.top) {
          ++left_out;
          continue;
        }
        ++rows;
        const CallTarget& target = from.targets[i];
        std::vector<std::string> numbers = {amount(target.amount), percent(target.amount.value, from.amount.value)};
        if (sites) numbers.push_back(i == 0 ? grouped(std::uint64_t{from.targets.size()}) : "");
        if (sites && here) numbers.push_back(i == 0 ? grouped(std::uint64_t{from.targets_overall}) : "");
        const std::string site = from.site == profile::kNoSite ? "" : fmt::format("@{}{}", from.site, arrow());
        table.add(std::move(numbers), site + names_.full(target.method));
      }
    }
    add_rest(table, headers.size(), left_out);
    section(title, table);
  }

  void add_rest(Table& table, std::size_t columns, std::size_t left_out) const {
    if (left_out == 0) return;
    table.add(std::vector<std::string>(columns),
              fmt::format("{} {} more (--top)", terminal_.utf8 ? "…" : "...", grouped(std::uint64_t{left_out})));
  }

  std::string finish() {
    if (core::counts_whole_stacks(q_.metric)) {
      text_ += dim("  samples: how often a sample found it on a stack, not how often it was called\n", terminal_);
    }
    return std::move(text_);
  }

  const Question& q_;
  const MethodNames& names_;
  Terminal terminal_;
  ContextLines lines_;
  std::string header_;
  std::string text_;
};

// Why a step must not have its site; empty if it may.
std::string problem_with_site(const Step& step, bool last, const MethodNames& names, const ContextQuery& query) {
  if (!query.contexts_know_sites() && !(last && query.edges_know_sites())) {
    return fmt::format("its contexts do not know call sites{}; record with --call-sites",
                       query.edges_know_sites() ? ", so only the last method of a path may have one" : "");
  }
  const std::vector<std::uint32_t> sites = query.call_sites_of(step.method);
  if (std::ranges::count(sites, *step.site) > 0) return "";
  std::string list;
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(kShown, sites.size()); ++i)
    list += fmt::format("{}@{}", i == 0 ? "" : ", ", sites[i]);
  if (sites.size() > kShown) list += fmt::format(" and {} more", sites.size() - kShown);
  return fmt::format("{} called nothing at @{}; it did at {}", names.full(step.method), *step.site,
                     list.empty() ? "no site" : list);
}

base::Result<std::vector<Step>> find_path(const QueryOptions& options, const profile::ProfileData& data,
                                          const MethodNames& names, const ContextQuery& query) {
  std::vector<Step> path;
  for (const std::string& word : options.path) {
    const auto found = find_method_at_site(data, names, word);
    if (!found) return base::Error{fmt::format("{}: {}", printable(options.file), found.error().message)};
    path.push_back({found->method, found->site});
  }
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::string problem =
        path[i].site ? problem_with_site(path[i], i + 1 == path.size(), names, query) : std::string();
    if (!problem.empty()) return base::Error{fmt::format("{}: {}", printable(options.file), problem)};
  }
  return path;
}

base::Status query(const QueryOptions& options, Output& out) {
  const auto profile = read_stacks(options.file);
  if (!profile) return profile.error();
  const auto metric = analysis::choose_metric(*profile, options.metric);
  if (!metric) return metric.error();
  if (!*metric) return nothing_counted(options.file, *profile);
  const profile::ProfileData& data = profile->data();
  if (data.contexts.size() == 0) return base::Error{fmt::format("{} holds no contexts", printable(options.file))};
  const ContextQuery asked(*profile, **metric);
  const MethodNames names(data);
  const auto path = find_path(options, data, names, asked);
  if (!path) return path.error();
  const Question question{data, data.metrics[**metric], asked, options, *path};
  if (path->empty()) {
    const std::vector<HotCall> calls = asked.hottest_calls(options.top);
    out.write(options.json ? json_text(QueryJson(question).overview(calls))
                           : QueryText(question, names).overview(calls));
  } else {
    const PathAnswer answer = asked.answer(*path, options.from_root, options.top);
    out.write(options.json ? json_text(QueryJson(question).answer(answer)) : QueryText(question, names).answer(answer));
  }
  return base::Done{};
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<QueryOptions>();
  app.add_option("FILE", options->file, "A profile")->required();
  app.add_option("METHOD", options->path,
                 "A method, or several that call each other in turn; METHOD@SITE for the call at that bytecode index");
  app.add_flag("--from-root", options->from_root, "Only where the first method is the first frame of its thread");
  app.add_option("--top", options->top, "Rows of each table; 10 unless given")
      ->type_name("N")
      ->check(positive_number());
  app.add_option("--metric", options->metric, "Which numbers; calls if there are any, else samples")->type_name("NAME");
  app.add_flag("--json", options->json, "For programs");
  return [options](Output& out) { return query(*options, out); };
}

}  // namespace

const Verb kQueryVerb = {
    .name = "query",
    .summary = "How often a call or a path was taken, in which contexts; what a call site calls",
    .examples =
        "  bursar query run.bursar                                  the hottest calls over all contexts\n"
        "  bursar query run.bursar HashMap.put                      who calls it, in which contexts; what it calls\n"
        "  bursar query run.bursar Cart.add HashMap.put             how often is put called by add, and from where?\n"
        "  bursar query run.bursar Shop.serve Cart.add HashMap.put  and how often on this path?\n"
        "  bursar query run.bursar Shop.serve Cart.add@17           has the call there one target, on this path?\n"
        "  bursar query run.bursar HashMap.put --json | jq .calls\n",
    .declare = declare,
    .notes =
        "A path may begin anywhere in a stack; its count is that over all contexts. A name may lack its package and "
        "its\n"
        "class as long as it means one method. Samples are counted once for each time the path is on a stack.\n"
        "\n"
        "Exit status: 0 done; 1 failed (no such method, a name that may mean several, a file that is missing or\n"
        "damaged); 2 wrong usage. Results go to stdout, messages to stderr.\n",
};

}  // namespace bursar::cli
