// PathProbes: the path register, in every method that decides anything (paper 003, sections 3.1 and 3.2).
//
// A method gets one new int local, r. What it holds is the number of the path so far, plus the first number that this
// method's paths have among all methods' (and all numberings of this method): so r alone names a path.
//
//   entry             r = first + value of the start
//   branch edge       r += value of the edge, unless that is 0
//   loop header, cut  probe(r); r = first + value of the start
//   return, throw     probe(r)
//   handler           r = first + value of the start
//
// The probe is a static method that takes an int, unless a mode has another one. What is done with the numbers, the
// PathSink says.
// Owner: who rewrites a class.
// Runs in: any thread that may allocate
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "classfile/path_numbering.h"
#include "classfile/probes.h"

namespace bursar::classfile {

class PathSink {
 public:
  virtual ~PathSink() = default;

  virtual bool wants(const MethodView& method) = 0;
  // A method has no path register, for another reason than that it decides nothing.
  virtual void refused(const MethodView& method, PathRefusal refusal) = 0;
  // How to number the paths of this method.
  virtual NumberingOptions options(const MethodView& /*method*/, const PathGraph& /*graph*/) { return {}; }
  // The first number of this method's paths; nothing if there is no room for them.
  virtual std::optional<std::uint32_t> add(const MethodView& method, PathNumbering numbering) = 0;
};

class PathProbes : public Instrumentation {
 public:
  // `cls`.`method`(int) is the probe.
  PathProbes(PathSink& sink, std::string cls, std::string method)
      : sink_(sink), class_(std::move(cls)), probe_(std::move(method)) {}

  bool begin(const MethodView& method) override;
  // Which of the method's new locals r is, where there are others.
  void set_register(std::size_t local) { register_ = local; }
  std::span<const NewLocal> locals() const override { return kLocals; }
  void emit(const ProbePoint& point, Snippet& snippet) override;
  bool watches(std::uint32_t pc) override;
  void end(bool) override {}

 protected:
  // Of the path whose number r is.
  virtual void probe(Snippet& snippet) const;
  std::size_t path_register() const { return register_; }

 private:
  static const std::array<NewLocal, 1> kLocals;

  void set(Snippet& snippet, PathStart start, std::uint32_t block) const;

  PathSink& sink_;
  std::string class_, probe_;
  const MethodView* method_ = nullptr;
  std::optional<PathNumbering> numbering_;
  std::uint32_t first_ = 0;
  std::size_t register_ = 0;
};

}  // namespace bursar::classfile
