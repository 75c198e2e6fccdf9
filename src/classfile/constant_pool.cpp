#include "classfile/constant_pool.h"

#include <algorithm>
#include <array>

namespace bursar::classfile {
namespace {

constexpr std::uint32_t kMaxCount = 65535;

// What each kind of constant holds behind its tag: a number of bytes and up to two references at bytes 0 and 2.
struct Shape {
  std::uint8_t bytes = 0;  // 0: unknown tag; Utf8 is handled apart
  ConstantTag first = ConstantTag::kUnusable;
  ConstantTag second = ConstantTag::kUnusable;
};

constexpr std::array<Shape, 21> kShapes = [] {
  std::array<Shape, 21> shapes{};
  const auto set = [&](ConstantTag tag, Shape shape) { shapes[static_cast<std::size_t>(tag)] = shape; };
  using enum ConstantTag;
  set(kInteger, {.bytes = 4});
  set(kFloat, {.bytes = 4});
  set(kLong, {.bytes = 8});
  set(kDouble, {.bytes = 8});
  set(kClass, {.bytes = 2, .first = kUtf8});
  set(kString, {.bytes = 2, .first = kUtf8});
  set(kFieldref, {.bytes = 4, .first = kClass, .second = kNameAndType});
  set(kMethodref, {.bytes = 4, .first = kClass, .second = kNameAndType});
  set(kInterfaceMethodref, {.bytes = 4, .first = kClass, .second = kNameAndType});
  set(kNameAndType, {.bytes = 4, .first = kUtf8, .second = kUtf8});
  set(kMethodHandle, {.bytes = 3});
  set(kMethodType, {.bytes = 2, .first = kUtf8});
  set(kDynamic, {.bytes = 4, .second = kNameAndType});
  set(kInvokeDynamic, {.bytes = 4, .second = kNameAndType});
  set(kModule, {.bytes = 2, .first = kUtf8});
  set(kPackage, {.bytes = 2, .first = kUtf8});
  return shapes;
}();

std::string entry_of(ConstantTag tag, std::initializer_list<std::uint32_t> halves) {
  std::string entry(1, static_cast<char>(tag));
  for (const std::uint32_t half : halves) {
    entry += static_cast<char>(half >> 8 & 0xff);
    entry += static_cast<char>(half & 0xff);
  }
  return entry;
}

std::string_view as_text(base::Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

base::Result<ConstantPool> ConstantPool::parse(base::ByteReader& reader, base::Bytes file) {
  ConstantPool pool;
  pool.file_ = file;
  pool.count_ = pool.original_count_ = reader.u2_be();
  if (!reader.ok() || pool.count_ == 0) return base::Error{"the constant pool has no count"};
  pool.offsets_.assign(pool.count_, 0);
  const std::size_t start = reader.position();
  for (std::uint32_t index = 1; index < pool.count_; ++index) {
    const std::size_t offset = reader.position();
    const std::uint8_t tag = reader.u1();
    pool.offsets_[index] = static_cast<std::uint32_t>(offset);
    if (tag == static_cast<std::uint8_t>(ConstantTag::kUtf8)) {
      reader.skip(reader.u2_be());
    } else if (tag < kShapes.size() && kShapes[tag].bytes != 0) {
      reader.skip(kShapes[tag].bytes);
    } else if (reader.ok()) {
      return base::Error{"constant " + std::to_string(index) + " has the unknown tag " + std::to_string(tag)};
    }
    if (!reader.ok()) return base::Error{"the file ends inside constant " + std::to_string(index)};
    const bool two_slots =
        tag == static_cast<std::uint8_t>(ConstantTag::kLong) || tag == static_cast<std::uint8_t>(ConstantTag::kDouble);
    if (two_slots && ++index == pool.count_) return base::Error{"the last constant lacks its second slot"};
  }
  pool.original_ = file.subspan(start, reader.position() - start);
  if (base::Error error = pool.check_references(); !error.message.empty()) return error;
  return pool;
}

base::Error ConstantPool::check_references() const {
  for (std::uint32_t index = 1; index < count_; ++index) {
    const ConstantTag kind = tag(index);
    if (kind == ConstantTag::kUnusable || kind == ConstantTag::kUtf8) continue;
    const Shape& shape = kShapes[static_cast<std::size_t>(kind)];
    const bool bad_first = shape.first != ConstantTag::kUnusable && tag(u2_at(index, 0)) != shape.first;
    const bool bad_second = shape.second != ConstantTag::kUnusable && tag(u2_at(index, 2)) != shape.second;
    if (bad_first || bad_second) return {"constant " + std::to_string(index) + " refers to one of the wrong kind"};
  }
  return {};
}

ConstantTag ConstantPool::tag(std::uint32_t index) const {
  if (index >= offsets_.size() || offsets_[index] == 0) return ConstantTag::kUnusable;
  return static_cast<ConstantTag>(file_[offsets_[index]]);
}

base::Bytes ConstantPool::payload(std::uint32_t index) const {
  return file_.subspan(offsets_[index] + 1);
}

std::uint32_t ConstantPool::u2_at(std::uint32_t index, std::size_t offset) const {
  return base::ByteReader(payload(index), offset).u2_be();
}

std::optional<std::string_view> ConstantPool::utf8(std::uint32_t index) const {
  if (tag(index) != ConstantTag::kUtf8) return std::nullopt;
  return as_text(payload(index).subspan(2, u2_at(index, 0)));
}

std::optional<std::string_view> ConstantPool::any_utf8(std::uint32_t index) const {
  if (index < offsets_.size()) return utf8(index);
  const auto at = std::lower_bound(added_.begin(), added_.end(), index,
                                   [](const Added& added, std::uint32_t i) { return added.index < i; });
  if (at == added_.end() || at->index != index || at->entry.front() != static_cast<char>(ConstantTag::kUtf8)) {
    return std::nullopt;
  }
  return std::string_view(at->entry).substr(3);  // behind the tag and the length
}

std::optional<std::string_view> ConstantPool::class_name(std::uint32_t index) const {
  if (tag(index) != ConstantTag::kClass) return std::nullopt;
  return utf8(u2_at(index, 0));
}

std::optional<std::int64_t> ConstantPool::long_value(std::uint32_t index) const {
  if (tag(index) != ConstantTag::kLong) return std::nullopt;
  base::ByteReader reader(payload(index));
  const std::uint64_t high = reader.u4_be();
  return static_cast<std::int64_t>(high << 32 | reader.u4_be());
}

std::optional<ConstantPool::MemberRef> ConstantPool::member_ref(std::uint32_t index) const {
  using enum ConstantTag;
  const ConstantTag kind = tag(index);
  const bool dynamic = kind == kDynamic || kind == kInvokeDynamic;
  if (!dynamic && kind != kFieldref && kind != kMethodref && kind != kInterfaceMethodref) return std::nullopt;
  const std::uint32_t name_and_type = u2_at(index, 2);
  return MemberRef{.class_name = dynamic ? std::string_view{} : *class_name(u2_at(index, 0)),
                   .name = *utf8(u2_at(name_and_type, 0)),
                   .descriptor = *utf8(u2_at(name_and_type, 2))};
}

std::optional<std::uint32_t> ConstantPool::bootstrap_method(std::uint32_t index) const {
  const ConstantTag kind = tag(index);
  if (kind != ConstantTag::kDynamic && kind != ConstantTag::kInvokeDynamic) return std::nullopt;
  return u2_at(index, 0);
}

std::optional<std::uint16_t> ConstantPool::add(std::string entry, unsigned slots) {
  if (const auto found = index_of_added_.find(entry); found != index_of_added_.end()) return found->second;
  if (count_ + slots > kMaxCount) return std::nullopt;
  const auto index = static_cast<std::uint16_t>(count_);
  count_ += slots;
  index_of_added_.emplace(entry, index);
  added_.push_back({std::move(entry), index});
  return index;
}

std::optional<std::uint16_t> ConstantPool::add_utf8(std::string_view text) {
  if (text.size() > 65535) return std::nullopt;
  return add(entry_of(ConstantTag::kUtf8, {static_cast<std::uint32_t>(text.size())}).append(text), 1);
}

std::optional<std::uint16_t> ConstantPool::add_class(std::string_view internal_name) {
  const auto name = add_utf8(internal_name);
  if (!name) return std::nullopt;
  return add(entry_of(ConstantTag::kClass, {*name}), 1);
}

std::optional<std::uint16_t> ConstantPool::add_integer(std::int32_t value) {
  const auto bits = static_cast<std::uint32_t>(value);
  return add(entry_of(ConstantTag::kInteger, {bits >> 16, bits & 0xffff}), 1);
}

std::optional<std::uint16_t> ConstantPool::add_long(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  const auto half = [bits](int shift) { return static_cast<std::uint32_t>(bits >> shift & 0xffff); };
  return add(entry_of(ConstantTag::kLong, {half(48), half(32), half(16), half(0)}), 2);
}

std::optional<std::uint16_t> ConstantPool::add_member(ConstantTag tag, std::string_view cls, std::string_view name,
                                                      std::string_view descriptor) {
  const auto class_index = add_class(cls);
  const auto name_and_type = add_name_and_type(name, descriptor);
  if (!class_index || !name_and_type) return std::nullopt;
  return add(entry_of(tag, {*class_index, *name_and_type}), 1);
}

std::optional<std::uint16_t> ConstantPool::add_name_and_type(std::string_view name, std::string_view descriptor) {
  const auto name_index = add_utf8(name);
  const auto descriptor_index = add_utf8(descriptor);
  if (!name_index || !descriptor_index) return std::nullopt;
  return add(entry_of(ConstantTag::kNameAndType, {*name_index, *descriptor_index}), 1);
}

std::optional<std::uint16_t> ConstantPool::add_method_ref_like(std::uint32_t method_ref, std::string_view descriptor) {
  const auto name_and_type = add_name_and_type(member_ref(method_ref)->name, descriptor);
  if (!name_and_type) return std::nullopt;
  return add(entry_of(tag(method_ref), {u2_at(method_ref, 0), *name_and_type}), 1);
}

std::optional<std::uint16_t> ConstantPool::add_static_method_handle(std::uint16_t method_ref) {
  constexpr char kInvokeStatic = 6;
  std::string entry = entry_of(ConstantTag::kMethodHandle, {});
  entry += kInvokeStatic;
  return add(entry + entry_of(ConstantTag::kMethodHandle, {method_ref}).substr(1), 1);
}

std::optional<std::uint16_t> ConstantPool::add_invoke_dynamic(std::uint16_t bootstrap_method, std::string_view name,
                                                              std::string_view descriptor) {
  const auto name_and_type = add_name_and_type(name, descriptor);
  if (!name_and_type) return std::nullopt;
  return add(entry_of(ConstantTag::kInvokeDynamic, {bootstrap_method, *name_and_type}), 1);
}

std::optional<std::uint16_t> ConstantPool::add_field_ref(std::string_view cls, std::string_view name,
                                                         std::string_view descriptor) {
  return add_member(ConstantTag::kFieldref, cls, name, descriptor);
}

std::optional<std::uint16_t> ConstantPool::add_method_ref(std::string_view cls, std::string_view name,
                                                          std::string_view descriptor) {
  for (const MethodRef& known : first_method_refs_) {
    if (known.name == name && known.descriptor == descriptor && known.class_name == cls) return known.index;
  }
  const auto index = add_member(ConstantTag::kMethodref, cls, name, descriptor);
  if (index && first_method_refs_.size() < kMostKept) {
    first_method_refs_.push_back({std::string(cls), std::string(name), std::string(descriptor), *index});
  }
  return index;
}

std::optional<std::uint16_t> ConstantPool::add_interface_method_ref(std::string_view cls, std::string_view name,
                                                                    std::string_view descriptor) {
  return add_member(ConstantTag::kInterfaceMethodref, cls, name, descriptor);
}

void ConstantPool::truncate(std::uint32_t count) {
  while (!added_.empty() && added_.back().index >= count) {
    count_ = added_.back().index;
    index_of_added_.erase(added_.back().entry);
    added_.pop_back();
  }
  std::erase_if(first_method_refs_, [&](const MethodRef& known) { return known.index >= count_; });
}

void ConstantPool::write(base::ByteWriter& out) const {
  out.u2_be(count_);
  out.append(original_);
  for (const Added& added : added_) {
    out.append({reinterpret_cast<const std::uint8_t*>(added.entry.data()), added.entry.size()});
  }
}

}  // namespace bursar::classfile
