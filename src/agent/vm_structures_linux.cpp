#include "agent/vm_structures.h"

#include <dlfcn.h>

namespace bursar::agent {

std::optional<VmStructures> VmStructures::of(JavaVM* vm) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(vm->functions->GetEnv), &info) == 0) return std::nullopt;
  void* const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return std::nullopt;
  const VmStructures structures(library);
  return structures.complete() ? std::optional(structures) : std::nullopt;
}

VmStructures::VmStructures(void* library) : library_(library) {
  first_ = number("gHotSpotVMStructs");
  stride_ = number("gHotSpotVMStructEntryArrayStride");
  type_ = number("gHotSpotVMStructEntryTypeNameOffset");
  field_ = number("gHotSpotVMStructEntryFieldNameOffset");
  offset_ = number("gHotSpotVMStructEntryOffsetOffset");
  address_ = number("gHotSpotVMStructEntryAddressOffset");
  type_string_ = number("gHotSpotVMStructEntryTypeStringOffset");
}

Address VmStructures::pointer(std::string_view type, std::string_view field) {
  const Address at = value(type, field, address_);
  return at != 0 ? load<Address>(at) : 0;
}

std::string_view VmStructures::type_of(std::string_view type, std::string_view field) const {
  const Address entry = find(type, field);
  const char* const text = entry != 0 ? load<const char*>(entry + type_string_) : nullptr;
  return text != nullptr ? text : "";
}

std::optional<std::int32_t> VmStructures::constant(std::string_view name) {
  const Address entry = find({.first = number("gHotSpotVMIntConstants"),
                              .stride = number("gHotSpotVMIntConstantEntryArrayStride"),
                              .name = number("gHotSpotVMIntConstantEntryNameOffset")},
                             name);
  const std::uint64_t values = number("gHotSpotVMIntConstantEntryValueOffset");
  return entry != 0 ? std::optional(load<std::int32_t>(entry + values)) : std::nullopt;
}

Address VmStructures::option(std::string_view name) {
  const Address type = find({.first = number("gHotSpotVMTypes"),
                             .stride = number("gHotSpotVMTypeEntryArrayStride"),
                             .name = number("gHotSpotVMTypeEntryTypeNameOffset")},
                            "JVMFlag");
  const std::uint64_t sizes = number("gHotSpotVMTypeEntrySizeOffset");
  if (type == 0) return 0;
  const Address entry = find({.first = pointer("JVMFlag", "flags"),
                              .stride = load<std::uint64_t>(type + sizes),
                              .name = offset("JVMFlag", "_name")},
                             name);
  return entry != 0 ? load<Address>(entry + offset("JVMFlag", "_addr")) : 0;
}

Address VmStructures::find(const Table& table, std::string_view name) {
  if (table.first == 0 || table.stride == 0) return 0;
  for (Address entry = table.first; load<const char*>(entry + table.name) != nullptr; entry += table.stride) {
    if (load<const char*>(entry + table.name) == name) return entry;
  }
  return 0;
}

std::uint64_t VmStructures::number(const char* name) {
  const void* const symbol = dlsym(library_, name);
  if (symbol == nullptr) complete_ = false;
  return symbol != nullptr ? *static_cast<const std::uint64_t*>(symbol) : 0;
}

std::uint64_t VmStructures::value(std::string_view type, std::string_view field, std::uint64_t column) {
  const Address entry = find(type, field);
  if (entry == 0) complete_ = false;
  return entry != 0 ? load<std::uint64_t>(entry + column) : 0;
}

Address VmStructures::find(std::string_view type, std::string_view field) const {
  if (first_ == 0 || stride_ == 0) return 0;
  for (Address entry = first_; load<const char*>(entry + type_) != nullptr; entry += stride_) {
    if (load<const char*>(entry + type_) == type && load<const char*>(entry + field_) == field) return entry;
  }
  return 0;
}

}  // namespace bursar::agent
