#include "engine/network/simd/kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace threefold::simd {
namespace {

// The tests compute reference values by the contract in kernels.h, one number at a time.

struct Matrix {
    std::vector<std::uint32_t> rowOffsets{0};
    std::vector<std::uint32_t> columns;
    std::vector<float> values;
    SparseRows rows() const { return {rowOffsets.data(), columns.data(), values.data()}; }
    std::size_t size() const { return rowOffsets.size() - 1; }
};

float fromBfloat16(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

class NetworkKernelsTest : public testing::TestWithParam<const NetworkKernels*> {
  protected:
    std::vector<float> random(std::size_t count, float scale = 1.0F) {
        std::uniform_real_distribution<float> uniform(-scale, scale);
        std::vector<float> values(count);
        for (float& value : values) value = uniform(engine_);
        return values;
    }

    // Sparse matrix: the first row is full, the last one empty, the others have random entries.
    Matrix randomMatrix(std::size_t rows) {
        Matrix matrix;
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::uint32_t c = 0; c < rows; ++c) {
                const bool kept = row == 0 || (row + 1 < rows && engine_() % 5 == 0);
                if (!kept) continue;
                matrix.columns.push_back(c);
                matrix.values.push_back(random(1)[0]);
            }
            matrix.rowOffsets.push_back(static_cast<std::uint32_t>(matrix.columns.size()));
        }
        return matrix;
    }

    const NetworkKernels& kernels() const { return *GetParam(); }

  private:
    std::mt19937 engine_{20260731};
};

TEST_P(NetworkKernelsTest, poolsLikeTheReference_whenViewsAndChannelsVary) {
    for (const std::size_t views : {2U, 3U, 5U, 8U}) {
        for (const std::size_t channels : {16U, 48U, 512U}) {
            std::vector<std::vector<float>> corners;
            for (std::size_t i = 0; i < views * 4; ++i) corners.push_back(random(channels));
            std::vector<Corners> input(views);
            for (std::size_t v = 0; v < views; ++v) {
                const std::vector<float> weights = random(4);
                for (std::size_t k = 0; k < 4; ++k) {
                    input[v].texel[k] = corners[v * 4 + k].data();
                    input[v].weight[k] = weights[k];
                }
            }
            std::vector<float> out(3 * channels + 1, -7.0F);
            kernels().pool(input.data(), views, channels, out.data(), out.data() + channels,
                           out.data() + 2 * channels);
            for (std::size_t c = 0; c < channels; ++c) {
                std::vector<double> f(views, 0.0);
                double max = -1e30;
                double mean = 0;
                for (std::size_t v = 0; v < views; ++v) {
                    for (std::size_t k = 0; k < 4; ++k) {
                        f[v] += double{input[v].weight[k]} * input[v].texel[k][c];
                    }
                    max = std::max(max, f[v]);
                    mean += f[v] / static_cast<double>(views);
                }
                double variance = 0;
                for (const double value : f) variance += (value - mean) * (value - mean);
                variance /= static_cast<double>(views);
                ASSERT_NEAR(out[c], max, 1e-6);
                ASSERT_NEAR(out[channels + c], mean, 1e-6);
                ASSERT_NEAR(out[2 * channels + c], std::sqrt(variance + 1e-6), 1e-5);
            }
            EXPECT_EQ(out.back(), -7.0F) << "wrote past the end";

            std::vector<std::vector<std::uint16_t>> bfloat16Texels(corners.size());
            std::vector<Bfloat16Corners> bfloat16Input(views);
            for (std::size_t i = 0; i < corners.size(); ++i) {
                bfloat16Texels[i].resize(channels);
                kernels().toBfloat16(corners[i].data(), channels, bfloat16Texels[i].data());
                for (std::size_t c = 0; c < channels; ++c) {
                    corners[i][c] = fromBfloat16(bfloat16Texels[i][c]);
                }
                bfloat16Input[i / 4].texel[i % 4] = bfloat16Texels[i].data();
                bfloat16Input[i / 4].weight[i % 4] = input[i / 4].weight[i % 4];
            }
            kernels().pool(input.data(), views, channels, out.data(), out.data() + channels,
                           out.data() + 2 * channels);
            std::vector<std::uint16_t> rounded(out.size(), 7);
            kernels().poolBfloat16(bfloat16Input.data(), views, channels, rounded.data(),
                                   rounded.data() + channels, rounded.data() + 2 * channels);
            std::vector<std::uint16_t> expected(3 * channels);
            kernels().toBfloat16(out.data(), expected.size(), expected.data());
            expected.push_back(7);
            EXPECT_EQ(rounded, expected);

            const std::vector<float> perUnit = random(3 * channels, 300.0F);
            const float* const parts[] = {perUnit.data(), perUnit.data() + channels,
                                          perUnit.data() + 2 * channels};
            std::vector<std::uint8_t> steps(out.size(), 7);
            kernels().poolUint8(bfloat16Input.data(), views, channels, parts, steps.data(),
                                steps.data() + channels, steps.data() + 2 * channels);
            for (std::size_t i = 0; i < perUnit.size(); ++i) {
                const float exact = std::clamp(out[i] * perUnit[i], 0.0F, 255.0F);
                ASSERT_NEAR(steps[i], exact, 0.5001);
            }
            EXPECT_EQ(steps.back(), 7) << "wrote past the end";
        }
    }
}

TEST_P(NetworkKernelsTest, multipliesBySparseRows_whenRowsAreFullOrEmpty) {
    for (const std::size_t rows : {1U, 2U, 43U, 97U}) {
        for (const std::size_t width : {16U, 80U, 192U, 208U}) {
            const Matrix matrix = randomMatrix(rows);
            const std::size_t stride = width + 16;
            const std::vector<float> x = random(rows * stride);
            std::vector<float> out(rows * stride, 9.0F);
            const std::size_t first = rows / 3;
            kernels().laplacian(matrix.rows(), first, rows, x.data(), stride, width, out.data(),
                                stride);
            for (std::size_t row = first; row < rows; ++row) {
                for (std::size_t c = 0; c < width; ++c) {
                    double sum = 0;
                    for (auto k = matrix.rowOffsets[row]; k < matrix.rowOffsets[row + 1]; ++k) {
                        sum += double{matrix.values[k]} * x[matrix.columns[k] * stride + c];
                    }
                    ASSERT_NEAR(out[(row - first) * stride + c], sum, 2e-5);
                }
                ASSERT_EQ(out[(row - first) * stride + width], 9.0F) << "wrote past the row";
            }
        }
    }
}

TEST_P(NetworkKernelsTest, joinsBothSupports_whenBiasAndResidualVary) {
    for (const std::size_t width : {16U, 192U, 208U}) {
        for (const bool byRow : {false, true}) {
            const Matrix matrix = randomMatrix(43);
            const std::size_t first = byRow ? 0 : 5;
            const std::size_t rows = matrix.size() - first;
            const std::vector<float> y = random(matrix.size() * 2 * width);
            const std::vector<float> bias = random((byRow ? rows : 1) * width);
            const std::vector<float> before = random(rows * width);
            std::vector<float> kept = before;
            std::vector<float> out(rows * width + 1, 9.0F);
            std::vector<std::uint16_t> rounded(rows * width + 1, 9);
            GraphEpilogue epilogue{.matrix = matrix.rows(),
                                   .first = first,
                                   .last = matrix.size(),
                                   .products = y.data(),
                                   .width = width,
                                   .bias = bias.data(),
                                   .biasStride = byRow ? width : 0,
                                   .residual = byRow ? kept.data() : nullptr};
            kernels().epilogueBfloat16(epilogue, rounded.data());
            std::vector<std::uint8_t> steps(rows * width + 1, 9);
            kernels().epilogueUint8(epilogue, 40.0F, steps.data());
            epilogue.float32Out = kept.data();
            kernels().epilogue(epilogue, out.data());
            for (std::size_t row = 0; row < rows; ++row) {
                for (std::size_t c = 0; c < width; ++c) {
                    const std::size_t at = row * width + c;
                    double sum = double{y[(first + row) * 2 * width + c]} +
                                 bias[(byRow ? row * width : 0) + c];
                    for (auto k = matrix.rowOffsets[first + row];
                         k < matrix.rowOffsets[first + row + 1]; ++k) {
                        sum +=
                            double{matrix.values[k]} * y[matrix.columns[k] * 2 * width + width + c];
                    }
                    const double expected = std::max(sum, 0.0) + (byRow ? before[at] : 0.0F);
                    ASSERT_NEAR(out[at], expected, 2e-5);
                    ASSERT_EQ(kept[at], out[at]);
                    ASSERT_NEAR(steps[at], std::clamp(40 * expected, 0.0, 255.0), 0.502);
                    ASSERT_NEAR(fromBfloat16(rounded[at]), expected,
                                2e-5 + std::abs(expected) / 256);
                }
            }
            EXPECT_EQ(out.back(), 9.0F) << "wrote past the end";
            EXPECT_EQ(rounded.back(), 9) << "wrote past the end";
            EXPECT_EQ(steps.back(), 9) << "wrote past the end";
        }
    }
}

TEST_P(NetworkKernelsTest, leavesNothingBelowZero_whenSumsAreNotFinite) {
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<std::uint32_t> none = {0, 0};
    std::vector<float> y(2 * 16, 1.0F);
    y[0] = std::numeric_limits<float>::quiet_NaN();
    y[1] = infinity;
    y[2] = -infinity;
    y[3] = std::numeric_limits<float>::max();
    const std::vector<float> bias(16, 0.0F);
    const GraphEpilogue epilogue{
        {none.data(), nullptr, nullptr}, 0, 1, y.data(), 16, bias.data(), 0, nullptr, nullptr};
    std::vector<float> out(16);
    std::vector<std::uint16_t> rounded(16);
    kernels().epilogue(epilogue, out.data());
    kernels().epilogueBfloat16(epilogue, rounded.data());
    EXPECT_EQ(out[0], 0.0F) << "NaN fails the comparison with 0";
    EXPECT_EQ(out[1], infinity);
    EXPECT_EQ(out[2], 0.0F);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(fromBfloat16(rounded[i]), out[i]);
    EXPECT_EQ(fromBfloat16(rounded[3]), infinity) << "the largest float rounds up";
    std::vector<std::uint8_t> steps(16);
    kernels().epilogueUint8(epilogue, 2.5F, steps.data());
    const std::vector<std::uint8_t> expected = {0, 255, 0, 255, 3};
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), steps.begin()));
}

TEST_P(NetworkKernelsTest, addsALinearBias_byRow) {
    for (const std::size_t rows : {1U, 43U}) {
        const std::vector<float> table = random(rows * 48);
        const std::vector<float> all = random(48);
        const std::vector<float> factor = random(rows);
        const std::vector<float> scaled = random(48);
        std::vector<float> out(rows * 48 + 1, 9.0F);
        kernels().rowBias(table.data(), rows, 48, all.data(), factor.data(), scaled.data(),
                          out.data());
        for (std::size_t i = 0; i < rows * 48; ++i) {
            const double expected =
                double{table[i]} + all[i % 48] + double{factor[i / 48]} * scaled[i % 48];
            ASSERT_NEAR(out[i], expected, 1e-6);
        }
        EXPECT_EQ(out.back(), 9.0F) << "wrote past the end";
    }
}

TEST_P(NetworkKernelsTest, averages_whenFactorIsHalfOrOne) {
    const std::vector<float> before = random(192);
    const std::vector<float> y = random(192);
    for (const float factor : {0.5F, 1.0F}) {
        std::vector<float> x = before;
        kernels().average(x.data(), y.data(), factor, x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_FLOAT_EQ(x[i], factor * (before[i] + y[i]));
        }
    }
}

TEST_P(NetworkKernelsTest, roundsToNearestEven_whenConvertingToBfloat16) {
    std::vector<float> x = random(64, 1e6F);
    x[0] = std::numeric_limits<float>::quiet_NaN();
    x[1] = std::numeric_limits<float>::infinity();
    x[2] = -std::numeric_limits<float>::infinity();
    x[3] = 0.0F;
    x[4] = -0.0F;
    x[5] = std::numeric_limits<float>::denorm_min();
    x[6] = std::bit_cast<float>(0x3F808000U);  // a tie, rounded down to even
    x[7] = std::bit_cast<float>(0x3F818000U);  // a tie, rounded up to even
    x[8] = std::numeric_limits<float>::max();  // rounds to infinity
    x[9] = std::bit_cast<float>(0x7F800001U);  // a NaN that truncation would turn into infinity
    std::vector<std::uint16_t> out(x.size());
    kernels().toBfloat16(x.data(), x.size(), out.data());
    const auto back = [&](std::size_t i) { return fromBfloat16(out[i]); };
    EXPECT_TRUE(std::isnan(back(0)));
    EXPECT_TRUE(std::isnan(back(9)));
    EXPECT_EQ(back(1), x[1]);
    EXPECT_EQ(back(2), x[2]);
    EXPECT_EQ(out[3], 0x0000);
    EXPECT_EQ(out[4], 0x8000);
    EXPECT_EQ(out[5], 0x0000);
    EXPECT_EQ(out[6], 0x3F80);
    EXPECT_EQ(out[7], 0x3F82);
    EXPECT_TRUE(std::isinf(back(8)));
    for (std::size_t i = 10; i < x.size(); ++i) {
        EXPECT_NEAR(back(i) / x[i], 1.0F, 1.0F / 256.0F);
    }
}

TEST_P(NetworkKernelsTest, takesTwoDotProducts_whenRowsAreOdd) {
    for (const std::size_t rows : {1U, 43U}) {
        const std::vector<float> x = random(rows * 192);
        const std::vector<float> weights = random(2 * 192);
        std::vector<float> out(2 * rows);
        kernels().dotPairs(x.data(), rows, 192, weights.data(), out.data());
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t k = 0; k < 2; ++k) {
                double sum = 0;
                for (std::size_t c = 0; c < 192; ++c) {
                    sum += double{x[row * 192 + c]} * weights[k * 192 + c];
                }
                ASSERT_NEAR(out[2 * row + k], sum, 1e-4);
            }
        }
    }
}

std::vector<const NetworkKernels*> all() {
    const auto available = runnableNetworkKernels();
    return {available.begin(), available.end()};
}

INSTANTIATE_TEST_SUITE_P(, NetworkKernelsTest, testing::ValuesIn(all()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(NetworkKernels, endWithThePortableOnes_whenListed) {
    ASSERT_FALSE(runnableNetworkKernels().empty());
    EXPECT_EQ(runnableNetworkKernels().back()->name, "portable");
}

}  // namespace
}  // namespace threefold::simd
