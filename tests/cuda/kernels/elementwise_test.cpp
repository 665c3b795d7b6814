#include "cuda/kernels/elementwise.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/portable/half.h"
#include "engine/error.h"
#include "tests/cuda/emulation/emulator.h"
#include "tests/cuda/emulation/same_results.h"

namespace threefold::cuda {
namespace {

using Floats = std::vector<float>;

Floats randomValues(std::size_t count, unsigned seed, float range = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-range, range);
    Floats values(count);
    for (float& value : values) value = uniform(random);
    return values;
}

template <class T>
std::vector<T> rounded(const Floats& values) {
    std::vector<T> out;
    for (const float value : values) out.push_back(fromFloat<T>(value));
    return out;
}

template <class T>
constexpr ElementType kElement = ElementType::float32;
template <>
constexpr ElementType kElement<Half> = ElementType::float16;
template <>
constexpr ElementType kElement<Bfloat16> = ElementType::bfloat16;

template <class T>
class Elementwise : public testing::Test {};
using Types = testing::Types<float, Half, Bfloat16>;
TYPED_TEST_SUITE(Elementwise, Types);

/// Sizes at which tiles are incomplete in every dimension.
struct Size {
    int batch;
    int vertices;
    int width;
};
constexpr Size kSizes[] = {{1, 1, 4}, {1, 7, 12}, {2, 13, 192}};

TYPED_TEST(Elementwise, layerEpilogueAddsRectifiesAndAverages) {
    for (const Size size : kSizes) {
        const auto width = static_cast<std::size_t>(size.width);
        const std::size_t pitch = width + 8;
        const auto rows = static_cast<std::size_t>(size.batch * size.vertices);
        const Floats sums = randomValues(rows * pitch, 1, 3);
        const Floats bias = randomValues(width, 2);
        const auto before = rounded<TypeParam>(randomValues(rows * width, 3));
        for (const bool residual : {false, true}) {
            const float scale = residual ? 0.5F : 1.0F;
            const auto out = emulation::expectSameUnderAllSeeds([&] {
                std::vector<TypeParam> result(rows * width);
                launchLayerEpilogue(nullptr, {.sums = sums.data(),
                                              .sumsPitch = static_cast<int>(pitch),
                                              .bias = bias.data(),
                                              .residual = residual ? before.data() : nullptr,
                                              .scale = scale,
                                              .rows = static_cast<std::int64_t>(rows),
                                              .width = size.width,
                                              .element = kElement<TypeParam>,
                                              .out = result.data()});
                return result;
            });
            for (std::size_t row = 0; row < rows; ++row) {
                for (std::size_t column = 0; column < width; ++column) {
                    const std::size_t i = row * width + column;
                    float value = std::max(sums[row * pitch + column] + bias[column], 0.0F);
                    if (residual) value += toFloat(before[i]);
                    EXPECT_EQ(toFloat(out[i]), toFloat(fromFloat<TypeParam>(scale * value)));
                }
            }
        }
    }
}

TYPED_TEST(Elementwise, layerEpilogueMayWriteWhereItReads) {
    const Floats sums = {1, -2, 3, 4};
    const Floats bias = {0, 1, 0, 0};
    auto kept = rounded<TypeParam>({1, 1, 1, 2});
    launchLayerEpilogue(nullptr, {.sums = sums.data(),
                                  .sumsPitch = 4,
                                  .bias = bias.data(),
                                  .residual = kept.data(),
                                  .rows = 1,
                                  .width = 4,
                                  .element = kElement<TypeParam>,
                                  .out = kept.data()});
    const Floats expected = {2, 1, 4, 6};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(toFloat(kept[i]), expected[i]);
}

TEST(ElementwiseLaunch, layerEpilogueKeepsNan) {
    const Floats sums = {std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity(), -0.0F};
    const Floats bias(4, 0);
    Floats out(4);
    launchLayerEpilogue(nullptr, {.sums = sums.data(),
                                  .sumsPitch = 4,
                                  .bias = bias.data(),
                                  .rows = 1,
                                  .width = 4,
                                  .out = out.data()});
    EXPECT_TRUE(std::isnan(out[0]));
    EXPECT_EQ(out[1], std::numeric_limits<float>::infinity());
    EXPECT_EQ(out[2], 0);
    EXPECT_EQ(out[3], 0);
}

TEST(ElementwiseLaunch, refusesWidthsThatAreNoMultipleOfFour) {
    EXPECT_THROW(launchLayerEpilogue(nullptr, {.sumsPitch = 8, .rows = 1, .width = 6}), InputError);
    EXPECT_THROW(launchLayerEpilogue(nullptr, {.sumsPitch = 6, .rows = 1, .width = 4}), InputError);
    EXPECT_THROW(launchAddCoordinates(nullptr, {.rows = 1, .width = 3}), InputError);
}

TEST(ElementwiseLaunch, launchesNothing_whenThereAreNoRows) {
    EXPECT_NO_THROW(launchLayerEpilogue(nullptr, {.sumsPitch = 4, .rows = 0, .width = 4}));
    EXPECT_NO_THROW(launchAddCoordinates(nullptr, {.rows = 0, .width = 4}));
    EXPECT_NO_THROW(launchGraphOutput(nullptr, {}));
    EXPECT_NO_THROW(launchMoveVertices(nullptr, {.hypotheses = 43}));
}

TEST(ElementwiseLaunch, coordinatesEnterSums_withAndWithoutOffsets) {
    constexpr std::size_t kPoints = 5;
    constexpr std::size_t kWidth = 12;
    const Floats points = randomValues(kPoints * 3, 4);
    const Floats weights = randomValues(3 * kWidth, 5);
    for (const std::size_t offsetCount : {std::size_t{1}, std::size_t{3}}) {
        const Floats offsets = randomValues(offsetCount * 3, 6, 0.02F);
        const std::size_t rows = kPoints * offsetCount;
        const Floats before = randomValues(rows * kWidth, 7);
        const bool hasOffsets = offsetCount > 1;
        const Floats sums = emulation::expectSameUnderAllSeeds([&] {
            Floats result = before;
            launchAddCoordinates(nullptr, {.points = points.data(),
                                           .offsets = hasOffsets ? offsets.data() : nullptr,
                                           .offsetCount = static_cast<int>(offsetCount),
                                           .weights = weights.data(),
                                           .rows = static_cast<std::int64_t>(rows),
                                           .width = static_cast<int>(kWidth),
                                           .sums = result.data()});
            return result;
        });
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < kWidth; ++column) {
                double sum = before[row * kWidth + column];
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    double p = points[row / offsetCount * 3 + axis];
                    if (hasOffsets) p += offsets[row % offsetCount * 3 + axis];
                    sum += p * weights[axis * kWidth + column];
                }
                EXPECT_NEAR(sums[row * kWidth + column], sum, 1e-6);
            }
        }
    }
}

/// A ring whose last vertex has no neighbours.
struct Ring {
    std::vector<std::uint32_t> rowOffsets = {0};
    std::vector<std::uint32_t> columns;
    Floats values;

    explicit Ring(std::uint32_t vertices) {
        for (std::uint32_t row = 0; row < vertices; ++row) {
            if (row + 1 < vertices) {
                for (const std::uint32_t step : {vertices - 1, 0U, 1U}) {
                    columns.push_back((row + step) % vertices);
                    values.push_back(0.25F * static_cast<float>(step % 3) - 0.4F);
                }
            }
            rowOffsets.push_back(static_cast<std::uint32_t>(columns.size()));
        }
    }
};

TYPED_TEST(Elementwise, graphOutputIsLinearLayerOfEachMesh) {
    for (const Size size : kSizes) {
        const auto width = static_cast<std::size_t>(size.width);
        const auto vertices = static_cast<std::size_t>(size.vertices);
        const auto batch = static_cast<std::size_t>(size.batch);
        const Ring ring(static_cast<std::uint32_t>(size.vertices));
        const auto hidden = rounded<TypeParam>(randomValues(batch * vertices * width, 8));
        const Floats weights = randomValues(width * 6, 9);
        const Floats bias = randomValues(3, 10);
        const Floats points = emulation::expectSameUnderAllSeeds([&] {
            Floats result(batch * vertices * 3);
            launchGraphOutput(nullptr, {.hidden = hidden.data(),
                                        .element = kElement<TypeParam>,
                                        .width = size.width,
                                        .batch = size.batch,
                                        .vertices = size.vertices,
                                        .rowOffsets = ring.rowOffsets.data(),
                                        .columns = ring.columns.data(),
                                        .values = ring.values.data(),
                                        .weights = weights.data(),
                                        .bias = bias.data(),
                                        .points = result.data()});
            return result;
        });
        for (std::size_t row = 0; row < batch * vertices; ++row) {
            const std::size_t firstRow = row / vertices * vertices;
            const std::size_t vertex = row % vertices;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                double sum = bias[axis];
                for (std::size_t c = 0; c < width; ++c) {
                    sum += static_cast<double>(toFloat(hidden[row * width + c])) *
                           weights[c * 6 + axis];
                    for (std::uint32_t k = ring.rowOffsets[vertex]; k < ring.rowOffsets[vertex + 1];
                         ++k) {
                        sum += static_cast<double>(ring.values[k]) *
                               toFloat(hidden[(firstRow + ring.columns[k]) * width + c]) *
                               weights[c * 6 + 3 + axis];
                    }
                }
                EXPECT_EQ(points[row * 3 + axis], static_cast<float>(sum));
            }
        }
    }
}

struct MoveResult {
    Floats moved;
    Floats scores;
};

template <class T>
MoveResult referenceMove(const std::vector<T>& hidden, const Floats& weights, float bias,
                         const Floats& laplacian, const Floats& offsets, const Floats& points,
                         std::size_t hypotheses, std::size_t width) {
    MoveResult result{points, {}};
    for (std::size_t vertex = 0; vertex < points.size() / 3; ++vertex) {
        std::vector<double> own(hypotheses);
        std::vector<double> around(hypotheses);
        for (std::size_t h = 0; h < hypotheses; ++h) {
            for (std::size_t c = 0; c < width; ++c) {
                const double value = toFloat(hidden[(vertex * hypotheses + h) * width + c]);
                own[h] += value * weights[c];
                around[h] += value * weights[width + c];
            }
        }
        std::vector<double> score(hypotheses);
        double highest = 0;
        for (std::size_t h = 0; h < hypotheses; ++h) {
            double sum = own[h] + bias;
            for (std::size_t other = 0; other < hypotheses; ++other) {
                sum += laplacian[h * hypotheses + other] * around[other];
            }
            score[h] = std::max(sum, 0.0);
            highest = std::max(highest, score[h]);
        }
        double sum = 0;
        for (double& value : score) sum += value = std::exp(value - highest);
        for (std::size_t h = 0; h < hypotheses; ++h) {
            result.scores.push_back(static_cast<float>(score[h] / sum));
            for (std::size_t axis = 0; axis < 3; ++axis) {
                result.moved[vertex * 3 + axis] +=
                    static_cast<float>(score[h] / sum * offsets[h * 3 + axis]);
            }
        }
    }
    return result;
}

TYPED_TEST(Elementwise, moveFollowsSoftmaxOfScores) {
    struct Case {
        std::size_t vertices, hypotheses, width;
        float range;  // of the weights; 40 gives scores beyond 88, for which exp() would overflow
                      // without subtracting the maximum
    };
    for (const Case given : {Case{1, 1, 4, 1}, Case{3, 43, 192, 1}, Case{2, 130, 20, 40}}) {
        // Copies instead of structured bindings, which clang 14 cannot capture.
        const std::size_t vertices = given.vertices;
        const std::size_t hypotheses = given.hypotheses;
        const std::size_t width = given.width;
        const auto hidden = rounded<TypeParam>(randomValues(vertices * hypotheses * width, 11));
        const Floats weights = randomValues(2 * width, 12, given.range);
        const Floats bias = {0.3F};
        const Floats laplacian = randomValues(hypotheses * hypotheses, 13, 0.2F);
        const Floats offsets = randomValues(hypotheses * 3, 14, 0.02F);
        const Floats points = randomValues(vertices * 3, 15);
        const Floats both = emulation::expectSameUnderAllSeeds([&] {
            Floats moved(vertices * 3);
            Floats scores(vertices * hypotheses);
            launchMoveVertices(nullptr, {.hidden = hidden.data(),
                                         .element = kElement<TypeParam>,
                                         .width = static_cast<int>(width),
                                         .vertices = static_cast<int>(vertices),
                                         .hypotheses = static_cast<int>(hypotheses),
                                         .weights = weights.data(),
                                         .bias = bias.data(),
                                         .laplacian = laplacian.data(),
                                         .offsets = offsets.data(),
                                         .points = points.data(),
                                         .moved = moved.data(),
                                         .scores = scores.data()});
            moved.insert(moved.end(), scores.begin(), scores.end());
            return moved;
        });
        const MoveResult expected =
            referenceMove(hidden, weights, bias[0], laplacian, offsets, points, hypotheses, width);
        for (std::size_t i = 0; i < vertices * 3; ++i) {
            EXPECT_NEAR(both[i], expected.moved[i], 2e-6);
        }
        for (std::size_t i = 0; i < expected.scores.size(); ++i) {
            EXPECT_NEAR(both[vertices * 3 + i], expected.scores[i], 2e-4F * given.range);
        }
    }
}

TEST(ElementwiseLaunch, moveRefusesZeroHypothesesAndMoreThan1024) {
    EXPECT_THROW(launchMoveVertices(nullptr, {.vertices = 1, .hypotheses = 0}), InputError);
    EXPECT_THROW(launchMoveVertices(nullptr, {.vertices = 1, .hypotheses = 1025}), InputError);
}

}  // namespace
}  // namespace threefold::cuda
