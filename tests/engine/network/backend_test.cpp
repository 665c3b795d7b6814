#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "engine/network/simd/kernels.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "tests/support/models.h"
#include "tests/support/other_models.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::TempFolder;
using test::testModel;
using test::writeModelWithBlocks;

Sample bundledSample() {
    return findSample(std::filesystem::path(THREEFOLD_RESOURCES) / "samples" / "ShapeNetRendering" /
                      "02691156" / "p0001");
}

NetworkInput bundledInput() {
    return loadViews(bundledSample(), kPublishedViews);
}

class CpuBackend : public testing::Test {
  protected:
    static Backend& backend() {
        static const std::unique_ptr<Backend> made = makeCpuBackend(testModel());
        return *made;
    }
};

TEST_F(CpuBackend, givesTheSameBytes_whenRunTwice) {
    const NetworkInput input = bundledInput();
    const Reconstruction first = backend().reconstruct(input, {});
    const Reconstruction second = backend().reconstruct(input, {});
    EXPECT_EQ(first.vertices("coarse"), second.vertices("coarse"));
    EXPECT_EQ(first.vertices("refined"), second.vertices("refined"));
}

TEST_F(CpuBackend, fillsEveryPartOfTheResult_whenDone) {
    const Reconstruction result = backend().reconstruct(bundledInput(), {});
    EXPECT_EQ(result.vertices("level1").size(), 156U);
    EXPECT_EQ(result.vertices("level2").size(), 618U);
    EXPECT_EQ(result.vertices("coarse").size(), 2466U);
    EXPECT_EQ(result.vertices("refined1").size(), 2466U);
    EXPECT_EQ(result.vertices("refined").size(), 2466U);
    EXPECT_EQ(result.faces(result.result()).size(), 4928U);
    std::vector<RunStep> stages;
    for (const StepTiming& timing : result.timings) stages.push_back(timing.step);
    const std::span<const RunStep> published = runStepsOf(kPublishedHypothesisBlocks);
    // The back end times all run steps, in order, except `load`.
    EXPECT_EQ(stages, std::vector<RunStep>(published.begin() + 1, published.end()));
}

TEST_F(CpuBackend, timesProjectionSeparately_withoutCountingTwice) {
    const NetworkInput input = bundledInput();
    const Stopwatch whole;
    const Reconstruction result = backend().reconstruct(input, {});
    const double max = whole.milliseconds();
    std::map<RunStep, double> times;
    double sum = 0;
    for (const StepTiming& timing : result.timings) {
        times[timing.step] += timing.milliseconds;
        sum += timing.milliseconds;
    }
    EXPECT_DOUBLE_EQ(result.milliseconds(), sum);
    EXPECT_LE(sum, max)
        << "if a time were counted in two steps, the sum would exceed the run's wall time";
    EXPECT_GT(times[RunStep::project1], 0);
    EXPECT_GT(times[RunStep::project2], 0);
    for (const RunStep step : {RunStep::graph1, RunStep::graph3, RunStep::block1, RunStep::block2})
        EXPECT_GT(times[step], 0) << runStepName(step);
}

TEST_F(CpuBackend, runs_whenThereAreTwoToEightViews) {
    const Sample sample = bundledSample();
    std::vector<int> views;
    for (int view = 0; view < 8; ++view) {
        views.push_back(view * 3);
        if (views.size() < kMinInputViews) continue;
        if (views.size() != 2 && views.size() != 5 && views.size() != 8) continue;
        const Reconstruction result = backend().reconstruct(loadViews(sample, views), {});
        for (const glm::vec3 vertex : result.vertices("refined")) {
            ASSERT_TRUE(std::isfinite(vertex.x + vertex.y + vertex.z)) << views.size() << " views";
        }
    }
    // A run with three views after one with eight must not see the eight views' features.
    const NetworkInput input = bundledInput();
    const Reconstruction fresh = makeCpuBackend(testModel())->reconstruct(input, {});
    EXPECT_EQ(backend().reconstruct(input, {}).vertices("refined"), fresh.vertices("refined"));
}

TEST_F(CpuBackend, refuses_whenThereIsOneView) {
    NetworkInput one = bundledInput();
    one.images.resize(1);
    one.cameras.resize(1);
    EXPECT_THROW(backend().reconstruct(one, {}), InputError);
}

TEST_F(CpuBackend, refusesItsCallersMistakes_whenBatchesAreBegunTwiceOrNotAtAll) {
    const NetworkInput input = bundledInput();
    const auto own = makeCpuBackend(testModel());
    EXPECT_THROW(own->finish(), std::logic_error);
    own->begin({&input, 1}, {});
    EXPECT_THROW(own->begin({&input, 1}, {}), std::logic_error);
    EXPECT_EQ(own->finish().size(), 1U);
    EXPECT_THROW(own->finish(), std::logic_error);
}

TEST_F(CpuBackend, reportsProgressInOrder_whenRunning) {
    std::vector<Progress> seen;
    BatchOptions options;
    options.progress = [&](const Progress& progress) { seen.push_back(progress); };
    backend().reconstruct(bundledInput(), options);
    ASSERT_GT(seen.size(), 20U);
    for (std::size_t i = 1; i < seen.size(); ++i) {
        EXPECT_GE(seen[i].step, seen[i - 1].step);
        if (seen[i].step == seen[i - 1].step) {
            EXPECT_GE(seen[i].fraction, seen[i - 1].fraction);
        }
        EXPECT_GE(seen[i].fraction, 0.0F);
        EXPECT_LE(seen[i].fraction, 1.0F);
    }
    EXPECT_EQ(seen.back().step, RunStep::block2);
}

// Cancels in each run step in turn: the run must end there, and the next run must be complete.
TEST_F(CpuBackend, endsWithCancelled_whenStopIsRequestedInAnyStage) {
    const NetworkInput input = bundledInput();
    const Points whole = backend().reconstruct(input, {}).vertices("refined");
    for (const RunStep step : runStepsOf(kPublishedHypothesisBlocks)) {
        if (step == RunStep::load || isProjection(step)) continue;
        std::stop_source stop;
        BatchOptions options;
        options.cancel = stop.get_token();
        RunStep last = RunStep::load;
        options.progress = [&](const Progress& progress) {
            last = progress.step;
            if (progress.step == step) stop.request_stop();
        };
        EXPECT_THROW(backend().reconstruct(input, options), Cancelled) << runStepName(step);
        EXPECT_EQ(last, step) << "went on after the request";
    }
    EXPECT_EQ(backend().reconstruct(input, {}).vertices("refined"), whole);
}

TEST_F(CpuBackend, isRefused_whenInt8HasNoQuantisationSample) {
    if (std::ranges::count(supportedProcessorPrecisions(), Precision::int8) == 0) GTEST_SKIP();
    CpuOptions options;
    options.precision = Precision::int8;
    EXPECT_THROW(makeCpuBackend(testModel(), options), InputError);
}

TEST_F(CpuBackend, agreesWithTheFastest_whenOtherKernelsAreChosen) {
    const NetworkInput input = bundledInput();
    const Points fastest = backend().reconstruct(input, {}).vertices("coarse");
    for (const simd::NetworkKernels* kernels : simd::runnableNetworkKernels()) {
        CpuOptions options;
        options.instructions = kernels->name;
        const Points coarse =
            makeCpuBackend(testModel(), options)->reconstruct(input, {}).vertices("coarse");
        float worst = 0.0F;
        for (std::size_t i = 0; i < coarse.size(); ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                worst = std::max(worst, std::abs(coarse[i][axis] - fastest[i][axis]));
            }
        }
        EXPECT_LE(worst, 1e-5F) << kernels->name;
    }
}

TEST_F(CpuBackend, givesTheSameBits_withAnyThreads) {
    const NetworkInput input = bundledInput();
    const Reconstruction expected = backend().reconstruct(input, {});
    for (const int threads : {1, 3, 22, 40, 64, 140, 1024}) {
        const auto other = makeCpuBackend(
            testModel(), {.precision = Precision::float32, .threads = threads, .instructions = {}});
        const Reconstruction again = other->reconstruct(input, {});
        EXPECT_EQ(expected.vertices("coarse"), again.vertices("coarse")) << threads << " threads";
        EXPECT_EQ(expected.vertices("refined"), again.vertices("refined")) << threads << " threads";
    }
}

TEST_F(CpuBackend, namesTheKernels_whenTheyAreUnknown) {
    CpuOptions options;
    options.instructions = "sse9";
    try {
        makeCpuBackend(testModel(), options);
        FAIL();
    } catch (const DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find("sse9"), std::string::npos);
    }
}

TEST_F(CpuBackend, namesTheTensor_whenTheModelLacksOne) {
    auto model = std::make_shared<Model>(*testModel());
    model->weights.erase("stage2.drb2.local_conv6.bias");
    try {
        makeCpuBackend(model);
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_EQ(error.report().place, "stage2.drb2.local_conv6.bias");
        EXPECT_FALSE(error.report().remedy.empty());
    }
}

TEST_F(CpuBackend, makesTheStagesOfAModel_withAnyNumberOfBlocks) {
    const TempFolder folder;
    const Reconstruction published = makeCpuBackend(testModel())->reconstruct(bundledInput(), {});
    const std::map<std::size_t, std::vector<std::string>> expected = {
        {0, {"level1", "level2", "coarse"}},
        {1, {"level1", "level2", "coarse", "refined"}},
        {3, {"level1", "level2", "coarse", "refined1", "refined2", "refined"}}};
    for (const auto& [blocks, names] : expected) {
        const auto file = folder / "model.safetensors";
        writeModelWithBlocks(file, blocks);
        const std::shared_ptr<const Model> model = loadModel(file);
        EXPECT_EQ(model->hypothesisBlocks(), blocks);
        const Reconstruction made = makeCpuBackend(model)->reconstruct(bundledInput(), {});
        std::vector<std::string> found;
        for (const StageMesh& each : made.stages) found.push_back(each.stage.name);
        EXPECT_EQ(found, names);
        EXPECT_EQ(made.published().size(), blocks == 0 ? 1U : 2U);
        EXPECT_EQ(made.published().back(), &made.result());
        // A block that is in both models makes equal meshes.
        for (std::size_t i = 0; i < std::min(made.stages.size(), published.stages.size()); ++i)
            EXPECT_EQ(made.stages[i].vertices, published.stages[i].vertices) << names[i];
        ASSERT_EQ(made.result().vertices.size(), published.result().vertices.size());
        if (blocks == 3) {
            EXPECT_NE(made.result().vertices, published.result().vertices);
            EXPECT_EQ(made.result().channel(kEntropyChannel).size(), made.result().vertices.size());
        }
        EXPECT_EQ(runStepsOf(made.timings).size(), runStepsOf(blocks).size());
    }
}

}  // namespace
}  // namespace threefold
