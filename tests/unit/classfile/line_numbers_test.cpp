#include "classfile/line_numbers.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "built_method.h"

namespace bursar::classfile {
namespace {

TEST(LineNumbers, a_method_without_a_table_has_no_lines) {
  CodeBuilder code;
  code.op(op::kReturn);
  const BuiltMethod method(code);
  EXPECT_EQ(LineNumbers::of(method.file, method.code).line_at(0), std::nullopt);
}

TEST(LineNumbers, are_those_of_the_compiler) {
  std::ifstream in("tests/fuzz/corpus/classfile/java17-Loops.class", std::ios::binary);
  const ByteVector bytes{std::istreambuf_iterator<char>(in), {}};
  const ClassFile file = ClassFile::parse(bytes).value();
  std::size_t methods = 0;
  for (const Member& method : file.methods) {
    const int at = file.code_attribute(method);
    if (at < 0) continue;
    const CodeAttribute code =
        CodeAttribute::parse(method.attributes.at(static_cast<std::size_t>(at)).data, file.pool).value();
    const LineNumbers lines = LineNumbers::of(file, code);
    // javac writes an entry for the first instruction, and loops go back to lines above.
    const auto first = lines.line_at(0);
    if (!first) continue;
    ++methods;
    for (const Instruction& instruction : code.instructions) EXPECT_TRUE(lines.line_at(instruction.pc).has_value());
  }
  EXPECT_GT(methods, 1U);
}

}  // namespace
}  // namespace bursar::classfile
