#include "engine/raster/render_mask.h"

#include <cstddef>
#include <utility>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/engine/sample_rendering/shapes.h"

namespace threefold::test {
namespace {

TEST(RenderMask, isStretched_whenImagesAreNotSquare) {
    const Mesh mesh = ball(30);
    Mesh small = mesh;
    for (glm::vec3& vertex : small.vertices) vertex *= 0.2F;
    const Mask mask = renderMask(small.vertices, small.faces, Camera{},
                                 Camera::fromRow({0, 0, 0, 0.8, 25}), 300, 100);
    int across = 0;
    int down = 0;
    for (std::size_t x = 0; x < 300; ++x) across += mask.inside[50 * 300 + x];
    for (std::size_t y = 0; y < 100; ++y) down += mask.inside[y * 300 + 150];
    EXPECT_NEAR(across, 3 * down, 4);
}

TEST(RenderMask, showsOneOfThreePixels_whenTheExtentIsOfWholePixels) {
    const Mesh unit = ball(30);
    Points vertices;
    for (const glm::vec3& vertex : unit.vertices)
        vertices.push_back(glm::vec3(0.05F, -0.1F, -0.8F) + 0.2F * vertex);
    constexpr int kWidth = 160;
    constexpr int kHeight = 122;
    const Mask whole = renderMask(vertices, unit.faces, Pose{}, Camera{}, kWidth, kHeight);
    for (const auto& [columns, rows] : {std::pair{53, 40}, {54, 41}}) {
        const Mask third = renderMask(vertices, unit.faces, Pose{}, Camera{}, columns, rows,
                                      {3.0 * columns / kWidth, 3.0 * rows / kHeight});
        int different = 0;
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 53; ++x)
                different +=
                    third.inside[static_cast<std::size_t>(y * columns + x)] !=
                            whole.inside[static_cast<std::size_t>((3 * y + 1) * kWidth + 3 * x + 1)]
                        ? 1
                        : 0;
        EXPECT_EQ(different, 0) << columns;
    }
}

TEST(RenderMask, throws_whenTheSizeCannotBeDrawn) {
    const Mesh mesh = ball(30);
    EXPECT_THROW(renderMask(mesh.vertices, mesh.faces, Camera{}, Camera{}, 0, 100), InputError);
    EXPECT_THROW(renderMask(mesh.vertices, mesh.faces, Camera{}, Camera{}, 100, -1), InputError);
}

}  // namespace
}  // namespace threefold::test
