#include "classfile/annotations.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <random>

#include "class_builder.h"

namespace bursar::classfile {
namespace {

constexpr std::string_view kWanted = "La/Wanted;";
using Write = std::function<void(ClassBuilder&, base::ByteWriter&)>;

// Whether the class's only method, with the attribute that `write` fills, has the annotation.
bool finds(const Write& write, const std::string& attribute = "RuntimeVisibleAnnotations") {
  ClassBuilder builder;
  base::ByteWriter bytes;
  write(builder, bytes);
  builder.method(kAccAbstract, "run", "()V", {{"Other", {1, 2, 3}}, {attribute, bytes.take()}});
  const ByteVector class_file = builder.build();
  const ClassFile file = ClassFile::parse(class_file).value();
  return has_annotation(file, file.methods.at(0).attributes, kWanted);
}

void plain(ClassBuilder& builder, base::ByteWriter& out, std::string_view type) {
  out.u2_be(builder.utf8(type));
  out.u2_be(0);
}

// An annotation whose one value is written by `value`, in front of the wanted one.
bool finds_behind(const Write& value) {
  return finds([&](ClassBuilder& builder, base::ByteWriter& out) {
    out.u2_be(2);
    out.u2_be(builder.utf8("La/Other;"));
    out.u2_be(1);
    out.u2_be(builder.utf8("value"));
    value(builder, out);
    plain(builder, out, kWanted);
  });
}

TEST(Annotations, finds_one_by_its_type) {
  EXPECT_TRUE(finds([](ClassBuilder& builder, base::ByteWriter& out) {
    out.u2_be(1);
    plain(builder, out, kWanted);
  }));
  EXPECT_FALSE(finds([](ClassBuilder& builder, base::ByteWriter& out) {
    out.u2_be(1);
    plain(builder, out, "La/Other;");
  }));
  EXPECT_FALSE(finds([](ClassBuilder&, base::ByteWriter& out) { out.u2_be(0); }));
}

TEST(Annotations, looks_at_those_visible_at_run_time_only) {
  const Write one = [](ClassBuilder& builder, base::ByteWriter& out) {
    out.u2_be(1);
    plain(builder, out, kWanted);
  };
  EXPECT_FALSE(finds(one, "RuntimeInvisibleAnnotations"));
  EXPECT_FALSE(finds(one, "RuntimeVisibleParameterAnnotations"));
}

TEST(Annotations, passes_values_of_every_kind) {
  for (const char kind : std::string_view("BCDFIJSZsc")) {
    EXPECT_TRUE(finds_behind([kind](ClassBuilder& builder, base::ByteWriter& out) {
      out.u1(static_cast<unsigned char>(kind));
      out.u2_be(builder.utf8("x"));
    })) << kind;
  }
  EXPECT_TRUE(finds_behind([](ClassBuilder& builder, base::ByteWriter& out) {
    out.u1('e');
    out.u2_be(builder.utf8("La/Colour;"));
    out.u2_be(builder.utf8("RED"));
  }));
  EXPECT_TRUE(finds_behind([](ClassBuilder& builder, base::ByteWriter& out) {
    out.u1('[');
    out.u2_be(2);
    for (int i = 0; i < 2; ++i) {
      out.u1('s');
      out.u2_be(builder.utf8("x"));
    }
  }));
}

TEST(Annotations, one_inside_another_does_not_count) {
  const auto nested = [](bool wanted_behind) {
    return finds([&](ClassBuilder& builder, base::ByteWriter& out) {
      out.u2_be(wanted_behind ? 2 : 1);
      out.u2_be(builder.utf8("La/Other;"));
      out.u2_be(1);
      out.u2_be(builder.utf8("value"));
      out.u1('@');
      plain(builder, out, kWanted);
      if (wanted_behind) plain(builder, out, kWanted);
    });
  };
  EXPECT_FALSE(nested(false));
  EXPECT_TRUE(nested(true));
}

TEST(Annotations, hostile_nesting_ends) {
  const auto nested = [](std::uint32_t depth) {
    return finds_behind([depth](ClassBuilder&, base::ByteWriter& out) {
      for (std::uint32_t i = 0; i < depth; ++i) {
        out.u1('[');
        out.u2_be(1);
      }
      out.u1('[');
      out.u2_be(0);
    });
  };
  EXPECT_TRUE(nested(10));
  EXPECT_FALSE(nested(100'000));
}

TEST(Annotations, any_bytes_are_survived_and_a_cut_list_ends) {
  EXPECT_FALSE(finds([](ClassBuilder&, base::ByteWriter&) {}));
  EXPECT_FALSE(finds([](ClassBuilder& builder, base::ByteWriter& out) {
    out.u2_be(2);
    plain(builder, out, "La/Other;");
  }));
  constexpr std::array<std::uint8_t, 6> kLikely = {0, 1, 2, '@', '[', 'e'};
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    finds([&](ClassBuilder&, base::ByteWriter& out) {
      for (std::size_t n = random() % 40; n > 0; --n) {
        out.u1(random() % 4 == 0 ? static_cast<std::uint8_t>(random()) : kLikely[random() % kLikely.size()]);
      }
    });
  }
}

}  // namespace
}  // namespace bursar::classfile
