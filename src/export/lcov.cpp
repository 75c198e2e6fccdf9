#include "export/lcov.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/path_summary.h"
#include "export/frame_name.h"
#include "export/method_flow.h"
#include "export/pieces.h"

namespace bursar::exports {

namespace {

struct Function {
  std::uint32_t line;
  std::string name;
  std::uint64_t entries;
};

struct Branch {
  std::uint32_t line;
  std::size_t place;  // branches of a line are told apart by it
  std::uint32_t outcome;
  std::uint64_t taken;
  bool seen;  // at all, whichever way
};

struct SourceFile {
  std::map<std::uint32_t, std::uint64_t> lines;
  std::vector<Function> functions;
  std::vector<Branch> branches;
  std::size_t places = 0;
};

void add_branches(const profile::ProfileData& data, const MethodFlow& flow, SourceFile& file) {
  const profile::Branches& branches = data.branches;
  for (std::size_t row = flow.first_branch; row < flow.end_branch;) {
    const std::uint32_t bci = branches.bci[row];
    const std::size_t first = row;
    std::map<std::uint32_t, std::uint64_t> taken{{0, 0}, {1, 0}};  // one that was never taken has no row
    for (; row < flow.end_branch && branches.bci[row] == bci; ++row)
      taken[branches.outcome[row]] = branches.count.value[row];
    const auto line = analysis::line_at(data.lines, flow.method, bci);
    if (!line) continue;
    const bool seen = std::any_of(branches.count.value.begin() + static_cast<std::ptrdiff_t>(first),
                                  branches.count.value.begin() + static_cast<std::ptrdiff_t>(row),
                                  [](std::uint64_t count) { return count > 0; });
    for (const auto& [outcome, count] : taken) file.branches.push_back({*line, file.places, outcome, count, seen});
    ++file.places;
  }
}

std::map<std::string, SourceFile> files_of(const profile::ProfileData& data) {
  std::map<std::string, SourceFile> files;
  for (const MethodFlow& flow : flows_of(data)) {
    const profile::Method& method = data.methods[flow.method];
    std::map<std::uint32_t, std::uint64_t> lines;
    for (const auto& [bci, ran] : flow.blocks) {
      if (const auto line = analysis::line_at(data.lines, flow.method, bci)) lines[*line] = std::max(lines[*line], ran);
    }
    if (lines.empty() || method.class_name.empty()) continue;
    SourceFile& file = files[source_file_of(method)];
    for (const auto& [line, ran] : lines) file.lines[line] = std::max(file.lines[line], ran);
    const auto first = analysis::line_at(data.lines, flow.method, 0);
    file.functions.push_back(
        {first.value_or(lines.begin()->first), escape(frame_name(method) + method.descriptor), flow.entries});
    add_branches(data, flow, file);
  }
  return files;
}

void write(Pieces& out, const std::string& path, SourceFile& file) {
  out.add("TN:\nSF:{}\n", escape(path));
  for (const Function& function : file.functions) out.add("FN:{},{}\n", function.line, function.name);
  for (const Function& function : file.functions) out.add("FNDA:{},{}\n", function.entries, function.name);
  const auto entered =
      std::count_if(file.functions.begin(), file.functions.end(), [](const Function& f) { return f.entries > 0; });
  out.add("FNF:{}\nFNH:{}\n", file.functions.size(), entered);
  std::stable_sort(file.branches.begin(), file.branches.end(),
                   [](const Branch& a, const Branch& b) { return a.line < b.line; });
  for (const Branch& branch : file.branches) {
    out.add("BRDA:{},{},{},{}\n", branch.line, branch.place, branch.outcome,
            branch.seen ? std::to_string(branch.taken) : "-");
  }
  const auto taken =
      std::count_if(file.branches.begin(), file.branches.end(), [](const Branch& b) { return b.taken > 0; });
  out.add("BRF:{}\nBRH:{}\n", file.branches.size(), taken);
  std::size_t hit = 0;
  for (const auto& [line, ran] : file.lines) {
    out.add("DA:{},{}\n", line, ran);
    hit += ran > 0 ? 1 : 0;
  }
  out.add("LF:{}\nLH:{}\nend_of_record\n", file.lines.size(), hit);
}

}  // namespace

Pruned export_lcov(const ExportRequest& request, const Sink& sink) {
  Pieces out(sink);
  for (auto& [path, file] : files_of(request.data())) write(out, path, file);
  return {};
}

}  // namespace bursar::exports
