#include "agent/session.h"

#include <algorithm>
#include <map>
#include <utility>

#include "agent/clocks.h"
#include "agent/estimates.h"

namespace bursar::agent {
namespace {

using core::CommonNodes;
using core::ContextTree;

constexpr std::uint64_t kIdlePart = 4;

// Methods that the VM calls to find what a call site calls.
bool is_called_by_linking(const core::Method& method) {
  return method.name == "<clinit>" || method.name == "loadClass" || method.name == "checkPackageAccess" ||
         method.class_name == "java/lang/invoke/MethodHandleNatives";
}

// The VM calls it within the constructor of Object.
bool comes_from_object(const core::Method& method) {
  return method.name == "register" && method.class_name == "java/lang/ref/Finalizer";
}

// The VM calls it within a native method that is called for the first time.
bool finds_native_code(const core::Method& method) {
  return method.name == "findNative" && method.class_name == "java/lang/ClassLoader";
}

// The VM calls it, not the native method that the site means: it initialises that method's class, or has no receiver.
bool comes_before_native(const core::Method& method, const core::CallSite& site) {
  return (method.name == "<clinit>" && method.class_name == site.class_name) ||
         (method.name == "<init>" && method.class_name == "java/lang/NullPointerException");
}

}  // namespace

Session::Session(AgentOptions options)
    : options_(std::move(options)),
      filter_(options_.include, options_.exclude),
      registry_(methods_, filter_),
      rewriter_(methods_, registry_, traced(), in_bursts() ? &gates_ : nullptr,
                options_.counts_paths() ? &path_registry_ : nullptr),
      budget_(options_.max_contexts),
      root_(methods_.add({.name = "[root]", .nature = core::MethodNature::kPseudo})),
      bursts_(methods_, options_.bursts, options_.tunes_interval),
      gathering_(methods_, options_.call_sites, options_.max_contexts) {
  // An event names its call site.
  if (traced()) options_.call_sites = true;
  for (std::string gate : options_.gates) {
    const std::size_t dot = gate.rfind('.');
    std::replace(gate.begin(), gate.begin() + static_cast<std::ptrdiff_t>(std::min(dot, gate.size())), '.', '/');
    gates_.name(std::move(gate));
  }
}

void Session::look_for_agents(base::Bytes class_file) {
  const std::string_view text(reinterpret_cast<const char*>(class_file.data()), class_file.size());
  if (text.find(kOtherAgents) == std::string_view::npos) return;
  const base::Result<classfile::ClassFile> file = classfile::ClassFile::parse(class_file);
  if (file && file->name() == kOtherAgents) registry_.add(*file);
}

ContextTree* Session::open_tree(bool is_virtual) {
  const std::lock_guard guard(trees_lock_);
  if (is_virtual && shared_tree_ != nullptr) return shared_tree_;
  std::unique_ptr<ContextTree> tree;
  if (!is_virtual && !idle_trees_.empty()) {
    tree = std::move(idle_trees_.back());
    idle_trees_.pop_back();
    idle_contexts_ -= tree->contexts();
  } else {
    tree = std::make_unique<ContextTree>(methods_, budget_, root_, tree_options(is_virtual, 0, core::kGroups));
  }
  if (tree->root() == 0) return nullptr;
  ContextTree* const opened = tree.get();
  trees_.emplace(opened, OpenTree{std::move(tree), {}});
  if (is_virtual) shared_tree_ = opened;
  return opened;
}

ContextTree::Options Session::tree_options(bool shared, schemes::Pace pace, std::size_t group) {
  ContextTree::Options options{.call_sites = options_.call_sites, .shared = shared};
  if (!options_.counts_paths()) return options;
  std::unique_ptr<core::PathCounters>& paths = path_counters_[pace][group];
  if (paths == nullptr) paths = std::make_unique<core::PathCounters>();
  options.word = paths->address();
  return options;
}

ContextTree* Session::tree_of_bursts(ContextTree* tree, schemes::Pace pace, std::size_t group) {
  if (pace == 0 && group == core::kGroups) return tree;
  const std::lock_guard guard(trees_lock_);
  const auto at = trees_.find(tree);
  if (at == trees_.end()) return nullptr;
  std::unique_ptr<ContextTree>& own = at->second.of_bursts[pace][group];
  if (own == nullptr) {
    own = std::make_unique<ContextTree>(methods_, budget_, root_, tree_options(tree->shared(), pace, group));
  }
  return own->root() != 0 ? own.get() : nullptr;
}

std::uint64_t Session::weight_of(schemes::Pace pace, std::size_t group) const {
  return (group < core::kGroups ? bursts_.weight_of_groups() : 1) * schemes::weight_at(pace);
}

std::uint64_t Session::gather(const OpenTree& open, std::string_view thread_name) {
  const std::uint64_t counted = gathering_.add(*open.tree, thread_name);
  for (schemes::Pace pace = 0; pace < schemes::kPaces; ++pace) {
    for (std::size_t group = 0; group <= core::kGroups; ++group) {
      const auto& tree = open.of_bursts[pace][group];
      if (tree == nullptr) continue;
      gathering_.add(*tree, thread_name, {weight_of(pace, group), group, false});
    }
  }
  return counted;
}

std::uint64_t Session::open_log(const ContextTree* tree) {
  return tracer_ != nullptr && tree != nullptr && !tree->shared() ? tracer_->open_log(*tree) : 0;
}

void Session::close_tree(ContextTree* tree, std::string_view thread_name, std::uint64_t log) {
  if (log != 0) tracer_->close_log(log, thread_name);
  const std::lock_guard guard(trees_lock_);
  const auto at = trees_.find(tree);
  if (at == trees_.end() || tree == shared_tree_) return;
  // A tree that its thread made little use of would cost the next one more than it saves.
  bool fits = true;
  if (traced()) {
    overflow_calls_ += tree->overflow_calls();
  } else {
    fits = 2 * gather(at->second, thread_name) >= tree->contexts();
  }
  if (fits && idle_contexts_ + tree->contexts() <= options_.max_contexts / kIdlePart) {
    tree->forget_counts();
    idle_contexts_ += tree->contexts();
    idle_trees_.push_back(std::move(at->second.tree));
  }
  trees_.erase(at);
}

const core::CallSite* Session::site_of(ContextTree::Place place) const {
  if (place.node == 0 || place.slot == 0) return nullptr;
  const core::Method& caller = methods_[core::node_at(place.node).method];
  return place.slot <= caller.sites.size() ? &caller.sites[place.slot - 1] : nullptr;
}

// The cursor of a constructor does not go to that of Object.
std::uint32_t Session::slot_behind_entry(core::NodeAddress node, core::MethodId method) const {
  if (!comes_from_object(methods_[method])) return 0;
  const core::Method& caller = methods_[core::node_at(node).method];
  if (caller.name != "<init>") return 0;
  const auto site = std::find_if(caller.sites.begin(), caller.sites.end(),
                                 [](const core::CallSite& s) { return s.callee != core::kNoMethod; });
  return site != caller.sites.end() ? static_cast<std::uint32_t>(site - caller.sites.begin()) + 1 : 0;
}

core::Route Session::route(ContextTree::Place place, core::MethodId method) {
  const core::CallSite* const site = site_of(place);
  if (site == nullptr) return {};
  const core::Method& callee = methods_[method];
  if (site->name == callee.name && site->descriptor == callee.descriptor) return {};
  if (site->kind == core::CallKind::kDynamic || site->kind == core::CallKind::kLinkTo) {
    return {.via_vm = is_called_by_linking(callee)};
  }
  core::MethodId native = registry_.native_behind(*site);
  if (native == core::kNoMethod && finds_native_code(callee)) native = registry_.native_override(*site);
  if (native == core::kNoMethod || comes_before_native(callee, *site)) return {.via_vm = true};
  return {.through = native, .from_node = site->callee != core::kNoMethod};
}

core::NodeAddress Session::find(ContextTree* tree, core::SlotAddress slot, core::MethodId method) {
  const CommonNodes& common = CommonNodes::instance();
  if (tree == nullptr || common.is_mute(slot)) return common.mute;
  if (common.is_overflow(slot)) {
    tree->count_overflow();
    return common.overflow;
  }
  if (in_bursts() && !common.is_asleep(slot)) tree = ContextTree::owner_of(slot);
  ContextTree::Place place = ContextTree::locate(slot);
  if (place.node == 0 || tree == nullptr) return common.mute;
  if (place.slot == 0) place.slot = slot_behind_entry(place.node, method);
  const core::Route by = route(place, method);
  // Between the call site and this method ran code that does not count.
  if (in_bursts() && (by.via_vm || by.through != core::kNoMethod)) return common.mute;
  if (!tree->shared()) return tree->enter(place, method, by);
  const std::lock_guard guard(shared_lock_);
  return tree->enter(place, method, by);
}

core::MethodId Session::method_named(std::string_view class_name, std::string_view name, std::string_view descriptor) {
  const std::size_t suffix = class_name.find_last_of(".+");
  if (suffix == std::string_view::npos) return registry_.id_of_named(class_name, name, descriptor);
  return rewriter_.hidden_method(class_name.substr(0, suffix), name, descriptor);
}

core::NodeAddress Session::node_in(ContextTree& tree, Stack& stack, std::size_t depth) {
  std::unique_lock<std::mutex> guard(shared_lock_, std::defer_lock);
  if (tree.shared()) guard.lock();
  return bursts_.node_of(tree, stack, depth);
}

std::uint32_t Session::site_of_call(core::MethodId method, bool copy, std::uint32_t bci) const {
  const std::vector<core::CallSite>& sites = methods_[method].sites;
  if (sites.empty()) return 0;
  constexpr std::uint32_t kNotRewritten = 0xffffffff;
  const std::uint32_t ordinal = rewriter_.positions().ordinal(method, copy, bci, kNotRewritten);
  if (ordinal != kNotRewritten) return ordinal % static_cast<std::uint32_t>(sites.size());
  const auto site = std::find_if(sites.begin(), sites.end(), [&](const core::CallSite& s) { return s.bci == bci; });
  return static_cast<std::uint32_t>(site - sites.begin());
}

bool Session::is_linkage(std::span<const StackFrame> frames) const {
  const std::vector<core::CallSite>& sites = methods_[frames.front().method].sites;
  const std::uint32_t site = frames.front().site;
  return site < sites.size() && sites[site].kind == core::CallKind::kDynamic &&
         std::all_of(frames.begin() + 1, frames.end(), [&](const StackFrame& frame) {
           return methods_[frame.method].class_name.starts_with("java/lang/invoke/");
         });
}

core::NodeAddress Session::count_at_site(ContextTree* tree, ContextTree::Place place, core::MethodId callee) {
  if (in_bursts()) tree = ContextTree::owner_of(place.node);
  if (tree == nullptr) return core::CommonNodes::instance().mute;
  if (!tree->shared()) return tree->enter_at_site(place, callee);
  const std::lock_guard guard(shared_lock_);
  return tree->enter_at_site(place, callee);
}

core::NodeAddress Session::find_unprobed(ContextTree* tree, core::SlotAddress slot) {
  const CommonNodes& common = CommonNodes::instance();
  if (common.is_asleep(slot)) return common.asleep;
  if (tree == nullptr || common.is_mute(slot)) return common.mute;
  if (common.is_overflow(slot)) {
    tree->count_overflow();
    return common.overflow;
  }
  const ContextTree::Place place = ContextTree::locate(slot);
  const core::CallSite* const site = site_of(place);
  if (site == nullptr) return common.mute;
  const core::MethodId callee = registry_.uncounted(*site, "", "");
  return callee != core::kNoMethod ? count_at_site(tree, place, callee) : place.node;
}

core::NodeAddress Session::find_virtual(ContextTree* tree, core::SlotAddress slot, std::string_view receiver_class) {
  const core::CallSite* const site = site_at(slot);
  if (tree == nullptr || site == nullptr) return 0;
  const core::MethodId callee = registry_.uncounted_for(*site, receiver_class);
  return callee != core::kNoMethod ? count_at_site(tree, ContextTree::locate(slot), callee) : 0;
}

const core::CallSite* Session::site_at(core::SlotAddress slot) const {
  const CommonNodes& common = CommonNodes::instance();
  if (common.is_mute(slot) || common.is_overflow(slot)) return nullptr;
  return site_of(ContextTree::locate(slot));
}

bool Session::is_link(core::SlotAddress slot) const {
  const core::CallSite* const site = site_at(slot);
  return site != nullptr && site->kind == core::CallKind::kLinkTo;
}

core::NodeAddress Session::missed(ContextTree* tree, core::SlotAddress slot, const LinkTarget& target) {
  const CommonNodes& common = CommonNodes::instance();
  if (tree == nullptr || common.is_mute(slot)) return 0;
  if (common.is_overflow(slot)) {
    tree->count_overflow();
    return 0;
  }
  const ContextTree::Place place = ContextTree::locate(slot);
  const core::CallSite* const site = site_of(place);
  if (site == nullptr) return 0;
  const core::MethodId callee = registry_.uncounted(*site, target.class_name, target.name);
  return callee != core::kNoMethod ? count_at_site(tree, place, callee) : 0;
}

SavedProfile Session::save(const ThreadNames& names, const std::map<std::string, std::string>& info) {
  const std::lock_guard guard(trees_lock_);
  {
    const std::lock_guard shared_guard(shared_lock_);
    for (const auto& [address, open] : trees_) {
      const auto name = names.find(address);
      const std::string_view fallback = address->shared() ? "virtual threads" : "unnamed thread";
      gather(open, name != names.end() ? std::string_view(name->second) : fallback);
    }
  }
  profile::ProfileData data = gathering_.to_profile();
  if (in_bursts())
    make_estimates(data, {.weight = bursts_.calls_per_weight(),
                          .weight_of_groups = bursts_.weight_of_groups(),
                          .contexts = gathering_.contexts_by_group(),
                          .edges = gathering_.edges_by_group()});
  if (options_.counts_paths()) add_paths(data);
  add_facts(data, info);
  return save_profile(std::move(data), options_.output);
}

std::string Session::begin_trace(const std::map<std::string, std::string>& info) {
  std::map<std::string, std::string> facts = info;
  facts["mode"] = options_.mode;
  if (!options_.command.empty()) facts["command"] = options_.command;
  auto tracer = Tracer::create({.path = with_process_id(options_.output),
                                .max_bytes = options_.max_size,
                                .skip_ns = options_.skip_ms * 1'000'000},
                               methods_, facts);
  if (!tracer) return tracer.error().message;
  tracer_ = std::move(*tracer);
  return "";
}

std::map<std::string, std::uint64_t> Session::calls_without_events() {
  const std::lock_guard guard(trees_lock_);
  std::map<std::string, std::uint64_t> calls;
  std::uint64_t overflow = overflow_calls_, of_virtual_threads = 0;
  for (const auto& [address, open] : trees_) overflow += address->overflow_calls();
  if (overflow > 0) calls["beyond the limit of contexts"] = overflow;
  if (shared_tree_ != nullptr) {
    const std::lock_guard shared_guard(shared_lock_);
    shared_tree_->for_each_entry(
        [&](core::NodeAddress, std::uint32_t, core::NodeAddress, std::uint64_t count) { of_virtual_threads += count; });
  }
  if (of_virtual_threads > 0) calls["of virtual threads"] = of_virtual_threads;
  return calls;
}

Session::SavedTrace Session::end_trace(const std::vector<Tracer::OpenLog>& open) {
  SavedTrace outcome;
  outcome.path = with_process_id(options_.output);
  if (tracer_ == nullptr) {
    outcome.error = "there is no trace";
    return outcome;
  }
  std::map<std::string, std::string> facts;
  for (const auto& [which, calls] : calls_without_events()) {
    facts["dropped." + which] = std::to_string(calls);
    outcome.notes.push_back(std::to_string(calls) + " calls " + which + " are not in the trace");
  }
  const Tracer::Outcome ended = tracer_->finish(open, facts);
  outcome.error = ended.error;
  outcome.events = ended.events;
  if (ended.full) outcome.notes.emplace_back("the trace reached its size limit and ends there; the program went on");
  return outcome;
}

// Estimates of all paths, and of the branches that follow from them. Their methods have a table of their own, in which
// those of calls may be missing.
void Session::add_paths(profile::ProfileData& data) const {
  std::vector<std::uint64_t> counts(path_registry_.size());
  PathRegistry::ByGroups groups{.numbers = std::vector<core::ByGroup>(counts.size())};
  for (schemes::Pace pace = 0; pace < schemes::kPaces; ++pace) {
    for (std::size_t group = 0; group <= core::kGroups; ++group) {
      if (path_counters_[pace][group] == nullptr) continue;
      std::vector<std::uint64_t> counted;
      path_counters_[pace][group]->add_to(counted, static_cast<std::uint32_t>(counts.size()));
      for (std::size_t i = 0; i < counted.size(); ++i) {
        const std::uint64_t weighted = counted[i] * weight_of(pace, group);
        counts[i] += weighted;
        if (group < core::kGroups) groups.numbers[i][group] += weighted;
      }
    }
  }
  profile::ProfileData paths = path_registry_.to_profile(counts, profile::MetricKind::kEstimate, groups);
  const double weight = bursts_.calls_per_weight();
  make_estimate(paths.paths.count, groups.paths, weight, bursts_.weight_of_groups());
  make_estimate(paths.branches.count, groups.branches, weight, bursts_.weight_of_groups());
  std::map<profile::Method, profile::MethodId> known;
  for (std::size_t i = 0; i < data.methods.size(); ++i) known.emplace(data.methods[i], i);
  std::vector<profile::MethodId> id_of;
  for (const profile::Method& method : paths.methods) {
    const auto [place, is_new] = known.try_emplace(method, static_cast<profile::MethodId>(data.methods.size()));
    if (is_new) data.methods.push_back(method);
    id_of.push_back(place->second);
  }
  for (auto* column : {&paths.paths.method, &paths.branches.method, &paths.lines.method}) {
    for (profile::MethodId& method : *column) method = id_of[method];
  }
  data.paths = std::move(paths.paths);
  data.branches = std::move(paths.branches);
  data.lines = std::move(paths.lines);
}

void Session::add_facts(profile::ProfileData& data, const std::map<std::string, std::string>& info) const {
  data.info["mode"] = {options_.mode};
  if (!options_.command.empty()) data.info["command"] = {options_.command};
  for (const auto& [key, value] : info) data.info[key] = {value};
  const ClassRewriter::Totals totals = rewriter_.totals();
  data.counters["rewritten_methods"] = totals.counts.rewritten;
  data.counters["rewritten_classes"] = totals.classes;
  data.counters["rewriting_cpu_ns"] = totals.cpu_ns;
  if (in_bursts()) {
    data.counters["bursts_begun"] = bursts_.counts().begun;
    data.counters["bursts_at_new_stacks"] = bursts_.counts().new_stacks;
    data.counters["bursts_disabled"] = bursts_.counts().disabled;
    data.counters["walks"] = bursts_.counts().walks;
    data.counters["checks"] = bursts_.counts().checks;
    data.counters["bursts_cpu_ns"] = bursts_.counts().cpu_ns;
    for (const auto& [name, value] : more_counters_) data.counters[name] = value;
    data.series.push_back(bursts_.intervals());
    if (!may_burst()) data.dropped["bursts-after-a-refused-class"] = 1;
  }
  data.counters["trust_lost"] = registry_.doubted() ? 1 : 0;
  data.counters["process_cpu_ns"] = process_cpu_ns();
  for (std::size_t i = 0; i < totals.counts.skipped.size(); ++i) {
    if (totals.counts.skipped[i] != 0) {
      data.skipped_methods[std::string(classfile::kSkipReasonNames[i])] = totals.counts.skipped[i];
    }
  }
  for (std::size_t i = 0; i < totals.refused_paths.size(); ++i) {
    if (totals.refused_paths[i] != 0)
      data.skipped_methods[std::string(classfile::kPathRefusalNames[i])] = totals.refused_paths[i];
  }
  if (totals.refused_classes != 0) data.skipped_methods["class-refused"] = totals.refused_classes;
}

}  // namespace bursar::agent
