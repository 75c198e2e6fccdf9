// Compiler directives: inline advice as the JSON that HotSpot reads (-XX:CompilerDirectivesFile,
// jcmd Compiler.directives_add).
//
//   [{"match": ["com/acme/Shop.serve(I)V"], "c2": {"inline": ["+com/acme/Cart.add(I)V", "-com/acme/Log.off()V"]}}]
//
// `match` names a method that is compiled; the first directive that matches it applies, and only to C2, so that C1 goes
// by its default. Methods that cannot be named (method_pattern.h) are left out and counted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/inline_roots.h"
#include "profile/profile.h"

namespace bursar::exports {

// What a JVM takes unless -XX:CompilerDirectivesLimit says more; its own default directive is one of them.
inline constexpr std::size_t kHotSpotDirectives = 50;

struct CompilerDirectives {
  std::string text;
  std::vector<analysis::InlineRoot> roots;  // one for each directive, with the callees that could be named
  std::size_t unnamed_methods = 0;          // roots and callees that were wanted and have no pattern
  std::size_t beyond_limit = 0;             // roots left out because there were more than `limit`
};

enum class Refusals : bool { kLeftOut, kWritten };

// `roots` are those of the profile with these methods, the most important first.
CompilerDirectives compiler_directives(const std::vector<profile::Method>& methods,
                                       const std::vector<analysis::InlineRoot>& roots, std::size_t limit,
                                       Refusals refusals);

}  // namespace bursar::exports
