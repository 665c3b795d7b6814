#include "engine/evaluation/thumbnail.h"

#include <array>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/evaluation/run/output_files.h"
#include "tests/support/facing_square.h"
#include "tests/support/stage_meshes.h"

namespace threefold {
namespace {

using test::addSquare;
using test::pixel;

constexpr int kMiddle = kThumbnailSide / 2;

Image plainImage(int width, int height, std::array<std::uint8_t, 4> colour) {
    Image image{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        image.rgba.insert(image.rgba.end(), colour.begin(), colour.end());
    return image;
}

TEST(Thumbnail, putsInputCoarseAndRefinedSideBySide) {
    Reconstruction reconstruction;
    auto levels = std::make_shared<std::vector<Faces>>(1);
    Points coarse;
    addSquare(coarse, levels->front(), {0, 0, -0.8F}, 0.1F);
    Points refined = coarse;
    for (glm::vec3& vertex : refined) vertex.x += 0.2F;
    reconstruction.stages = test::publishedMeshes(coarse, refined);
    reconstruction.levelFaces = levels;
    NetworkInput input;
    input.images.push_back(plainImage(300, 200, {10, 20, 30, 255}));

    const Image image = makeThumbnail(input, reconstruction);
    ASSERT_EQ(image.width, 3 * kThumbnailSide);
    ASSERT_EQ(image.height, kThumbnailSide);
    EXPECT_EQ(pixel(image, kMiddle, kMiddle), (std::array{10, 20, 30, 255}));
    EXPECT_EQ(pixel(image, kThumbnailSide + kMiddle, kMiddle)[3], 255);
    EXPECT_EQ(pixel(image, 2 * kThumbnailSide + kMiddle, kMiddle)[3], 0);
    EXPECT_EQ(makeThumbnail(input, reconstruction).rgba, image.rgba);
}

TEST(Thumbnail, drawsTheFacesOfEachMesh_whenAPublishedMeshIsOfALowerLevel) {
    Reconstruction reconstruction;
    auto levels = std::make_shared<std::vector<Faces>>(2);
    Points coarse;
    Points refined;
    addSquare(coarse, levels->front(), {0, 0, -0.8F}, 0.1F);
    addSquare(refined, levels->back(), {0.2F, 0, -0.8F}, 0.1F);
    addSquare(refined, levels->back(), {0, 0, -0.8F}, 0.1F);
    reconstruction.stages = test::publishedMeshes(coarse, refined);
    reconstruction.stages.back().stage.level = 1;
    reconstruction.levelFaces = levels;
    NetworkInput input;
    input.images.push_back(plainImage(300, 200, {10, 20, 30, 255}));

    const Image image = makeThumbnail(input, reconstruction);
    for (const int picture : {1, 2})
        EXPECT_EQ(pixel(image, picture * kThumbnailSide + kMiddle, kMiddle)[3], 255) << picture;
}

TEST(Thumbnail, givesTransparentPixelsNoColour) {
    NetworkInput input;
    input.images.push_back(plainImage(256, 256, {0, 0, 0, 0}));
    for (std::size_t i = 0; i < input.images.front().rgba.size(); i += 8) {
        input.images.front().rgba[i] = 200;
        input.images.front().rgba[i + 3] = 255;
    }
    EXPECT_EQ(pixel(makeThumbnail(input, {}), 5, 5), (std::array{200, 0, 0, 128}));
}

TEST(Thumbnail, throws_whenThereIsNoImage) {
    EXPECT_THROW(makeThumbnail({}, {}), InputError);
    NetworkInput input;
    input.images.emplace_back();
    EXPECT_THROW(makeThumbnail(input, {}), InputError);
}

TEST(Thumbnail, staysInItsFolder_whenTheNameHasSeparators) {
    EXPECT_EQ(thumbnailFile("out", "02691156_p0001_00"), "out/thumbnails/02691156_p0001_00.png");
    EXPECT_EQ(thumbnailFile("out", "../a"), "out/thumbnails/_._a.png");
}

}  // namespace
}  // namespace threefold
