// Writes the seeds of classfile_fuzz that no compiler makes. Run it again, with the folder of the corpus, when they
// change; the other seeds come from corpus_sources/compile.sh.
#include <cstdio>
#include <fstream>
#include <string>

#include "class_builder.h"

namespace {

using namespace bursar;
using namespace bursar::classfile;

constexpr unsigned kStatic = 0x0009;

// finally, as compilers wrote it before Java 6: a subroutine that is called and that an exception calls too.
ByteVector subroutine() {
  ClassBuilder builder;
  builder.version = 48;
  CodeBuilder code;
  const auto start = code.here();
  const auto finally = code.label();
  code.iinc(0, 1);
  code.jump(op::kJsr, finally);
  const auto end = code.here();
  code.op(op::kIload0);
  code.op(op::kIreturn);
  const auto handler = code.here();
  code.op1(op::kAstore, 2);
  code.jump(op::kJsrW, finally);
  code.op1(op::kAload, 2);
  code.op(op::kAthrow);
  code.bind(finally);
  code.op1(op::kAstore, 1);
  code.wide_iinc(0, -300);
  code.wide(op::kRet, 1);
  code.catches(start, end, handler);
  builder.method(kStatic, "run", "(I)I", code);
  return builder.build();
}

// A handler that control also falls into, a frame of every kind, a loop from the first instruction, goto_w.
ByteVector frames() {
  ClassBuilder builder;
  CodeBuilder code;
  const auto start = code.here();
  const auto handler = code.label(), end = code.label();
  code.iinc(0, -1);
  code.op(op::kIload0);
  code.jump(op::kIfeq, end);
  code.op(op::kIload0);
  code.op1(op::kIstore, 3);
  code.op(op::kAconstNull);
  const auto covered_end = code.here();
  code.bind(handler);
  const std::uint32_t at_handler = code.pc();
  code.op(op::kPop);
  code.jump(op::kGotoW, start);
  code.bind(end);
  const std::uint32_t at_end = code.pc();
  code.op(op::kReturn);
  code.catches(start, covered_end, handler);
  base::ByteWriter map;
  map.u2_be(3);
  map.u1(0);    // same, at the start
  map.u1(255);  // full: the parameters, one throwable on the stack
  map.u2_be(at_handler - 1);
  map.u2_be(2);
  map.u1(1);
  map.u1(4);
  map.u2_be(1);
  map.u1(7);
  map.u2_be(builder.cls("java/lang/Throwable"));
  map.u1(250);  // chop the long
  map.u2_be(at_end - at_handler - 1);
  code.attributes.push_back({"StackMapTable", map.take()});
  builder.method(kStatic, "run", "(IJ)V", code);
  return builder.build();
}

// Every kind of constant, and a table of a long-gone verifier.
ByteVector constants() {
  ClassBuilder builder;
  builder.version = 69;
  builder.long_of(1ULL << 40);
  builder.long_of(0x3ff0000000000000, 6);
  const auto field = builder.member(9, "A", "f", "I");
  builder.member(11, "A", "g", "()V");
  builder.method_handle(1, field);
  builder.referring(16, builder.utf8("()V"));
  builder.referring(17, 0, builder.name_and_type("d", "I"));
  const auto dynamic = builder.referring(18, 0, builder.name_and_type("e", "()V"));
  builder.referring(19, builder.utf8("m"));
  builder.referring(20, builder.utf8("p"));
  CodeBuilder code;
  code.op2(op::kInvokedynamic, dynamic);
  code.bytes({0, 0});
  code.op(op::kReturn);
  code.attributes.push_back({"StackMap", {0, 0}});
  builder.method(kStatic, "run", "()V", code);
  builder.method(0x0400, "abstract", "()V");
  return builder.build();
}

// Switches at every alignment, and an irreducible loop.
ByteVector tangle() {
  ClassBuilder builder;
  builder.version = 49;
  CodeBuilder code;
  const auto first = code.label(), second = code.label(), out = code.label();
  for (int i = 0; i < 4; ++i) {
    code.op(op::kIload0);
    const auto next = code.label();
    i % 2 == 0 ? code.tableswitch(-1, next, {first, second, next})
               : code.lookupswitch(out, {{-5, first}, {0, next}, {1 << 30, second}});
    code.bind(next);
    code.op(op::kNop);
  }
  code.bind(first);
  code.iinc(0, 1);
  code.op(op::kIload0);
  code.jump(op::kIfeq, out);
  code.bind(second);
  code.iinc(0, 2);
  code.jump(op::kGoto, first);
  code.bind(out);
  code.op(op::kReturn);
  builder.method(kStatic, "run", "(I)V", code);
  return builder.build();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_class_corpus FOLDER\n");
    return 2;
  }
  const auto write = [&](const char* name, const ByteVector& bytes) {
    std::ofstream out(std::string(argv[1]) + "/built-" + name + ".class", std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return out.good();
  };
  const bool written = write("subroutine", subroutine()) && write("frames", frames()) &&
                       write("constants", constants()) && write("tangle", tangle());
  if (!written) std::fprintf(stderr, "make_class_corpus: cannot write to %s\n", argv[1]);
  return written ? 0 : 1;
}
