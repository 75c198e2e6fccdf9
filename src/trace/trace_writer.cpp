#include <sys/stat.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>

#include "base/byte_writer.h"
#include "trace/record.h"
#include "trace/trace_file.h"

namespace bursar::trace {
namespace {

constexpr const char* kFull = "the size limit was reached";
// What the records behind the last events may take: names of threads, facts; and the end itself.
constexpr std::uint64_t kReserve = 4096;
constexpr std::uint64_t kEndReserve = 64;

void text(base::ByteWriter& out, std::string_view value) {
  out.varint(value.size());
  out.append({reinterpret_cast<const std::uint8_t*>(value.data()), value.size()});
}

}  // namespace

base::Result<std::unique_ptr<TraceWriter>> TraceWriter::create(const std::string& path, std::uint64_t max_bytes) {
  File file(std::fopen(path.c_str(), "wbe"));
  if (file == nullptr) return base::Error{"cannot write the trace to " + path + ": " + std::strerror(errno)};
  std::unique_ptr<TraceWriter> writer(new TraceWriter(std::move(file), path, max_bytes));
  base::ByteWriter header;
  header.append(kMagic);
  header.u4_le(kVersion);
  writer->put(header.view());
  return writer;
}

void TraceWriter::put(base::Bytes bytes) {
  if (error_ != 0) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) error_ = errno != 0 ? errno : EIO;
  bytes_ += bytes.size();
}

bool TraceWriter::append(RecordKind kind, base::Bytes payload) {
  const std::lock_guard guard(lock_);
  if (file_ == nullptr || error_ != 0) return false;
  const bool may_follow = kind == RecordKind::kThread || kind == RecordKind::kFacts;
  const std::uint64_t reserve = may_follow ? kEndReserve : kReserve;
  const bool fits = (may_follow || !full_) && bytes_ + kRecordHead + payload.size() + reserve <= max_bytes_;
  if (kind != RecordKind::kEnd && !fits) {
    full_ = true;
    return false;
  }
  base::ByteWriter head;
  head.u1(static_cast<std::uint32_t>(kind));
  head.u4_le(static_cast<std::uint32_t>(payload.size()));
  head.u8_le(XXH3_64bits(payload.data(), payload.size()));
  put(head.view());
  put(payload);
  return error_ == 0;
}

void TraceWriter::facts(const std::map<std::string, std::string>& facts) {
  base::ByteWriter out;
  for (const auto& [key, value] : facts) {
    text(out, key);
    text(out, value);
  }
  append(RecordKind::kFacts, out.view());
}

void TraceWriter::methods(const std::vector<profile::Method>& next) {
  base::ByteWriter out;
  for (const profile::Method& method : next) {
    text(out, method.class_name);
    text(out, method.name);
    text(out, method.descriptor);
    out.u1(static_cast<std::uint32_t>(method.kind));
    out.varint(method.code_bytes);
  }
  append(RecordKind::kMethods, out.view());
}

void TraceWriter::thread(std::uint32_t number, std::string_view name) {
  base::ByteWriter out;
  out.varint(number);
  text(out, name);
  append(RecordKind::kThread, out.view());
}

bool TraceWriter::events(std::uint32_t thread, std::uint64_t start, base::Bytes bytes) {
  base::ByteWriter out;
  out.reserve(bytes.size() + 20);
  out.varint(thread);
  out.varint(start);
  out.append(bytes);
  return append(RecordKind::kEvents, out.view());
}

base::Status TraceWriter::finish() {
  base::ByteWriter out;
  if (full_.exchange(false)) text(out, kFull);
  append(RecordKind::kEnd, out.view());
  const std::lock_guard guard(lock_);
  struct stat info {};
  if (file_ != nullptr && fstat(fileno(file_.get()), &info) == 0 && info.st_nlink == 0) error_ = ENOENT;
  if (file_ != nullptr && std::fclose(file_.release()) != 0 && error_ == 0) error_ = errno;
  if (error_ != 0) return base::Error{"cannot write the trace to " + path_ + ": " + std::strerror(error_)};
  return base::Done{};
}

}  // namespace bursar::trace
