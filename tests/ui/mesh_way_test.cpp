#include "ui/document/mesh_way.h"

#include <cmath>
#include <limits>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

class MeshWayTest : public testing::Test {
  protected:
    const ResultRef result_ =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction());

    std::size_t verticesAt(float way) const { return meshOnWay(*result_, way)->vertices.size(); }
};

TEST_F(MeshWayTest, showsEachStationWithItsOwnFaces) {
    const Reconstruction& r = result_->reconstruction;
    EXPECT_EQ(verticesAt(kWayTemplate), r.level1.size());
    EXPECT_EQ(verticesAt(kWayLevel1), r.level1.size());
    EXPECT_EQ(verticesAt(kWayLevel2), r.level2.size());
    EXPECT_EQ(verticesAt(kWayCoarse), r.coarse.size());
    EXPECT_EQ(meshOnWay(*result_, kWayLevel2)->faces, r.levelFaces->at(1));
    EXPECT_EQ(meshOnWay(*result_, kWayCoarse), result_->coarse);
    EXPECT_EQ(meshOnWay(*result_, kWayRefined), result_->refined);
    EXPECT_EQ(meshOnWay(*result_, kWayLevel2), meshOnWay(*result_, kWayLevel2));
}

TEST_F(MeshWayTest, goesStraight_betweenStationsOfTheSameFaces) {
    const render::SceneMeshRef between = meshOnWay(*result_, 4.25F);
    const render::SceneMesh& from = *meshOnWay(*result_, kWayRefined1);
    const render::SceneMesh& to = *meshOnWay(*result_, kWayRefined);
    ASSERT_EQ(between->vertices.size(), to.vertices.size());
    for (std::size_t i = 0; i < to.vertices.size(); i += 61) {
        const glm::vec3 expected = 0.75F * from.vertices[i] + 0.25F * to.vertices[i];
        EXPECT_LT(glm::distance(between->vertices[i], expected), 1e-6F);
    }
}

TEST_F(MeshWayTest, leavesAStationWithItsShape_onTheFinerFaces) {
    const render::SceneMesh& level1 = *meshOnWay(*result_, kWayLevel1);
    const render::SceneMesh& start = *result_->way.departures[1];
    const render::SceneMeshRef just = meshOnWay(*result_, 1.002F);
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

TEST_F(MeshWayTest, neverLeavesTheWay) {
    EXPECT_EQ(meshOnWay(*result_, -3), meshOnWay(*result_, kWayTemplate));
    EXPECT_EQ(meshOnWay(*result_, 17), result_->refined);
    EXPECT_EQ(meshOnWay(*result_, std::numeric_limits<float>::quiet_NaN()), result_->refined);
    EXPECT_EQ(placeOnWay(*result_, 2.9999F), (WayPlace{3, 0}));
}

TEST(MeshWay, beginsAtTheCoarseMesh_whenTheBackendTellsNoTemplate) {
    Reconstruction reconstruction = test::fakeReconstruction();
    reconstruction.templateMesh = nullptr;
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, std::move(reconstruction));
    EXPECT_EQ(firstWay(*result), kWayCoarse);
    EXPECT_EQ(meshOnWay(*result, kWayTemplate), result->coarse);
    EXPECT_EQ(meshOnWay(*result, kWayRefined), result->refined);
}

}  // namespace
}  // namespace threefold::ui
