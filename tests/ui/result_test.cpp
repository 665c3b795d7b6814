#include "ui/document/result.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

TEST(Percentile, isTheSmallestValueThatTheShareDoesNotExceed) {
    std::vector<float> values;
    for (int i = 100; i > 0; --i) values.push_back(static_cast<float>(i));
    EXPECT_EQ(percentile(values, 0.99), 99.0F);
    EXPECT_EQ(percentile(values, 1.0), 100.0F);
    EXPECT_EQ(percentile(values, 0.0), 1.0F);
    EXPECT_EQ(percentile({7.0F}, 0.99), 7.0F);
    EXPECT_EQ(percentile({}, 0.99), 0.0F);
}

TEST(MakeResult, putsMeshesIntoWorldSpace) {
    const SampleRef sample = test::sampleWithoutTruth();
    const ResultRef result = makeResult(sample, {6, 0, 7}, test::fakeReconstruction());
    const Camera camera = Camera::fromRow(sample->cameraRows[6]);
    ASSERT_EQ(result->coarse->vertices.size(), result->reconstruction.coarse.size());
    for (std::size_t i = 0; i < result->coarse->vertices.size(); i += 97) {
        const glm::dvec3 back = camera.toView(glm::dvec3(result->coarse->vertices[i]));
        EXPECT_LT(glm::distance(glm::vec3(back), result->reconstruction.coarse[i]), 1e-5F);
    }
    EXPECT_EQ(result->coarse->faces, result->reconstruction.faces());
}

TEST(MakeResult, extendsOverBothMeshes) {
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction());
    ASSERT_EQ(result->extent->size(), 2 * result->coarse->vertices.size());
    EXPECT_EQ(result->extent->front(), result->coarse->vertices.front());
    EXPECT_EQ(result->extent->back(), result->refined->vertices.back());
}

TEST(MakeResult, hasNoValues_withoutTruth) {
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction());
    EXPECT_FALSE(result->evaluation);
    EXPECT_FALSE(result->truthProblem);
    EXPECT_EQ(result->coarseDistance, nullptr);
    EXPECT_EQ(result->highestDistance, 0.0F);
}

TEST(MakeResult, coloursByDistance_whenThereIsATruth) {
    const ResultRef result =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    ASSERT_TRUE(result->evaluation);
    EXPECT_GT(result->truthPoints, 1000U);
    EXPECT_EQ(*result->refinedDistance, result->evaluation->refined.distance);
    std::size_t beyond = 0;
    for (const auto& values : {result->coarseDistance, result->refinedDistance}) {
        beyond += static_cast<std::size_t>(std::count_if(
            values->begin(), values->end(), [&](float d) { return d > result->highestDistance; }));
    }
    EXPECT_LE(beyond, 2 * result->coarseDistance->size() / 100);
}

TEST(MakeResult, reportsATruthThatCannotBeRead_andKeepsTheMeshes) {
    const threefold::test::TempFolder folder;
    Sample sample = findSample(test::bundledItem());
    sample.groundTruth = folder / "broken.dat";
    std::ofstream(sample.groundTruth) << "nonsense";
    const ResultRef result =
        makeResult(std::make_shared<const Sample>(sample), {0, 6, 7}, test::fakeReconstruction());
    ASSERT_TRUE(result->truthProblem);
    EXPECT_NE(result->truthProblem->subject.find("broken.dat"), std::string::npos);
    EXPECT_FALSE(result->evaluation);
    EXPECT_FALSE(result->coarse->vertices.empty());
}

}  // namespace
}  // namespace threefold::ui
