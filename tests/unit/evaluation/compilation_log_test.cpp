#include "evaluation/compilation_log.h"

#include <gtest/gtest.h>

#include <sstream>

namespace bursar::evaluation {
namespace {

// As JDK 17 writes it.
constexpr const char* kLog =
    "<task compile_id='7' method='A a ()V' bytes='27' level='3' stamp='0.053'>\n"
    "<inline_success reason='inline'/>\n"
    "</task>\n"
    "<nmethod compile_id='7' compiler='c1' level='3' size='900' insts_offset='100' stub_offset='500'/>\n"
    "<task compile_id='9' method='A a ()V' bytes='27' stamp='0.055'>\n"
    "<inline_success reason='force inline by annotation'/>\n"
    "<inline_fail reason='too big'/>\n"
    "<inline_success reason='force inline by CompileCommand'/>\n"
    "</task>\n"
    "<nmethod compile_id='9' compiler='c2' level='4' size='900' insts_offset='100' stub_offset='600'/>\n"
    "<task compile_id='10' method='A b ()V' bytes='27' stamp='0.055'>\n"
    "<inline_success reason='inline (hot)'/>\n"
    "</task>\n"
    "<nmethod compile_id='10' compiler='c2' level='4' size='900' insts_offset='100' stub_offset='300'/>\n"
    "<make_not_entrant thread='1' compile_id='10' compiler='c2' level='4' stamp='0.2'/>\n";

TEST(CompilationLog, counts_what_c2_made_and_what_is_still_in_use) {
  std::istringstream log(kLog);
  EXPECT_EQ(read_compilation_log(log),
            (CompiledCode{.methods = 1, .code_bytes = 500, .inlined_calls = 2, .forced_calls = 1}));
}

TEST(CompilationLog, of_nothing_or_of_something_else_holds_nothing) {
  for (const char* text : {"", "<nmethod compile_id='x' compiler='c2' insts_offset='9' stub_offset='3'/>\n<task \n",
                           "<nmethod compile_id='1' compiler='c2' insts_offset='9' stub_offset='3'/>\n"}) {
    std::istringstream log(text);
    EXPECT_EQ(read_compilation_log(log), CompiledCode{}) << text;
  }
}

}  // namespace
}  // namespace bursar::evaluation
