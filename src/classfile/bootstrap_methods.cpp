#include "classfile/bootstrap_methods.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/byte_writer.h"

namespace bursar::classfile {
namespace {

constexpr std::string_view kName = "BootstrapMethods";
constexpr std::size_t kMost = 65535;

}  // namespace

BootstrapMethods::BootstrapMethods(const ClassFile& file) {
  for (const Attribute& attribute : file.attributes) {
    if (file.attribute_name(attribute) != kName) continue;
    base::ByteReader reader(attribute.data);
    for (std::uint32_t left = reader.u2_be(); left != 0 && reader.ok(); --left) {
      Entry entry{.method = static_cast<std::uint16_t>(reader.u2_be()), .arguments = {}};
      for (std::uint32_t arguments = reader.u2_be(); arguments != 0 && reader.ok(); --arguments) {
        entry.arguments.push_back(static_cast<std::uint16_t>(reader.u2_be()));
      }
      entries_.push_back(std::move(entry));
    }
    malformed_ = malformed_ || !reader.ok() || came_ != 0;
    came_ = entries_.size();
  }
}

const BootstrapMethods::Entry* BootstrapMethods::find(std::uint32_t number) const {
  return !malformed_ && number < entries_.size() ? &entries_[number] : nullptr;
}

std::optional<std::uint16_t> BootstrapMethods::add(Entry entry) {
  if (malformed_) return std::nullopt;
  const auto known = std::find(entries_.begin() + static_cast<std::ptrdiff_t>(came_), entries_.end(), entry);
  const auto number = static_cast<std::uint16_t>(known - entries_.begin());
  if (known != entries_.end()) return number;
  if (entries_.size() == kMost) return std::nullopt;
  entries_.push_back(std::move(entry));
  return number;
}

bool BootstrapMethods::write_to(ClassFile& file) const {
  if (entries_.size() == came_) return true;
  base::ByteWriter out;
  out.u2_be(static_cast<std::uint32_t>(entries_.size()));
  for (const Entry& entry : entries_) {
    out.u2_be(entry.method);
    out.u2_be(static_cast<std::uint32_t>(entry.arguments.size()));
    for (const std::uint16_t argument : entry.arguments) out.u2_be(argument);
  }
  const auto at = std::find_if(file.attributes.begin(), file.attributes.end(),
                               [&](const Attribute& attribute) { return file.attribute_name(attribute) == kName; });
  if (at != file.attributes.end()) {
    at->data = file.keep(out.take());
    return true;
  }
  const auto name = file.pool.add_utf8(kName);
  if (!name) return false;
  file.attributes.push_back({*name, file.keep(out.take())});
  return true;
}

}  // namespace bursar::classfile
