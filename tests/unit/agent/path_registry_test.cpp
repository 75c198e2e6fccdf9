#include "agent/path_registry.h"

#include <gtest/gtest.h>

#include "built_class.h"
#include "profile/freeze.h"

namespace bursar::agent {
namespace {

// if (x == 0) nop; return: two paths.
struct Built {
  Built() {
    CodeBuilder code;
    const auto end = code.label();
    code.op(op::kIload0);
    code.jump(op::kIfne, end);
    code.op(op::kNop);
    code.bind(end);
    code.op(op::kReturn);
    ClassBuilder builder;
    builder.method(kStatic, "run", "(I)V", code);
    bytes = builder.build();
  }
  classfile::PathNumbering numbering(classfile::EdgeOrder order = classfile::EdgeOrder::kHottestFirst) const {
    const auto file = classfile::ClassFile::parse(bytes).value();
    const auto attribute = classfile::CodeAttribute::parse(file.methods.at(0).attributes.at(0).data, file.pool).value();
    const auto flow = classfile::ControlFlow::of(attribute).value();
    const auto graph = classfile::PathGraph::of(attribute, flow);
    return std::get<classfile::PathNumbering>(
        classfile::PathNumbering::of(std::get<classfile::PathGraph>(graph), {.order = order}));
  }
  std::vector<std::uint8_t> bytes;
};

core::Method method(const std::string& name) {
  return {.class_name = "a/B", .name = name, .descriptor = "(I)V", .code_bytes = 6};
}

TEST(PathRegistry, numbers_of_different_methods_do_not_meet) {
  const Built built;
  PathRegistry registry;
  EXPECT_EQ(registry.add(method("f"), built.numbering(), {}), 0U);
  EXPECT_EQ(registry.add(method("g"), built.numbering(), {}), 2U);
  EXPECT_EQ(registry.size(), 4U);
}

TEST(PathRegistry, a_profile_has_the_paths_that_ran_and_the_branches_that_follow) {
  const Built built;
  PathRegistry registry;
  registry.add(method("f"), built.numbering(), {});
  registry.add(method("g"), built.numbering(), {});
  const auto frozen = profile::freeze(registry.to_profile({3, 0, 0, 8}, profile::MetricKind::kExact)).value();
  const profile::ProfileData& data = frozen.data();
  ASSERT_EQ(data.paths.size(), 2U);
  EXPECT_EQ(data.paths.count.value, (std::vector<std::uint64_t>{3, 8}));
  EXPECT_EQ(data.paths.branches, (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(data.paths.blocks, (std::vector<std::uint32_t>{0, 4, 5, 0, 5}));
  EXPECT_EQ(data.branches.bci, (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(data.branches.outcome, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(data.branches.count.value, (std::vector<std::uint64_t>{3, 8}));
  EXPECT_EQ(data.methods.at(0).name, "f");
}

TEST(PathRegistry, what_groups_of_bursts_counted_follows_its_paths_and_branches) {
  const Built built;
  PathRegistry registry;
  registry.add(method("f"), built.numbering(), {});
  registry.add(method("g"), built.numbering(), {});
  PathRegistry::ByGroups groups{.numbers = {{1, 2, 0, 0}, {}, {}, {0, 0, 3, 5}}};
  const profile::ProfileData data = registry.to_profile({3, 0, 1, 8}, profile::MetricKind::kEstimate, groups);
  EXPECT_EQ(data.paths.kind, profile::MetricKind::kEstimate);
  EXPECT_EQ(data.paths.count.value, (std::vector<std::uint64_t>{3, 1, 8}));
  EXPECT_EQ(groups.paths, (std::vector<core::ByGroup>{{1, 2, 0, 0}, {}, {0, 0, 3, 5}}));
  EXPECT_EQ(data.branches.count.value, (std::vector<std::uint64_t>{3, 1, 8}));
  EXPECT_EQ(groups.branches, groups.paths) << "each branch is on one path here";
}

TEST(PathRegistry, what_two_numberings_of_a_method_counted_falls_together) {
  const Built built;
  PathRegistry registry;
  registry.add(method("f"), built.numbering(), {});
  registry.add(method("f"), built.numbering(classfile::EdgeOrder::kColdestFirst), {});
  // Falling through is 0 in the first and 1 in the second.
  const auto frozen = profile::freeze(registry.to_profile({3, 10, 100, 4}, profile::MetricKind::kExact)).value();
  EXPECT_EQ(frozen->paths.count.value, (std::vector<std::uint64_t>{7, 110}));
}

TEST(PathRegistry, methods_whose_hot_edges_add_are_misplaced) {
  const Built built;
  PathRegistry registry;
  registry.add(method("f"), built.numbering(), {});
  registry.add(method("g"), built.numbering(), {});
  registry.add(method("h"), built.numbering(), {});
  // f's branch is taken more often than not, a little; g's falls through; h's is taken always.
  const std::vector<std::uint64_t> counts = {10, 15, 500, 475, 0, 1000};
  const auto found = registry.misplaced(counts, 0.001);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].first, 4U);
  EXPECT_EQ(found[0].gain, 1000U);
  EXPECT_EQ(found[0].class_name, "a/B");
  EXPECT_EQ(found[0].edges.at(0), (std::vector<std::uint64_t>{0, 1000}));
  EXPECT_EQ(found[1].gain, 5U);
  EXPECT_EQ(registry.misplaced(counts, 0.01).size(), 1U) << "5 of 2000 decisions are not worth it";
}

TEST(PathRegistry, a_full_registry_refuses) {
  const Built built;
  PathRegistry registry(5);
  EXPECT_TRUE(registry.add(method("f"), built.numbering(), {}).has_value());
  EXPECT_TRUE(registry.add(method("g"), built.numbering(), {}).has_value());
  EXPECT_FALSE(registry.add(method("h"), built.numbering(), {}).has_value());
  EXPECT_EQ(registry.size(), 4U);
}

}  // namespace
}  // namespace bursar::agent
