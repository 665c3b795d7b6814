#include "ui/results/result.h"
#include "ui/results/morphed_mesh.h"

#include <fstream>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

TEST(MakeResult, putsMeshesIntoWorldSpace) {
    const SampleRef sample = test::sampleWithoutTruth();
    const ResultRef result = makeResult(sample, {6, 0, 7}, test::fakeReconstruction());
    const Camera camera = Camera::fromRow(sample->cameraRows[6]);
    ASSERT_EQ(result->mesh(MeshId::firstPublished)->vertices.size(),
              result->reconstruction.network.vertices("coarse").size());
    for (std::size_t i = 0; i < result->mesh(MeshId::firstPublished)->vertices.size(); i += 97) {
        const glm::dvec3 back =
            camera.toCamera(glm::dvec3(result->mesh(MeshId::firstPublished)->vertices[i]));
        EXPECT_LT(
            glm::distance(glm::vec3(back), result->reconstruction.network.vertices("coarse")[i]),
            1e-5F);
    }
    const Reconstruction& network = result->reconstruction.network;
    EXPECT_EQ(result->mesh(MeshId::firstPublished)->faces, network.faces(*network.find("coarse")));
}

TEST(MakeResult, framesThePointsOfBothMeshes) {
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction());
    ASSERT_EQ(result->framedPoints->size(),
              2 * result->mesh(MeshId::firstPublished)->vertices.size());
    EXPECT_EQ(result->framedPoints->front(),
              result->mesh(MeshId::firstPublished)->vertices.front());
    EXPECT_EQ(result->framedPoints->back(), result->mesh(MeshId::result)->vertices.back());
}

TEST(MakeResult, hasNoEvaluation_withoutTruth) {
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction());
    EXPECT_FALSE(result->evaluation());
    EXPECT_FALSE(result->truthProblem());
}

TEST(MakeResult, measuresBothMeshes_whenThereIsATruth) {
    const ResultRef result =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    ASSERT_TRUE(result->evaluation());
    EXPECT_GT(result->truth->points->vertices.size(), 1000U);
    EXPECT_EQ(result->evaluation()->first().distances.size(),
              result->mesh(MeshId::firstPublished)->vertices.size());
    EXPECT_EQ(result->evaluation()->result().distances.size(),
              result->mesh(MeshId::result)->vertices.size());
    EXPECT_EQ(result->evaluation()->fScoreCurves[test::kCoarseStage].size(),
              fScoreThresholds().size());
}

TEST(MakePartialResult, hasDistancesToTheTruth_butNoEvaluationYet) {
    const SampleRef sample = test::bundledSample();
    LoadedSample loaded{sample, {0, 6, 7}};
    loaded.truth = loadTruth(*sample, 0).truth;
    const ResultRef result = makePartialResult(loaded, test::fakeReconstruction());
    ASSERT_TRUE(result->truth);
    EXPECT_EQ(result->truth->stageDistance[test::kCoarseStage].size(),
              result->mesh(MeshId::firstPublished)->vertices.size());
    EXPECT_FALSE(result->evaluated());
    EXPECT_FALSE(result->evaluation());
}

TEST(MakeResult, reportsATruthThatCannotBeRead_andKeepsTheMeshes) {
    const threefold::test::TempFolder folder;
    Sample sample = findSample(test::bundledSampleFolder());
    sample.truth->file = folder / "broken.dat";
    std::ofstream(sample.truth->file) << "nonsense";
    const ResultRef result =
        makeResult(std::make_shared<const Sample>(sample), {0, 6, 7}, test::fakeReconstruction());
    ASSERT_TRUE(result->truthProblem());
    EXPECT_NE(result->truthProblem()->subject.find("broken.dat"), std::string::npos);
    EXPECT_FALSE(result->evaluation());
    EXPECT_FALSE(result->truth);
    EXPECT_FALSE(result->mesh(MeshId::firstPublished)->vertices.empty());
}

TEST(WithFit, addsTheFittedMesh_andKeepsTheOthers) {
    const ResultRef before =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    const FittedSample fitted = test::fittedSample(test::fittedReconstruction(), 3);
    const ResultRef after = withFit(before, {}, fitted);
    EXPECT_EQ(after->mesh(MeshId::firstPublished), before->mesh(MeshId::firstPublished));
    EXPECT_EQ(after->mesh(MeshId::result), before->mesh(MeshId::result));
    EXPECT_FALSE(before->fitted());
    ASSERT_TRUE(after->fitted());
    EXPECT_EQ(after->fitted()->before, before);
    EXPECT_EQ(after->reconstruction.fitted->vertices, fitted.fit->result->vertices);
    ASSERT_TRUE(after->mesh(MeshId::fitted));
    ASSERT_TRUE(after->evaluation()->fitted());
    EXPECT_EQ(after->evaluation()->fScoreCurves[test::kFittedStage].size(),
              fScoreThresholds().size());
    EXPECT_EQ(after->evaluation()->result().measures.chamfer,
              before->evaluation()->result().measures.chamfer);
    EXPECT_FALSE(before->mesh(MeshId::fitted));
}

TEST(WithFit, measuresAMeshOfOtherFaces) {
    const ResultRef before =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    const FittedReconstruction made = test::hullReconstruction();
    const ResultRef after = withFit(before, {}, test::fittedSample(made, 3));
    EXPECT_EQ(after->mesh(MeshId::fitted)->faces, made.fitted->faces);
    EXPECT_TRUE(hasOwnFittedVertices(*after));
    EXPECT_EQ(after->evaluation()->fitted()->distances.size(), made.fitted->vertices.size());
    EXPECT_EQ(after->truth->stageDistance[test::kFittedStage].size(), made.fitted->vertices.size());
}

TEST(WithFit, keepsTheHull_whenDepthMovedIt) {
    const ResultRef before =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    FittedSample fitted = test::sampleWithDepth();
    HullFit& hullFit = *fitted.fit->hullFit;
    const ResultRef after = withFit(before, {}, fitted);
    ASSERT_TRUE(after->mesh(MeshId::hull));
    EXPECT_EQ(after->mesh(MeshId::hull)->faces, hullFit.hull.faces);
    const glm::dvec3 first(hullFit.hull.vertices.front());
    EXPECT_LT(glm::distance(after->mesh(MeshId::hull)->vertices.front(),
                            glm::vec3(after->referenceCamera().toWorld(first))),
              1e-6F);
    EXPECT_TRUE(fitSummary(after->fitted()->fit).contains("moved the hull"));
    hullFit.depth->problem = "Depth from photographs is not used.";
    fitted.fit->notes = {hullFit.depth->problem};
    const ResultRef withoutDepth = withFit(before, {}, fitted);
    EXPECT_FALSE(withoutDepth->mesh(MeshId::hull));
    EXPECT_TRUE(
        fitSummary(withoutDepth->fitted()->fit).endsWith("Depth from photographs is not used."));
}

TEST(WithFit, dropsTheFitsPhotographs) {
    const ResultRef before =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    const auto photographs = std::make_shared<const std::vector<MaskedView>>(3);
    FittedSample fitted = test::fittedSample(test::fittedReconstruction(), 3);
    fitted.fit->photographs = photographs;
    const ResultRef after = withFit(before, {}, std::move(fitted));
    EXPECT_EQ(photographs.use_count(), 1);
    FittedSample failed{.fit =
                            SampleFit{.photographs = photographs,
                                      .problem = ErrorReport{"view 3", "", "is no picture", ""}}};
    const ResultRef unfitted = withFit(before, {}, std::move(failed));
    EXPECT_EQ(photographs.use_count(), 1);
}

TEST(WithFit, addsANote_whenTooFewPhotographsShowDepth) {
    SampleFit fit = *test::sampleWithDepth().fit;
    fit.resolved.source = FitSource::depth;
    fit.hullFit->depth.reset();
    EXPECT_TRUE(fitSummary(fit).contains("needs at least 4 photographs"));
    fit.resolved.source = FitSource::hull;
    EXPECT_FALSE(fitSummary(fit).contains("photographs of the object"));
}

TEST(FitSummary, saysThatNoPhotographIsCutOut_whateverTheNote) {
    SampleFit fit;
    FitResult& result = fit.result.emplace();
    result.leftOut = {{0, "no outline"}, {1, "no outline"}};
    EXPECT_FALSE(fitSummary(fit).contains("no photograph is cut out yet"));
    result.lacksMasks = true;
    EXPECT_EQ(fitSummary(fit), "Not fitted: no photograph is cut out yet");
    fit.notes.emplace_back("No hull, the network's mesh stays");
    EXPECT_TRUE(fitSummary(fit).contains("No hull"));
}

TEST(FitSummary, givesTheTimeInSeconds_andTheReasonForTheChoiceOnRequest) {
    SampleFit fit;
    FitResult& result = fit.result.emplace();
    result.agreements.resize(12);
    result.milliseconds = 23'267;
    fit.choiceReason = "Chose the hull.";
    EXPECT_TRUE(fitSummary(fit).startsWith("Fitted to 12 photographs in 23 s, overlap "));
    EXPECT_TRUE(fitSummary(fit).contains("Chose the hull."));
    EXPECT_FALSE(fitSummary(fit, ChoiceReason::leftOut).contains("Chose the hull."));
}

TEST(WithFit, keepsOnlyTheRefinedMesh_whenNoViewCouldBeUsed) {
    const ResultRef before =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    // fitMesh() without usable views returns its input.
    const Reconstruction& network = before->reconstruction.network;
    const Mesh refined{network.vertices("refined"), network.faces(network.result())};
    EXPECT_FALSE(
        withFit(before, {}, test::fittedSample({network, refined}, 0))->mesh(MeshId::fitted));
    const ErrorReport problem{"view 3", "", "is no picture", ""};
    const ResultRef failed = withFit(before, {}, {.fit = SampleFit{.problem = problem}});
    EXPECT_FALSE(failed->mesh(MeshId::fitted));
    ASSERT_TRUE(failed->fitted());
    EXPECT_EQ(fitSummary(failed->fitted()->fit),
              "Not fitted, the network's mesh is kept: is no picture");
}

}  // namespace
}  // namespace threefold::ui
