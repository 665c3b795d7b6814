#include "ui/results/mesh_morph.h"
#include "ui/results/morphed_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "tests/ui/test_sample.h"
#include "ui/document/measured_meshes.h"
#include "ui/files/mesh_export.h"
#include "ui/panes/header_text.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/results/quantities.h"

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
    const Reconstruction& r = result_->reconstruction.network;
    EXPECT_EQ(verticesAt(test::kMorphTemplate), r.vertices("level1").size());
    EXPECT_EQ(verticesAt(test::kMorphLevel1), r.vertices("level1").size());
    EXPECT_EQ(verticesAt(test::kMorphLevel2), r.vertices("level2").size());
    EXPECT_EQ(verticesAt(test::kMorphCoarse), r.vertices("coarse").size());
    EXPECT_EQ(morphedMesh(*result_, test::kMorphLevel2)->faces, r.levelFaces->at(1));
    EXPECT_EQ(morphedMesh(*result_, test::kMorphCoarse), result_->mesh(MeshId::firstPublished));
    EXPECT_EQ(morphedMesh(*result_, kMorphResult), result_->mesh(MeshId::result));
    EXPECT_EQ(morphedMesh(*result_, test::kMorphLevel2), morphedMesh(*result_, test::kMorphLevel2));
}

TEST_F(MeshMorphTest, interpolatesLinearly_betweenStagesOfTheSameFaces) {
    const render::SceneMeshRef between = morphedMesh(*result_, -0.75F);
    const render::SceneMesh& from = *morphedMesh(*result_, test::kMorphRefined1);
    const render::SceneMesh& to = *morphedMesh(*result_, kMorphResult);
    ASSERT_EQ(between->vertices.size(), to.vertices.size());
    for (std::size_t i = 0; i < to.vertices.size(); i += 61) {
        const glm::vec3 expected = 0.75F * from.vertices[i] + 0.25F * to.vertices[i];
        EXPECT_LT(glm::distance(between->vertices[i], expected), 1e-6F);
    }
}

TEST_F(MeshMorphTest, startsWithTheCoarserShape_onTheFinerFaces) {
    const render::SceneMesh& level1 = *morphedMesh(*result_, test::kMorphLevel1);
    const render::SceneMesh& start = *result_->morph.stages[1].unpooledStart;
    const render::SceneMeshRef justAfter = morphedMesh(*result_, -3.998F);
    EXPECT_EQ(justAfter->faces, result_->reconstruction.network.levelFaces->at(1));
    ASSERT_EQ(justAfter->vertices.size(), start.vertices.size());
    const auto& edges = result_->reconstruction.network.templateMesh->levels[0].unpoolEdges;
    ASSERT_EQ(start.vertices.size(), level1.vertices.size() + edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const glm::vec3 middle = 0.5F * (level1.vertices[edges[i].x] + level1.vertices[edges[i].y]);
        ASSERT_LT(glm::distance(start.vertices[level1.vertices.size() + i], middle), 1e-6F);
        ASSERT_LT(glm::distance(justAfter->vertices[i], start.vertices[i]), 1e-3F);
    }
}

TEST_F(MeshMorphTest, clampsItsPosition_toTheStages) {
    EXPECT_EQ(morphedMesh(*result_, -30), morphedMesh(*result_, test::kMorphTemplate));
    EXPECT_EQ(morphedMesh(*result_, 17), result_->mesh(MeshId::result));
    EXPECT_EQ(morphedMesh(*result_, std::numeric_limits<float>::quiet_NaN()),
              result_->mesh(MeshId::result));
    EXPECT_EQ(stageBlend(*result_, -2.0001F), (StageBlend{3, 0}));
}

TEST(MeshMorph, beginsAtTheCoarseMesh_whenTheBackendGivesNoTemplate) {
    Reconstruction reconstruction = test::fakeReconstruction();
    reconstruction.templateMesh = nullptr;
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, std::move(reconstruction));
    EXPECT_EQ(firstMorphPosition(*result), test::kMorphCoarse);
    EXPECT_EQ(morphedMesh(*result, test::kMorphTemplate), result->mesh(MeshId::firstPublished));
    EXPECT_EQ(morphedMesh(*result, kMorphResult), result->mesh(MeshId::result));
}

// Users' photographs are taken from other distances than the renderings that the network was
// trained on.
TEST(MeshMorph, beginsAtTheObject_atAnyDistance) {
    const auto centreOfTemplate = [](double distance) {
        const Camera camera =
            Camera::fromRow({.azimuth = 30, .elevation = 20, .distance = distance});
        const render::SceneMeshRef mesh =
            makeMeshMorph(test::fakeReconstruction(), camera).stages.front().mesh;
        glm::vec3 centre(0);
        for (const glm::vec3& vertex : mesh->vertices)
            centre += vertex / static_cast<float>(mesh->vertices.size());
        return centre;
    };
    const glm::vec3 expected = centreOfTemplate(0.8);
    for (const double distance : {0.4, 1.5, 40.0})
        EXPECT_LT(glm::distance(centreOfTemplate(distance), expected), 1e-3F) << distance;
}

TEST(MeshMorph, endsAtTheFittedMesh_whenThereIsOne) {
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fittedReconstruction());
    EXPECT_EQ(lastMorphPosition(*result), kMorphFitted);
    EXPECT_EQ(morphedMesh(*result, kMorphResult), result->mesh(MeshId::result));
    EXPECT_EQ(morphedMesh(*result, kMorphFitted), result->mesh(MeshId::fitted));
    EXPECT_EQ(morphedMesh(*result, 17), result->mesh(MeshId::fitted));
    const render::SceneMeshRef between = morphedMesh(*result, 0.5F);
    const glm::vec3 middle = 0.5F * (result->mesh(MeshId::result)->vertices[7] +
                                     result->mesh(MeshId::fitted)->vertices[7]);
    EXPECT_LT(glm::distance(between->vertices[7], middle), 1e-6F);
}

TEST(MeshMorph, jumps_whenTheFittedMeshHasOtherFaces) {
    const ResultRef moved =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fittedReconstruction());
    EXPECT_FALSE(hasOwnFittedVertices(*moved));
    const ResultRef hull =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::hullReconstruction());
    EXPECT_TRUE(hasOwnFittedVertices(*hull));
    EXPECT_EQ(hull->mesh(MeshId::fitted)->faces, hull->reconstruction.fitted->faces);
    EXPECT_EQ(morphedMesh(*hull, 0.49F), hull->mesh(MeshId::result));
    EXPECT_EQ(morphedMesh(*hull, 0.51F), hull->mesh(MeshId::fitted));
    EXPECT_EQ(morphedMesh(*hull, kMorphFitted), hull->mesh(MeshId::fitted));
    EXPECT_EQ(stageBlend(*hull, 0.7F), (StageBlend{test::kFittedStage, 0}));
}

TEST(MeshMorph, endsAtTheRefinedMesh_whenTheChosenFitIsMissing) {
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction());
    EXPECT_EQ(lastMorphPosition(*result), kMorphResult);
    EXPECT_EQ(morphedMesh(*result, kMorphFitted), result->mesh(MeshId::result));
}

QStringList labelsOf(const MeshMorph& morph) {
    QStringList labels;
    for (const MorphStage& stage : morph.stages) labels << stageLabel(stage);
    return labels;
}

TEST(MeshMorph, hasTheStagesOfAnyModel) {
    const ResultRef three =
        makeResult(test::bundledSample(), {0, 6, 7}, test::reconstructionWithThreeBlocks());
    EXPECT_EQ(labelsOf(three->morph).join(", "),
              "template, level 1, level 2, coarse, refined 1, refined 2, refined, fitted");
    EXPECT_EQ(morphedMesh(*three, kMorphResult), three->mesh(MeshId::result));
    EXPECT_NE(morphedMesh(*three, -1)->vertices, three->mesh(MeshId::result)->vertices);
    EXPECT_EQ(three->evaluation()->fScoreCurves[6].size(), fScoreThresholds().size());
    EXPECT_EQ(evaluationOf(*three, 5), nullptr);
    ASSERT_NE(evaluationOf(*three, 6), nullptr);
    EXPECT_EQ(morphedValues(*three, -1, Quantity::distanceToTruth).values->size(),
              three->mesh(MeshId::result)->vertices.size());

    const ResultRef one =
        makeResult(test::bundledSample(), {0, 6, 7}, test::reconstructionWithoutStage2());
    EXPECT_EQ(labelsOf(one->morph).join(", "), "template, level 1, level 2, coarse, fitted");
    EXPECT_EQ(one->mesh(MeshId::firstPublished), one->mesh(MeshId::result));
    EXPECT_EQ(firstMorphPosition(*one), -3);
    EXPECT_NE(quantityValues(*one, MeshId::result, Quantity::movement).reason, "");
}

TEST(MeshMorph, hasOnePaneAndOneColumn_whenTheModelHasNoStageTwo) {
    Document document;
    document.result.set(
        makeResult(test::bundledSample(), {0, 6, 7}, test::reconstructionWithoutStage2()));
    EXPECT_EQ(shownIds(document), std::vector{MeshId::result});
    EXPECT_EQ(headerText({document}, MeshId::result).title, "Coarse");
    const auto& measured = *new MeasuredMeshes(document);  // owned by the document
    ASSERT_EQ(measured.meshes().size(), 1U);
    EXPECT_EQ(measured.meshes().front().name, "coarse");
    EXPECT_EQ(exportableMeshes(document),
              (std::vector<ExportedMesh>{{MeshId::firstPublished, "coarse"},
                                         {MeshId::fitted, "fitted"}}));
}

}  // namespace
}  // namespace threefold::ui
