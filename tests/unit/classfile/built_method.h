// BuiltMethod: a class with one method, assembled and parsed, for tests that begin where parsing ended.
#pragma once

#include <gtest/gtest.h>

#include "class_builder.h"
#include "classfile/class_file.h"
#include "classfile/code_attribute.h"

namespace bursar::classfile {

// Not to be copied or moved: the parsed parts refer to each other.
struct BuiltMethod {
  explicit BuiltMethod(const CodeBuilder& code_builder, std::string_view descriptor = "()V",
                       unsigned access = kAccStatic, std::string_view method_name = "run", std::uint32_t version = 61)
      : BuiltMethod(code_builder, ClassBuilder(), descriptor, access, method_name, version) {}

  // With constants that the code refers to.
  BuiltMethod(const CodeBuilder& code_builder, ClassBuilder builder, std::string_view descriptor = "()V",
              unsigned access = kAccStatic, std::string_view method_name = "run", std::uint32_t version = 61)
      : bytes(with_method(builder, code_builder, descriptor, access, method_name, version)),
        file(ClassFile::parse(bytes).value()),
        code(CodeAttribute::parse(method().attributes.at(0).data, file.pool).value()) {}
  BuiltMethod(const BuiltMethod&) = delete;
  BuiltMethod& operator=(const BuiltMethod&) = delete;

  const Member& method() const { return file.methods.at(0); }
  const Instructions& instructions() const { return code.instructions; }

  ByteVector bytes;
  ClassFile file;
  CodeAttribute code;

 private:
  static ByteVector with_method(ClassBuilder& builder, const CodeBuilder& code_builder, std::string_view descriptor,
                                unsigned access, std::string_view method_name, std::uint32_t version) {
    builder.version = version;
    builder.method(access, method_name, descriptor, code_builder);
    return builder.build();
  }
};

}  // namespace bursar::classfile
