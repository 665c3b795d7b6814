#include "engine/evaluation/thumbnail.h"

#include <array>
#include <limits>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/support/stage_meshes.h"

namespace threefold {
namespace {

constexpr int kMiddle = kThumbnailSide / 2;

std::array<int, 4> pixel(const Image& image, int column, int row) {
    const std::size_t at = (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                            static_cast<std::size_t>(column)) *
                           4;
    return {image.rgba[at], image.rgba[at + 1], image.rgba[at + 2], image.rgba[at + 3]};
}

/// A square that faces the camera: `size` object units wide, its centre at (x, y, z).
void addSquare(Points& vertices, Faces& faces, glm::vec3 centre, float size) {
    const auto first = static_cast<unsigned>(vertices.size());
    const float half = size / 2;
    for (const auto& [x, y] : {std::pair{-half, -half}, {half, -half}, {half, half}, {-half, half}})
        vertices.push_back(centre + glm::vec3(x, y, 0));
    faces.emplace_back(first, first + 1, first + 2);
    faces.emplace_back(first, first + 2, first + 3);
}

Image plainImage(int width, int height, std::array<std::uint8_t, 4> colour) {
    Image image{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        image.rgba.insert(image.rgba.end(), colour.begin(), colour.end());
    return image;
}

TEST(Thumbnail, drawsAMesh_atItsProjection) {
    Points vertices;
    Faces faces;
    // METHOD.md §2: up (y > 0, z < 0) is towards row 0, right (x > 0) towards the last column.
    addSquare(vertices, faces, {0.15F, 0.15F, -0.8F}, 0.1F);
    const Image image = drawMesh(vertices, faces);
    const double scale = kThumbnailSide / 224.0;
    const int column = static_cast<int>((248 * 0.15 / 0.8 + 112) * scale);
    const int row = static_cast<int>((-248 * 0.15 / 0.8 + 112) * scale);
    EXPECT_EQ(pixel(image, column, row)[3], 255);
    EXPECT_EQ(pixel(image, kMiddle, kMiddle)[3], 0);
    EXPECT_EQ(pixel(image, kThumbnailSide - column, row)[3], 0);
}

TEST(Thumbnail, drawsTheNearerFace_inAnyOrder) {
    for (const bool nearFirst : {true, false}) {
        Points vertices;
        Faces faces;
        // The far one lies across the view and is bright; the near one is tilted, so darker.
        const auto addNear = [&] {
            const auto first = static_cast<unsigned>(vertices.size());
            vertices.insert(
                vertices.end(),
                {{-0.1F, -0.05F, -0.55F}, {0.1F, -0.05F, -0.55F}, {0.0F, 0.05F, -0.7F}});
            faces.emplace_back(first, first + 1, first + 2);
        };
        if (nearFirst) addNear();
        addSquare(vertices, faces, {0, 0, -0.9F}, 0.5F);
        if (!nearFirst) addNear();
        const Image image = drawMesh(vertices, faces);
        EXPECT_NE(pixel(image, kMiddle, kMiddle), pixel(image, kMiddle - 24, kMiddle - 24));
        EXPECT_EQ(pixel(image, kMiddle - 24, kMiddle - 24)[3], 255);
    }
}

TEST(Thumbnail, leavesOutFaces_whichCannotBeDrawn) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const Points vertices{{-1, -1, -0.8F}, {1, -1, -0.8F},    {0, 1, 0.5F},
                          {nan, 0, -1},    {0, infinity, -1}, {0, 0, 0}};
    const Faces faces{{0, 1, 2}, {0, 1, 3},          {0, 1, 4}, {0, 1, 5},
                      {0, 1, 6}, {0, 1, 0xffffffff}, {0, 0, 0}};
    const Image image = drawMesh(vertices, faces);
    EXPECT_EQ(image.rgba, std::vector<std::uint8_t>(image.rgba.size(), 0));
}

TEST(Thumbnail, drawsWithinThePicture_whenTheMeshIsLargerThanIt) {
    Points vertices;
    Faces faces;
    addSquare(vertices, faces, {0, 0, -0.01F}, 1e30F);
    EXPECT_EQ(pixel(drawMesh(vertices, faces), kMiddle, kMiddle).size(), 4u);
    vertices.clear();
    faces.clear();
    addSquare(vertices, faces, {0, 0, -0.8F}, 10.0F);
    const Image image = drawMesh(vertices, faces, 16);
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) EXPECT_EQ(image.rgba[i], 255);
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
