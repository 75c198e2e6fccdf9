#include "agent/path_rewriter.h"

#include <xxhash.h>

#include <utility>

#include "agent/clocks.h"
#include "agent/interceptions.h"

namespace bursar::agent {
namespace {

// In their order, numbered anew where that is wanted.
class ClassSink : public ClassPaths {
 public:
  ClassSink(PathRegistry& registry, const Filter& filter, classfile::EdgeOrder order, std::vector<std::uint32_t> firsts)
      : ClassPaths(registry, filter, std::move(firsts)), order_(order) {}

  // What methods that have a number already were numbered by, and are to be.
  void set_weights(const PathWeights& used, const PathWeights& wanted) {
    for (const std::uint32_t first : firsts()) {
      if (const auto at = used.find(first); at != used.end()) used_.insert(*at);
      if (const auto at = wanted.find(first); at != wanted.end()) wanted_.insert(*at);
    }
  }

  bool wants(const classfile::MethodView& method) override {
    set_method(next_++);
    return ClassPaths::wants(method);
  }

  classfile::NumberingOptions options(const classfile::MethodView&, const classfile::PathGraph&) override {
    const auto wanted = wanted_.find(first());
    renumbers_ = wanted != wanted_.end();
    if (renumbers_) return {.weights = wanted->second};
    const auto used = used_.find(first());
    if (used != used_.end()) return {.weights = used->second};
    return {.order = order_};
  }

  std::optional<std::uint32_t> add(const classfile::MethodView& method, classfile::PathNumbering numbering) override {
    if (!renumbers_) return ClassPaths::add(method, std::move(numbering));
    const std::uint32_t before = first();
    const auto added = add_anew(method, std::move(numbering));
    if (added) renumbered_.emplace(*added, wanted_.at(before));
    return added;
  }

  const PathWeights& renumbered() const { return renumbered_; }

 private:
  const classfile::EdgeOrder order_;
  PathWeights used_, wanted_, renumbered_;
  bool renumbers_ = false;
  std::size_t next_ = 0;
};

// The path register, and what else there is to do in certain methods.
class ModeProbes : public classfile::Instrumentation {
 public:
  ModeProbes(classfile::PathSink& sink, const AddedMember& probe) : paths_(sink, kObjectClass, probe.name) {}

  bool begin(const classfile::MethodView& method) override {
    method_ = &method;
    has_paths_ = paths_.begin(method);
    return has_paths_ || shows_members(method) || hears_of_rewriting(method);
  }
  std::span<const classfile::NewLocal> locals() const override {
    return has_paths_ ? paths_.locals() : std::span<const classfile::NewLocal>();
  }
  void emit(const classfile::ProbePoint& point, classfile::Snippet& snippet) override {
    if (point.kind == classfile::ProbeKind::kEntry) {
      if (shows_members(*method_)) emit_interception(*method_, snippet);
      if (hears_of_rewriting(*method_)) emit_rewritten_module(snippet);
    }
    if (has_paths_) paths_.emit(point, snippet);
  }
  bool watches(std::uint32_t pc) override { return has_paths_ && paths_.watches(pc); }
  void end(bool) override {}

 private:
  classfile::PathProbes paths_;
  const classfile::MethodView* method_ = nullptr;
  bool has_paths_ = false;
};

// The class with what the agent adds to it; itself if that is nothing, or there is no room.
std::vector<std::uint8_t> with_added_members(std::string_view name, std::vector<std::uint8_t> bytes,
                                             base::Bytes original) {
  const bool is_thread = name == kThreadClass;
  if (!is_thread && name != kObjectClass) return bytes;
  base::Result<classfile::ClassFile> file = classfile::ClassFile::parse(bytes.empty() ? original : base::Bytes(bytes));
  if (!file) return bytes;
  const bool changed = is_thread ? add_thread_fields(*file) && add_path_field(*file)
                                 : add_probe_methods(*file, false) && add_path_methods(*file);
  return changed ? file->write() : bytes;
}

}  // namespace

std::vector<std::uint8_t> PathRewriter::rewrite(base::Bytes class_file) {
  const std::uint64_t start_ns = own_cpu_ns();
  const std::uint64_t hash = XXH3_64bits(class_file.data(), class_file.size());
  ClassSink sink = [&] {
    const std::lock_guard guard(lock_);
    const auto at = firsts_.find(hash);
    ClassSink made(registry_, filter_, order_, at != firsts_.end() ? at->second : std::vector<std::uint32_t>());
    made.set_weights(used_, wanted_);
    return made;
  }();
  ModeProbes probes(sink, probe_);
  classfile::RewriteOptions options;
  // Messages of NullPointerExceptions name local variables by their slots: nothing may move.
  options.placement = classfile::LocalPlacement::kAtEnd;
  options.cross_compile_limit = true;  // `record` lifts the limit (-XX:-DontCompileHugeMethods)
  base::Result<classfile::Rewritten> rewritten = classfile::rewrite(class_file, probes, options);
  const base::Result<classfile::ClassFile> file = classfile::ClassFile::parse(class_file);

  const std::lock_guard guard(lock_);
  totals_.cpu_ns += own_cpu_ns() - start_ns;
  ++totals_.classes;
  if (!rewritten || !file) {
    ++totals_.refused_classes;
    return {};
  }
  totals_.counts += rewritten->counts;
  for (std::size_t i = 0; i < sink.refusals().size(); ++i) totals_.refused[i] += sink.refusals()[i];
  for (const auto& [first, weights] : sink.renumbered()) used_.insert_or_assign(first, weights);
  totals_.renumbered += sink.renumbered().size();
  firsts_.insert_or_assign(hash, sink.take_firsts());
  return with_added_members(file->name(), std::move(rewritten->bytes), class_file);
}

void PathRewriter::renumber(std::uint32_t first, classfile::EdgeWeights weights) {
  const std::lock_guard guard(lock_);
  wanted_.insert_or_assign(first, std::move(weights));
}

PathRewriter::Totals PathRewriter::totals() const {
  const std::lock_guard guard(lock_);
  return totals_;
}

}  // namespace bursar::agent
