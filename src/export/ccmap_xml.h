// The Call Context Map as XML: taken down and restored, as paper 004 does it (section 5). docs/ccmap.md describes the
// elements, docs/ccmap.xsd is their schema.
//
// Methods are named by class, name and descriptor, so that maps of different runs can be compared. Elements stand in
// one order only: methods by number; in each its sites by bytecode index and in each of those its callees by method;
// then the roots by method; then, context by context in the order of the document, its sites and calls likewise.
// Numbers of callees and contexts count from 0 in that order. So equal maps have equal text, and a map that was
// restored gives the text it was restored from. How warm a context is (its epoch) is not part of it.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/context_map.h"
#include "export/exporter.h"

namespace bursar::exports {

// A map, what its method numbers stand for, and what was counted.
struct NamedMap {
  core::ContextMap map;
  std::vector<profile::Method> methods;
  profile::Metric metric;
  profile::Identity identity;
  std::vector<profile::Uint128> variance;  // of each CalleeRef; empty unless the metric is an estimate
};

// False if the sink wants no more.
bool write_ccmap_xml(const NamedMap& map, const Sink& sink);

// Refuses what the schema does not allow, references that lead nowhere, totals that do not add up, and a DOCTYPE; the
// error names the line.
base::Result<NamedMap> read_ccmap_xml(std::string_view text);

// --- from a profile, and back

Pruned export_ccmap_xml(const ExportRequest& request, const Sink& sink);
NamedMap ccmap_of(const profile::Profile& profile, std::size_t metric);
// Contexts and their methods with the map's metric. Fails for a map of sub-paths, and for samples of which fewer have a
// call on the stack than have what it calls.
base::Result<profile::Profile> profile_of(const NamedMap& map);

}  // namespace bursar::exports
