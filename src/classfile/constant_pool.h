// ConstantPool: the constants of one class file, kept as the bytes they came in, plus those that probes add.
//
// Invariant: every index handed out lies inside the pool; references between constants were checked when it was parsed
// (range and kind), so readers may follow them. Entries of the original pool are never changed or moved: new ones go to
// the end, shared among themselves. The original bytes are borrowed from the class file.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/result.h"

namespace bursar::classfile {

enum class ConstantTag : std::uint8_t {
  kUnusable = 0,  // index 0 and the second half of a long or double
  kUtf8 = 1,
  kInteger = 3,
  kFloat = 4,
  kLong = 5,
  kDouble = 6,
  kClass = 7,
  kString = 8,
  kFieldref = 9,
  kMethodref = 10,
  kInterfaceMethodref = 11,
  kNameAndType = 12,
  kMethodHandle = 15,
  kMethodType = 16,
  kDynamic = 17,
  kInvokeDynamic = 18,
  kModule = 19,
  kPackage = 20,
};

class ConstantPool {
 public:
  // Reads the count and the entries; the reader stands behind the pool afterwards.
  static base::Result<ConstantPool> parse(base::ByteReader& reader, base::Bytes file);

  // One more than the largest index, as in the file.
  std::uint32_t count() const { return count_; }
  ConstantTag tag(std::uint32_t index) const;

  // Modified UTF-8 as it stands in the file; nothing if the entry is not of that kind.
  std::optional<std::string_view> utf8(std::uint32_t index) const;
  // The same for those that were added, too: what was parsed must not name them.
  std::optional<std::string_view> any_utf8(std::uint32_t index) const;
  std::optional<std::string_view> class_name(std::uint32_t index) const;
  std::optional<std::int64_t> long_value(std::uint32_t index) const;

  struct MemberRef {
    std::string_view class_name, name, descriptor;
  };
  // Of a field, method or interface-method reference; for (invoke)dynamic the class name is empty.
  std::optional<MemberRef> member_ref(std::uint32_t index) const;
  // The number of what (invoke)dynamic is linked by (bootstrap_methods.h).
  std::optional<std::uint32_t> bootstrap_method(std::uint32_t index) const;

  // Each returns the index of an entry that this class added itself, or nothing when the pool is full.
  std::optional<std::uint16_t> add_utf8(std::string_view text);
  std::optional<std::uint16_t> add_class(std::string_view internal_name);
  std::optional<std::uint16_t> add_integer(std::int32_t value);
  std::optional<std::uint16_t> add_long(std::int64_t value);
  std::optional<std::uint16_t> add_field_ref(std::string_view cls, std::string_view name, std::string_view descriptor);
  std::optional<std::uint16_t> add_method_ref(std::string_view cls, std::string_view name, std::string_view descriptor);
  std::optional<std::uint16_t> add_interface_method_ref(std::string_view cls, std::string_view name,
                                                        std::string_view descriptor);
  // What this names, a method, with another descriptor. By the same class constant: a hidden class finds itself by no
  // other.
  std::optional<std::uint16_t> add_method_ref_like(std::uint32_t method_ref, std::string_view descriptor);
  // Of a static method that this names.
  std::optional<std::uint16_t> add_static_method_handle(std::uint16_t method_ref);
  std::optional<std::uint16_t> add_invoke_dynamic(std::uint16_t bootstrap_method, std::string_view name,
                                                  std::string_view descriptor);

  // Forgets what was added since the pool had `count` entries: a method that is left unchanged leaves nothing behind.
  void truncate(std::uint32_t count);

  void write(base::ByteWriter& out) const;

 private:
  base::Error check_references() const;
  base::Bytes payload(std::uint32_t index) const;
  std::uint32_t u2_at(std::uint32_t index, std::size_t offset) const;
  std::optional<std::uint16_t> add(std::string entry, unsigned slots);
  std::optional<std::uint16_t> add_name_and_type(std::string_view name, std::string_view descriptor);
  std::optional<std::uint16_t> add_member(ConstantTag tag, std::string_view cls, std::string_view name,
                                          std::string_view descriptor);

  base::Bytes file_;
  base::Bytes original_;                // the entries as they came
  std::vector<std::uint32_t> offsets_;  // by index: offset of the tag in file_; 0 for unusable ones
  std::uint32_t original_count_ = 0;
  std::uint32_t count_ = 0;

  struct Added {
    std::string entry;  // tag and payload
    std::uint32_t index;
  };
  std::deque<Added> added_;  // by index; a deque: texts stay where they are
  std::unordered_map<std::string, std::uint16_t> index_of_added_;

  // The first few that were added: probes name the same ones at every call.
  static constexpr std::size_t kMostKept = 32;
  struct MethodRef {
    std::string class_name, name, descriptor;
    std::uint16_t index;
  };
  std::vector<MethodRef> first_method_refs_;
};

}  // namespace bursar::classfile
