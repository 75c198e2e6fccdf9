// Editing: an editor of a built method, and what came out of it, parsed again.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "built_method.h"
#include "classfile/code_editor.h"

namespace bursar::classfile {

// Of an exception table, as positions.
struct Range {
  std::uint32_t start, end, handler;
  bool operator==(const Range&) const = default;
};

class Editing {
 public:
  explicit Editing(const CodeBuilder& code, const MethodHead& head = {}, ClassBuilder builder = {})
      : code_(code), method_(code, head, std::move(builder)) {
    auto opened = CodeEditor::open(method_.file, method_.method(), method_.code);
    if (const auto* reason = std::get_if<SkipReason>(&opened)) {
      refused = *reason;
    } else {
      editor_.emplace(*std::get_if<CodeEditor>(&opened));
    }
  }

  CodeEditor& editor() { return *editor_; }
  std::optional<SkipReason> add_locals(const std::vector<NewLocal>& locals, LocalPlacement placement) {
    locals_ = locals;
    return editor_->add_locals(locals_, placement, method_.file.pool);
  }
  // Three bytes that call a method: a probe of a known size.
  Snippet call() {
    Snippet snippet(method_.file.pool, {}, {});
    snippet.invoke_static("P", "p", "()V");
    return snippet;
  }
  // One that may use the new locals.
  Snippet snippet() { return Snippet(method_.file.pool, locals_, editor_->local_slots()); }
  Snippet filler(std::size_t bytes) {
    Snippet snippet(method_.file.pool, {}, {});
    for (std::size_t i = 0; i < bytes; i += 2) {
      snippet.push_null();
      snippet.simple(op::kPop);
    }
    return snippet;
  }
  std::uint32_t at(CodeBuilder::Label label) const { return method_.instructions().index_at(code_.pc_of(label)); }

  // Finishes and parses; the new attribute's exception table comes as positions.
  const CodeAttribute& finish() {
    auto finished = editor_->finish(method_.file.pool);
    if (const auto* reason = std::get_if<SkipReason>(&finished)) {
      refused = *reason;
      after.emplace();
      return *after;
    }
    new_bytes_ = std::get_if<CodeEditor::Edited>(&finished)->attribute;
    base::ByteWriter pool;
    method_.file.pool.write(pool);
    pool_bytes_ = pool.take();
    base::ByteReader reader(pool_bytes_);
    new_pool.emplace(ConstantPool::parse(reader, pool_bytes_).value());
    after.emplace(CodeAttribute::parse(new_bytes_, *new_pool).value());
    EXPECT_EQ(after->instructions.code().size(), std::get_if<CodeEditor::Edited>(&finished)->code_size);
    return *after;
  }
  std::uint32_t pc(std::uint32_t index) const {
    const Instructions& instructions = after->instructions;
    return index == instructions.size() ? static_cast<std::uint32_t>(instructions.code().size())
                                        : instructions[index].pc;
  }
  std::vector<Range> ranges() const {
    std::vector<Range> result;
    for (const ExceptionEntry& entry : after->exceptions) {
      result.push_back({pc(entry.start), pc(entry.end), pc(entry.handler)});
    }
    return result;
  }
  std::optional<base::Bytes> attribute(std::string_view name) const {
    for (const Attribute& attribute : after->attributes) {
      if (new_pool->utf8(attribute.name_index) == name) return attribute.data;
    }
    return std::nullopt;
  }
  std::vector<Frame> frames() const {
    StackMap map = StackMap::initial(method_.file.member_descriptor(method_.method()), true, false, 0).value();
    EXPECT_EQ(map.parse(*attribute("StackMapTable")), StackMap::ParseResult::kOk);
    return map.frames;
  }

  std::optional<SkipReason> refused;
  std::optional<CodeAttribute> after;
  std::optional<ConstantPool> new_pool;

 private:
  const CodeBuilder& code_;
  BuiltMethod method_;
  std::optional<CodeEditor> editor_;
  std::vector<NewLocal> locals_;
  ByteVector new_bytes_, pool_bytes_;
};

}  // namespace bursar::classfile
