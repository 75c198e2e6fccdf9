#include "evaluation/compilation_log.h"

#include <charconv>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace bursar::evaluation {

namespace {

// Of an attribute such as " compile_id='17'".
std::optional<std::uint64_t> number_of(std::string_view line, std::string_view attribute) {
  const std::size_t begin = line.find(attribute);
  if (begin == std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  const char* const digits = line.data() + begin + attribute.size();
  const auto [end, failure] = std::from_chars(digits, line.data() + line.size(), number);
  if (failure != std::errc{} || end == line.data() + line.size() || *end != '\'') return std::nullopt;
  return number;
}

struct Inlined {
  std::uint64_t calls = 0, forced = 0;
};

}  // namespace

std::vector<std::string> compilation_log_options(const std::string& file) {
  return {"-XX:+UnlockDiagnosticVMOptions", "-XX:+LogCompilation", "-XX:LogFile=" + file};
}

CompiledCode read_compilation_log(std::istream& lines) {
  std::map<std::uint64_t, std::uint64_t> sizes;  // of C2's compilations, by their number
  std::map<std::uint64_t, Inlined> inlined;
  std::set<std::uint64_t> gone;
  std::optional<std::uint64_t> task;
  for (std::string line; std::getline(lines, line);) {
    const std::string_view text = line;
    if (text.starts_with("<task ")) {
      const bool is_c2 = text.find(" level='") == std::string_view::npos;  // C2's have none
      task = is_c2 ? number_of(text, " compile_id='") : std::nullopt;
    } else if (text.starts_with("</task>")) {
      task.reset();
    } else if (text.starts_with("<inline_success") && task) {
      ++inlined[*task].calls;
      if (text.find("force inline by CompileCommand") != std::string_view::npos) ++inlined[*task].forced;
    } else if (text.starts_with("<nmethod") && text.find(" compiler='c2'") != std::string_view::npos) {
      const auto number = number_of(text, " compile_id='"), begin = number_of(text, " insts_offset='"),
                 end = number_of(text, " stub_offset='");
      if (number && begin && end && *begin <= *end) sizes[*number] = *end - *begin;
    } else if (text.starts_with("<make_not_entrant")) {
      if (const auto number = number_of(text, " compile_id='")) gone.insert(*number);
    }
  }
  CompiledCode code;
  for (const auto& [number, size] : sizes) {
    if (gone.contains(number)) continue;
    ++code.methods;
    code.code_bytes += size;
    code.inlined_calls += inlined[number].calls;
    code.forced_calls += inlined[number].forced;
  }
  return code;
}

Json to_json(const CompiledCode& code) {
  return {{"methods", code.methods},
          {"code_bytes", code.code_bytes},
          {"inlined_calls", code.inlined_calls},
          {"forced_calls", code.forced_calls}};
}

}  // namespace bursar::evaluation
