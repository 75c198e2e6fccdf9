#include "export/method_pattern.h"

#include <algorithm>
#include <string_view>

#include "profile/class_name.h"

namespace bursar::exports {
namespace {

constexpr std::size_t kLongestName = 255;         // of a class, of a method: HotSpot's buffers
constexpr std::size_t kLongestDescriptor = 1000;  // it has 1024

// Of JDK 17 to 25, in lower case: commands, options and their types.
constexpr std::string_view kCommandWords =
    " backgroundcompilation blackhole blocklayoutbyfrequency bool break breakatcompile breakatexecute ccstr "
    "ccstrlist clonemapdebug compileonly compilethresholdscaling controlintrinsic disableintrinsic dontinline "
    "double dumpinline dumpreplay exclude help igvprintlevel incrementalinlineforcecleanup inline intx log "
    "maxnodelimit memlimit memstat nortmlockeliding option print printassembly printcompilation "
    "printdebuginfo printdependencies printideal printidealphase printinlining printintrinsics printnmethods "
    "printoptoassembly printrelocations quiet repeatcompilation replayinline traceautovectorization "
    "tracemergestores traceoptooutput traceoptopipelining tracespilling uintx unknown usertmlockeliding "
    "vectorize vectorizedebug ";

bool is_command_word(std::string_view name) {
  std::string word = " ";
  for (const char c : name) word += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return kCommandWords.find(word + " ") != std::string_view::npos;
}

bool all_of(std::string_view text, std::string_view more) {
  return std::ranges::all_of(text, [&](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || more.find(c) != std::string_view::npos;
  });
}

bool is_name(std::string_view name, std::string_view more) {
  return !name.empty() && name.size() <= kLongestName && all_of(name, more);
}

}  // namespace

std::optional<std::string> method_pattern(const profile::Method& method) {
  if (profile::is_generated_class(method.class_name)) return std::nullopt;
  std::string class_name = method.class_name;
  std::ranges::replace(class_name, '.', '/');
  const bool special = method.name == "<init>" || method.name == "<clinit>";
  const bool fits = is_name(class_name, "_$-/") && (special || is_name(method.name, "_$-")) &&
                    method.descriptor.size() <= kLongestDescriptor && all_of(method.descriptor, "_$-/();[");
  if (!fits) return std::nullopt;
  const bool hidden = !method.descriptor.empty() && is_command_word(method.name);
  return class_name + "." + (hidden ? "*" + method.name.substr(1) : method.name) + method.descriptor;
}

}  // namespace bursar::exports
