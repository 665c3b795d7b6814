#include "engine/raster/rasterize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/cuda/gpu/gpu.h"
#include "tests/engine/raster/shapes.h"

namespace threefold::test {
namespace {

void expectLikeBasic(const Mesh& mesh, const std::vector<glm::mat4>& cameras,
                     RasterOptions options) {
    options.wantDepth = true;
    options.tier = RasterTier::basic;
    const std::vector<RasterImage> expected = rasterize(mesh, cameras, options);
    options.tier = RasterTier::cuda;
    const std::vector<RasterImage> images = rasterize(mesh, cameras, options);
    for (std::size_t v = 0; v < cameras.size(); ++v) {
        EXPECT_EQ(images[v].face, expected[v].face) << "view " << v;
        EXPECT_EQ(images[v].depth, expected[v].depth) << "view " << v;
        EXPECT_EQ(images[v].degenerate, expected[v].degenerate) << "view " << v;
        float worst = 0;
        for (std::size_t i = 0; i < expected[v].face.size(); ++i) {
            for (int k = 0; k < 3; ++k) {
                worst = std::max(
                    worst, std::abs(images[v].barycentric[i][k] - expected[v].barycentric[i][k]));
            }
        }
        EXPECT_LE(worst, 1e-5F) << "view " << v;
    }
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

TEST(GpuRaster, drawsLikeBasic_whenThereIsAPrior) {
    THREEFOLD_NEEDS_GPU();
    Random random(111);
    RasterOptions options;
    options.width = 120;
    options.height = 90;
    std::vector<float> prior(std::size_t{120} * 90);
    for (float& depth : prior) depth = random(0.9F, 1);
    options.depthPrior = prior;
    expectLikeBasic(torus(50, 30), {randomCamera(random, 2.5F, 1.3F)}, options);
}

}  // namespace
}  // namespace threefold::test
