// Whole classes rewritten with a probe at every place and compared, edge by edge, by tests/rewrite_oracle.h: those of
// the fuzz corpus, and random ones with exception tables, switches and subroutines.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "class_rewrite_check.h"
#include "random_method.h"

namespace bursar::classfile {
namespace {

constexpr LocalPlacement kPlacements[] = {LocalPlacement::kAfterParameters, LocalPlacement::kAtEnd};

TEST(RewriterCorpus, every_class_keeps_doing_what_it_did) {
  std::uint64_t methods = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/corpus/classfile")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const ByteVector bytes{std::istreambuf_iterator<char>(in), {}};
    // What the fuzzer found has damaged methods too.
    const bool is_sound = !entry.path().filename().string().starts_with("found-");
    for (const LocalPlacement placement : kPlacements) {
      ClassRewriteCheck check(bytes, {.placement = placement});
      EXPECT_EQ(check.difference(), std::nullopt) << entry.path();
      EXPECT_TRUE(!is_sound || check.counts().rewritten == check.counts().methods_with_code) << entry.path();
      methods += check.counts().rewritten;
    }
  }
  EXPECT_GT(methods, 80U);
}

// Damage to one byte after the constant pool: refused, skipped or still sound, never anything else.
TEST(RewriterCorpus, every_class_with_a_damaged_byte_is_refused_skipped_or_sound) {
  for (const char* name : {"java17-Exceptions.class", "java17-Annotated.class", "built-subroutine.class",
                           "built-frames.class", "built-tangle.class"}) {
    std::ifstream in(std::filesystem::path("tests/fuzz/corpus/classfile") / name, std::ios::binary);
    const ByteVector whole{std::istreambuf_iterator<char>(in), {}};
    ASSERT_FALSE(whole.empty()) << name;
    for (std::size_t at = whole.size() / 3; at < whole.size(); ++at) {
      for (const std::uint8_t flip : ByteVector{1, 0x80, 0xff}) {
        ByteVector bytes = whole;
        bytes[at] ^= flip;
        ClassRewriteCheck check(bytes, {});
        ASSERT_EQ(check.difference(), std::nullopt) << name << " with byte " << at << " ^ " << int{flip};
      }
    }
  }
}

// Handlers need something on the stack that the little methods do not have, but the oracle only follows edges.
ByteVector random_class(std::uint64_t seed, std::size_t longest_gap) {
  RandomMethod method(seed, longest_gap);
  CodeBuilder code = method.code();
  const auto instructions = Instructions::parse(code.code(), RandomMethod::kMaxLocals);
  if (!code.fits() || !instructions.ok()) return {};
  const auto label_at = [&](std::uint32_t index) {
    return code.label_at(index == instructions->size() ? code.pc() : (*instructions)[index].pc);
  };
  for (std::size_t entries = method.below(4); entries-- > 0;) {
    const auto start = static_cast<std::uint32_t>(method.below(instructions->size()));
    const auto length = static_cast<std::uint32_t>(1 + method.below(instructions->size() - start));
    const auto handler = static_cast<std::uint32_t>(method.below(instructions->size()));
    code.catches(label_at(start), label_at(start + length), label_at(handler));
  }
  ClassBuilder builder;
  builder.version = 48;
  builder.method(0x0009, "run", "(I)I", code);
  return builder.build();
}

TEST(RewriterRandom, little_methods_with_exceptions_keep_doing_what_they_did) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const ByteVector bytes = random_class(seed, 0);
    ClassRewriteCheck check(bytes, {.placement = kPlacements[seed % 2]});
    ASSERT_EQ(check.difference(), std::nullopt) << "seed " << seed;
    ASSERT_EQ(check.counts().rewritten, 1U) << "seed " << seed;
  }
}

TEST(RewriterRandom, long_methods_with_exceptions_do_so_too) {
  std::uint64_t rewritten = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const ByteVector bytes = random_class(seed, 25000);
    if (bytes.empty()) continue;
    ClassRewriteCheck check(bytes, {.placement = kPlacements[seed % 2], .cross_compile_limit = true});
    ASSERT_EQ(check.difference(), std::nullopt) << "seed " << seed;
    rewritten += check.counts().rewritten;
  }
  EXPECT_GT(rewritten, 150U);
}

}  // namespace
}  // namespace bursar::classfile
