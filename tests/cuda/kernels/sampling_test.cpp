#include "cuda/kernels/sampling.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "engine/network/pooling.h"
#include "tests/cuda/kernels/scene.h"

namespace threefold::cuda {
namespace {

// Points around the object, and extreme points: at the camera's centre, behind the camera, far
// away, NaN.
std::vector<glm::vec3> points() {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> spread(-0.6F, 0.6F);
    std::vector<glm::vec3> all;
    all.reserve(407);
    for (int i = 0; i < 400; ++i) {
        all.emplace_back(spread(random), spread(random), -0.8F + spread(random));
    }
    constexpr float kHuge = std::numeric_limits<float>::max();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    for (const glm::vec3 point :
         {glm::vec3(0.0F, 0.0F, 0.0F), glm::vec3(0.0F, 0.0F, -1.0F), glm::vec3(0.3F, -0.2F, 0.0F),
          glm::vec3(kHuge, -kHuge, -1.0F), glm::vec3(1e-30F, 1e-30F, -1e-38F),
          glm::vec3(kNan, 0.1F, -0.8F), glm::vec3(0.1F, 0.1F, 0.9F)}) {
        all.push_back(point);
    }
    return all;
}

// A map whose texel t is 1 in channel t and 0 elsewhere, so that channel t of the maximum over a
// single view is the weight of texel t.
std::vector<float> oneHot(int side, int channels) {
    std::vector<float> values(static_cast<std::size_t>(side * side * channels));
    const auto stride = static_cast<std::size_t>(channels) + 1;
    for (std::size_t i = 0; i < values.size(); i += stride) values[i] = 1.0F;
    return values;
}

bool same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(Sampling, projectsToTheBitAsTheEngineDoes_whenPointsAreRandomOrExtreme) {
    for (const FeatureProjection& projection : projectionsFrom(test::cameras(4))) {
        const ViewTransform transform = test::transformOf(projection);
        for (const glm::vec3 point : points()) {
            const Pixel mine = projectPoint(transform, point.x, point.y, point.z);
            const FeatureProjection::Pixel engines = projection.project(point);
            EXPECT_TRUE(same(mine.row, engines.row)) << mine.row << " " << engines.row;
            EXPECT_TRUE(same(mine.column, engines.column)) << mine.column << " " << engines.column;
        }
    }
}

TEST(Sampling, weighsTexelsToTheBitAsTheEngineDoes_whenBilinear) {
    for (const int side : {1, 7, 14}) {
        const int channels = (side * side + 15) / 16 * 16;
        const std::vector<float> map = oneHot(side, channels);
        for (const FeatureProjection& projection : projectionsFrom(test::cameras(4))) {
            const FeaturePooling pooling(
                {projection},
                {{map.data(), static_cast<std::size_t>(side), static_cast<std::size_t>(channels)}},
                SamplerKind::bilinearPerView, *simd::runnableNetworkKernels().back());
            std::vector<float> pooled(pooling.width());
            for (const glm::vec3 point : points()) {
                pooling.pool(point, pooled.data());
                const BilinearCorners corners = bilinearCorners(
                    projectPoint(test::transformOf(projection), point.x, point.y, point.z), side);
                std::vector<float> expected(static_cast<std::size_t>(channels));
                for (int k = 0; k < 4; ++k) {
                    ASSERT_GE(corners.texel[k], 0);
                    ASSERT_LT(corners.texel[k], side * side);
                    expected[static_cast<std::size_t>(corners.texel[k])] += corners.weight[k];
                }
                for (int c = 0; c < channels; ++c) {
                    const auto at = static_cast<std::size_t>(c);
                    EXPECT_EQ(pooled[3 + at], expected[at]) << "side " << side << " texel " << c;
                }
            }
        }
    }
}

TEST(Sampling, findsTheEnginesTexel_whenNearest) {
    const int side = 14;
    const int channels = 208;
    const std::vector<float> map = oneHot(side, channels);
    for (const FeatureProjection& projection : projectionsFrom(test::cameras(4))) {
        const FeaturePooling pooling({projection}, {{map.data(), 14, 208}},
                                     SamplerKind::nearestInFirstView,
                                     *simd::runnableNetworkKernels().back());
        std::vector<float> pooled(pooling.width());
        for (const glm::vec3 point : points()) {
            pooling.pool(point, pooled.data());
            const Pixel pixel =
                projectPoint(test::transformOf(projection), point.x, point.y, point.z);
            const int texel = nearestTexel(pixel, side);
            ASSERT_GE(texel, 0);
            ASSERT_LT(texel, side * side);
            EXPECT_EQ(pooled[3 + static_cast<std::size_t>(texel)], 1.0F);
        }
    }
}

TEST(Sampling, givesZero_whenARowOrColumnIsAnInteger) {
    for (const Pixel pixel : {Pixel{0.0, 17.3}, Pixel{17.3, 0.0}, Pixel{223.0, 223.0},
                              Pixel{8.0, 100.3}, Pixel{100.3, 16.0}}) {
        for (const int side : {7, 28, 56, 224}) {
            const BilinearCorners corners = bilinearCorners(pixel, side);
            const bool isZero = std::fmod(pixel.row * side / 224.0, 1.0) == 0.0 ||
                                std::fmod(pixel.column * side / 224.0, 1.0) == 0.0 ||
                                pixel.row * side / 224.0 > side - 1;
            float sum = 0.0F;
            for (const float weight : corners.weight) sum += weight;
            if (isZero) {
                EXPECT_EQ(sum, 0.0F);
            } else {
                EXPECT_NEAR(sum, 1.0F, 1e-6F);
            }
        }
    }
}

// On some processors the engine's vector code has fused operations, so the sums differ by rounding.
TEST(Sampling, agreesWithTheEngineInStatistics_whenViewsAreTwoToEight) {
    std::mt19937 random(3);
    std::normal_distribution<float> normal(0.0F, 3.0F);
    constexpr int kSide = 14;
    constexpr int kChannels = 16;
    for (std::size_t views = 2; views <= 8; ++views) {
        std::vector<FeatureProjection> all;
        for (std::size_t v = 0; v < views; ++v)
            all.push_back(projectionsFrom(test::cameras(4))[v % 4]);
        std::vector<float> map(views * kSide * kSide * kChannels);
        for (float& value : map) value = normal(random);
        const FeaturePooling pooling(all, {{map.data(), kSide, kChannels}},
                                     SamplerKind::bilinearPerView,
                                     *simd::runnableNetworkKernels().back());
        std::vector<float> pooled(pooling.width());
        for (const glm::vec3 point : points()) {
            pooling.pool(point, pooled.data());
            for (int c = 0; c < kChannels; ++c) {
                float sample[8] = {};
                for (std::size_t v = 0; v < views; ++v) {
                    const BilinearCorners k = bilinearCorners(
                        projectPoint(test::transformOf(all[v]), point.x, point.y, point.z), kSide);
                    const float* base = map.data() + v * kSide * kSide * kChannels + c;
                    sample[v] = blendCorners(
                        base[k.texel[0] * kChannels], base[k.texel[1] * kChannels],
                        base[k.texel[2] * kChannels], base[k.texel[3] * kChannels], k.weight);
                }
                const ViewStatistics mine = overViews(sample, static_cast<int>(views));
                const std::size_t at = 3 + static_cast<std::size_t>(c);
                EXPECT_NEAR(mine.maximum, pooled[at], 4e-6F);
                EXPECT_NEAR(mine.mean, pooled[at + kChannels], 4e-6F);
                EXPECT_NEAR(mine.deviation, pooled[at + 2 * kChannels], 4e-6F);
            }
        }
    }
}

}  // namespace
}  // namespace threefold::cuda
