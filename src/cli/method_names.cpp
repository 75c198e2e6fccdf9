#include "cli/method_names.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "cli/text.h"
#include "export/frame_name.h"

namespace bursar::cli {

namespace {

std::string_view primitive(char code) {
  switch (code) {
    case 'B':
      return "byte";
    case 'C':
      return "char";
    case 'D':
      return "double";
    case 'F':
      return "float";
    case 'I':
      return "int";
    case 'J':
      return "long";
    case 'S':
      return "short";
    case 'Z':
      return "boolean";
    default:
      return "";
  }
}

// Takes one type off the front of a descriptor: its name without package, or nothing if there is no type.
std::optional<std::string> take_type(std::string_view& rest) {
  std::size_t dimensions = 0;
  for (; rest.starts_with('['); rest.remove_prefix(1)) ++dimensions;
  if (rest.empty()) return std::nullopt;
  std::string type(primitive(rest[0]));
  std::size_t size = 1;
  if (rest[0] == 'L') {
    const std::size_t end = rest.find(';');
    if (end == rest.npos) return std::nullopt;
    const std::string_view name = rest.substr(1, end - 1);
    type = name.substr(name.rfind('/') + 1);
    size = end + 1;
  }
  if (type.empty()) return std::nullopt;
  rest.remove_prefix(size);
  while (dimensions-- > 0) type += "[]";
  return type;
}

bool same_name(const profile::Method& a, const profile::Method& b) {
  return a.class_name == b.class_name && a.name == b.name;
}

}  // namespace

std::string parameter_list(std::string_view descriptor) {
  std::string_view rest = descriptor;
  if (!rest.starts_with('(')) return std::string(descriptor);
  rest.remove_prefix(1);
  std::string list = "(";
  while (!rest.empty() && rest[0] != ')') {
    const auto type = take_type(rest);
    if (!type) return std::string(descriptor);
    list += (list.size() > 1 ? ", " : "") + *type;
  }
  return rest.empty() ? std::string(descriptor) : list + ")";
}

MethodNames::MethodNames(const profile::ProfileData& data) {
  const std::vector<profile::Method>& methods = data.methods;
  full_.reserve(methods.size());
  package_size_.reserve(methods.size());
  for (std::size_t i = 0; i < methods.size(); ++i) {
    std::string name = exports::frame_name(methods[i]);
    // Methods are sorted by class and name: overloads are neighbours.
    const bool overloaded = (i > 0 && same_name(methods[i - 1], methods[i])) ||
                            (i + 1 < methods.size() && same_name(methods[i], methods[i + 1]));
    if (overloaded) name += parameter_list(methods[i].descriptor);
    const std::string& class_name = methods[i].class_name;
    const std::size_t dot = class_name.rfind('.', class_name.find('/'));
    package_size_.push_back(dot == class_name.npos ? 0 : printable(class_name.substr(0, dot + 1)).size());
    full_.push_back(printable(name));
  }
}

std::string MethodNames::at_site(std::uint32_t site) {
  return site == profile::kNoSite ? "" : fmt::format(" @{}", site);
}

}  // namespace bursar::cli
