#include "engine/raster/render_mask.h"

#include <cstddef>

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

TEST(RenderMask, throws_whenTheSizeCannotBeDrawn) {
    const Mesh mesh = ball(30);
    EXPECT_THROW(renderMask(mesh.vertices, mesh.faces, Camera{}, Camera{}, 0, 100), InputError);
    EXPECT_THROW(renderMask(mesh.vertices, mesh.faces, Camera{}, Camera{}, 100, -1), InputError);
}

}  // namespace
}  // namespace threefold::test
