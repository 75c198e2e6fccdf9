// BuiltMethod: a class with one method, assembled and parsed, for tests that begin where parsing ended.
#pragma once

#include <gtest/gtest.h>

#include "class_builder.h"
#include "classfile/class_file.h"
#include "classfile/code_attribute.h"

namespace bursar::classfile {

struct MethodHead {
  std::string_view descriptor = "()V";
  unsigned access = kAccStatic;
  std::string_view name = "run";
  std::uint32_t version = 61;  // of the class
};

// Not to be copied or moved: the parsed parts refer to each other.
struct BuiltMethod {
  // `builder` has the constants that the code refers to.
  explicit BuiltMethod(const CodeBuilder& code_builder, const MethodHead& head = {}, ClassBuilder builder = {})
      : bytes(with_method(builder, code_builder, head)),
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
  static ByteVector with_method(ClassBuilder& builder, const CodeBuilder& code_builder, const MethodHead& head) {
    builder.version = head.version;
    builder.method(head.access, head.name, head.descriptor, code_builder);
    return builder.build();
  }
};

}  // namespace bursar::classfile
