#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/backend/allowed_deviation.h"
#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "engine/network/cuda_plugin.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "tests/cuda/gpu/gpu_backend.h"

namespace threefold::test {
namespace {

constexpr double kStage1Tolerance = 1e-4;

/// Compares two meshes in float32 with different orders of sums. The orders differ if the meshes
/// were computed on different devices, or with different batch sizes, for which cuDNN picks other
/// engines.
void expectSame(const Points& ours, const Points& theirs) {
    const cuda::Deviation most = cuda::allowedDeviation(
        Precision::float32, cuda::KernelSource::fused, SamplerKind::bilinearPerView);
    EXPECT_LE(cuda::distanceQuantile(ours, theirs, cuda::kTypicalQuantile), most.typicalVertex);
    EXPECT_LE(furthest(ours, theirs), most.maxVertex);
}

/// Compares two meshes in float16 with different orders of sums. A hypothesis at a discontinuity of
/// the sampler may lie on either side of it in each run, so a vertex may differ as much as between
/// float16 and float32. (Between a batch of five and a batch of one, an H100 moved one vertex by
/// 5.1e-4.)
void expectSameInFloat16(const Points& ours, const Points& theirs) {
    EXPECT_LE(cuda::distanceQuantile(ours, theirs, cuda::kTypicalQuantile),
              cuda::kDeviationMargin * cuda::kTypicalSumOrderDeviation);
    EXPECT_LE(furthest(ours, theirs),
              cuda::allowedDeviation(Precision::float16, cuda::KernelSource::fused,
                                     SamplerKind::bilinearPerView)
                  .maxVertex);
}

const GoldenCase& plane() {
    return goldenCases()[0];
}
const GoldenCase& chair() {
    return goldenCases()[1];
}

NetworkInput viewsOf(const GoldenCase& golden, const std::vector<int>& views) {
    return loadViews(findSample(std::filesystem::path(THREEFOLD_RESOURCES) / "samples" /
                                "ShapeNetRendering" / golden.location),
                     views);
}

/// The image with every pixel enlarged to `times` × `times` pixels.
Image enlarged(const Image& image, int times) {
    Image large{image.width * times, image.height * times, {}};
    large.rgba.reserve(image.rgba.size() * static_cast<std::size_t>(times * times));
    for (int y = 0; y < large.height; ++y) {
        for (int x = 0; x < large.width; ++x) {
            const auto from = static_cast<std::size_t>((y / times) * image.width + x / times) * 4;
            large.rgba.insert(large.rgba.end(), image.rgba.begin() + static_cast<int>(from),
                              image.rgba.begin() + static_cast<int>(from) + 4);
        }
    }
    return large;
}

class GpuBackend : public testing::Test {
  protected:
    void SetUp() override { THREEFOLD_NEEDS_GPU(); }
};

TEST_F(GpuBackend, givesTheSameBits_whenTheInputIsTheSame) {
    for (const Precision precision : kAllPrecisions) {
        if (!gpuHas(precision)) continue;
        const auto backend = gpuBackend(plane(), gpuOptions(precision));
        const NetworkInput input = goldenInput(plane());
        const Reconstruction first = backend->reconstruct(input, {});
        // Fills the buffers with another sample's values.
        backend->reconstruct(goldenInput(chair()), {});
        EXPECT_TRUE(sameBits(first, backend->reconstruct(input, {}))) << precisionName(precision);
    }
}

TEST_F(GpuBackend, givesTheSameBatchedAsSingly) {
    for (const Precision precision : {Precision::float32, Precision::float16}) {
        const auto backend = gpuBackend(plane(), gpuOptions(precision));
        const std::vector<NetworkInput> inputs = {
            goldenInput(plane()), goldenInput(chair()), viewsOf(plane(), {3, 9, 15}),
            viewsOf(chair(), {1, 2}), viewsOf(plane(), {4, 5})};
        const std::vector<Reconstruction> together = backend->reconstructBatch(inputs, {});
        ASSERT_EQ(together.size(), inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Reconstruction alone = backend->reconstruct(inputs[i], {});
            const testing::ScopedTrace trace(__FILE__, __LINE__, "input " + std::to_string(i));
            const auto compare = precision == Precision::float32 ? expectSame : expectSameInFloat16;
            compare(together[i].vertices("coarse"), alone.vertices("coarse"));
            compare(together[i].vertices("refined"), alone.vertices("refined"));
            EXPECT_EQ(together[i].levelFaces, alone.levelFaces);
        }
        EXPECT_TRUE(backend->reconstructBatch({}, {}).empty());
    }
}

TEST_F(GpuBackend, agreesWithTheProcessor_whenThereAreOtherNumbersOfViews) {
    const auto backend = gpuBackend(chair(), gpuOptions(Precision::float32));
    const auto processor = makeCpuBackend(goldenModel(chair()));
    for (const std::vector<int>& views :
         {std::vector{5, 11}, std::vector{0, 3, 6, 9}, std::vector{0, 1, 2, 3, 4, 5, 6, 7}}) {
        const NetworkInput input = viewsOf(chair(), views);
        const Reconstruction ours = backend->reconstruct(input, {});
        const Reconstruction theirs = processor->reconstruct(input, {});
        const testing::ScopedTrace trace(__FILE__, __LINE__,
                                         std::to_string(views.size()) + " views");
        EXPECT_LE(furthest(ours.vertices("level1"), theirs.vertices("level1")), kStage1Tolerance);
        EXPECT_LE(furthest(ours.vertices("level2"), theirs.vertices("level2")), kStage1Tolerance);
        EXPECT_LE(furthest(ours.vertices("coarse"), theirs.vertices("coarse")), kStage1Tolerance);
        expectSame(ours.vertices("refined"), theirs.vertices("refined"));
    }
}

TEST_F(GpuBackend, agreesWithTheProcessor_whenImagesChangeTheirSize) {
    const auto backend = gpuBackend(plane(), gpuOptions(Precision::float32));
    const auto processor = makeCpuBackend(goldenModel(plane()));
    const NetworkInput small = goldenInput(plane());
    // In this order, the images fit the slot, need a larger slot, exceed the staged size, and are
    // small again in the large slot.
    for (const int times : {1, 2, 3, 5, 1}) {
        NetworkInput input = small;
        input.images[1] = enlarged(small.images[1], times);
        const Reconstruction ours = backend->reconstruct(input, {});
        const Reconstruction theirs = processor->reconstruct(input, {});
        const testing::ScopedTrace trace(__FILE__, __LINE__,
                                         std::to_string(times) + " times as large");
        expectSame(ours.vertices("refined"), theirs.vertices("refined"));
    }
}

TEST_F(GpuBackend, isUsableAgain_whenAnInputWasRefused) {
    const auto backend = gpuBackend(plane(), gpuOptions(Precision::float16));
    const NetworkInput input = goldenInput(plane());
    const Reconstruction before = backend->reconstruct(input, {});
    NetworkInput broken = input;
    broken.images[0].rgba.clear();
    EXPECT_THROW(backend->reconstruct(broken, {}), InputError);
    EXPECT_TRUE(sameBits(before, backend->reconstruct(input, {})));
}

TEST_F(GpuBackend, stopsAndIsUsableAgain_whenCancelled) {
    const auto backend = gpuBackend(plane(), gpuOptions(Precision::float16));
    const NetworkInput input = goldenInput(plane());
    const Reconstruction before = backend->reconstruct(input, {});
    std::stop_source source;
    source.request_stop();
    BatchOptions options;
    options.cancel = source.get_token();
    EXPECT_THROW(backend->reconstruct(input, options), Cancelled);

    std::stop_source later;
    options.cancel = later.get_token();
    options.probe = [&](std::string_view name, std::span<const float>,
                        std::span<const std::size_t>) {
        if (name == "level1") later.request_stop();
    };
    EXPECT_THROW(backend->reconstruct(input, options), Cancelled);
    EXPECT_TRUE(sameBits(before, backend->reconstruct(input, {})));
}

TEST_F(GpuBackend, timesEveryStage_whenAsked) {
    CudaOptions options = gpuOptions(Precision::float16);
    const NetworkInput input = goldenInput(plane());
    const Reconstruction timed = gpuBackend(plane(), options)->reconstruct(input, {});
    EXPECT_EQ(timed.timings.size(), 9U);  // block1 and block2 include their projection
    EXPECT_GT(timed.wallMilliseconds, 0.0);
    options.tuning.stepTimes = false;
    const Reconstruction untimed = gpuBackend(plane(), options)->reconstruct(input, {});
    EXPECT_TRUE(untimed.timings.empty());
    EXPECT_GT(untimed.wallMilliseconds, 0.0);
    EXPECT_TRUE(sameBits(timed, untimed));
}

TEST_F(GpuBackend, reportsProgress_whenAsked) {
    const auto backend = gpuBackend(plane(), gpuOptions(Precision::float16));
    std::vector<Progress> seen;
    BatchOptions options;
    options.progress = [&](const Progress& progress) { seen.push_back(progress); };
    backend->reconstruct(goldenInput(plane()), options);
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.front().fraction, 0.0F);
    EXPECT_EQ(seen.back().step, RunStep::block2);
    EXPECT_EQ(seen.back().fraction, 1.0F);
}

TEST_F(GpuBackend, keepsWorking_whenTheGraphCacheHoldsNothing) {
    CudaOptions options = gpuOptions(Precision::float16);
    const NetworkInput input = goldenInput(plane());
    const Reconstruction expected = gpuBackend(plane(), options)->reconstruct(input, {});
    options.tuning.maxCudaGraphBytes = 1;
    const auto backend = gpuBackend(plane(), options);
    backend->reconstruct(viewsOf(plane(), {1, 2}), {});
    EXPECT_TRUE(sameBits(expected, backend->reconstruct(input, {})));
}

TEST_F(GpuBackend, reducesTheBatch_whenTheLargestDoesNotFitInMemory) {
    CudaOptions options = gpuOptions(Precision::float16);
    options.tuning.memoryBytes = std::size_t{512} << 20;
    int warnings = 0;
    options.log = [&](LogLevel level, std::string_view) {
        warnings += level >= LogLevel::warning ? 1 : 0;
    };
    const auto backend = gpuBackend(plane(), options);
    // A sample takes some fifty megabytes.
    const std::vector<NetworkInput> inputs(24, goldenInput(plane()));
    const std::vector<Reconstruction> meshes = backend->reconstructBatch(inputs, {});
    EXPECT_GT(warnings, 0) << "no warning named the smaller batch";
    ASSERT_EQ(meshes.size(), inputs.size());
    const Reconstruction alone = backend->reconstruct(inputs.front(), {});
    for (const Reconstruction& mesh : meshes) {
        expectSameInFloat16(mesh.vertices("refined"), alone.vertices("refined"));
    }
}

TEST_F(GpuBackend, namesTheMissingMemory_whenNotEvenOneMeshFits) {
    CudaOptions options = gpuOptions(Precision::float16);
    options.tuning.memoryBytes = std::size_t{4} << 20;
    options.log = {};
    try {
        gpuBackend(plane(), options);
        FAIL() << "a back end with 4 MiB of memory was made";
    } catch (const OutOfDeviceMemory& error) {
        EXPECT_FALSE(error.report().remedy.empty());
    }
}

TEST_F(GpuBackend, findsTheSameNeighboursAsTheProcessor_whenAsked) {
    const auto backend = gpuBackend(plane(), gpuOptions(Precision::float16));
    const Points first = asPoints(plane().values("refined_2"));
    const Points second = asPoints(chair().values("refined_2"));
    const Points one = {first.front()};
    const std::vector<CloudPair> pairs = {{first, second}, {one, first}};
    const NeighbourResults ours = backend->meshOperations().nearestNeighbours(pairs);
    const NeighbourResults theirs = bidirectionalNeighbours(pairs);
    ASSERT_EQ(ours.pairs.size(), theirs.pairs.size());
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
        const Neighbours& a = ours.pairs[pair].firstToSecond;
        const Neighbours& b = theirs.pairs[pair].firstToSecond;
        ASSERT_EQ(a.squaredDistances.size(), b.squaredDistances.size());
        for (std::size_t i = 0; i < a.squaredDistances.size(); ++i) {
            EXPECT_NEAR(a.squaredDistances[i], b.squaredDistances[i],
                        1e-5 * b.squaredDistances[i] + 1e-12);
        }
    }
    EXPECT_THROW(backend->meshOperations().nearestNeighbours(std::vector<CloudPair>{{first, {}}}),
                 InputError);
}

TEST_F(GpuBackend, matchesAsTheProcessorDoes_whenSizesAreUnequal) {
    const auto backend = gpuBackend(plane(), gpuOptions(Precision::float16));
    const Points first = asPoints(plane().values("level1"));
    const Points second = asPoints(chair().values("level2"));
    const std::vector<CloudPair> pairs = {{first, second}};
    const TransportResults ours = backend->meshOperations().earthMoversDistances(pairs, {});
    const EarthMoversDistance theirs = sinkhornDistance(pairs[0]);
    EXPECT_NEAR(ours.pairs[0].distance, theirs.distance, 1e-3 * theirs.distance);
    EXPECT_NEAR(ours.pairs[0].lowerBound, theirs.lowerBound, 1e-3 * theirs.distance);
}

TEST_F(GpuBackend, passesItsOwnCheck_whenAsked) {
    CudaOptions options = gpuOptions(Precision::float16);
    const auto model = goldenModel(plane());
    options.makeProcessorBackend = [model] { return makeCpuBackend(model); };
    for (const GpuCheck& check : cudaPlugin().check(model, options)) {
        EXPECT_TRUE(check.passed) << check.name << ": " << check.relativeError << " of "
                                  << check.maxRelativeError << " allowed. " << check.note;
    }
}

TEST_F(GpuBackend, measuresItsPeakRates_whenAsked) {
    for (const Precision precision : kAllPrecisions) {
        if (!gpuHas(precision)) continue;
        const GpuPeakRates rates = cudaPlugin().peakRates(0, precision);
        EXPECT_GT(rates.teraflops, 0.1) << precisionName(precision);
        EXPECT_GT(rates.gigabytesPerSecond, 10.0) << precisionName(precision);
    }
}

}  // namespace
}  // namespace threefold::test
