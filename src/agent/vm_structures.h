// VmStructures: what HotSpot's library says about the layout of the VM's own structures (gHotSpotVMStructs).
//
// Runs in: any
#pragma once

#include <jni.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace bursar::agent {

using Address = std::uint64_t;

template <class T>
T load(Address address) {
  return *reinterpret_cast<const T*>(address);  // NOLINT(performance-no-int-to-ptr): the VM's memory
}

class VmStructures {
 public:
  // Of the library that this VM's own functions are in, however it was loaded.
  static std::optional<VmStructures> of(JavaVM* vm);

  // Whether everything that was asked for is there; what is not is 0.
  bool complete() const { return complete_; }
  std::uint64_t offset(std::string_view type, std::string_view field) { return value(type, field, offset_); }
  // Of a static field: what it points to.
  Address pointer(std::string_view type, std::string_view field);
  // How the VM spells a field's type; empty if there is none.
  std::string_view type_of(std::string_view type, std::string_view field) const;
  bool has(std::string_view type, std::string_view field) const { return find(type, field) != 0; }
  std::optional<std::int32_t> constant(std::string_view name);
  // Where the value of one of the VM's options (-XX) is; 0 if there is none of this name.
  Address option(std::string_view name);

 private:
  explicit VmStructures(void* library);
  // Of a table of the library, by the column that names its entries.
  struct Table {
    Address first = 0;
    std::uint64_t stride = 0, name = 0;
  };
  static Address find(const Table& table, std::string_view name);
  std::uint64_t number(const char* name);
  std::uint64_t value(std::string_view type, std::string_view field, std::uint64_t column);
  Address find(std::string_view type, std::string_view field) const;

  void* library_;
  bool complete_ = true;
  Address first_ = 0;
  std::uint64_t stride_ = 0, type_ = 0, field_ = 0, offset_ = 0, address_ = 0, type_string_ = 0;
};

}  // namespace bursar::agent
