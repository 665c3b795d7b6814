#include <algorithm>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/network/cuda_plugin.h"
#include "tests/engine/raster/drawing.h"
#include "tests/support/environment_variable.h"
#include "tests/support/message_of.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;

const std::vector<glm::vec4> kClip = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {0, 1, 0, 1}};
const Faces kFaces = {{0, 1, 2}};

void draw(const std::vector<glm::vec4>& clip, const Faces& faces, const RasterOptions& options) {
    const std::span<const glm::vec4> views[] = {clip};
    rasterize(views, faces, options);
}

TEST(RasterInput, isRefused_whenAFaceNamesAMissingVertex) {
    for (const std::uint32_t index : {3U, 1U << 31, ~0U}) {
        const Faces faces = {{0, 1, 2}, {0, index, 1}};
        const std::string message =
            messageOf<InputError>([&] { draw(kClip, faces, optionsForSize(8, 8)); });
        EXPECT_THAT(message, HasSubstr("face 1"));
        EXPECT_THAT(message, HasSubstr(std::to_string(index)));
    }
}

TEST(RasterInput, isRefused_whenACoordinateIsNotFinite) {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
          -std::numeric_limits<float>::infinity()}) {
        for (int axis = 0; axis < 4; ++axis) {
            std::vector<glm::vec4> clip = kClip;
            clip[2][axis] = bad;
            EXPECT_THAT(messageOf<InputError>([&] { draw(clip, kFaces, optionsForSize(8, 8)); }),
                        HasSubstr("vertex 2"));
        }
    }
}

TEST(RasterInput, isRefused_whenThereIsNothing) {
    EXPECT_THROW(draw(kClip, {}, optionsForSize(8, 8)), InputError);
    EXPECT_THROW(draw({}, kFaces, optionsForSize(8, 8)), InputError);
    EXPECT_THROW(draw({}, {}, optionsForSize(8, 8)), InputError);
}

TEST(RasterInput, isRefused_whenTheImageIsTooSmallOrTooLarge) {
    EXPECT_THROW(draw(kClip, kFaces, optionsForSize(0, 8)), InputError);
    EXPECT_THROW(draw(kClip, kFaces, optionsForSize(8, 0)), InputError);
    EXPECT_THROW(draw(kClip, kFaces, optionsForSize(kMaxRasterSide + 1, 8)), InputError);
    EXPECT_THROW(draw(kClip, kFaces, optionsForSize(8, ~0U)), InputError);
    EXPECT_NO_THROW(draw(kClip, kFaces, optionsForSize(kMaxRasterSide, 1)));
    EXPECT_NO_THROW(draw(kClip, kFaces, optionsForSize(1, kMaxRasterSide)));
}

TEST(RasterInput, isRefused_whenThePreviousDepthsDoNotFit) {
    RasterOptions options = optionsForSize(8, 8);
    std::vector<float> previousDepths(63);
    options.peeling.previousDepths = previousDepths;
    EXPECT_THROW(draw(kClip, kFaces, options), InputError);
    previousDepths.assign(64, 0);
    previousDepths[40] = std::numeric_limits<float>::quiet_NaN();
    options.peeling.previousDepths = previousDepths;
    EXPECT_THAT(messageOf<InputError>([&] { draw(kClip, kFaces, options); }), HasSubstr("40"));
}

TEST(RasterInput, keepsTheImage_whenRefused) {
    const std::span<const glm::vec4> views[] = {kClip};
    RasterImage image;
    rasterize(views, kFaces, optionsForSize(8, 8), {&image, 1});
    const RasterImage before = image;
    EXPECT_THROW(rasterize(views, {{0, 1, 3}}, optionsForSize(16, 16), {&image, 1}), InputError);
    EXPECT_EQ(image.width, before.width);
    EXPECT_EQ(image.facePlusOne, before.facePlusOne);
}

TEST(RasterInput, causesADeviceError_whenThePluginIsMissing) {
    const EnvironmentVariable plugin("THREEFOLD_CUDA_PLUGIN", "/no/such/plugin.so");
    RasterOptions options = optionsForSize(8, 8);
    options.choice.tier = RasterTier::cuda;
    options.choice.deviceRaster = cudaRasterFactory(0);
    EXPECT_THAT(messageOf<DeviceError>([&] { draw(kClip, kFaces, options); }),
                HasSubstr("/no/such/plugin.so"));
}

TEST(RasterInput, causesADeviceError_whenTheProcessorLacksTheInstructions) {
    const std::vector<std::string_view> available = runnableRasterInstructions();
    for (const auto* one : {"avx512", "avx2", "portable", "unknown"}) {
        RasterOptions options = optionsForSize(8, 8);
        options.instructions = one;
        if (std::count(available.begin(), available.end(), one) > 0) {
            EXPECT_NO_THROW(draw(kClip, kFaces, options));
        } else {
            EXPECT_THAT(messageOf<DeviceError>([&] { draw(kClip, kFaces, options); }),
                        HasSubstr("portable"));
        }
    }
}

TEST(RasterInput, isAbandoned_whenCancelled) {
    std::stop_source source;
    source.request_stop();
    for (const RasterTier tier : {RasterTier::basic, RasterTier::tiled, RasterTier::vectorised}) {
        RasterOptions options = optionsForSize(8, 8);
        options.choice.tier = tier;
        options.cancel = source.get_token();
        EXPECT_THROW(draw(kClip, kFaces, options), Cancelled);
    }
}

}  // namespace
}  // namespace threefold::test
