// MethodTable: every method that a probe names by number, with the call sites it has.
//
// Append-only. Ids are dense from 0; a method that is rewritten twice (two loaders, a retransformation) gets a new id
// each time, and Gathering makes one method of them again. Readers need no lock: an id that somebody handed out is
// readable for ever. Writers take a lock.
// Runs in: any
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace bursar::core {

using MethodId = std::uint32_t;
inline constexpr MethodId kNoMethod = 0xffffffff;

enum class CallKind : std::uint8_t {
  kVirtual,  // invokevirtual, invokeinterface: the receiver decides
  kDirect,   // invokestatic, invokespecial, and virtual calls that can only mean one method
  kDynamic,  // invokedynamic and MethodHandle.invoke…: anything may be called
  kLinkTo,   // MethodHandle.linkTo…: what its last argument names
};

struct CallSite {
  std::uint32_t bci = 0;  // of the invoke instruction, in the original bytecode
  CallKind kind = CallKind::kVirtual;
  bool initialises = false;                        // invokestatic: the class is initialised before the call
  std::string class_name{}, name{}, descriptor{};  // as the call spells them; internal class name, empty for kDynamic
  MethodId callee = kNoMethod;                     // the only one, if it is counted in the slot and needs no node
};

enum class MethodNature : std::uint8_t {
  kJava,
  kNative,
  kPseudo,
};

struct Method {
  std::string class_name{};  // internal, as the class file has it: java/util/Map$Entry; empty for pseudo methods
  std::string name{};
  std::string descriptor{};
  MethodNature nature = MethodNature::kJava;
  std::uint32_t code_bytes = 0;
  std::vector<CallSite> sites{};  // slot k of a node of this method belongs to sites[k - 1]
};

class MethodTable {
 public:
  MethodTable() = default;
  ~MethodTable();
  MethodTable(const MethodTable&) = delete;
  MethodTable& operator=(const MethodTable&) = delete;

  // kNoMethod when the table is full or memory is.
  MethodId add(Method method);
  const Method& operator[](MethodId id) const;
  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }

 private:
  static constexpr std::uint32_t kChunkLog2 = 12;
  static constexpr std::uint32_t kChunkMask = (1U << kChunkLog2) - 1;
  static constexpr std::uint32_t kMaxChunks = 4096;  // 16 M methods
  using Chunk = std::array<Method, 1U << kChunkLog2>;

  std::mutex lock_;
  std::atomic<std::uint32_t> size_ = 0;
  std::array<std::atomic<Chunk*>, kMaxChunks> chunks_{};
};

}  // namespace bursar::core
