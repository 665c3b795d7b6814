#include "cuda/backend/device_raster.h"

#include <array>
#include <cstring>
#include <utility>

#include <gtest/gtest.h>

#include "cuda/kernels/raster.h"
#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/raster/rasterize.h"
#include "tests/cuda/backend/plain_cuda.h"

namespace threefold::cuda {

// Stand-ins for the raster kernels (tests/cuda/kernels has the tests of the kernels). The output
// depends on all inputs that must have been uploaded before the launch.
std::size_t rasterWorkspaceBytes(const RasterTriangles& triangles) {
    return std::size_t{triangles.width} * triangles.height;
}

void launchRaster(Stream stream, const DeviceLimits&, const RasterTriangles& triangles,
                  const RasterOutput& output, std::byte* workspace) {
    test::enqueue(stream, [=] {
        const std::size_t pixels = std::size_t{triangles.width} * triangles.height;
        std::memset(workspace, 0xff, pixels);
        std::uint32_t sum = 0;
        for (std::uint32_t i = 0; i < 3 * triangles.faceCount; ++i) {
            sum = sum * 31 + triangles.faces[i];
            sum = sum * 31 + static_cast<std::uint32_t>(triangles.vertices[triangles.faces[i]].x);
        }
        for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
            const float previous =
                triangles.previousDepths == nullptr ? 0.0F : triangles.previousDepths[pixel];
            output.facePlusOne[pixel] = sum + static_cast<std::uint32_t>(pixel);
            for (int k = 0; k < 3; ++k) output.barycentric[3 * pixel + k] = previous + 1.0F * k;
            if (output.depth != nullptr) output.depth[pixel] = previous - 1.0F * pixel;
        }
        *output.degenerateFaceCount += triangles.faceCount;
    });
}

namespace {

constexpr std::size_t kVertices = 5;

/// Vertices of a view in clip space; they differ between views.
std::vector<glm::vec4> viewOf(int number) {
    std::vector<glm::vec4> clip;
    for (std::size_t i = 0; i < kVertices; ++i) {
        clip.emplace_back(0.1F * static_cast<float>(i) - 0.01F * static_cast<float>(number),
                          0.2F * static_cast<float>(i % 3), 0.5F, 1.0F);
    }
    return clip;
}

class CudaRasterTest : public testing::Test {
  protected:
    CudaRasterTest() {
        options_.width = 6;
        options_.height = 5;
        options_.choice.tier = RasterTier::cuda;
        options_.wantDepth = true;
        options_.choice.deviceRaster = [this] { return raster_; };
    }

    std::vector<RasterImage> draw(int views, const Faces& faces) {
        std::vector<std::vector<glm::vec4>> clip;
        for (int view = 0; view < views; ++view) clip.push_back(viewOf(view));
        const std::vector<std::span<const glm::vec4>> spans(clip.begin(), clip.end());
        return rasterize(spans, faces, options_);
    }

    static void expectSame(const std::vector<RasterImage>& ours,
                           const std::vector<RasterImage>& theirs) {
        ASSERT_EQ(ours.size(), theirs.size());
        for (std::size_t view = 0; view < ours.size(); ++view) {
            EXPECT_EQ(ours[view].facePlusOne, theirs[view].facePlusOne) << view;
            EXPECT_EQ(ours[view].barycentric, theirs[view].barycentric) << view;
            EXPECT_EQ(ours[view].depth, theirs[view].depth) << view;
            EXPECT_EQ(ours[view].degenerateFaceCount, theirs[view].degenerateFaceCount) << view;
        }
    }

    std::shared_ptr<raster::DeviceRaster> raster_ = makeDeviceRaster(0);
    RasterOptions options_;
    Faces faces_ = {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}};
};

TEST_F(CudaRasterTest, givesEachViewItsOwnImage_whenStreamsAreSlow) {
    options_.facesCacheKey = std::make_shared<FacesIdentity>();
    std::vector<float> previousDepths(7 * 30);
    for (std::size_t i = 0; i < previousDepths.size(); ++i)
        previousDepths[i] = 1.0F * static_cast<float>(i);
    options_.peeling.previousDepths = previousDepths;
    const std::vector<RasterImage> expected = draw(7, faces_);
    EXPECT_EQ(expected[3].degenerateFaceCount, faces_.size());
    EXPECT_NE(expected[2].facePlusOne, expected[3].facePlusOne);
    EXPECT_EQ(expected[6].depth[4], previousDepths[6 * 30 + 4] - 4);
    for (unsigned seed = 0; seed < 60; ++seed) {
        const test::RandomStreamOrder streams(seed);
        expectSame(draw(7, faces_), expected);
    }
}

TEST_F(CudaRasterTest, fillsLargeImages_throughSmallPieces) {
    // A view needs 23 MiB: two views do not fit into the ring buffer for downloads.
    options_.width = 1200;
    options_.height = 1003;
    const std::vector<RasterImage> expected = draw(3, faces_);
    EXPECT_EQ(expected[1].facePlusOne.back() - expected[1].facePlusOne.front(), 1200U * 1003 - 1);
    for (unsigned seed = 0; seed < 5; ++seed) {
        const test::RandomStreamOrder streams(seed);
        expectSame(draw(3, faces_), expected);
    }
}

TEST_F(CudaRasterTest, uploadsFacesOnce_whenTheirKeyIsTheSame) {
    const std::size_t faceBytes = faces_.size() * sizeof(glm::u32vec3);
    const auto uploads = [&](int views) {
        test::takeUploads();
        draw(views, faces_);
        return test::takeUploads();
    };
    const std::size_t view = uploads(2) - uploads(1);
    EXPECT_EQ(uploads(3), 3 * view + faceBytes) << "the faces must be uploaded once for all views";
    EXPECT_EQ(uploads(3), 3 * view + faceBytes)
        << "faces without a cache key must be uploaded again";
    options_.facesCacheKey = std::make_shared<FacesIdentity>();
    EXPECT_EQ(uploads(1), view + faceBytes);
    EXPECT_EQ(uploads(2), 2 * view);
    const auto key = std::exchange(options_.facesCacheKey, nullptr);
    EXPECT_EQ(uploads(1), view + faceBytes);
    options_.facesCacheKey = key;
    EXPECT_EQ(uploads(1), view) << "faces without a key must not replace cached ones";
    options_.facesCacheKey = std::make_shared<FacesIdentity>();
    EXPECT_EQ(uploads(1), view + faceBytes);
}

TEST_F(CudaRasterTest, drawsOtherFaces_whenTheirKeyDiffers) {
    constexpr unsigned kMeshes = 20;
    std::vector<Faces> meshes;
    std::vector<std::vector<RasterImage>> expected;
    for (unsigned mesh = 0; mesh < kMeshes; ++mesh) {
        meshes.push_back({{mesh % 5, mesh % 3, 4}, {1, mesh % 4, 3}, {2, 3, mesh % 5}});
        expected.push_back(draw(2, meshes.back()));
    }
    for (unsigned mesh = 0; mesh < kMeshes; ++mesh) {
        // Asynchronous copies show whether faces that an earlier drawing uploaded are drawn by
        // mistake.
        const test::RandomStreamOrder streams(mesh);
        options_.facesCacheKey = std::make_shared<FacesIdentity>();
        expectSame(draw(2, meshes[mesh]), expected[mesh]);
    }
}

TEST_F(CudaRasterTest, isUsable_afterADrawingWasCancelledOrFailed) {
    const std::vector<RasterImage> expected = draw(4, faces_);
    for (unsigned seed = 0; seed < 20; ++seed) {
        const test::RandomStreamOrder streams(seed);
        // The images are destroyed while copies of earlier views are still running.
        test::failCopy(static_cast<int>(seed));
        EXPECT_THROW(draw(4, faces_), DeviceLost);
        std::stop_source cancel;
        cancel.request_stop();
        options_.cancel = cancel.get_token();
        EXPECT_THROW(draw(4, faces_), Cancelled);
        options_.cancel = {};
        expectSame(draw(4, faces_), expected);
    }
}

}  // namespace
}  // namespace threefold::cuda
