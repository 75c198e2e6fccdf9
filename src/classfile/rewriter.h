// Rewriter: a class file in, the same class with probes out.
//
// One method that cannot be rewritten never spoils the others: it keeps its bytes and is counted by reason. A malformed
// class is refused as a whole. Never crosses HotSpot's compile limit unless told to, and then counts it.
// Runs in: any thread that may allocate
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/byte_reader.h"
#include "base/result.h"
#include "classfile/code_editor.h"
#include "classfile/probes.h"
#include "classfile/skip_reason.h"

namespace bursar::classfile {

// HotSpot never compiles a method with more bytecode than this (HugeMethodLimit, with DontCompileHugeMethods).
inline constexpr std::uint32_t kCompileLimit = 8000;
// Above these it inlines only frequent calls (MaxInlineSize) and none (FreqInlineSize).
inline constexpr std::uint32_t kInlineLimit = 35;
inline constexpr std::uint32_t kFrequentInlineLimit = 325;

struct RewriteOptions {
  LocalPlacement placement = LocalPlacement::kAfterParameters;
  // Rewrite methods although they grow beyond kCompileLimit and will be interpreted for ever.
  bool cross_compile_limit = false;
};

struct RewriteCounts {
  std::uint64_t methods_with_code = 0;
  std::uint64_t rewritten = 0;
  std::array<std::uint64_t, kSkipReasonNames.size()> skipped{};  // by SkipReason
  std::uint64_t old_code_bytes = 0;                              // of the rewritten methods
  std::uint64_t new_code_bytes = 0;
  // Rewritten methods that outgrew a limit of the compiler.
  std::uint64_t crossed_inline_limit = 0;
  std::uint64_t crossed_frequent_inline_limit = 0;
  std::uint64_t crossed_compile_limit = 0;

  RewriteCounts& operator+=(const RewriteCounts& other);
};

struct Rewritten {
  std::vector<std::uint8_t> bytes;  // empty if no method changed
  RewriteCounts counts;
};

base::Result<Rewritten> rewrite(base::Bytes class_file, Instrumentation& instrumentation,
                                const RewriteOptions& options = {});

}  // namespace bursar::classfile
