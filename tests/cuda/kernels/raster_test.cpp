#include "cuda/kernels/raster.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/raster/rasterize.h"
#include "tests/cuda/emulation/same_results.h"
#include "tests/engine/raster/shapes.h"
#include "tests/engine/raster/ties.h"

namespace threefold::cuda {
namespace {

using test::Random;
using test::Soup;

RasterOptions optionsForSize(std::uint32_t width, std::uint32_t height) {
    RasterOptions options;
    options.width = width;
    options.height = height;
    options.wantDepth = true;
    return options;
}

/// Runs the kernels on the snapped view that the other tiers draw, too.
RasterImage draw(const std::vector<glm::vec4>& clip, const Faces& faces,
                 const RasterOptions& options, std::uint32_t trianglesPerLaunch) {
    const raster::SnappedView snapped = raster::snapView(
        clip, faces, raster::ScreenProjection(options.width, options.height, options.nearDepth), 1);
    RasterTriangles triangles;
    triangles.vertices = snapped.vertices.get();
    triangles.faces = &faces.front().x;
    triangles.clippedTriangles = snapped.clippedTriangles.data();
    triangles.faceCount = static_cast<std::uint32_t>(faces.size());
    triangles.clippedTriangleCount = static_cast<std::uint32_t>(snapped.clippedTriangles.size());
    triangles.width = options.width;
    triangles.height = options.height;
    triangles.previousDepths =
        options.peeling.previousDepths.empty() ? nullptr : options.peeling.previousDepths.data();
    triangles.minGap = options.peeling.minGap;
    RasterImage image;
    const std::size_t pixels = std::size_t{options.width} * options.height;
    image.facePlusOne.resize(pixels);
    image.barycentric.resize(pixels);
    image.depth.resize(pixels);
    auto degenerate = static_cast<std::uint32_t>(snapped.degenerateClippedFaceCount);
    triangles.trianglesPerLaunch = trianglesPerLaunch;
    std::vector<std::uint64_t> workspace((rasterWorkspaceBytes(triangles) + 7) / 8, 7);
    DeviceLimits limits;
    limits.multiprocessors = 2;
    launchRaster(
        nullptr, limits, triangles,
        {image.facePlusOne.data(), &image.barycentric.front().x, image.depth.data(), &degenerate},
        reinterpret_cast<std::byte*>(workspace.data()));
    image.degenerateFaceCount = degenerate;
    return image;
}

/// Expects the kernels to draw the image that each tier of the processor draws, in any order of
/// threads.
void expectLikeTheOtherTiers(const std::vector<glm::vec4>& clip, const Faces& faces,
                             RasterOptions options,
                             std::uint32_t trianglesPerLaunch = kMaxTrianglesPerLaunch) {
    RasterImage image;
    emulation::expectSameUnderAllSeeds([&] {
        image = draw(clip, faces, options, trianglesPerLaunch);
        return image.facePlusOne;
    });
    const std::span<const glm::vec4> views[] = {clip};
    for (const RasterTier tier : {RasterTier::basic, RasterTier::tiled, RasterTier::vectorised}) {
        SCOPED_TRACE(rasterTierName(tier));
        options.choice.tier = tier;
        const RasterImage expected = rasterize(views, faces, options).front();
        EXPECT_EQ(image.facePlusOne, expected.facePlusOne);
        EXPECT_EQ(image.depth, expected.depth);
        EXPECT_EQ(image.degenerateFaceCount, expected.degenerateFaceCount);
        std::size_t different = 0;
        for (std::size_t i = 0; i < expected.facePlusOne.size(); ++i) {
            for (int k = 0; k < 3; ++k) {
                const float error = std::abs(image.barycentric[i][k] - expected.barycentric[i][k]);
                different += error <= 1e-5F ? 0 : 1;
            }
        }
        EXPECT_EQ(different, 0U);
    }
}

std::size_t coveredPixels(const std::vector<glm::vec4>& clip, const Faces& faces,
                          const RasterOptions& options) {
    const RasterImage image = draw(clip, faces, options, kMaxTrianglesPerLaunch);
    return image.facePlusOne.size() - static_cast<std::size_t>(std::count(
                                          image.facePlusOne.begin(), image.facePlusOne.end(), 0U));
}

/// Triangle soup in front of the camera and behind it; every fifth triangle occurs twice.
Soup mixedSoup(Random& random, int count) {
    Soup soup;
    const auto corner = [&] {
        const float w = random(-0.2F, 1.5F);
        return glm::vec4(random(-1.5F, 1.5F), random(-1.5F, 1.5F), random(-1, 1), w);
    };
    for (int i = 0; i < count; ++i) {
        const glm::vec4 a = corner();
        const glm::vec4 b = i % 17 == 0 ? a : corner();
        soup.add(a, b, corner());
        if (i % 5 == 0) soup.faces.push_back(soup.faces.back());
    }
    return soup;
}

TEST(RasterKernel, drawsLikeTheOtherTiers_whenTrianglesAreMixed) {
    Random random(100);
    constexpr std::uint32_t kSizes[][2] = {{1, 1}, {7, 5}, {40, 33}, {64, 20}};
    for (const auto& [width, height] : kSizes) {
        const Soup soup = mixedSoup(random, 40);
        expectLikeTheOtherTiers(soup.clip, soup.faces, optionsForSize(width, height));
    }
}

TEST(RasterKernel, drawsLikeTheOtherTiers_whenTheMeshIsClosed) {
    Random random(101);
    const Mesh ball = test::icosphere(2);
    const auto clip = test::toClip(test::randomCamera(random, 2.5F, 1), ball.vertices);
    expectLikeTheOtherTiers(clip, ball.faces, optionsForSize(48, 48));
}

TEST(RasterKernel, drawsLikeTheOtherTiers_whenPeelingBehindPreviousDepths) {
    Random random(102);
    const Soup soup = mixedSoup(random, 40);
    RasterOptions options = optionsForSize(37, 29);
    std::vector<float> previousDepths(std::size_t{37} * 29);
    for (float& depth : previousDepths) depth = random(-1, 1);
    options.peeling.previousDepths = previousDepths;
    options.peeling.minGap = 0.01F;
    expectLikeTheOtherTiers(soup.clip, soup.faces, options);
}

/// Triangles whose boxes have several chunks: the first launch queues them, the second draws them.
Soup largeSoup(Random& random, int count) {
    Soup soup;
    const auto corner = [&] {
        return glm::vec4(random(-1.5F, 1.5F), random(-1.5F, 1.5F), random(-1, 1),
                         random(0.7F, 1.3F));
    };
    for (int i = 0; i < count; ++i) {
        const glm::vec4 a = corner();
        const glm::vec4 b = corner();
        soup.add(a, b, corner());
    }
    return soup;
}

TEST(RasterKernel, drawsLikeTheOtherTiers_whenLargeTrianglesLieBesideSmallOnes) {
    Random random(103);
    Soup soup = largeSoup(random, 12);
    for (int i = 0; i < 60; ++i) {
        const float x = random(-1, 1);
        const float y = random(-1, 1);
        const float z = random(-1, 1);
        soup.add({x, y, z, 1}, {x + 0.1F, y, z, 1}, {x, y + 0.1F, z, 1});
    }
    const RasterOptions options = optionsForSize(160, 130);
    ASSERT_GT(coveredPixels(soup.clip, soup.faces, options), 10000U);
    expectLikeTheOtherTiers(soup.clip, soup.faces, options);
}

TEST(RasterKernel, drawsLikeTheOtherTiers_whenBoxesAreAChunkOrOnePixelMore) {
    // 64 × 64 pixels are one chunk; the image has one row more.
    const RasterOptions options = optionsForSize(64, 65);
    for (const float top : {1.0F, 1.0F - 2.0F / 65}) {
        Soup soup;
        soup.add({-1, -1, 0, 1}, {1, -1, 0, 1}, {1, top, 0.5F, 1});
        soup.add({-1, -1, 0, 1}, {1, top, 0.5F, 1}, {-1, top, 0, 1});
        expectLikeTheOtherTiers(soup.clip, soup.faces, options);
    }
}

TEST(RasterKernel, drawsTheFaceOfLowestIndex_whenLargeTrianglesAreEqual) {
    Soup soup;
    for (int i = 0; i < 9; ++i) soup.add({-3, -1, 0.25F, 1}, {3, -1, 0.25F, 1}, {0, 5, 0.25F, 1});
    const RasterOptions options = optionsForSize(100, 90);
    const RasterImage image = draw(soup.clip, soup.faces, options, 4);
    EXPECT_EQ(std::count(image.facePlusOne.begin(), image.facePlusOne.end(), 1U), 9000);
    expectLikeTheOtherTiers(soup.clip, soup.faces, options, 4);
}

TEST(RasterKernel, drawsLikeTheOtherTiers_whenTrianglesDoNotFitOneLaunch) {
    Random random(104);
    Soup soup = mixedSoup(random, 30);
    const Soup large = largeSoup(random, 8);
    for (const glm::u32vec3& f : large.faces) {
        soup.add(large.clip[f.x], large.clip[f.y], large.clip[f.z]);
    }
    for (const std::uint32_t atOnce : {1U, 7U, 1000U}) {
        expectLikeTheOtherTiers(soup.clip, soup.faces, optionsForSize(80, 70), atOnce);
    }
}

TEST(RasterKernel, drawsLikeTheOtherTiers_whenTrianglesAreSlivers) {
    Random random(105);
    Soup soup;
    for (int i = 0; i < 80; ++i) {
        const float x = random(-1.1F, 1.1F);
        const float y = random(-1.1F, 1.1F);
        const float dx = random(-1.5F, 1.5F);
        const float dy = random(-1.5F, 1.5F);
        const auto corner = [&](float along) {
            return glm::vec4(x + along * dx + random(-0.004F, 0.004F),
                             y + along * dy + random(-0.004F, 0.004F), random(-1, 1), 1);
        };
        const glm::vec4 a = corner(0);
        const glm::vec4 b = corner(random(0, 1));
        soup.add(a, b, corner(1));
    }
    const RasterOptions options = optionsForSize(97, 83);
    ASSERT_GT(coveredPixels(soup.clip, soup.faces, options), 100U);
    expectLikeTheOtherTiers(soup.clip, soup.faces, options);
}

TEST(RasterKernel, coversEveryPixelOnce_whenEdgesRunThroughPixelCentres) {
    Random random(106);
    constexpr std::uint32_t kCells = 6;
    constexpr std::uint32_t kSize = 36;  // six pixels a cell
    Soup soup;
    for (std::uint32_t y = 0; y <= kCells; ++y) {
        for (std::uint32_t x = 0; x <= kCells; ++x) {
            const bool inside = x > 0 && x < kCells && y > 0 && y < kCells;
            // Moves inner vertices by multiples of half a pixel.
            const auto at = [&](std::uint32_t cell) {
                const float by = inside ? 0.5F * static_cast<float>(random.below(5)) - 1 : 0;
                return 2 * (6 * static_cast<float>(cell) + by) / kSize - 1;
            };
            const float right = at(x);
            soup.clip.emplace_back(right, at(y), random(-1, 1), 1);
        }
    }
    for (std::uint32_t y = 0; y < kCells; ++y) {
        for (std::uint32_t x = 0; x < kCells; ++x) {
            const std::uint32_t v = y * (kCells + 1) + x;
            soup.faces.emplace_back(v, v + 1, v + kCells + 2);
            soup.faces.emplace_back(v + kCells + 1, v, v + kCells + 2);
        }
    }
    const RasterOptions options = optionsForSize(kSize, kSize);
    EXPECT_EQ(coveredPixels(soup.clip, soup.faces, options), std::size_t{kSize} * kSize);
    expectLikeTheOtherTiers(soup.clip, soup.faces, options);
    std::size_t sum = 0;  // over faces drawn one by one
    for (const glm::u32vec3& face : soup.faces) sum += coveredPixels(soup.clip, {face}, options);
    EXPECT_EQ(sum, std::size_t{kSize} * kSize);
}

TEST(RasterKernel, drawsLikeTheOtherTiers_whenTheNearPlaneCuts) {
    Random random(107);
    Soup soup;
    for (int i = 0; i < 40; ++i) {
        const auto corner = [&] {
            const float w = random(-1, 2);
            return glm::vec4(random(-2, 2), random(-2, 2), w - random(0, 0.2F), w);
        };
        const glm::vec4 a = corner();
        const glm::vec4 b = corner();
        soup.add(a, b, corner());
    }
    RasterOptions options = optionsForSize(70, 66);
    for (const float nearDepth : {-1.0F, 0.0F, 0.9F}) {
        options.nearDepth = nearDepth;
        expectLikeTheOtherTiers(soup.clip, soup.faces, options);
    }
}

TEST(RasterKernel, drawsLikeTheOtherTiers_whenCoordinatesAreHuge) {
    Random random(108);
    Soup soup;
    constexpr float kLargest = std::numeric_limits<float>::max();
    for (const float size : {1e3F, 3e4F, 1e6F, 1e20F, 1e38F, kLargest}) {
        for (int i = 0; i < 4; ++i) {
            const auto corner = [&] {
                return glm::vec4(random(-1, 1) * size, random(-1, 1) * size, random(-1, 1),
                                 random(0.5F, 1));
            };
            const glm::vec4 a = corner();
            const glm::vec4 b = corner();
            soup.add(a, b, corner());
        }
        soup.add({-size, -size, 0, 1}, {size, -size, 0, 1}, {0, size, 0, 1});
        soup.add({-1, -1, size, 1e-3F}, {1, -1, -size, 1}, {0, 1, 0, 1e-30F});
    }
    expectLikeTheOtherTiers(soup.clip, soup.faces, optionsForSize(50, 90));
}

TEST(RasterKernel, drawsLikeTheOtherTiers_whenImagesAreOnePixelOrOneRowOrOneColumn) {
    Random random(109);
    const Soup mixed = mixedSoup(random, 12);
    const Soup large = largeSoup(random, 4);
    constexpr std::uint32_t kSizes[][2] = {
        {1, 1}, {1, 300}, {300, 1}, {1, kMaxRasterSide}, {kMaxRasterSide, 1}};
    for (const auto& [width, height] : kSizes) {
        SCOPED_TRACE(testing::Message() << width << " by " << height);
        expectLikeTheOtherTiers(mixed.clip, mixed.faces, optionsForSize(width, height));
        expectLikeTheOtherTiers(large.clip, large.faces, optionsForSize(width, height));
    }
}

TEST(RasterKernel, peelsLikeTheOtherTiers_layerByLayer) {
    Random random(110);
    const Soup soup = largeSoup(random, 10);
    RasterOptions options = optionsForSize(110, 60);
    std::vector<float> previousDepths(std::size_t{110} * 60,
                                      -std::numeric_limits<float>::infinity());
    for (int layer = 0; layer < 3; ++layer) {
        options.peeling.previousDepths = previousDepths;
        expectLikeTheOtherTiers(soup.clip, soup.faces, options);
        previousDepths = draw(soup.clip, soup.faces, options, kMaxTrianglesPerLaunch).depth;
    }
}

TEST(RasterKernel, drawsLikeTheOtherTiers_whenDepthsAreTheSame) {
    Random random(111);
    constexpr unsigned kSize = 80;
    for (const int reach : {2, 9, 80}) {
        Soup soup;
        test::addFolded(soup, random, kSize, 20, reach);
        test::addMeeting(soup, random, kSize, 10, reach);
        test::addCoplanar(soup, random, kSize, 5, reach, false);
        test::addCoplanar(soup, random, kSize, 15, reach, true);
        expectLikeTheOtherTiers(soup.clip, soup.faces, optionsForSize(kSize, kSize));
        expectLikeTheOtherTiers(soup.clip, soup.faces, optionsForSize(kSize, kSize), 7);
    }
}

TEST(RasterKernel, drawsTheNearest_whenDepthsDifferByLessThanTheLastBit) {
    Soup soup;
    test::addHardlyNearer(soup);
    const RasterOptions options = optionsForSize(80, 80);
    const RasterImage image = draw(soup.clip, soup.faces, options, kMaxTrianglesPerLaunch);
    EXPECT_EQ(std::count(image.facePlusOne.begin(), image.facePlusOne.end(), 1U), 0);
    EXPECT_GT(std::count(image.facePlusOne.begin(), image.facePlusOne.end(), 2U), 1000);
    expectLikeTheOtherTiers(soup.clip, soup.faces, options);
}

TEST(RasterKernel, drawsNothing_whenTrianglesAreDegenerateOrOutside) {
    Soup soup;
    soup.add({0, 0, 0, 1}, {0.5F, 0.5F, 0, 1}, {1, 1, 0, 1});
    soup.add({0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1});
    soup.add({2, 2, 0, 1}, {3, 2, 0, 1}, {2, 3, 0, 1});
    soup.add({0, 0, -2, 1}, {1, 0, -2, 1}, {0, 1, -2, 1});
    const RasterOptions options = optionsForSize(20, 20);
    EXPECT_EQ(coveredPixels(soup.clip, soup.faces, options), 0U);
    expectLikeTheOtherTiers(soup.clip, soup.faces, options);
}

TEST(RasterKernel, refusesMoreTriangles_thanAnIndexHolds) {
    RasterTriangles triangles;
    triangles.faceCount = (1U << 31) - 1;
    triangles.clippedTriangleCount = (1U << 31) + 1;
    triangles.width = triangles.height = 1;
    EXPECT_THROW(launchRaster(nullptr, {}, triangles, {}, nullptr), InputError);
}

}  // namespace
}  // namespace threefold::cuda
