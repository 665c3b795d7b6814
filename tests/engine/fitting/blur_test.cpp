#include "engine/fitting/blur.h"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace threefold::fitting {
namespace {

constexpr int kSide = 101;

std::size_t indexOf(int x, int y) {
    return static_cast<std::size_t>(y * kSide + x);
}

TEST(Blur, spreadsAPoint_byTheGivenDeviation) {
    for (const float sigma : {0.3F, 1.0F, 1.7F, 4.0F, 9.5F}) {
        std::vector<float> image(static_cast<std::size_t>(kSide * kSide), 0);
        image[indexOf(50, 47)] = 1;
        gaussianBlur(image, kSide, sigma);
        double sum = 0, meanX = 0, meanY = 0, varianceX = 0, varianceY = 0;
        for (int y = 0; y < kSide; ++y) {
            for (int x = 0; x < kSide; ++x) {
                const double value = image[indexOf(x, y)];
                EXPECT_GE(value, -1e-7);
                sum += value;
                meanX += value * x;
                meanY += value * y;
                varianceX += value * (x - 50) * (x - 50);
                varianceY += value * (y - 47) * (y - 47);
            }
        }
        EXPECT_NEAR(sum, 1, 1e-4);
        EXPECT_NEAR(meanX, 50, 1e-2);
        EXPECT_NEAR(meanY, 47, 1e-2);
        EXPECT_NEAR(varianceX, sigma * sigma, 1e-3 * (1 + sigma * sigma));
        EXPECT_NEAR(varianceY, sigma * sigma, 1e-3 * (1 + sigma * sigma));
    }
}

TEST(Blur, keepsAUniformImage_farFromItsBorder) {
    std::vector<float> image(static_cast<std::size_t>(kSide * kSide), 3);
    gaussianBlur(image, kSide, 5);
    EXPECT_NEAR(image[indexOf(50, 50)], 3, 1e-4);
    EXPECT_LT(image[indexOf(0, 50)], 2);
}

TEST(Blur, changesNothing_whenTheDeviationIsZero) {
    std::vector<float> image(static_cast<std::size_t>(kSide * kSide), 0);
    image[indexOf(3, 4)] = 1;
    const std::vector<float> before = image;
    gaussianBlur(image, kSide, 0);
    EXPECT_EQ(image, before);
}

}  // namespace
}  // namespace threefold::fitting
