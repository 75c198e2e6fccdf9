// Folded stacks: the text format that flame-graph tools exchange, one line for each context:
//
//   com.acme.Main.main;com.acme.Parser.next;java.lang.String.charAt 1234
//
// frames from the root joined by ';', a blank, the context's own count. Overloads and call sites are not told apart by
// the text, so two contexts may give the same stack; readers add such lines up. frame_name.h says how names are
// written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "export/exporter.h"
#include "profile/profile.h"

namespace bursar::exports {

// Writes every context that the limits let through, in the order of the profile, those with count 0 too, and
// "[left out]" for the others. Estimates are rounded to whole numbers. Returns what was left out.
Pruned export_folded(const ExportRequest& request, const Sink& sink);

// Reads folded stacks as a profile with one metric, exact unless it is named "samples", and no descriptors.
//   - the count is what follows the last blank: a whole number below 2^64 (12.0 is one, 12.5 is not)
//   - lines with the same stack are added up; a sum of 2^64 or more is an error
//   - empty lines, CR LF, a byte-order mark and a missing last newline are accepted
//   - any other line is an error that names the line, shows it (shortened, control characters escaped) and says what
//     was expected
base::Result<profile::Profile> import_folded(std::string_view text, const std::string& metric);

}  // namespace bursar::exports
