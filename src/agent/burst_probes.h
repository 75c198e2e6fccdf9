// BurstProbes: what modes that count in bursts put into a method: the probes of calls (exact_probes.h), and where paths
// are counted as well, the path register (classfile/path_probes.h).
//
// A frame that was entered in a burst counts its paths until it is left, whether the burst is over by then or not: so
// every path is counted with the same chance, that of its frame. Methods themselves have no register, and the JIT
// nothing more to compile.
// Runs in: any thread that may allocate; an object rewrites one class
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "agent/exact_probes.h"
#include "classfile/path_probes.h"

namespace bursar::agent {

class BurstProbes : public classfile::Instrumentation {
 public:
  // `paths`: may be null.
  BurstProbes(ExactProbes& calls, classfile::PathSink* paths) : calls_(calls) {
    if (paths != nullptr) paths_.emplace(*paths);
  }

  bool begin(const classfile::MethodView& method) override;
  std::span<const classfile::NewLocal> locals() const override { return locals_; }
  void emit(const classfile::ProbePoint& point, classfile::Snippet& snippet) override;
  bool watches(std::uint32_t pc) override { return has_paths_ && paths_->watches(pc); }
  bool redirects(std::uint32_t pc) override { return calls_.redirects(pc); }
  std::optional<classfile::CopyCall> copy_call(std::uint32_t pc, classfile::ConstantPool& pool) override {
    return calls_.copy_call(pc, pool);
  }
  void end(bool rewritten) override { calls_.end(rewritten); }

 private:
  class Paths : public classfile::PathProbes {
   public:
    explicit Paths(classfile::PathSink& sink) : PathProbes(sink, "", "") {}

   private:
    void probe(classfile::Snippet& snippet) const override { ExactProbes::emit_end_of_path(path_register(), snippet); }
  };

  ExactProbes& calls_;
  std::optional<Paths> paths_;
  // Of the method at hand.
  bool has_paths_ = false;
  std::vector<classfile::NewLocal> locals_;
};

}  // namespace bursar::agent
