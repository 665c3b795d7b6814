#include "engine/sample_steps/evaluate.h"

#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/sample/sample.h"
#include "tests/support/decode_all.h"
#include "tests/support/stage_meshes.h"

namespace threefold {
namespace {

Points pointsOf(const Array& array) {
    const std::vector<float> values = array.toFloat();
    Points points;
    for (std::size_t i = 0; i + 2 < values.size(); i += 3)
        points.emplace_back(values[i], values[i + 1], values[i + 2]);
    return points;
}

/// Compares Chamfer distance, then precision, recall and F at four thresholds.
void expectMeasures(const ChamferAndFScores& measures, const std::vector<double>& expected) {
    constexpr double kRelative = 1e-9;
    std::vector<double> actual = {measures.chamfer};
    for (const FScore& score : measures.fScores)
        actual.insert(actual.end(), {score.precision, score.recall, score.fScore});
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i)
        EXPECT_NEAR(actual[i], expected[i], kRelative * expected[i]) << "value " << i;
}

struct Case {
    const char* golden;
    const char* category;

    friend void PrintTo(const Case& sample, std::ostream* out) { *out << sample.category; }
};

class EvaluateGolden : public testing::TestWithParam<Case> {
  protected:
    const ArrayMap arrays_ =
        test::readNpz(std::string(THREEFOLD_TEST_DATA) + "/golden/" + GetParam().golden + ".npz");
    const GroundTruth truth_ =
        loadGroundTruth(findSample(std::string(THREEFOLD_RESOURCES) +
                                   "/samples/ShapeNetRendering/" + GetParam().category + "/p0001"),
                        0);

    std::vector<double> expected(const std::string& mesh) const {
        return arrays_.at("measures_" + mesh).toDouble();
    }
    Points mesh(const std::string& name) const { return pointsOf(arrays_.at(name)); }
};

TEST_P(EvaluateGolden, reproducesTheReferencesMeasures_ofItsMeshes) {
    Reconstruction reconstruction;
    reconstruction.stages = test::publishedMeshes(mesh("coarse"), mesh("refined_2"));
    const Evaluation evaluation = evaluateByPublishedProtocol(reconstruction, truth_);
    expectMeasures(evaluation.first().measures, expected("coarse"));
    expectMeasures(evaluation.result().measures, expected("refined_2"));
    expectMeasures(chamferAndFScores(mesh("refined_1"), truth_.points), expected("refined_1"));
}

TEST_P(EvaluateGolden, givesEveryVertexItsDistance_whenEvaluated) {
    Reconstruction reconstruction;
    reconstruction.stages = test::publishedMeshes(mesh("coarse"), mesh("refined_2"));
    const Evaluation evaluation = evaluateByPublishedProtocol(reconstruction, truth_);
    for (const MeshEvaluation* side : {&evaluation.first(), &evaluation.result()}) {
        ASSERT_EQ(side->distances.size(), reconstruction.vertices("coarse").size());
        double within = 0;
        for (float distance : side->distances) within += distance <= std::sqrt(kTau);
        EXPECT_NEAR(100 * within / static_cast<double>(side->distances.size()),
                    side->measures.atTau().precision, 1e-9);
    }
}

TEST_P(EvaluateGolden, givesTheSameMeasures_asScores) {
    Reconstruction reconstruction;
    reconstruction.stages = test::publishedMeshes(mesh("coarse"), mesh("refined_2"));
    const PreparedTruth prepared(scoredShapeOf(truth_), {});
    const SampleScores scores = sampleScores(reconstruction, prepared);
    expectMeasures(scores.first().measures, expected("coarse"));
    expectMeasures(scores.result().measures, expected("refined_2"));
    EXPECT_FALSE(scores.result().normalConsistency);  // without faces there are no normals
    Faces faces;  // of all vertices, since any may be nearest to a point of the truth
    for (std::uint32_t i = 0; i + 2 < reconstruction.vertices("coarse").size(); i += 3)
        faces.push_back({i, i + 1, i + 2});
    reconstruction.levelFaces = std::make_shared<const std::vector<Faces>>(3, faces);
    EXPECT_TRUE(sampleScores(reconstruction, prepared).result().normalConsistency);
}

INSTANTIATE_TEST_SUITE_P(Samples, EvaluateGolden,
                         testing::Values(Case{"plane_each", "02691156"},
                                         Case{"chair_each", "03001627"},
                                         Case{"car_published", "02958343"}),
                         [](const auto& param) { return std::string(param.param.golden); });

TEST(Evaluate, usesTheGivenThreshold_whenItIsNotTau) {
    Reconstruction reconstruction;
    reconstruction.stages = test::publishedMeshes({{0, 0, 0}}, {{0, 0, 0}});
    GroundTruth truth;
    truth.points = {{3, 4, 0}};
    const Evaluation evaluation = evaluateByPublishedProtocol(reconstruction, truth, 25.0);
    EXPECT_EQ(evaluation.first().distances, std::vector<float>{5});
    EXPECT_EQ(evaluation.first().measures.atTau().precision, 100);
    EXPECT_EQ(evaluation.first().measures.fScores[0].precision, 0);
}

TEST(Evaluate, refuses_whenEitherSideIsEmpty) {
    Reconstruction reconstruction;
    reconstruction.stages = test::publishedMeshes({{0, 0, 0}}, {{0, 0, 0}});
    EXPECT_THROW(evaluateByPublishedProtocol(reconstruction, GroundTruth{}), InputError);
    GroundTruth truth;
    truth.points = {{0, 0, 0}};
    reconstruction.stages.back().vertices.clear();
    EXPECT_THROW(evaluateByPublishedProtocol(reconstruction, truth), InputError);
}

}  // namespace
}  // namespace threefold
