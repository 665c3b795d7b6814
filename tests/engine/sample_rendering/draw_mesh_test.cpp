#include "engine/sample_rendering/draw_mesh.h"

#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/facing_square.h"

namespace threefold {
namespace {

using test::addSquare;
using test::pixel;

constexpr int kSide = 128;
constexpr int kMiddle = kSide / 2;

TEST(DrawMesh, drawsAMesh_atItsProjection) {
    Points vertices;
    Faces faces;
    // METHOD.md §2: up (y > 0) is towards row 0, right (x > 0) towards the last column.
    addSquare(vertices, faces, {0.15F, 0.15F, -0.8F}, 0.1F);
    const Image image = drawMesh(vertices, faces, kSide);
    const double scale = kSide / 224.0;
    const int column = static_cast<int>((248 * 0.15 / 0.8 + 112) * scale);
    const int row = static_cast<int>((-248 * 0.15 / 0.8 + 112) * scale);
    EXPECT_EQ(pixel(image, column, row)[3], 255);
    EXPECT_EQ(pixel(image, kMiddle, kMiddle)[3], 0);
    EXPECT_EQ(pixel(image, kSide - column, row)[3], 0);
}

TEST(DrawMesh, drawsTheNearerFace_inAnyOrder) {
    for (const bool nearFirst : {true, false}) {
        Points vertices;
        Faces faces;
        // The far face is perpendicular to the view and bright; the near face is tilted and darker.
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
        const Image image = drawMesh(vertices, faces, kSide);
        EXPECT_NE(pixel(image, kMiddle, kMiddle), pixel(image, kMiddle - 24, kMiddle - 24));
        EXPECT_EQ(pixel(image, kMiddle - 24, kMiddle - 24)[3], 255);
    }
}

TEST(DrawMesh, leavesOutFaces_whichCannotBeDrawn) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const Points vertices{{-1, -1, -0.8F}, {1, -1, -0.8F},    {0, 1, 0.5F},
                          {nan, 0, -1},    {0, infinity, -1}, {0, 0, 0}};
    const Faces faces{{0, 1, 2}, {0, 1, 3},          {0, 1, 4}, {0, 1, 5},
                      {0, 1, 6}, {0, 1, 0xffffffff}, {0, 0, 0}};
    const Image image = drawMesh(vertices, faces, kSide);
    EXPECT_EQ(image.rgba, std::vector<std::uint8_t>(image.rgba.size(), 0));
}

TEST(DrawMesh, drawsWithinThePicture_whenTheMeshIsLargerThanIt) {
    Points vertices;
    Faces faces;
    addSquare(vertices, faces, {0, 0, -0.01F}, 1e30F);
    EXPECT_EQ(pixel(drawMesh(vertices, faces, kSide), kMiddle, kMiddle).size(), 4u);
    vertices.clear();
    faces.clear();
    addSquare(vertices, faces, {0, 0, -0.8F}, 10.0F);
    const Image image = drawMesh(vertices, faces, 16);
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) EXPECT_EQ(image.rgba[i], 255);
}

}  // namespace
}  // namespace threefold
