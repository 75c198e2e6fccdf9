#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "trace/record.h"
#include "trace/trace_file.h"

namespace bursar::trace {
namespace {

std::string text(base::ByteReader& reader) {
  const base::Bytes bytes = reader.take(reader.varint());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint32_t number(base::ByteReader& reader) {
  const std::uint64_t value = reader.varint();
  if (value > 0xffffffff) reader.fail();
  return static_cast<std::uint32_t>(value);
}

}  // namespace

base::Result<std::unique_ptr<TraceReader>> TraceReader::open(const std::string& path) {
  File file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return base::Error{"cannot read " + path + ": " + std::strerror(errno)};
  std::array<std::uint8_t, kFileHead> head{};
  const std::size_t got = std::fread(head.data(), 1, head.size(), file.get());
  if (got < head.size() || !std::equal(kMagic.begin(), kMagic.end(), head.begin())) {
    return base::Error{path + " is no trace; `bursar record --mode trace` writes one"};
  }
  base::ByteReader reader(head, kMagic.size());
  if (const std::uint32_t version = reader.u4_le(); version != kVersion) {
    return base::Error{path + " is a trace of version " + std::to_string(version) + "; this bursar reads version " +
                       std::to_string(kVersion)};
  }
  std::unique_ptr<TraceReader> trace(new TraceReader(std::move(file), path));
  trace->position_ = kFileHead;
  return trace;
}

bool TraceReader::refuse(const std::string& why) {
  error_ = path_ + " is damaged at byte " + std::to_string(position_) + ": " + why;
  return false;
}

bool TraceReader::read_record(RecordKind& kind) {
  std::array<std::uint8_t, kRecordHead> head;
  const std::size_t got = std::fread(head.data(), 1, head.size(), file_.get());
  if (got < head.size()) return false;
  base::ByteReader reader(head);
  kind = static_cast<RecordKind>(reader.u1());
  const std::uint32_t length = reader.u4_le();
  const std::uint64_t checksum = reader.u8_le();
  if (length > kMaxRecord) return refuse("a record is longer than any");
  payload_.resize(length);
  if (std::fread(payload_.data(), 1, length, file_.get()) < length) return false;
  if (XXH3_64bits(payload_.data(), length) != checksum) return refuse("a record's checksum is wrong");
  position_ += kRecordHead + length;
  return true;
}

bool TraceReader::next(Events& events) {
  while (!ended_ && error_.empty()) {
    RecordKind kind{};
    bool has_events = false;
    if (!read_record(kind) || !take(kind, events, has_events)) return false;
    if (has_events) return true;
  }
  return false;
}

bool TraceReader::take(RecordKind kind, Events& events, bool& has_events) {
  base::ByteReader reader(payload_);
  switch (kind) {
    case RecordKind::kFacts:
      while (!reader.at_end()) {
        std::string key = text(reader);
        facts_[std::move(key)] = text(reader);
      }
      break;
    case RecordKind::kMethods:
      while (!reader.at_end()) {
        profile::Method& method = methods_.emplace_back();
        method.class_name = text(reader);
        method.name = text(reader);
        method.descriptor = text(reader);
        const std::uint8_t method_kind = reader.u1();
        if (method_kind > static_cast<std::uint8_t>(profile::MethodKind::kOverflow)) return refuse("a kind of method");
        method.kind = static_cast<profile::MethodKind>(method_kind);
        method.code_bytes = number(reader);
      }
      break;
    case RecordKind::kThread: {
      const std::uint32_t thread = number(reader);
      threads_[thread] = text(reader);
      break;
    }
    case RecordKind::kEvents:
      events.thread = number(reader);
      events.start = reader.varint();
      events.bytes = reader.take(reader.remaining());
      has_events = true;
      break;
    case RecordKind::kEnd:
      ended_ = true;
      if (!reader.at_end()) end_reason_ = text(reader);
      break;
    default:
      return refuse("a record of unknown kind");
  }
  return reader.ok() || refuse("a record is cut off");
}

std::string TraceReader::shortcoming() const {
  if (!error_.empty()) return error_;
  return ended_ ? end_reason_ : "the file stops before the trace does";
}

}  // namespace bursar::trace
