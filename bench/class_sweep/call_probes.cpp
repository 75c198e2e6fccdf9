#include "call_probes.h"

#include "classfile/opcode.h"

namespace bursar::class_sweep {

using classfile::ProbeKind;

void CallProbes::emit(const classfile::ProbePoint& point, classfile::Snippet& snippet) {
  if (!wanted[static_cast<std::size_t>(point.kind)]) return;
  const auto call = [&](const char* name) { snippet.invoke_static("bursar/probe/Probe", name, "(I)V"); };
  switch (point.kind) {
    case ProbeKind::kEntry:
      snippet.push_int(0);
      snippet.store(kPath);
      snippet.push_int(method_);
      call("entry");
      break;
    case ProbeKind::kExit:
      snippet.load(kPath);
      call("exit");
      break;
    case ProbeKind::kHandler:
      snippet.push_int(0);
      snippet.store(kPath);
      snippet.push_int(method_);
      call("handler");
      break;
    case ProbeKind::kBeforeCall:
      snippet.load(kCalls);
      snippet.push_long(1);
      snippet.simple(classfile::op::kLadd);
      snippet.store(kCalls);
      break;
    case ProbeKind::kAfterCall:
      snippet.load(kCalls);
      snippet.simple(classfile::op::kL2i);
      call("call");
      break;
    case ProbeKind::kBranchEdge:
      snippet.increment(kPath, ++edge_);
      snippet.load(kPath);
      call("edge");
      break;
    case ProbeKind::kLoopHeader:
      snippet.load(kPath);
      call("loop");
      snippet.push_int(0);
      snippet.store(kPath);
      break;
    case ProbeKind::kUnwind:
      snippet.peek_reference();
      snippet.load(kPath);
      snippet.load(kCalls);
      snippet.invoke_static("bursar/probe/Probe", "unwind", "(Ljava/lang/Throwable;IJ)V");
      break;
    case ProbeKind::kBlock:
    case ProbeKind::kThrow:
      break;  // not watched: path_probes.h has them
  }
}

}  // namespace bursar::class_sweep
