#include "ui/results/mesh_morph.h"
#include "ui/results/morphed_mesh.h"

#include <cmath>
#include <limits>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

class MeshMorphTest : public testing::Test {
  protected:
    const ResultRef result_ =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction());

    std::size_t verticesAt(float position) const {
        return morphedMesh(*result_, position)->vertices.size();
    }
};

TEST_F(MeshMorphTest, showsEachStageWithItsOwnFaces) {
    const Reconstruction& r = result_->reconstruction;
    EXPECT_EQ(verticesAt(kMorphTemplate), r.level1.size());
    EXPECT_EQ(verticesAt(kMorphLevel1), r.level1.size());
    EXPECT_EQ(verticesAt(kMorphLevel2), r.level2.size());
    EXPECT_EQ(verticesAt(kMorphCoarse), r.coarse.size());
    EXPECT_EQ(morphedMesh(*result_, kMorphLevel2)->faces, r.levelFaces->at(1));
    EXPECT_EQ(morphedMesh(*result_, kMorphCoarse), result_->coarse);
    EXPECT_EQ(morphedMesh(*result_, kMorphRefined), result_->refined);
    EXPECT_EQ(morphedMesh(*result_, kMorphLevel2), morphedMesh(*result_, kMorphLevel2));
}

TEST_F(MeshMorphTest, goesStraight_betweenStagesOfTheSameFaces) {
    const render::SceneMeshRef between = morphedMesh(*result_, 4.25F);
    const render::SceneMesh& from = *morphedMesh(*result_, kMorphRefined1);
    const render::SceneMesh& to = *morphedMesh(*result_, kMorphRefined);
    ASSERT_EQ(between->vertices.size(), to.vertices.size());
    for (std::size_t i = 0; i < to.vertices.size(); i += 61) {
        const glm::vec3 expected = 0.75F * from.vertices[i] + 0.25F * to.vertices[i];
        EXPECT_LT(glm::distance(between->vertices[i], expected), 1e-6F);
    }
}

TEST_F(MeshMorphTest, leavesAStageWithItsShape_onTheFinerFaces) {
    const render::SceneMesh& level1 = *morphedMesh(*result_, kMorphLevel1);
    const render::SceneMesh& start = *result_->morph.unpooledStart[1];
    const render::SceneMeshRef just = morphedMesh(*result_, 1.002F);
    EXPECT_EQ(just->faces, result_->reconstruction.levelFaces->at(1));
    ASSERT_EQ(just->vertices.size(), start.vertices.size());
    const auto& edges = result_->reconstruction.templateMesh->levels[0].unpoolEdges;
    ASSERT_EQ(start.vertices.size(), level1.vertices.size() + edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const glm::vec3 middle = 0.5F * (level1.vertices[edges[i].x] + level1.vertices[edges[i].y]);
        ASSERT_LT(glm::distance(start.vertices[level1.vertices.size() + i], middle), 1e-6F);
        ASSERT_LT(glm::distance(just->vertices[i], start.vertices[i]), 1e-3F);
    }
}

TEST_F(MeshMorphTest, neverLeavesTheWay) {
    EXPECT_EQ(morphedMesh(*result_, -3), morphedMesh(*result_, kMorphTemplate));
    EXPECT_EQ(morphedMesh(*result_, 17), result_->refined);
    EXPECT_EQ(morphedMesh(*result_, std::numeric_limits<float>::quiet_NaN()), result_->refined);
    EXPECT_EQ(morphPlace(*result_, 2.9999F), (MorphPlace{3, 0}));
}

TEST(MeshMorph, beginsAtTheCoarseMesh_whenTheBackendTellsNoTemplate) {
    Reconstruction reconstruction = test::fakeReconstruction();
    reconstruction.templateMesh = nullptr;
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, std::move(reconstruction));
    EXPECT_EQ(firstMorphPosition(*result), kMorphCoarse);
    EXPECT_EQ(morphedMesh(*result, kMorphTemplate), result->coarse);
    EXPECT_EQ(morphedMesh(*result, kMorphRefined), result->refined);
}

TEST(MeshMorph, endsAtTheFittedMesh_whereThereIsOne) {
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fittedReconstruction());
    EXPECT_EQ(lastMorphPosition(*result), kMorphFitted);
    EXPECT_EQ(morphedMesh(*result, kMorphRefined), result->refined);
    EXPECT_EQ(morphedMesh(*result, kMorphFitted), result->fitted);
    EXPECT_EQ(morphedMesh(*result, 17), result->fitted);
    const render::SceneMeshRef between = morphedMesh(*result, 5.5F);
    const glm::vec3 middle = 0.5F * (result->refined->vertices[7] + result->fitted->vertices[7]);
    EXPECT_LT(glm::distance(between->vertices[7], middle), 1e-6F);
}

TEST(MeshMorph, jumps_toAFittedMeshOfOtherFaces) {
    const ResultRef moved =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fittedReconstruction());
    EXPECT_FALSE(fittedApart(*moved));
    const ResultRef hull =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::hullReconstruction());
    EXPECT_TRUE(fittedApart(*hull));
    EXPECT_EQ(hull->fitted->faces, hull->reconstruction.fittedFaces);
    EXPECT_EQ(morphedMesh(*hull, 5.49F), hull->refined);
    EXPECT_EQ(morphedMesh(*hull, 5.51F), hull->fitted);
    EXPECT_EQ(morphedMesh(*hull, kMorphFitted), hull->fitted);
    EXPECT_EQ(morphPlace(*hull, 5.7F), (MorphPlace{kFittedStage, 0}));
}

TEST(MeshMorph, endsAtTheRefinedMesh_whenTheLookWantsAFitThatIsNotThere) {
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction());
    EXPECT_EQ(lastMorphPosition(*result), kMorphRefined);
    EXPECT_EQ(morphedMesh(*result, kMorphFitted), result->refined);
}

}  // namespace
}  // namespace threefold::ui
