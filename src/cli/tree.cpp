// bursar tree: the context tree as text. Whatever is not shown is counted in the place where it is missing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "analysis/metric_weights.h"
#include "cli/amount.h"
#include "cli/context_forest.h"
#include "cli/files.h"
#include "cli/method_names.h"
#include "cli/option_checks.h"
#include "cli/table.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "export/frame_name.h"

namespace bursar::cli {

namespace {

using nlohmann::ordered_json;
using profile::ContextId;
using profile::kNone;

struct TreeOptions {
  std::string file;
  std::size_t depth = 0;
  double min_share = 1;
  std::string metric;
  std::string thread;
  std::string method;
  bool json = false;
};

class TreeText {
 public:
  TreeText(const ContextForest& forest, const profile::Metric& metric)
      : forest_(forest), data_(forest.data()), metric_(metric), names_(data_), terminal_(Terminal::detect()) {
    own_width_ = std::max(column_header(metric).size(), display_width(widest_own()));
    subtree_width_ = std::max<std::size_t>(7, grouped(forest.total()).size());
  }

  void write(Output& out) {
    out.write(dim(fmt::format("{:>{}}  {:>{}}  {:>8}  context", column_header(metric_), own_width_, "subtree",
                              subtree_width_, "share"),
                  terminal_) +
              "\n");
    forest_.walk([&](const ForestRow& row) { return out.write(row.context == kNone ? rest_line(row) : line(row)); });
  }

 private:
  std::string line(const ForestRow& row) const {
    const analysis::Amount subtree = forest_.subtree(row.context);
    const std::string own = amount_text(forest_.own(row.context), metric_, terminal_);
    const std::string name =
        names_.full(data_.contexts.method[row.context]) + MethodNames::at_site(data_.contexts.site[row.context]);
    return fmt::format("{}{}  {:>{}}  {:>8}  {}\n", std::string(own_width_ - display_width(own), ' '), own,
                       grouped(subtree.value), subtree_width_, percent(subtree.value, forest_.total()),
                       with_guides(row, name));
  }

  std::string rest_line(const ForestRow& row) const {
    const std::string text = fmt::format("{} {}", terminal_.utf8 ? "…" : "...", counted(row.left_out, "more context"));
    return fmt::format("{:>{}}  {:>{}}  {:>8}  {}\n", "", own_width_, grouped(row.left_out_amount), subtree_width_,
                       percent(row.left_out_amount, forest_.total()), with_guides(row, text));
  }

  // Two columns for each level; from a depth on, where they would fill the line, a number instead.
  std::string with_guides(const ForestRow& row, const std::string& text) const {
    constexpr std::size_t kDeepest = 30;
    std::string guides;
    if (row.depth > kDeepest) {
      guides = fmt::format("{}{} ", terminal_.utf8 ? "⋮" : ":", row.depth);
    } else {
      for (std::size_t i = 1; i < row.depth; ++i) guides += row.open[i] ? (terminal_.utf8 ? "│ " : "| ") : "  ";
      if (row.depth > 0) guides += row.last ? (terminal_.utf8 ? "└ " : "` ") : (terminal_.utf8 ? "├ " : "+ ");
    }
    const std::size_t used = own_width_ + subtree_width_ + 14 + display_width(guides);
    const std::size_t room = terminal_.width == 0 ? 0 : std::max(terminal_.width, used + 20) - used;
    const std::string shown = elided(text, room, terminal_.utf8);
    return dim(guides, terminal_) + (row.context == kNone ? dim(shown, terminal_) : shown);
  }

  std::string widest_own() const {
    std::string widest;
    forest_.walk([&](const ForestRow& row) {
      if (row.context == kNone) return true;
      std::string text = amount_text(forest_.own(row.context), metric_, terminal_);
      if (display_width(text) > display_width(widest)) widest = std::move(text);
      return true;
    });
    return widest;
  }

  const ContextForest& forest_;
  const profile::ProfileData& data_;
  const profile::Metric& metric_;
  MethodNames names_;
  Terminal terminal_;
  std::size_t own_width_;
  std::size_t subtree_width_;
};

// A flat list in pre-order, one object a line, so that a tree of any depth and size can be written and read.
void write_json(const ContextForest& forest, const profile::Metric& metric, const TreeOptions& options, Output& out) {
  const profile::ProfileData& data = forest.data();
  ordered_json head = {{"metric", metric.name}, {"kind", profile::kind_word(metric.kind)}};
  head["total"] = number(forest.total(), metric);
  if (!options.thread.empty()) head["thread"] = options.thread;
  std::string text = json_text(head);
  text.resize(text.rfind('\n', text.size() - 2));
  out.write(text + ",\n  \"contexts\": [");
  bool first = true;
  forest.walk([&](const ForestRow& row) {
    ordered_json entry = {{"depth", row.depth}};
    if (row.context == kNone) {
      entry["left_out"] = row.left_out;
      entry["subtree"] = number(row.left_out_amount, metric);
    } else {
      const profile::Method& method = data.methods[data.contexts.method[row.context]];
      entry["method"] = exports::frame_name(method);
      if (!method.descriptor.empty()) entry["descriptor"] = method.descriptor;
      if (data.contexts.site[row.context] != profile::kNoSite) entry["site"] = data.contexts.site[row.context];
      set_amount(entry, "own", forest.own(row.context), metric);
      set_amount(entry, "subtree", forest.subtree(row.context), metric);
      entry["share"] = share_of(forest.subtree(row.context).value, forest.total());
    }
    const bool more =
        out.write((first ? "\n    " : ",\n    ") + entry.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    first = false;
    return more;
  });
  out.write("\n  ]\n}\n");
}

base::Status tree(const TreeOptions& options, Output& out) {
  const auto profile = read_stacks(options.file);
  if (!profile) return profile.error();
  const auto metric = analysis::choose_metric(*profile, options.metric);
  if (!metric) return metric.error();
  if (!*metric) return nothing_counted(options.file, *profile);
  const auto forest = ContextForest::make(profile->data(), **metric,
                                          {.max_depth = options.depth,
                                           .min_share_percent = options.min_share,
                                           .thread = options.thread,
                                           .method = options.method});
  if (!forest) return forest.error();
  const profile::Metric& chosen = profile->data().metrics[**metric];
  if (options.json) {
    write_json(*forest, chosen, options, out);
  } else {
    TreeText(*forest, chosen).write(out);
  }
  return base::Done{};
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<TreeOptions>();
  app.add_option("FILE", options->file, "A profile")->required();
  app.add_option("--depth", options->depth, "Levels to show; all unless given")
      ->type_name("N")
      ->check(positive_number());
  app.add_option("--min-share", options->min_share, "Sum up subtrees below this percentage; 1 unless given")
      ->type_name("PCT")
      ->check(percentage());
  app.add_option("--metric", options->metric, "Which numbers; calls if there are any, else samples")->type_name("NAME");
  app.add_option("--thread", options->thread, "The tree of one thread")->type_name("NAME");
  app.add_option("--method", options->method, "Only contexts with a method whose name holds this")->type_name("TEXT");
  app.add_flag("--json", options->json, "For programs: one object for each context, in pre-order");
  return [options](Output& out) { return tree(*options, out); };
}

}  // namespace

const Verb kTreeVerb = {
    .name = "tree",
    .summary = "Who called whom, how often: the context tree",
    .examples =
        "  bursar tree run.bursar\n"
        "  bursar tree run.bursar --min-share 0.1 --depth 12\n"
        "  bursar tree run.bursar --method HashMap.resize      how does it get there?\n"
        "  bursar tree run.bursar --thread main --json\n",
    .declare = declare,
};

}  // namespace bursar::cli
