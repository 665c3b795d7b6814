#include "ui/document/measured_meshes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QThreadPool>

#include "engine/geometry/surface_samples.h"
#include "tests/ui/test_sample.h"
#include "ui/document/measure_rows.h"

namespace threefold::ui {
namespace {

using testing::HasSubstr;

class MeasuredMeshesTest : public testing::Test {
  protected:
    static render::SceneMesh tetrahedron() {
        return {{{0, 0, 0}, {0.3F, 0, 0}, {0, 0.3F, 0}, {0, 0, 0.2F}},
                {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
    }
    static OpenedMeshRef opened(const char* name, render::SceneMesh mesh) {
        auto points = std::make_shared<render::SceneMesh>();
        points->vertices =
            mesh.faces.empty() ? mesh.vertices : sampleSurface({mesh.vertices, mesh.faces}).points;
        return std::make_shared<OpenedMesh>(OpenedMesh{
            name, std::make_shared<const render::SceneMesh>(std::move(mesh)), points, {}});
    }
    static void finish() {
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
    }
    std::string note() { return measured_.protocolNote().toStdString(); }

    int argc_ = 1;
    char name_[5] = "test";
    char* argv_[2] = {name_, nullptr};
    QCoreApplication application_{argc_, argv_};
    Document document_;
    MeasuredMeshes measured_{document_};
};

TEST_F(MeasuredMeshesTest, matchThemselvesFully_underTheSurfaceProtocolOnly) {
    document_.opened.set(MeshId::opened(1), opened("a.obj", tetrahedron()));
    measured_.setProtocol(Protocol::published);
    document_.opened.setReference(opened("b.obj", tetrahedron()));
    EXPECT_TRUE(measured_.isBusy());
    finish();
    ASSERT_TRUE(measured_.mesh(MeshId::opened(1)).scores());
    EXPECT_LT(measured_.mesh(MeshId::opened(1)).scores()->measures.atTau().fScore, 50);
    EXPECT_THAT(note(), HasSubstr("may score below 100 %"));
    measured_.setProtocol(Protocol::surface);
    EXPECT_FALSE(measured_.mesh(MeshId::opened(1)).scores());
    finish();
    const MeasuredMesh mesh = measured_.mesh(MeshId::opened(1));
    ASSERT_TRUE(mesh.scores());
    EXPECT_NEAR(mesh.scores()->measures.atTau().fScore, 100, 1e-6);
    EXPECT_EQ(mesh.scores()->measures.chamfer, 0);
    EXPECT_EQ(mesh.scores()->fScoreCurve.size(), fScoreThresholds().size());
    EXPECT_THAT(note(), HasSubstr("A mesh against itself gives 100 %"));
    EXPECT_EQ(measureRows(measured_.meshes())[1][MeshId::opened(1)], "100.00");
    EXPECT_EQ(measureRows(measured_.meshes())[1][MeshId::result], "");
}

TEST_F(MeasuredMeshesTest, compareSurfacesUnlessChosenOtherwise_whenMeshesAreAlone) {
    EXPECT_EQ(measured_.protocol(), Protocol::published);
    document_.opened.set(MeshId::opened(1), opened("a.obj", tetrahedron()));
    document_.opened.setReference(opened("b.obj", tetrahedron()));
    EXPECT_EQ(measured_.protocol(), Protocol::surface);
    finish();
    ASSERT_TRUE(measured_.mesh(MeshId::opened(1)).scores());
    EXPECT_EQ(measured_.mesh(MeshId::opened(1)).scores()->measures.chamfer, 0);
    document_.opened.set(MeshId::opened(2), opened("cloud.xyz", {tetrahedron().vertices, {}}));
    EXPECT_EQ(measured_.protocol(), Protocol::published);  // points have no surface
    document_.opened.set(MeshId::opened(2), nullptr);
    measured_.setProtocol(Protocol::published);
    EXPECT_EQ(measured_.protocol(), Protocol::published);
}

TEST_F(MeasuredMeshesTest, nameTheMesh_whenItCannotBeMeasured) {
    document_.opened.set(MeshId::opened(1), opened("cloud.xyz", {tetrahedron().vertices, {}}));
    document_.opened.setReference(opened("b.obj", tetrahedron()));
    measured_.setProtocol(Protocol::surface);
    finish();
    EXPECT_FALSE(measured_.isBusy());
    EXPECT_EQ(measured_.problemLines(),
              "cloud.xyz: points without faces have no surface to sample.");
    EXPECT_EQ(measureRows(measured_.meshes())[0][MeshId::opened(1)], "–");
}

TEST_F(MeasuredMeshesTest, nameTheSize_whenAMeshIsInAnotherUnit) {
    const auto scaled = [](float factor) {
        render::SceneMesh mesh = tetrahedron();
        for (glm::vec3& vertex : mesh.vertices) vertex *= factor;
        return mesh;
    };
    document_.opened.setReference(opened("b.obj", tetrahedron()));
    document_.opened.set(MeshId::opened(1), opened("millimetres.obj", scaled(1000)));
    EXPECT_THAT(measured_.problemLines().toStdString(),
                testing::MatchesRegex("millimetres.obj is 1.*0.. times as large as the truth.*"));
    document_.opened.set(MeshId::opened(1), opened("small.obj", scaled(0.1F)));
    EXPECT_THAT(measured_.problemLines().toStdString(),
                testing::StartsWith("The truth is 10 times as large as small.obj"));
    document_.opened.set(MeshId::opened(1), opened("same.obj", scaled(2)));
    EXPECT_EQ(measured_.problemLines(), "");
    finish();
}

TEST_F(MeasuredMeshesTest, reuseMeasuresOfTheNetworksMeshes) {
    const ResultRef result =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fittedReconstruction());
    document_.result.set(result);
    EXPECT_FALSE(measured_.isBusy());
    ASSERT_EQ(measured_.meshes().size(), 3U);
    const MeasuredMesh refined = measured_.mesh(MeshId::result);
    EXPECT_EQ(refined.scores()->measures.chamfer, result->evaluation()->result().measures.chamfer);
    EXPECT_EQ(refined.scores()->fScoreCurve.size(),
              result->evaluation()->fScoreCurves[test::kRefinedStage].size());
    // A file with the refined mesh's vertices gets the same measures.
    document_.opened.set(MeshId::opened(1),
                         std::make_shared<OpenedMesh>(
                             OpenedMesh{"same.obj", result->mesh(MeshId::result), nullptr, {}}));
    finish();
    const MeasuredMesh same = measured_.mesh(MeshId::opened(1));
    EXPECT_NEAR(same.scores()->measures.chamfer, refined.scores()->measures.chamfer, 1e-8);
    EXPECT_NEAR(same.scores()->hausdorff, refined.scores()->hausdorff, 1e-5);
    measured_.setProtocol(Protocol::surface);
    EXPECT_TRUE(measured_.isBusy());
    finish();
    EXPECT_FALSE(measured_.isBusy());
    for (const MeasuredMesh& mesh : measured_.meshes())
        EXPECT_EQ(mesh.scores()->predictionPoints, kSurfaceSampleCount) << mesh.name.toStdString();
}

TEST_F(MeasuredMeshesTest, measureTheHull_asItWasBeforeDepth) {
    const ResultRef before =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    const ResultRef result = withFit(before, {}, test::sampleWithDepth());
    document_.result.set(result);
    finish();
    ASSERT_EQ(measured_.meshes().size(), 4U);
    const MeasuredMesh hull = measured_.mesh(MeshId::hull);
    EXPECT_EQ(hull.name, "hull");
    const MeasuredMesh fitted = measured_.mesh(MeshId::fitted);
    EXPECT_NE(hull.scores()->measures.chamfer, fitted.scores()->measures.chamfer);
    const auto rows = measureRows(measured_.meshes());
    EXPECT_FALSE(rows[0][MeshId::hull].isEmpty());
    EXPECT_NE(rows[0][MeshId::hull], rows[0][MeshId::fitted]);
}

TEST_F(MeasuredMeshesTest, haveNoMeasures_withoutTruthOrAfterItChanged) {
    EXPECT_TRUE(measured_.meshes().empty());
    EXPECT_EQ(note(), "");
    document_.opened.set(MeshId::opened(1), opened("a.obj", tetrahedron()));
    document_.opened.setReference(opened("b.obj", tetrahedron()));
    finish();
    render::SceneMesh other = tetrahedron();
    for (glm::vec3& vertex : other.vertices) vertex *= 2;
    const OpenedMeshRef mesh = document_.opened.first();
    const double before = measured_.mesh(MeshId::opened(1)).scores()->measures.chamfer;
    document_.opened.set(MeshId::opened(1), mesh);
    document_.opened.setReference(opened("c.obj", other));
    EXPECT_FALSE(measured_.mesh(MeshId::opened(1)).scores());
    finish();
    EXPECT_NE(measured_.mesh(MeshId::opened(1)).scores()->measures.chamfer, before);
    document_.opened.set(MeshId::opened(1), mesh);
    document_.opened.setReference(nullptr);
    EXPECT_TRUE(measured_.meshes().empty());
}

TEST_F(MeasuredMeshesTest, areComplete_whileAMeshOfTheSecondNetworkIsOutdated) {
    const ResultRef result =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    const ResultRef second =
        makeResult(test::bundledSample(), {0, 6, 8}, test::fakeReconstruction());
    OpenedMesh outdated;
    outdated.mesh = second->mesh(MeshId::result);
    outdated.title = "Result · views 0, 6, 8";
    outdated.result = second;
    document_.opened.set(MeshId::opened(1), std::make_shared<OpenedMesh>(outdated));
    document_.result.set(result);
    ASSERT_TRUE(document_.isStale(MeshId::opened(1)));
    finish();
    EXPECT_TRUE(std::holds_alternative<ScoresWithheld>(measured_.mesh(MeshId::opened(1)).state));
    EXPECT_FALSE(measured_.isBusy());
}

TEST_F(MeasuredMeshesTest, areWrittenAsATable) {
    document_.opened.set(MeshId::opened(1), opened("a, \"b\".obj", tetrahedron()));
    document_.opened.setReference(opened("b.obj", tetrahedron()));
    measured_.setProtocol(Protocol::surface);
    finish();
    const std::string csv = measuresCsv(measured_.meshes());
    EXPECT_THAT(csv, testing::StartsWith("mesh,protocol,tau,points,truth_points,chamfer,"));
    EXPECT_THAT(csv, HasSubstr(",f_tau,"));
    // EMD was not requested, so it has no column.
    EXPECT_THAT(csv, testing::Not(HasSubstr("emd")));
    EXPECT_THAT(csv, HasSubstr("\n\"a, \"\"b\"\".obj\",surface,0.0001,10000,10000,0,"));
    const auto commas = [](const std::string& line) {
        return std::count(line.begin(), line.end(), ',');
    };
    const std::size_t end = csv.find('\n');
    // The quoted name holds one comma.
    EXPECT_EQ(commas(csv.substr(0, end)) + 1, commas(csv.substr(end)));
}

}  // namespace
}  // namespace threefold::ui
