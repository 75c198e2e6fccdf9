#include "export/compiler_directives.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "profile/class_name.h"

namespace bursar::exports {
namespace {

constexpr std::size_t kLongestName = 255;         // of a class, of a method: HotSpot's buffers
constexpr std::size_t kLongestDescriptor = 1000;  // it has 1024

bool all_of(std::string_view text, std::string_view more) {
  return std::ranges::all_of(text, [&](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || more.find(c) != std::string_view::npos;
  });
}

bool is_name(std::string_view name, std::string_view more) {
  return !name.empty() && name.size() <= kLongestName && all_of(name, more);
}

class DirectiveWriter {
 public:
  DirectiveWriter(const std::vector<profile::Method>& methods, Refusals refusals)
      : methods_(methods), refusals_(refusals) {}

  // False if nothing is left of it.
  bool add(analysis::InlineRoot root) {
    const std::optional<std::string> match = pattern(root.method);
    drop_unnamed(root.inlined);
    drop_unnamed(root.refused);
    if (refusals_ == Refusals::kLeftOut) root.refused.clear();
    if (!match || root.inlined.empty()) return false;
    std::string list;
    for (const profile::MethodId method : root.inlined) add_to(list, '+', method);
    for (const profile::MethodId method : root.refused) add_to(list, '-', method);
    result_.text += fmt::format(
        "{}\n  {{\n    \"match\": [\"{}\"],\n    \"c2\": {{\n      \"inline\": [\n{}\n      ]\n    }}\n  }}",
        result_.roots.empty() ? "" : ",", *match, list);
    result_.roots.push_back(std::move(root));
    return true;
  }

  std::size_t count() const { return result_.roots.size(); }
  void skip() { ++result_.beyond_limit; }

  CompilerDirectives finish() {
    result_.text = "[" + result_.text + "\n]\n";
    result_.unnamed_methods = unnamed_.size();
    return std::move(result_);
  }

 private:
  std::optional<std::string> pattern(profile::MethodId method) {
    std::optional<std::string> text = method_pattern(methods_[method]);
    if (!text) unnamed_.insert(method);
    return text;
  }

  void drop_unnamed(std::vector<profile::MethodId>& list) {
    std::erase_if(list, [&](profile::MethodId method) { return !pattern(method); });
  }

  void add_to(std::string& list, char sign, profile::MethodId method) {
    list += fmt::format("{}        \"{}{}\"", list.empty() ? "" : ",\n", sign, *pattern(method));
  }

  const std::vector<profile::Method>& methods_;
  Refusals refusals_;
  std::set<profile::MethodId> unnamed_;
  CompilerDirectives result_;
};

}  // namespace

std::optional<std::string> method_pattern(const profile::Method& method) {
  if (profile::is_generated_class(method.class_name)) return std::nullopt;
  std::string class_name = method.class_name;
  std::ranges::replace(class_name, '.', '/');
  constexpr std::string_view kInNames = "_$-";
  const bool special = method.name == "<init>" || method.name == "<clinit>";
  const bool fits = is_name(class_name, "_$-/") && (special || is_name(method.name, kInNames)) &&
                    method.descriptor.size() <= kLongestDescriptor && all_of(method.descriptor, "_$-/();[");
  if (!fits) return std::nullopt;
  return class_name + "." + method.name + method.descriptor;
}

CompilerDirectives compiler_directives(const std::vector<profile::Method>& methods,
                                       const std::vector<analysis::InlineRoot>& roots, std::size_t limit,
                                       Refusals refusals) {
  DirectiveWriter writer(methods, refusals);
  for (const analysis::InlineRoot& root : roots) {
    if (writer.count() == limit) {
      writer.skip();
    } else {
      writer.add(root);
    }
  }
  return writer.finish();
}

}  // namespace bursar::exports
