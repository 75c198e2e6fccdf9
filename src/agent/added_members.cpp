#include "agent/added_members.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "agent/embedded_classes.h"
#include "base/byte_writer.h"
#include "classfile/annotations.h"
#include "classfile/copied_code.h"

namespace bursar::agent {
namespace {

using classfile::ClassFile;

constexpr std::uint16_t kAccTransient = 0x0080;
constexpr std::uint16_t kAccVarargs = 0x0080;  // of a method
constexpr std::uint16_t kAccSynthetic = 0x1000;

constexpr const char* kDontInline = "Ljdk/internal/vm/annotation/DontInline;";
constexpr const char* kForceInline = "Ljdk/internal/vm/annotation/ForceInline;";
constexpr const char* kHidden = "Ljdk/internal/vm/annotation/Hidden;";

const classfile::Member* method_of(const ClassFile& file, std::string_view name, std::string_view descriptor) {
  for (const classfile::Member& method : file.methods) {
    if (file.member_name(method) == name && file.member_descriptor(method) == descriptor) return &method;
  }
  return nullptr;
}

// Its annotations in another class: of those that the JIT and stack walks heed, the ones the original has.
std::optional<std::vector<std::uint8_t>> copy_annotations(const ClassFile& from, const classfile::Member& method,
                                                          ClassFile& to) {
  base::ByteWriter types;
  for (const char* type : {kDontInline, kForceInline, kHidden}) {
    if (!classfile::has_annotation(from, method.attributes, type)) continue;
    const auto index = to.pool.add_utf8(type);
    if (!index) return std::nullopt;
    types.u2_be(*index);
    types.u2_be(0);  // values
  }
  base::ByteWriter annotations;
  annotations.u2_be(static_cast<std::uint32_t>(types.size() / 4));
  annotations.append(types.view());
  return annotations.take();
}

bool add_field(ClassFile& thread, const AddedMember& field) {
  const auto name = thread.pool.add_utf8(field.name);
  const auto descriptor = thread.pool.add_utf8(field.descriptor);
  if (!name || !descriptor) return false;
  thread.fields.push_back({kAccTransient | kAccSynthetic, *name, *descriptor, {}});
  return true;
}

// A method of a class of ours, and what its copy is called.
struct Copy {
  const char* original;
  AddedMember method;
};

bool add_copies(ClassFile& object, base::Bytes from, const std::vector<Copy>& copies) {
  const base::Result<ClassFile> source = ClassFile::parse(from);
  const auto code_name = object.pool.add_utf8("Code");
  const auto annotations_name = object.pool.add_utf8("RuntimeVisibleAnnotations");
  if (!source || !code_name || !annotations_name) return false;
  for (const Copy& copy : copies) {
    const classfile::Member* const original = method_of(*source, copy.original, copy.method.descriptor);
    const auto name = object.pool.add_utf8(copy.method.name);
    const auto descriptor = object.pool.add_utf8(copy.method.descriptor);
    if (original == nullptr || !name || !descriptor) return false;
    auto code = classfile::copy_code(*source, *original, object);
    auto annotations = copy_annotations(*source, *original, object);
    if (!code || !annotations) return false;
    object.methods.push_back(
        {static_cast<std::uint16_t>(classfile::kAccPublic | classfile::kAccStatic | kAccSynthetic |
                                    (original->access & kAccVarargs)),
         *name,
         *descriptor,
         {{*code_name, object.keep(*std::move(code))}, {*annotations_name, object.keep(*std::move(annotations))}}});
  }
  return true;
}

}  // namespace

bool add_thread_fields(ClassFile& thread) {
  return std::all_of(kAddedFields.begin(), kAddedFields.end(),
                     [&](const AddedMember& field) { return add_field(thread, field); });
}

bool add_probe_methods(ClassFile& object, bool traced) {
  std::vector<Copy> copies;
  for (const ProbeMethod& probe : kProbeMethods) {
    copies.push_back({traced ? probe.traced : probe.original, probe.method});
  }
  return add_copies(object, embedded::probe_class(), copies);
}

bool add_twin_field(ClassFile& member_name) {
  return add_field(member_name, kTwinField);
}

bool add_path_field(ClassFile& thread) {
  return add_field(thread, kPathsField);
}

bool add_path_methods(ClassFile& object) {
  const std::vector<Copy> copies = {{"count", kCountPath}, {"sample", kSamplePath}};
  return add_copies(object, embedded::paths_class(), copies);
}

bool end_trust(ClassFile& trust) {
  const auto named = [&](std::string_view name) {
    return std::find_if(trust.methods.begin(), trust.methods.end(),
                        [&](const classfile::Member& method) { return trust.member_name(method) == name; });
  };
  const auto holds = named("holds"), is_gone = named("isGone");
  if (holds == trust.methods.end() || is_gone == trust.methods.end()) return false;
  holds->attributes = is_gone->attributes;
  return true;
}

}  // namespace bursar::agent
