#include "engine/network/cuda_plugin.h"
#include "engine/raster/rasterize.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "tests/cuda/gpu/gpu.h"
#include "tests/engine/raster/shapes.h"
#include "tests/engine/raster/ties.h"

namespace threefold::test {
namespace {

void expectLikeBasic(std::span<const std::span<const glm::vec4>> views, const Faces& faces,
                     RasterOptions options) {
    options.wantDepth = true;
    options.choice.tier = RasterTier::basic;
    const std::vector<RasterImage> expected = rasterize(views, faces, options);
    options.choice.tier = RasterTier::cuda;
    options.choice.deviceRaster = cudaRasterFactory(0);
    const std::vector<RasterImage> images = rasterize(views, faces, options);
    for (std::size_t v = 0; v < views.size(); ++v) {
        EXPECT_EQ(images[v].facePlusOne, expected[v].facePlusOne) << "view " << v;
        EXPECT_EQ(images[v].depth, expected[v].depth) << "view " << v;
        EXPECT_EQ(images[v].degenerateFaceCount, expected[v].degenerateFaceCount) << "view " << v;
        float worst = 0;
        for (std::size_t i = 0; i < expected[v].facePlusOne.size(); ++i) {
            for (int k = 0; k < 3; ++k) {
                worst = std::max(
                    worst, std::abs(images[v].barycentric[i][k] - expected[v].barycentric[i][k]));
            }
        }
        EXPECT_LE(worst, 1e-5F) << "view " << v;
    }
}

void expectLikeBasic(const Mesh& mesh, const std::vector<glm::mat4>& cameras,
                     const RasterOptions& options) {
    std::vector<std::vector<glm::vec4>> clip;
    for (const glm::mat4& camera : cameras) clip.push_back(toClip(camera, mesh.vertices));
    const std::vector<std::span<const glm::vec4>> views(clip.begin(), clip.end());
    expectLikeBasic(views, mesh.faces, options);
}

void expectLikeBasic(const Soup& soup, const RasterOptions& options) {
    const std::span<const glm::vec4> views[] = {soup.clip};
    expectLikeBasic(views, soup.faces, options);
}

RasterOptions optionsForSize(std::uint32_t width, std::uint32_t height) {
    RasterOptions options;
    options.width = width;
    options.height = height;
    return options;
}

/// Triangle soup with corners within `size` around the image, in front of the camera and behind it.
Soup soupOf(Random& random, int count, float size) {
    Soup soup;
    const auto corner = [&] {
        return glm::vec4(random(-size, size), random(-size, size), random(-1, 1),
                         random(-0.3F, 1.5F));
    };
    for (int i = 0; i < count; ++i) {
        const glm::vec4 a = corner();
        const glm::vec4 b = corner();
        soup.add(a, b, corner());
    }
    return soup;
}

TEST(GpuRaster, drawsLikeBasic_whenMeshesAreSeenFromOutsideAndInside) {
    THREEFOLD_NEEDS_GPU();
    Random random(110);
    RasterOptions options;
    options.width = 333;
    options.height = 257;
    for (const Mesh& mesh : {icosphere(1), icosphere(6), torus(90, 40)}) {
        std::vector<glm::mat4> cameras;
        for (const float distance : {3.0F, 1.5F, 0.75F}) {
            cameras.push_back(randomCamera(random, distance, 1.3F));
        }
        expectLikeBasic(mesh, cameras, options);
    }
}

TEST(GpuRaster, drawsLikeBasic_whenPeelingBehindPreviousDepths) {
    THREEFOLD_NEEDS_GPU();
    Random random(111);
    RasterOptions options;
    options.width = 120;
    options.height = 90;
    std::vector<float> previousDepths(std::size_t{120} * 90);
    for (float& depth : previousDepths) depth = random(0.9F, 1);
    options.peeling.previousDepths = previousDepths;
    expectLikeBasic(torus(50, 30), {randomCamera(random, 2.5F, 1.3F)}, options);
}

TEST(GpuRaster, drawsLikeBasic_whenSomeTrianglesAreLargeAndManyAreSmall) {
    THREEFOLD_NEEDS_GPU();
    Random random(112);
    Soup soup = soupOf(random, 40, 1.5F);
    for (int i = 0; i < 100000; ++i) {
        const float x = random(-1, 1);
        const float y = random(-1, 1);
        const float z = random(-1, 1);
        soup.add({x, y, z, 1}, {x + 0.01F, y, z, 1}, {x, y + 0.01F, z, 1});
    }
    expectLikeBasic(soup, optionsForSize(777, 512));
}

TEST(GpuRaster, drawsLikeBasic_whenCoordinatesAreHugeAndFacesAreCut) {
    THREEFOLD_NEEDS_GPU();
    Random random(113);
    for (const float size : {3.0F, 1e4F, 1e9F, 1e38F}) {
        expectLikeBasic(soupOf(random, 200, size), optionsForSize(200, 333));
    }
}

TEST(GpuRaster, drawsLikeBasic_whenImagesAreOnePixelOrOneRowOrOneColumn) {
    THREEFOLD_NEEDS_GPU();
    Random random(114);
    const Soup soup = soupOf(random, 60, 1.5F);
    constexpr std::uint32_t kSizes[][2] = {{1, 1}, {1, kMaxRasterSide}, {kMaxRasterSide, 1}};
    for (const auto& [width, height] : kSizes) expectLikeBasic(soup, optionsForSize(width, height));
}

TEST(GpuRaster, drawsLikeBasic_whenDepthsAreTheSame) {
    THREEFOLD_NEEDS_GPU();
    Random random(119);
    constexpr unsigned kSize = 300;
    for (const int reach : {2, 15, 300}) {
        Soup soup;
        addFolded(soup, random, kSize, 400, reach);
        addMeeting(soup, random, kSize, 200, reach);
        addCoplanar(soup, random, kSize, 200, reach, false);
        addCoplanar(soup, random, kSize, 200, reach, true);
        expectLikeBasic(soup, optionsForSize(kSize, kSize));
    }
}

TEST(GpuRaster, drawsTheFaceOfLowestIndex_whenManyAreEqual) {
    THREEFOLD_NEEDS_GPU();
    Random random(115);
    Soup soup;
    for (int i = 0; i < 300; ++i) {
        soup.add({-3, -1, 0.25F, 1}, {3, -1, 0.25F, 1}, {0, 5, 0.25F, 1});
        soup.add({-0.1F, -0.1F, 0.25F, 1}, {0.1F, 0, 0.25F, 1}, {0, 0.1F, 0.25F, 1});
    }
    std::reverse(soup.faces.begin(), soup.faces.end());
    expectLikeBasic(soup, optionsForSize(256, 256));
}

}  // namespace
}  // namespace threefold::test
