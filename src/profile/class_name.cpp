#include "profile/class_name.h"

#include <array>

namespace bursar::profile {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::string_view without_last_digits(std::string_view text) {
  while (!text.empty() && is_digit(text.back())) text.remove_suffix(1);
  return text;
}

// The address or number of a hidden class, behind '/', '+' or '.': no identifier begins with a digit.
bool drop_hidden_suffix(std::string_view& name) {
  const std::size_t mark = name.find_last_of("/+.");
  if (mark == std::string_view::npos || mark == 0 || mark + 1 == name.size() || !is_digit(name[mark + 1])) return false;
  std::string_view number = name.substr(mark + 1);
  if (number.starts_with("0x")) number.remove_prefix(2);
  for (const char c : number) {
    if (!is_hex_digit(c)) return false;
  }
  name = name.substr(0, mark);
  return true;
}

bool is_numbered(std::string_view stem) {
  constexpr std::array<std::string_view, 5> kStems = {"$Proxy", "GeneratedMethodAccessor",
                                                      "GeneratedConstructorAccessor",
                                                      "GeneratedSerializationConstructorAccessor", "$$Lambda$"};
  for (const std::string_view known : kStems) {
    if (stem.ends_with(known)) return true;
  }
  return false;
}

}  // namespace

std::string normalised_class_name(std::string_view name) {
  while (drop_hidden_suffix(name)) {
  }
  if (const std::string_view stem = without_last_digits(name); stem.size() != name.size() && is_numbered(stem)) {
    name = stem.ends_with("$$Lambda$") ? stem.substr(0, stem.size() - 1) : stem;
  }
  constexpr std::string_view kProxyPackage = "jdk.proxy";
  if (name.starts_with(kProxyPackage)) {
    std::string_view rest = name.substr(kProxyPackage.size());
    while (!rest.empty() && is_digit(rest.front())) rest.remove_prefix(1);
    if (rest.starts_with('.')) return std::string(kProxyPackage).append(rest);
  }
  return std::string(name);
}

bool is_generated_class(std::string_view normalised) {
  constexpr std::string_view kLambdaForm = "java.lang.invoke.LambdaForm$";
  if (normalised.starts_with(kLambdaForm)) {
    // LambdaForm$MH, $DMH …; LambdaForm$Name and its like are classes of the JDK.
    const std::string_view rest = normalised.substr(kLambdaForm.size());
    return !rest.empty() && rest.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
  }
  return normalised.ends_with("$$Lambda") || normalised.ends_with("$$StringConcat") || is_numbered(normalised);
}

}  // namespace bursar::profile
