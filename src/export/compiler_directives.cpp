#include "export/compiler_directives.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "export/method_pattern.h"

namespace bursar::exports {
namespace {

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
    if (!match || (root.inlined.empty() && root.refused.empty())) return false;
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
