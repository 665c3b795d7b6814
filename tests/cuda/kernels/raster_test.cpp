#include "cuda/kernels/raster.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "engine/raster/rasterize.h"
#include "tests/cuda/emulation/same_results.h"
#include "tests/engine/raster/shapes.h"

namespace threefold::cuda {
namespace {

using test::Random;
using test::Soup;

RasterOptions imageOf(std::uint32_t width, std::uint32_t height) {
    RasterOptions options;
    options.width = width;
    options.height = height;
    options.wantDepth = true;
    options.tier = RasterTier::basic;
    return options;
}

/// Runs the kernels on what the other tiers see of the mesh.
RasterImage draw(const std::vector<glm::vec4>& clip, const Faces& faces,
                 const RasterOptions& options) {
    const raster::Screen screen = raster::makeScreen(
        clip, faces, raster::Projection(options.width, options.height, options.nearDepth), 1);
    RasterScene scene;
    scene.vertices = screen.vertices.get();
    scene.faces = &faces.front().x;
    scene.pieces = screen.pieces.data();
    scene.faceCount = static_cast<std::uint32_t>(faces.size());
    scene.pieceCount = static_cast<std::uint32_t>(screen.pieces.size());
    scene.width = options.width;
    scene.height = options.height;
    scene.prior = options.depthPrior.empty() ? nullptr : options.depthPrior.data();
    scene.truncation = options.occlusionTruncation;
    RasterImage image;
    const std::size_t pixels = std::size_t{options.width} * options.height;
    image.face.resize(pixels);
    image.barycentric.resize(pixels);
    image.depth.resize(pixels);
    auto degenerate = static_cast<std::uint32_t>(screen.degenerateCut);
    std::vector<std::uint64_t> workspace(rasterWorkspace(options.width, options.height) / 8, 7);
    DeviceLimits limits;
    limits.multiprocessors = 2;
    launchRaster(nullptr, limits, scene,
                 {image.face.data(), &image.barycentric.front().x, image.depth.data(), &degenerate},
                 reinterpret_cast<std::byte*>(workspace.data()));
    image.degenerate = degenerate;
    return image;
}

void expectLikeBasic(const std::vector<glm::vec4>& clip, const Faces& faces,
                     const RasterOptions& options) {
    const std::span<const glm::vec4> views[] = {clip};
    const RasterImage expected = rasterize(views, faces, options).front();
    RasterImage image;
    emulation::expectSameUnderAllSeeds([&] {
        image = draw(clip, faces, options);
        return image.face;
    });
    EXPECT_EQ(image.face, expected.face);
    EXPECT_EQ(image.depth, expected.depth);
    EXPECT_EQ(image.degenerate, expected.degenerate);
    std::size_t different = 0;
    for (std::size_t i = 0; i < expected.face.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            const float error = std::abs(image.barycentric[i][k] - expected.barycentric[i][k]);
            different += error <= 1e-5F ? 0 : 1;
        }
    }
    EXPECT_EQ(different, 0U);
}

/// In front of the camera and behind it; every fifth triangle twice.
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

TEST(RasterKernel, drawsLikeBasic_whenTrianglesAreMixed) {
    Random random(100);
    constexpr std::uint32_t kSizes[][2] = {{1, 1}, {7, 5}, {40, 33}, {64, 20}};
    for (const auto& [width, height] : kSizes) {
        const Soup soup = mixedSoup(random, 40);
        expectLikeBasic(soup.clip, soup.faces, imageOf(width, height));
    }
}

TEST(RasterKernel, drawsLikeBasic_whenTheMeshIsClosed) {
    Random random(101);
    const Mesh ball = test::icosphere(2);
    const auto clip = test::toClip(test::randomCamera(random, 2.5F, 1), ball.vertices);
    expectLikeBasic(clip, ball.faces, imageOf(48, 48));
}

TEST(RasterKernel, drawsLikeBasic_whenThereIsAPrior) {
    Random random(102);
    const Soup soup = mixedSoup(random, 40);
    RasterOptions options = imageOf(37, 29);
    std::vector<float> prior(std::size_t{37} * 29);
    for (float& depth : prior) depth = random(-1, 1);
    options.depthPrior = prior;
    options.occlusionTruncation = 0.01F;
    expectLikeBasic(soup.clip, soup.faces, options);
}

}  // namespace
}  // namespace threefold::cuda
