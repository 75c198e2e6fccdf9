// ClassBuilder and CodeBuilder: assemble class files for tests, by the letter of the JVM specification.
//
// Independent of src/classfile except for the names of opcodes, and without its caution: they write what a test asks
// for, malformed or not.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_writer.h"
#include "classfile/opcode.h"

namespace bursar::classfile {

using ByteVector = std::vector<std::uint8_t>;

struct NamedBytes {
  std::string name;
  ByteVector bytes;
};

class ClassBuilder;

// The code of one method; jumps go to labels, which may be bound later.
class CodeBuilder {
 public:
  using Label = std::uint32_t;

  std::uint32_t max_stack = 8;
  std::uint32_t max_locals = 8;
  std::vector<NamedBytes> attributes;

  Label label() {
    labels_.push_back(0);
    return static_cast<Label>(labels_.size() - 1);
  }
  void bind(Label label) { labels_[label] = pc(); }
  Label here() {
    const Label result = label();
    bind(result);
    return result;
  }
  Label label_at(std::uint32_t pc) {
    labels_.push_back(pc);
    return static_cast<Label>(labels_.size() - 1);
  }
  std::uint32_t pc() const { return static_cast<std::uint32_t>(code_.size()); }
  std::uint32_t pc_of(Label label) const { return labels_[label]; }

  void op(unsigned opcode) { u1(opcode); }
  void op1(unsigned opcode, unsigned operand) {
    u1(opcode);
    u1(operand);
  }
  void op2(unsigned opcode, unsigned operand) {
    u1(opcode);
    u2(operand);
  }
  void wide(unsigned opcode, unsigned local) {
    u1(op::kWide);
    op2(opcode, local);
  }
  void iinc(unsigned local, int by) {
    op1(op::kIinc, local);
    u1(static_cast<unsigned>(by));
  }
  void wide_iinc(unsigned local, int by) {
    wide(op::kIinc, local);
    u2(static_cast<unsigned>(by));
  }
  void bytes(std::initializer_list<unsigned> list) {
    for (const unsigned byte : list) u1(byte);
  }
  void nops(std::size_t count) { code_.insert(code_.end(), count, op::kNop); }

  void jump(unsigned opcode, Label target) {
    const bool far = opcode == op::kGotoW || opcode == op::kJsrW;
    const std::uint32_t from = pc();
    u1(opcode);
    reference(from, target, far);
  }
  void tableswitch(std::int32_t low, Label otherwise, const std::vector<Label>& cases) {
    const std::uint32_t from = pc();
    u1(op::kTableswitch);
    pad();
    reference(from, otherwise, true);
    u4(static_cast<std::uint32_t>(low));
    u4(static_cast<std::uint32_t>(low + static_cast<std::int32_t>(cases.size()) - 1));
    for (const Label target : cases) reference(from, target, true);
  }
  void lookupswitch(Label otherwise, const std::vector<std::pair<std::int32_t, Label>>& cases) {
    const std::uint32_t from = pc();
    u1(op::kLookupswitch);
    pad();
    reference(from, otherwise, true);
    u4(static_cast<std::uint32_t>(cases.size()));
    for (const auto& [key, target] : cases) {
      u4(static_cast<std::uint32_t>(key));
      reference(from, target, true);
    }
  }

  void catches(Label start, Label end, Label handler, unsigned type = 0) {
    exceptions_.push_back({start, end, handler, type});
  }

  // Whether the code is short enough, and every jump for its operand.
  bool fits() const {
    for (const Reference& r : references_) {
      const std::int64_t offset = std::int64_t{labels_[r.target]} - std::int64_t{r.from};
      if (r.width == 2 && (offset < -32768 || offset > 32767)) return false;
    }
    return code_.size() <= 65535;
  }

  ByteVector code() const {
    ByteVector result = code_;
    for (const Reference& r : references_) {
      const std::uint32_t offset = labels_[r.target] - r.from;
      for (unsigned i = 0; i < r.width; ++i) {
        result[r.at + i] = static_cast<std::uint8_t>(offset >> (8 * (r.width - 1 - i)));
      }
    }
    return result;
  }
  inline ByteVector attribute(ClassBuilder& owner) const;

 private:
  struct Reference {
    std::size_t at;
    std::uint32_t from;
    Label target;
    unsigned width;
  };
  struct Exception {
    Label start, end, handler;
    unsigned type;
  };

  void u1(unsigned byte) { code_.push_back(static_cast<std::uint8_t>(byte)); }
  void u2(unsigned value) {
    u1(value >> 8);
    u1(value);
  }
  void u4(std::uint32_t value) {
    u2(value >> 16);
    u2(value);
  }
  void pad() {
    while (code_.size() % 4 != 0) u1(0);
  }
  void reference(std::uint32_t from, Label target, bool far) {
    references_.push_back({code_.size(), from, target, far ? 4U : 2U});
    far ? u4(0) : u2(0);
  }

  ByteVector code_;
  std::vector<std::uint32_t> labels_;
  std::vector<Reference> references_;
  std::vector<Exception> exceptions_;
};

class ClassBuilder {
 public:
  std::uint32_t version = 61;
  std::uint32_t access = 0x0021;
  std::string name = "Test";
  std::string super_name = "java/lang/Object";
  std::vector<std::string> interfaces;
  std::vector<NamedBytes> attributes;

  // Constants; equal ones are shared.
  std::uint32_t utf8(std::string_view text) {
    std::string entry = bytes_of({1, text.size() >> 8, text.size()});
    return constant(entry.append(text));
  }
  std::uint32_t cls(std::string_view internal_name) { return referring(7, utf8(internal_name)); }
  std::uint32_t integer(std::uint32_t bits) { return constant(bytes_of({3, bits >> 24, bits >> 16, bits >> 8, bits})); }
  std::uint32_t long_of(std::uint64_t bits, unsigned tag = 5) {
    std::string entry = bytes_of({tag});
    for (int shift = 56; shift >= 0; shift -= 8) entry += bytes_of({bits >> shift});
    return constant(entry, 2);
  }
  std::uint32_t name_and_type(std::string_view member, std::string_view descriptor) {
    return referring(12, utf8(member), utf8(descriptor));
  }
  std::uint32_t member(unsigned tag, std::string_view owner, std::string_view member_name,
                       std::string_view descriptor) {
    return referring(tag, cls(owner), name_and_type(member_name, descriptor));
  }
  std::uint32_t method_ref(std::string_view owner, std::string_view member_name, std::string_view descriptor) {
    return member(10, owner, member_name, descriptor);
  }
  // A constant with one or two references: String, MethodType, Module, Dynamic …
  std::uint32_t referring(unsigned tag, std::uint32_t first) { return constant(bytes_of({tag, first >> 8, first})); }
  std::uint32_t referring(unsigned tag, std::uint32_t first, std::uint32_t second) {
    return constant(bytes_of({tag, first >> 8, first, second >> 8, second}));
  }
  std::uint32_t method_handle(unsigned kind, std::uint32_t reference) {
    return constant(bytes_of({15, kind, reference >> 8, reference}));
  }
  std::uint32_t constant(const std::string& entry, unsigned slots = 1) {
    if (const auto found = index_of_.find(entry); found != index_of_.end()) return found->second;
    const std::uint32_t index = count_;
    index_of_[entry] = index;
    pool_.append({reinterpret_cast<const std::uint8_t*>(entry.data()), entry.size()});
    count_ += slots;
    return index;
  }
  std::uint32_t count() const { return count_; }

  void field(unsigned flags, std::string_view field_name, std::string_view descriptor) {
    fields_.push_back({flags, utf8(field_name), utf8(descriptor), {}});
  }
  void method(unsigned flags, std::string_view method_name, std::string_view descriptor, const CodeBuilder& code) {
    method(flags, method_name, descriptor, {{"Code", code.attribute(*this)}});
  }
  void method(unsigned flags, std::string_view method_name, std::string_view descriptor,
              std::vector<NamedBytes> with = {}) {
    methods_.push_back({flags, utf8(method_name), utf8(descriptor), std::move(with)});
  }

  // Everything after a count of attributes, in the form it has everywhere.
  void write_attributes(base::ByteWriter& out, const std::vector<NamedBytes>& list) {
    out.u2_be(static_cast<std::uint32_t>(list.size()));
    for (const NamedBytes& attribute : list) {
      out.u2_be(utf8(attribute.name));
      out.u4_be(static_cast<std::uint32_t>(attribute.bytes.size()));
      out.append(attribute.bytes);
    }
  }

  ByteVector build() {
    base::ByteWriter rest;
    rest.u2_be(access);
    rest.u2_be(cls(name));
    rest.u2_be(super_name.empty() ? 0 : cls(super_name));
    rest.u2_be(static_cast<std::uint32_t>(interfaces.size()));
    for (const std::string& interface : interfaces) rest.u2_be(cls(interface));
    for (const auto* members : {&fields_, &methods_}) {
      rest.u2_be(static_cast<std::uint32_t>(members->size()));
      for (const Member& member : *members) {
        rest.u2_be(member.flags);
        rest.u2_be(member.name);
        rest.u2_be(member.descriptor);
        write_attributes(rest, member.attributes);
      }
    }
    write_attributes(rest, attributes);
    base::ByteWriter out;
    out.u4_be(0xcafebabe);
    out.u2_be(0);
    out.u2_be(version);
    out.u2_be(count_);
    out.append(pool_.view());
    out.append(rest.view());
    return out.take();
  }

 private:
  struct Member {
    std::uint32_t flags, name, descriptor;
    std::vector<NamedBytes> attributes;
  };

  static std::string bytes_of(std::initializer_list<std::uint64_t> list) {
    std::string result;
    for (const std::uint64_t byte : list) result += static_cast<char>(byte & 0xff);
    return result;
  }

  base::ByteWriter pool_;
  std::uint32_t count_ = 1;
  std::map<std::string, std::uint32_t> index_of_;
  std::vector<Member> fields_;
  std::vector<Member> methods_;
};

inline ByteVector CodeBuilder::attribute(ClassBuilder& owner) const {
  base::ByteWriter out;
  out.u2_be(max_stack);
  out.u2_be(max_locals);
  out.u4_be(static_cast<std::uint32_t>(code_.size()));
  out.append(code());
  out.u2_be(static_cast<std::uint32_t>(exceptions_.size()));
  for (const Exception& entry : exceptions_) {
    out.u2_be(labels_[entry.start]);
    out.u2_be(labels_[entry.end]);
    out.u2_be(labels_[entry.handler]);
    out.u2_be(entry.type);
  }
  owner.write_attributes(out, attributes);
  return out.take();
}

}  // namespace bursar::classfile
