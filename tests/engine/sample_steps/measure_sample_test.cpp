#include "engine/sample_steps/measure_sample.h"

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/mesh_operations/mesh_operations.h"
#include "tests/support/stage_meshes.h"

namespace threefold {
namespace {

const Points kCorners{{0, 0, -1}, {0.1F, 0, -1}, {0, 0.1F, -1}, {0, 0, -0.9F}};

Points movedCorners(float distance) {
    Points moved = kCorners;
    for (glm::vec3& point : moved) point.x += distance;
    return moved;
}

/// A sample with the corners as its truth, and with moved corners as its meshes.
FittedSample movedSample() {
    FittedSample sample;
    sample.loaded.truth.points = kCorners;
    sample.reconstruction.network.stages =
        test::publishedMeshes(movedCorners(0.02F), movedCorners(0.01F));
    return sample;
}

MeasureOptions measuresOnly(const std::vector<ScoreOptions>& protocols) {
    MeasureOptions options;
    options.protocols = protocols;
    options.silhouettes = false;
    return options;
}

/// A device that searches as the processor does, or has too little memory to search.
class SearchDevice : public MeshOperations {
  public:
    explicit SearchDevice(bool hasMemory = true) : hasMemory_(hasMemory) {}

    NeighbourResults nearestNeighbours(std::span<const CloudPair> pairs) override {
        if (!hasMemory_) throw OutOfDeviceMemory({"device", "", "is full", ""});
        searchedPairCount += pairs.size();
        return MeshOperations::nearestNeighbours(pairs);
    }

    std::size_t searchedPairCount = 0;

  private:
    bool hasMemory_;
};

TEST(CompareOnDevice, searchesForEverySampleWithATruth) {
    const FittedSample sample = movedSample();
    const GroundTruth none;
    const std::vector<const GroundTruth*> truths{&sample.loaded.truth, &none};
    const std::vector<Reconstruction> meshes(2, sample.reconstruction.network);
    SearchDevice device;
    const std::vector<SampleComparisons> compared =
        compareOnDevice(device, truths, meshes, {ScoreOptions{}}, {});
    ASSERT_EQ(compared.size(), 2U);
    EXPECT_EQ(device.searchedPairCount, 2U);  // both meshes of the sample with a truth
    ASSERT_EQ(compared[0].size(), 1U);
    for (const auto& [name, mesh] : compared[0].front().meshes.entries())
        EXPECT_TRUE(mesh.device.nearest) << name;
    EXPECT_TRUE(compared[1].empty());
}

TEST(CompareOnDevice, leavesTheSearchToTheProcessor_whenMemoryIsShort) {
    const FittedSample sample = movedSample();
    const GroundTruth* const truth = &sample.loaded.truth;
    const Reconstruction meshes = sample.reconstruction.network;
    SearchDevice device(false);
    std::vector<SampleComparisons> compared =
        compareOnDevice(device, {&truth, 1}, {&meshes, 1}, {ScoreOptions{}}, {});
    ASSERT_EQ(compared.at(0).size(), 1U);
    for (const auto& [name, mesh] : compared[0].front().meshes.entries())
        EXPECT_FALSE(mesh.device.nearest) << name;
    const MeasuredSample measured =
        measureSample(sample, measuresOnly({ScoreOptions{}}), nullptr, std::move(compared[0]));
    const MeasuredSample expected = measureSample(sample, measuresOnly({ScoreOptions{}}));
    ASSERT_EQ(measured.scores.size(), 1U);
    EXPECT_GT(measured.scores[0].result().measures.chamfer, 0);
    EXPECT_EQ(measured.scores[0].result().measures.chamfer,
              expected.scores.at(0).result().measures.chamfer);
}

TEST(MeasureSample, hasTheSameEvaluation_whenADeviceIsFull) {
    SearchDevice full(false);
    const MeasuredSample measured = measureSample(movedSample(), measuresOnly({}), &full);
    const MeasuredSample expected = measureSample(movedSample(), measuresOnly({}));
    ASSERT_TRUE(measured.evaluation && expected.evaluation);
    EXPECT_EQ(measured.evaluation->result().measures.chamfer,
              expected.evaluation->result().measures.chamfer);
}

TEST(MeasureSample, hasNoMeasures_whenOneOfThemFails) {
    FittedSample sample = movedSample();
    sample.reconstruction.fitted = Mesh{kCorners, {}};
    sample.reconstruction.fitted->vertices.front().x = std::numeric_limits<float>::quiet_NaN();
    MeasureOptions options = measuresOnly({ScoreOptions{}});
    options.evaluation = false;
    const MeasuredSample measured = measureSample(sample, options);
    EXPECT_TRUE(measured.scores.empty());
    EXPECT_TRUE(measured.loaded.truthProblem);
    EXPECT_TRUE(measured.loaded.truth.points.empty());
    options.strictTruth = true;
    EXPECT_THROW(measureSample(sample, options), InputError);
}

}  // namespace
}  // namespace threefold
