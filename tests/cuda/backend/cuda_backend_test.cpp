#include "cuda/backend/cuda_backend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/backend/device_model.h"
#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/sample_steps/measure_sample.h"
#include "tests/cuda/backend/plain_cuda.h"
#include "tests/cuda/backend/small_model.h"
#include "tests/support/stage_meshes.h"

namespace threefold::cuda {
namespace {

using test::someInput;

/// Makes back ends without a plan folder, so that no tuning plan is stored. Replays of graphs
/// compute nothing: they leave the results of the captured run.
class CudaBackendTest : public testing::Test {
  protected:
    ~CudaBackendTest() override { test::setMaxPinnedBytes(0); }

    std::unique_ptr<Backend> backend(std::size_t memoryBytes = 0, CudaOptions options = {}) {
        options.precision = Precision::float16;
        options.tuning.warmUpRuns = 0;
        options.tuning.memoryBytes = memoryBytes;
        options.tuning.planFolder = "/dev/null/no-folder";
        options.log = [this](LogLevel, std::string_view line) { logged_.emplace_back(line); };
        return makeCudaBackend(test::smallModel(), options);
    }

    static void expectMeshes(const std::vector<Reconstruction>& meshes, std::size_t count) {
        ASSERT_EQ(meshes.size(), count);
        for (const Reconstruction& mesh : meshes) {
            EXPECT_EQ(mesh.vertices("refined").size(), 9U);
            EXPECT_NE(mesh.levelFaces, nullptr);
            EXPECT_FALSE(mesh.timings.empty());
        }
    }

    std::vector<std::string> logged_;
    NetworkInput input_ = someInput("02691156/p0001", {0, 6});
};

TEST(KernelChoice, namesTheKernelsOfBothBlocks) {
    EXPECT_EQ((KernelChoice{true, true}.text()), "fused kernels");
    EXPECT_EQ((KernelChoice{false, true}.text()), "fused and library kernels");
    EXPECT_EQ((KernelChoice{false, false}.text()), "library kernels");
}

TEST_F(CudaBackendTest, runsTwoBatchesAtOnce_andRefusesAThird) {
    auto backend = this->backend();
    const std::span<const NetworkInput> one(&input_, 1);
    BatchOptions cancelled;
    std::stop_source stop;
    stop.request_stop();
    cancelled.cancel = stop.get_token();
    backend->begin(one, {});
    EXPECT_THROW(backend->begin(one, cancelled), Cancelled);
    backend->begin(one, {});
    EXPECT_THROW(backend->begin(one, {}), std::logic_error);
    expectMeshes(backend->finish(), 1);
    // A batch that fails to begin does not disturb the batch that is running.
    test::failCopy(0);
    EXPECT_THROW(backend->begin(one, {}), DeviceLost);
    expectMeshes(backend->finish(), 1);
    expectMeshes(backend->reconstructBatch(one, {}), 1);
    backend->begin(one, {});  // its results are never fetched
    backend.reset();
    EXPECT_EQ(test::pinnedBytes(), 0U);
}

TEST_F(CudaBackendTest, refusesAModelWithoutTwoHypothesisBlocks_andNamesTheProcessor) {
    for (const std::size_t blocks : {0, 1, 3}) {
        auto model = std::make_shared<Model>(*test::smallModel());
        model->stages = meshStages(model->templateMesh.levels.size(), blocks);
        try {
            makeCudaBackend(model, {});
            FAIL() << blocks;
        } catch (const DeviceError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("hypothesis blocks"));
            EXPECT_THAT(error.report().remedy, testing::HasSubstr("processor"));
        }
    }
}

TEST_F(CudaBackendTest, undoesTheDepthOffset_ofTheInput) {
    auto backend = this->backend();
    const Points unmoved = backend->reconstruct(input_, {}).vertices("refined");
    NetworkInput far = input_;
    far.depthOffset = 2;
    // The replay leaves the results of the captured run, so that only the shift back to camera
    // space differs.
    const Reconstruction moved = backend->reconstruct(far, {});
    ASSERT_EQ(moved.vertices("refined").size(), unmoved.size());
    for (std::size_t i = 0; i < unmoved.size(); ++i) {
        EXPECT_EQ(moved.vertices("refined")[i].x, unmoved[i].x);
        EXPECT_EQ(moved.vertices("refined")[i].z, unmoved[i].z - 2);
    }
}

TEST_F(CudaBackendTest, splitsAPendingBatch_whenPageLockedMemoryIsShort) {
    const std::vector<NetworkInput> two(2, input_);
    std::size_t bytesOfOne = 0;
    {
        const auto backend = this->backend();
        backend->reconstruct(input_, {});
        bytesOfOne = test::pinnedBytes();
    }
    EXPECT_EQ(test::pinnedBytes(), 0U);
    test::setMaxPinnedBytes(bytesOfOne);
    {
        const auto backend = this->backend();
        expectMeshes(backend->reconstructBatch(two, {}), 2);
        EXPECT_THAT(logged_, testing::Contains(testing::HasSubstr("trying 1")));
        EXPECT_EQ(backend->maxBatchSize(), 1U);
    }
    EXPECT_EQ(test::pinnedBytes(), 0U);
}

TEST_F(CudaBackendTest, keepsAGraphForEachBatch_asLongAsMemoryIsAllowed) {
    const std::vector<NetworkInput> two(2, input_);
    const auto captures = [&] {
        return std::ranges::count_if(
            logged_, [](const std::string& line) { return line.starts_with("graph of "); });
    };
    for (const bool kept : {true, false}) {
        logged_.clear();
        CudaOptions options;
        if (!kept) options.tuning.maxCudaGraphBytes = 0;
        options.tuning.entropy = kept;
        const auto backend = this->backend(0, options);
        EXPECT_EQ(backend->reconstruct(input_, {}).find("refined")->channel("entropy").size(),
                  kept ? 9U : 0U);
        EXPECT_TRUE(
            backend->reconstructBatch(two, {}).back().find("refined")->channel("entropy").empty());
        EXPECT_EQ(captures(), 2);
        backend->reconstruct(input_, {});
        EXPECT_EQ(captures(), kept ? 2 : 3);
    }
}

TEST_F(CudaBackendTest, givesTheSame_withEachOptimisationOff) {
    const Points expected = backend()->reconstruct(input_, {}).vertices("refined");
    const auto changes = std::to_array<void (*)(CudaTuning&)>(
        {[](CudaTuning&) {}, [](CudaTuning& o) { o.streams = 2; },
         [](CudaTuning& o) { o.streams = 1; }, [](CudaTuning& o) { o.pinned = false; }});
    for (const auto change : changes) {
        CudaOptions options;
        change(options.tuning);
        const auto changed = backend(0, options);
        test::takeWaits();
        changed->begin({&input_, 1}, {});
        changed->begin({&input_, 1}, {});
        EXPECT_EQ(changed->finish().front().vertices("refined"), expected);
        EXPECT_EQ(changed->finish().front().vertices("refined"), expected);
        std::set<Stream> streams;
        for (const auto& [waiting, waitedFor] : test::takeWaits())
            streams.insert({waiting, waitedFor});
        EXPECT_EQ(streams.size(), static_cast<std::size_t>(options.tuning.streams));
        EXPECT_EQ(test::pinnedBytes() > 0, options.tuning.pinned);
    }
}

TEST_F(CudaBackendTest, launchesEachKernel_whenGraphsAreOff) {
    CudaOptions options;
    options.tuning.cudaGraphs = false;
    const auto changed = backend(0, options);
    test::takeReplays();
    const NetworkInput other = someInput("03001627/p0001", {3, 9});
    expectMeshes(changed->reconstructBatch({&input_, 1}, {}), 1);
    // A replay would leave the first sample's mesh, since replays compute nothing here.
    const Points own = changed->reconstruct(other, {}).vertices("refined");
    EXPECT_EQ(own, backend()->reconstruct(other, {}).vertices("refined"));
    EXPECT_NE(own, changed->reconstruct(input_, {}).vertices("refined"));
    BatchOptions untimed;
    untimed.wantTimings = false;
    const StepTimings few = changed->reconstruct(input_, untimed).timings;
    ASSERT_EQ(few.size(), 1U);
    EXPECT_EQ(few[0].step, RunStep::preprocess);
}

TEST_F(CudaBackendTest, reportsTheLargestBatch_whichItsMemoryHolds) {
    std::size_t bytesOfOne = 0;
    {
        const auto backend = this->backend();
        EXPECT_EQ(backend->maxBatchSize(), 256U) << "no batch has run out of memory yet";
        backend->reconstruct(input_, {});
        bytesOfOne = backend->memoryUse()->peakPoolBytes;
    }
    std::size_t before = 0;
    for (const std::size_t memory : {bytesOfOne, 3 * bytesOfOne, 9 * bytesOfOne}) {
        const auto backend = this->backend(memory);
        backend->reconstruct(input_, {});
        const std::size_t largest = backend->maxBatchSize();
        EXPECT_GT(largest, before);
        before = largest;
        if (memory == 9 * bytesOfOne) continue;
        const std::vector<NetworkInput> batch(largest, input_);
        expectMeshes(backend->reconstructBatch(batch, {}), largest);
        EXPECT_THAT(logged_, testing::Each(testing::Not(testing::HasSubstr("does not hold"))));
    }
    EXPECT_LT(before, 256U);
}

TEST_F(CudaBackendTest, splitsAPendingBatch_whenMemoryIsShort) {
    const std::vector<NetworkInput> two(2, input_);
    std::size_t enough = 0;
    {
        const auto backend = this->backend();
        expectMeshes({backend->reconstruct(input_, {})}, 1);
        enough = backend->memoryUse()->peakPoolBytes;
        EXPECT_GT(enough, 0U);
    }
    const auto backend = this->backend(enough);  // enough memory for one sample
    backend->begin(two, {});
    backend->begin({&input_, 1}, {});
    expectMeshes(backend->finish(), 2);
    expectMeshes(backend->finish(), 1);
    EXPECT_EQ(backend->maxBatchSize(), 1U);
    EXPECT_THAT(logged_, testing::Contains(testing::HasSubstr("trying 1")));
}

TEST_F(CudaBackendTest, reportsStatisticsOfItsMemoryPools) {
    const auto backend = this->backend();
    const Points one = {{0, 0, 0}, {1, 0, 0}};
    const Points other = {{0, 1, 0}, {1, 1, 0}, {2, 1, 0}};
    const CloudPair pairs[] = {{one, other}};
    backend->meshOperations().nearestNeighbours(pairs);
    const PoolStatistics before = backend->memoryUse()->pools;
    backend->meshOperations().nearestNeighbours(pairs);
    const PoolStatistics after = backend->memoryUse()->pools;
    EXPECT_GT(after.reusedCount, before.reusedCount)
        << "the second call must reuse the blocks of the first";
    EXPECT_EQ(after.freedCount, before.freedCount);
    EXPECT_EQ(after.lateAllocationCount, 0U);
}

TEST_F(CudaBackendTest, givesTheProcessorsMeasures_whenTheDeviceComparesTheClouds) {
    const auto backend = this->backend();
    std::array<GroundTruth, 2> truths;
    std::vector<Reconstruction> meshes(truths.size());
    const auto some = [](std::size_t count, float radius) {
        Points points;
        for (std::size_t i = 0; i < count; ++i) {
            const auto angle = static_cast<float>(i);
            points.push_back(radius * glm::vec3(std::sin(angle), std::cos(2 * angle),
                                                std::sin(3 * angle + radius)));
        }
        return points;
    };
    MeasureOptions options;
    options.evaluation = false;
    options.protocols = {{Protocol::published, kTau, true}};
    options.silhouettes = false;
    for (std::size_t i = 0; i < truths.size(); ++i) {
        const auto size = static_cast<float>(i + 1);
        // The second cloud has few enough points for exact matching, which the processor computes.
        truths[i].points = some(i == 0 ? 2049 : 300, 0.2F * size);
        meshes[i].stages =
            threefold::test::publishedMeshes(some(1, 0.15F * size), some(2 + i, 0.19F * size));
    }
    const std::vector<SampleComparisons> compared = compareOnDevice(
        backend->meshOperations(), std::array<const GroundTruth*, 2>{&truths[0], &truths[1]},
        meshes, options.protocols, {});
    const auto measured = [&](std::size_t i, SampleComparisons comparisons) {
        LoadedSample loaded;
        loaded.truth = truths[i];
        return measureSample({std::move(loaded), meshes[i]}, options, nullptr,
                             std::move(comparisons));
    };
    for (std::size_t i = 0; i < truths.size(); ++i) {
        ASSERT_TRUE(compared[i].at(0).meshes.result().device.nearest);
        EXPECT_EQ(compared[i].at(0).meshes.result().device.earthMovers.has_value(), i == 0);
        const MeasuredSample onDevice = measured(i, compared[i]);
        const MeasuredSample onProcessor = measured(i, {});
        for (const std::string_view mesh : kPublishedStageNames) {
            const Scores& ours = *onDevice.scores.at(0).find(mesh);
            const Scores& theirs = *onProcessor.scores.at(0).find(mesh);
            EXPECT_NEAR(ours.measures.chamfer, theirs.measures.chamfer,
                        1e-6 * theirs.measures.chamfer);
            EXPECT_NEAR(ours.hausdorff, theirs.hausdorff, 1e-6 * theirs.hausdorff);
            EXPECT_EQ(ours.measures.atTau().fScore, theirs.measures.atTau().fScore);
            // The kernel's test tolerates 1e-5 of the clouds' size, which is about 1 here.
            EXPECT_NEAR(ours.earthMovers->distance, theirs.earthMovers->distance, 1e-5);
            EXPECT_NEAR(ours.earthMovers->lowerBound, theirs.earthMovers->lowerBound, 1e-5);
        }
    }
}

}  // namespace
}  // namespace threefold::cuda
