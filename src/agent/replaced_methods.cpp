#include "agent/replaced_methods.h"

#include <array>

#include "classfile/annotations.h"

namespace bursar::agent {
namespace {

struct Exempt {
  std::string_view class_name;
  std::string_view name;  // empty: all of the class
};

constexpr std::array kExempt = {
    // Recognised, not replaced.
    Exempt{"java/lang/Object", "<init>"},
    Exempt{"java/lang/Throwable", "fillInStackTrace"},
    Exempt{"java/lang/reflect/Method", "invoke"},
    Exempt{"java/util/stream/Streams$RangeIntSpliterator", "forEachRemaining"},
    Exempt{"java/lang/invoke/MethodHandle", ""},
    Exempt{"jdk/internal/vm/Continuation", ""},
    // -XX:-OptimizeStringConcat
    Exempt{"java/lang/StringBuilder", ""},
    Exempt{"java/lang/StringBuffer", ""},
    Exempt{"java/lang/String", "<init>"},
    Exempt{"java/lang/Integer", "toString"},
    // -XX:-EliminateAutoBox
    Exempt{"java/lang/Boolean", "valueOf"},
    Exempt{"java/lang/Byte", "valueOf"},
    Exempt{"java/lang/Character", "valueOf"},
    Exempt{"java/lang/Double", "valueOf"},
    Exempt{"java/lang/Float", "valueOf"},
    Exempt{"java/lang/Integer", "valueOf"},
    Exempt{"java/lang/Long", "valueOf"},
    Exempt{"java/lang/Short", "valueOf"},
    Exempt{"java/lang/Boolean", "booleanValue"},
    Exempt{"java/lang/Byte", "byteValue"},
    Exempt{"java/lang/Character", "charValue"},
    Exempt{"java/lang/Double", "doubleValue"},
    Exempt{"java/lang/Float", "floatValue"},
    Exempt{"java/lang/Integer", "intValue"},
    Exempt{"java/lang/Long", "longValue"},
    Exempt{"java/lang/Short", "shortValue"},
};

}  // namespace

bool is_replaced_by_jit(const classfile::ClassFile& file, const classfile::Member& method) {
  if (!classfile::has_annotation(file, method.attributes, "Ljdk/internal/vm/annotation/IntrinsicCandidate;")) {
    return false;
  }
  const std::string_view class_name = file.name();
  const std::string_view name = file.member_name(method);
  for (const Exempt& exempt : kExempt) {
    if (exempt.class_name == class_name && (exempt.name.empty() || exempt.name == name)) return false;
  }
  return true;
}

}  // namespace bursar::agent
