#include "cuda/kernels/hypothesis_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "cuda/kernels/element.h"
#include "cuda/kernels/hypothesis_block_layout.h"
#include "engine/error.h"
#include "engine/network/hypothesis_block.h"
#include "tests/cuda/emulation/same_results.h"
#include "tests/cuda/kernels/hypothesis_reference.h"
#include "tests/cuda/kernels/hypothesis_scene.h"
#include "tests/support/models.h"

namespace threefold::cuda::test {
namespace {

using threefold::test::testModel;

/// Quantisation ranges for 8 bit, measured on the scene in float16.
QuantisationRanges rangesOf(const HypothesisScene& scene, const Model& model, std::size_t block) {
    return runHypothesisKernel(scene, model, block, Precision::float16, limitsOf(90)).ranges;
}

/// Largest differences of a kernel's output from the reference; NaN counts as infinite.
struct Difference {
    double moved = 0;
    double scores = 0;

    static void note(double& worst, double a, double b) {
        const double difference = std::abs(a - b);
        if (!(difference <= worst)) {
            worst = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
        }
    }
};

Difference fromReference(const HypothesisOutput& output, const HypothesisScene& scene,
                         const Model& model, std::size_t block, const Rounding& rounding) {
    const HypothesisReference reference(model, block, rounding);
    Difference worst;
    std::size_t vertex = 0;
    for (int batch = 0; batch < scene.batch; ++batch) {
        const FeaturePooling pooling = poolingOf(scene, batch);
        for (const glm::vec3 point : scene.points[static_cast<std::size_t>(batch)]) {
            const HypothesisResult expected = reference.run(point, pooling);
            for (int axis = 0; axis < 3; ++axis) {
                Difference::note(worst.moved,
                                 output.moved[3 * vertex + static_cast<std::size_t>(axis)],
                                 expected.moved[axis]);
            }
            const std::size_t count = expected.scores.size();
            for (std::size_t i = 0; i < count; ++i) {
                Difference::note(worst.scores, output.scores[vertex * count + i],
                                 expected.scores[i]);
            }
            ++vertex;
        }
    }
    return worst;
}

Difference fromEngine(const HypothesisOutput& output, const HypothesisScene& scene,
                      const Model& model, std::size_t block) {
    const simd::NetworkKernels& kernels = *simd::runnableNetworkKernels().front();
    threefold::HypothesisBlock engine(model, block, Precision::float32, 1, kernels);
    Difference worst;
    std::size_t coordinate = 0;
    std::size_t score = 0;
    for (int batch = 0; batch < scene.batch; ++batch) {
        std::vector<float> scores;
        threefold::HypothesisBlock::ExtraOutputs extra;
        extra.scores = &scores;
        const Points moved = engine
                                 .run(
                                     scene.points[static_cast<std::size_t>(batch)],
                                     poolingOf(scene, batch), {}, [](float) {}, extra)
                                 .points;
        for (const glm::vec3 point : moved) {
            for (int axis = 0; axis < 3; ++axis) {
                Difference::note(worst.moved, output.moved[coordinate++], point[axis]);
            }
        }
        for (const float expected : scores) {
            Difference::note(worst.scores, output.scores[score++], expected);
        }
    }
    return worst;
}

std::vector<std::uint32_t> bitsOf(const HypothesisOutput& output) {
    std::vector<std::uint32_t> bits;
    for (const float x : output.moved) bits.push_back(std::bit_cast<std::uint32_t>(x));
    for (const float x : output.scores) bits.push_back(std::bit_cast<std::uint32_t>(x));
    for (const float x : output.ranges.input) bits.push_back(std::bit_cast<std::uint32_t>(x));
    return bits;
}

struct Counts {
    int batch;
    int vertices;
    int views;
};

class HypothesisBlockCounts : public testing::TestWithParam<Counts> {};

TEST_P(HypothesisBlockCounts, agreesWithTheEngine_whenPrecisionIsFloat32) {
    const Counts counts = GetParam();
    const auto seed = static_cast<std::uint32_t>(counts.vertices);
    const std::size_t block = seed % 2;
    const HypothesisScene scene = randomScene(counts.batch, counts.vertices, counts.views, seed);
    const HypothesisOutput output =
        runHypothesisKernel(scene, *testModel(), block, Precision::float32, limitsOf(90));
    const Difference worst = fromEngine(output, scene, *testModel(), block);
    EXPECT_LE(worst.moved, 1e-6);
    EXPECT_LE(worst.scores, 2e-5);
}

INSTANTIATE_TEST_SUITE_P(, HypothesisBlockCounts,
                         testing::Values(Counts{1, 1, 2}, Counts{2, 3, 3}, Counts{1, 2, 8},
                                         Counts{3, 1, 5}),
                         [](const auto& test) {
                             return std::to_string(test.param.batch) + "x" +
                                    std::to_string(test.param.vertices) + "from" +
                                    std::to_string(test.param.views);
                         });

/// Tolerances of a precision. `sameRoundings` is the tolerance of scores against a reference that
/// rounds where the kernel does. Sums in another order sometimes round to another value; perturbing
/// the reference's sums by 3e-7 changes its scores by as much as this tolerance. `exact…` are the
/// tolerances against float32: a few roundings of the type after six layers. The maps are noise,
/// which is the worst input; HypothesisBlockGolden has smooth maps.
struct Allowed {
    Precision precision;
    double sameRoundings;
    double exactScores;
    double exactMoved;
};

class HypothesisBlockPrecision : public testing::TestWithParam<Allowed> {};

TEST_P(HypothesisBlockPrecision, agreesWithTheSameRoundings) {
    const Allowed& allowed = GetParam();
    HypothesisScene scene = randomScene(1, 5, 3, 1);
    roundMaps(scene, allowed.precision);
    QuantisationRanges ranges;
    if (isEightBit(allowed.precision)) ranges = rangesOf(scene, *testModel(), 0);
    const HypothesisOutput output =
        runHypothesisKernel(scene, *testModel(), 0, allowed.precision, limitsOf(90), ranges);
    const Difference same =
        fromReference(output, scene, *testModel(), 0, roundingOf(allowed.precision, ranges));
    EXPECT_LE(same.scores, allowed.sameRoundings);
    EXPECT_LE(same.moved, 0.04 * allowed.sameRoundings);
    const Difference exact = fromEngine(output, scene, *testModel(), 0);
    EXPECT_LE(exact.scores, allowed.exactScores);
    EXPECT_LE(exact.moved, allowed.exactMoved);
    RecordProperty("scores", std::to_string(exact.scores));
}

INSTANTIATE_TEST_SUITE_P(, HypothesisBlockPrecision,
                         testing::Values(Allowed{Precision::float32, 1e-5, 1e-5, 1e-6},
                                         Allowed{Precision::tfloat32, 4e-3, 1e-2, 2e-4},
                                         Allowed{Precision::float16, 4e-3, 1e-2, 2e-4},
                                         Allowed{Precision::bfloat16, 1e-2, 8e-2, 1e-3},
                                         Allowed{Precision::int8, 3e-2, 1e-1, 3e-3}),
                         [](const auto& test) {
                             return std::string(precisionName(test.param.precision));
                         });

// The shape of a block does not change the order of any sum.
TEST(HypothesisBlock, givesTheSameBits_withTheBlockShapesOfOtherDevices) {
    HypothesisScene scene = randomScene(1, 5, 2, 3);
    roundMaps(scene, Precision::float16);
    const auto run = [&](int computeCapability) {
        return bitsOf(runHypothesisKernel(scene, *testModel(), 1, Precision::float16,
                                          limitsOf(computeCapability)));
    };
    const std::vector<std::uint32_t> four = run(90);
    EXPECT_EQ(four, run(86));
    EXPECT_EQ(four, run(75));
}

TEST(HypothesisBlock, givesTheSameBits_whenVerticesShareABatch) {
    HypothesisScene scene = randomScene(1, 6, 2, 4);
    const HypothesisOutput all =
        runHypothesisKernel(scene, *testModel(), 0, Precision::bfloat16, limitsOf(90));
    scene.points[0].erase(scene.points[0].begin());
    scene.points[0].resize(1);
    const HypothesisOutput one =
        runHypothesisKernel(scene, *testModel(), 0, Precision::bfloat16, limitsOf(90));
    EXPECT_TRUE(std::equal(one.moved.begin(), one.moved.end(), all.moved.begin() + 3));
    EXPECT_TRUE(std::equal(one.scores.begin(), one.scores.end(), all.scores.begin() + 43));
}

TEST(HypothesisBlock, givesTheSameBits_whenThreadsRunInAnotherOrder) {
    HypothesisScene scene = randomScene(1, 3, 2, 5);
    for (const Precision precision : {Precision::float16, Precision::int8}) {
        QuantisationRanges ranges;
        if (isEightBit(precision)) ranges = rangesOf(scene, *testModel(), 0);
        emulation::expectSameUnderAllSeeds([&] {
            return bitsOf(
                runHypothesisKernel(scene, *testModel(), 0, precision, limitsOf(90), ranges));
        });
    }
}

TEST(HypothesisBlock, followsTheSampler_whenPixelsAreIntegersOrOutside) {
    HypothesisScene scene = randomScene(1, 1, 3, 6);
    constexpr float kHuge = 1e18F;
    scene.points[0] = {{0.0F, 0.0F, -0.8F},  // row and column 112 of the first view: all features 0
                       {0.1F, 0.0F, -0.8F},  // row 112
                       {0.0F, 0.0F, 0.0F},   // camera centre: 0 / 0
                       {0.3F, -0.2F, 0.0F},  // in the camera's plane z = 0
                       {0.1F, 0.1F, 0.9F},   // behind the camera
                       {3.0F, -2.0F, -0.8F},     // outside every image
                       {kHuge, -kHuge, -1.0F}};  // far outside
    const HypothesisOutput output =
        runHypothesisKernel(scene, *testModel(), 0, Precision::float32, limitsOf(90));
    const std::size_t last = scene.points[0].size() - 1;
    EXPECT_EQ(output.moved[3 * last], kHuge);
    // Leaves out the far point: its coordinates enter the sums, whose rounding errors are as huge.
    HypothesisScene near = scene;
    near.points[0].pop_back();
    const Difference worst = fromEngine(output, near, *testModel(), 0);
    EXPECT_LE(worst.moved, 1e-5);
}

TEST(HypothesisBlock, staysFinite_whenFeaturesAreBeyondFloat16) {
    for (const float largest : {0.0F, 60000.0F}) {
        const HypothesisScene scene = randomScene(1, 2, 2, 7, largest);
        const HypothesisOutput output =
            runHypothesisKernel(scene, *testModel(), 0, Precision::float16, limitsOf(86));
        for (std::size_t vertex = 0; vertex < 2; ++vertex) {
            double sum = 0;
            for (std::size_t i = 0; i < 43; ++i) sum += output.scores[43 * vertex + i];
            EXPECT_NEAR(sum, 1.0, 1e-5) << largest;
        }
        for (const float x : output.moved) EXPECT_TRUE(std::isfinite(x)) << largest;
        for (const float x : output.ranges.input) EXPECT_TRUE(std::isfinite(x)) << largest;
    }
}

TEST(HypothesisBlock, recordsTheLargestMagnitudeOfEachInput) {
    const HypothesisScene scene = randomScene(1, 3, 3, 8);
    const HypothesisOutput output =
        runHypothesisKernel(scene, *testModel(), 0, Precision::float32, limitsOf(90));
    const HypothesisReference reference(*testModel(), 0, roundingOf(Precision::float32, {}));
    QuantisationRanges expected;
    for (const glm::vec3 point : scene.points[0]) {
        const HypothesisResult result = reference.run(point, poolingOf(scene, 0));
        for (std::size_t i = 0; i < std::size(expected.input); ++i) {
            expected.input[i] = std::max(expected.input[i], result.ranges.input[i]);
        }
    }
    for (std::size_t i = 0; i < std::size(expected.input); ++i) {
        EXPECT_NEAR(output.ranges.input[i] / expected.input[i], 1.0, 1e-5) << i;
    }
}

/// A model whose graph of hypotheses is a ring with a hub.
Model ringModel(std::size_t hypotheses) {
    Model model = *testModel();
    std::mt19937 random(9);
    std::uniform_real_distribution<float> value(-0.5F, 0.5F);
    model.templateMesh.hypothesisOffsets.clear();
    SparseMatrix l;
    l.rowOffsets.push_back(0);
    for (std::size_t row = 0; row < hypotheses; ++row) {
        model.templateMesh.hypothesisOffsets.emplace_back(
            0.04F * value(random), 0.04F * value(random), 0.04F * value(random));
        for (std::size_t column = 0; column < hypotheses; ++column) {
            const std::size_t apart = row > column ? row - column : column - row;
            if (row != 0 && column != 0 && apart > 1) continue;
            l.columns.push_back(static_cast<std::uint32_t>(column));
            l.values.push_back(value(random));
        }
        l.rowOffsets.push_back(static_cast<std::uint32_t>(l.columns.size()));
    }
    model.templateMesh.hypothesisLaplacian = l;
    return model;
}

TEST(HypothesisBlock, agreesWithTheReference_whenThereAreOtherHypotheses) {
    HypothesisScene scene = randomScene(1, 2, 2, 10);
    roundMaps(scene, Precision::float16);
    for (const std::size_t hypotheses : {1, 2, 17, 48}) {
        const Model model = ringModel(hypotheses);
        const HypothesisOutput exact =
            runHypothesisKernel(scene, model, 0, Precision::float32, limitsOf(86));
        EXPECT_LE(fromReference(exact, scene, model, 0, roundingOf(Precision::float32, {})).moved,
                  1e-5)
            << hypotheses;
        const HypothesisOutput half =
            runHypothesisKernel(scene, model, 0, Precision::float16, limitsOf(86));
        EXPECT_LE(fromReference(half, scene, model, 0, roundingOf(Precision::float16, {})).scores,
                  1e-2)
            << hypotheses;
    }
}

TEST(HypothesisBlock, leavesTwoTilesEmpty_whenHypothesesAreTheSubdividedIcosahedron) {
    const std::vector<std::byte> packed =
        packHypothesisBlock(*testModel(), 0, Precision::float16, limitsOf(90));
    const auto* header = reinterpret_cast<const hypothesis::PackedHeader*>(packed.data());
    EXPECT_EQ(std::popcount(header->tiles), 7);
    EXPECT_EQ(std::popcount(header->usedRows[0]) + std::popcount(header->usedRows[1]), 43);
}

TEST(HypothesisBlockShape, isTheLargestThatFits) {
    const auto vertices = [](int computeCapability, Precision precision) {
        const auto shape = hypothesisBlockShape(limitsOf(computeCapability), precision);
        if (!shape) return 0;
        EXPECT_LE(shape->sharedBytes, limitsOf(computeCapability).sharedBytesPerBlock);
        return shape->vertices;
    };
    EXPECT_EQ(vertices(75, Precision::float16), 1);
    for (const int large : {80, 90, 100}) {
        EXPECT_EQ(vertices(large, Precision::float16), 4) << large;
        EXPECT_EQ(vertices(large, Precision::bfloat16), 4) << large;
        EXPECT_EQ(vertices(large, Precision::int8), 4) << large;
        EXPECT_EQ(vertices(large, Precision::tfloat32), 2) << large;
        EXPECT_EQ(vertices(large, Precision::float32), 2) << large;
    }
    for (const int small : {86, 89, 120}) {
        EXPECT_EQ(vertices(small, Precision::float16), 2) << small;
        EXPECT_EQ(vertices(small, Precision::int8), 2) << small;
        EXPECT_EQ(vertices(small, Precision::float32), 1) << small;
    }
}

TEST(HypothesisBlockFits, refusesShapes_whichTheDeviceLacks) {
    const auto fits = [](int computeCapability, Precision precision, int hypotheses = 43) {
        return hypothesisBlockFits(limitsOf(computeCapability), precision, hypotheses);
    };
    EXPECT_TRUE(fits(75, Precision::float16));
    EXPECT_FALSE(fits(75, Precision::bfloat16));
    EXPECT_FALSE(fits(75, Precision::tfloat32));
    EXPECT_FALSE(fits(75, Precision::int8));
    EXPECT_TRUE(fits(80, Precision::int8));
    EXPECT_TRUE(fits(90, Precision::float16, 48));
    EXPECT_FALSE(fits(90, Precision::float16, 49));
    EXPECT_FALSE(fits(90, Precision::float16, 0));
}

TEST(HypothesisBlock, refusesInvalidArguments) {
    HypothesisScene scene = randomScene(1, 1, 2, 11);
    const Model& model = *testModel();
    EXPECT_THROW(packHypothesisBlock(model, 0, Precision::bfloat16, limitsOf(75)), DeviceError);
    EXPECT_THROW(packHypothesisBlock(ringModel(49), 0, Precision::float16, limitsOf(90)),
                 DeviceError);
    EXPECT_THROW(packHypothesisBlock(model, 0, Precision::int8, limitsOf(90)), InputError);
    EXPECT_THROW(packHypothesisBlock(model, 2, Precision::float16, limitsOf(90)), ModelError);
    scene.projections.resize(1);
    EXPECT_THROW(runHypothesisKernel(scene, model, 0, Precision::float16, limitsOf(90)),
                 InputError);
    HypothesisArguments arguments;
    arguments.maps[0] = {nullptr, 224, 16};
    arguments.maps[1] = {nullptr, 100, 32};
    arguments.maps[2] = {nullptr, 56, 64};
    EXPECT_THROW(launchHypothesisBlock(nullptr, Precision::float16, limitsOf(90), arguments),
                 InputError);
    arguments.maps[1].side = 112;
    EXPECT_NO_THROW(launchHypothesisBlock(nullptr, Precision::float16, limitsOf(90), arguments))
        << "a launch without vertices must do nothing";
    EXPECT_THROW(launchHypothesisBlock(nullptr, Precision::int8, limitsOf(75), arguments),
                 DeviceError);
}

}  // namespace
}  // namespace threefold::cuda::test
