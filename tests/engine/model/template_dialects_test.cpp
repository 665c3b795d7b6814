// Tests that the pickles of all known writers give the same tiny template.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/model/template_pickle.h"
#include "tests/engine/model/same_template.h"
#include "tests/support/message_of.h"

namespace threefold {
namespace {

std::filesystem::path fixture(const std::string& name) {
    return std::filesystem::path(THREEFOLD_TEST_DATA) / "engine/model/data" /
           ("template_" + name + ".dat");
}

class TemplateDialect : public testing::TestWithParam<const char*> {};

TEST_P(TemplateDialect, givesTheTemplate) {
    const TemplateMesh mesh = loadTemplate(fixture(GetParam())).mesh;
    ASSERT_EQ(mesh.levels.size(), 3U);
    EXPECT_EQ(mesh.levels[0].vertexCount, 3U);
    EXPECT_EQ(mesh.levels[1].vertexCount, 6U);
    EXPECT_EQ(mesh.levels[2].vertexCount, 15U);
    EXPECT_EQ(mesh.levels[2].faces.size(), 16U);
    EXPECT_EQ(mesh.vertices, (Points{{0, 0, 0}, {1, 0, 0.5F}, {0, 1, -0.5F}}));
    EXPECT_EQ(mesh.levels[0].unpoolEdges, (std::vector<glm::u32vec2>{{0, 1}, {0, 2}, {1, 2}}));
    EXPECT_EQ(mesh.levels[0].laplacian.values,
              (std::vector<float>{0.125F, -0.25F, -0.25F, -0.25F, 0.125F, -0.25F, -0.25F, -0.25F,
                                  0.125F}));
    EXPECT_EQ(mesh.hypothesisOffsets.size(), 4U);
    EXPECT_EQ(mesh.hypothesisLaplacian.columns.size(), 10U);
    test::expectSame(mesh, loadTemplate(fixture("4")).mesh);
}

/// Protocol 0, and protocol 1 as Python 2 writes it, have no PROTO opcode; protocol 2 has
/// _codecs.encode for bytes; protocol 4 has frames and the STACK_GLOBAL opcode.
INSTANTIATE_TEST_SUITE_P(All, TemplateDialect, testing::Values("0", "python2", "2", "4"),
                         [](const auto& dialect) { return std::string(dialect.param); });

TEST(TemplateWithoutCentre, isRefusedOrCompleted) {
    const auto file = fixture("without_centre");
    EXPECT_THAT(test::messageOf<ModelError>([&] { loadTemplate(file); }),
                testing::AllOf(testing::HasSubstr("holds 3 hypotheses and the first is not the "
                                                  "centre"),
                               testing::HasSubstr("`complete_template`")));
    const LoadedTemplate loaded = loadTemplate(file, MissingCentre::complete);
    EXPECT_TRUE(loaded.centreAdded);
    ASSERT_EQ(loaded.mesh.hypothesisOffsets.size(), 4U);
    EXPECT_EQ(loaded.mesh.hypothesisOffsets[0], glm::vec3(0.0F));
    // The four hypotheses form a complete graph: L = I − D^-½AD^-½ has the eigenvalues 0 and 4/3,
    // so the scaled Laplacian 1.5 L − I has 0.5 on the diagonal and −0.5 elsewhere.
    const SparseMatrix& graph = loaded.mesh.hypothesisLaplacian;
    ASSERT_EQ(graph.values.size(), 16U);
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t i = graph.rowOffsets[row]; i < graph.rowOffsets[row + 1]; ++i)
            EXPECT_NEAR(graph.values[i], graph.columns[i] == row ? 0.5 : -0.5, 1e-6);
    EXPECT_FALSE(loadTemplate(fixture("2"), MissingCentre::complete).centreAdded);
}

}  // namespace
}  // namespace threefold
