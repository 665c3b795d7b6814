#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/network/onednn.h"
#include "engine/system/processor.h"

namespace threefold::onednn {
namespace {

// The columns have very different magnitudes, and one is zero: each must have its own quantisation
// scale.
TEST(Product, roundsEachColumnByItsOwnScale_whenPrecisionIsInt8) {
    if (!processorHasVnni()) GTEST_SKIP() << "this processor has no 8-bit products";
    std::mt19937 random(20261122);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    for (const Product::Shape shape :
         {Product::Shape{1, 4, 16}, Product::Shape{5, 192, 384}, Product::Shape{43, 336, 384}}) {
        std::vector<float> weights(shape.inner * shape.columns);
        std::vector<double> largest(shape.columns, 0.0);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const std::size_t column = i % shape.columns;
            weights[i] =
                column == 3 ? 0.0F : uniform(random) * std::pow(10.0F, float(column % 7) - 3.0F);
            largest[column] = std::max(largest[column], std::abs(double{weights[i]}));
        }
        std::vector<std::uint8_t> x(shape.rows * shape.inner);
        for (std::uint8_t& value : x) value = static_cast<std::uint8_t>(random() % 256);
        // Sums of two products exceed 16 bits, where vpmaddubsw would saturate.
        std::fill_n(x.begin(), shape.inner, std::uint8_t{255});

        const Product product(shape, Precision::int8, weights, {}, false);
        std::vector<float> y(shape.rows * shape.columns);
        std::vector<std::byte> scratch(product.scratchBytes());
        product.run(x.data(), y.data(), scratch.data());
        for (std::size_t row = 0; row < shape.rows; ++row) {
            for (std::size_t column = 0; column < shape.columns; ++column) {
                double exact = 0;
                double maxError = 0;  // largest error if weights are off by half a scale
                for (std::size_t k = 0; k < shape.inner; ++k) {
                    exact += double{weights[k * shape.columns + column]} * x[row * shape.inner + k];
                    maxError += largest[column] / 127 / 2 * x[row * shape.inner + k];
                }
                ASSERT_NEAR(y[row * shape.columns + column], exact, maxError * 1.001 + 1e-30);
            }
        }
    }
}

}  // namespace
}  // namespace threefold::onednn
