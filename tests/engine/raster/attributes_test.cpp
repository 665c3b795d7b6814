#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <gtest/gtest.h>

#include "tests/engine/raster/drawing.h"
#include "tests/engine/raster/shapes.h"

namespace threefold::test {
namespace {

class Barycentrics : public testing::TestWithParam<Drawer> {
  protected:
    /// Expects that the barycentric coordinates of each pixel give a point that projects to within
    /// 0.02 pixels of the pixel's centre. Snapping to the grid moves corners by at most 1/512 pixel
    /// along each axis.
    void expectPointsUnderPixels(const Mesh& mesh, const glm::mat4& camera) const {
        const RasterOptions options = optionsForSize(160, 120);
        const RasterImage image =
            GetParam().draw(toClip(camera, mesh.vertices), mesh.faces, options);
        std::size_t seen = 0;
        double worst = 0;
        for (std::uint32_t y = 0; y < options.height; ++y) {
            for (std::uint32_t x = 0; x < options.width; ++x) {
                const std::size_t p = y * options.width + x;
                if (image.facePlusOne[p] == 0) continue;
                ++seen;
                const glm::u32vec3& face = mesh.faces[image.facePlusOne[p] - 1];
                const glm::dvec3 weight(image.barycentric[p]);
                const glm::dvec3 point = weight.x * glm::dvec3(mesh.vertices[face.x]) +
                                         weight.y * glm::dvec3(mesh.vertices[face.y]) +
                                         weight.z * glm::dvec3(mesh.vertices[face.z]);
                const glm::dvec4 clip = glm::dmat4(camera) * glm::dvec4(point, 1);
                const glm::dvec2 pixel((clip.x / clip.w * 0.5 + 0.5) * options.width,
                                       (clip.y / clip.w * 0.5 + 0.5) * options.height);
                worst = std::max(worst, glm::length(pixel - glm::dvec2(x + 0.5, y + 0.5)));
            }
        }
        EXPECT_GT(seen, 1000U);
        EXPECT_LT(worst, 0.02);
    }
};

TEST_P(Barycentrics, namePointsUnderThePixels_whenPerspectiveIsStrong) {
    Random random(80);
    Mesh mesh;
    mesh.vertices = {{-1, -1, -0.9F}, {1, -1, 0.5F}, {1, 1, 0.9F}, {-1, 1, -0.3F}};
    mesh.faces = {{0, 1, 2}, {0, 2, 3}};
    for (int i = 0; i < 6; ++i) expectPointsUnderPixels(mesh, randomCamera(random, 1.7F, 4.0F / 3));
}

TEST_P(Barycentrics, namePointsUnderThePixels_whenFacesAreCut) {
    // The camera is above the middle of a floor that extends behind it.
    Mesh floor;
    floor.vertices = {{-30, -1, -40}, {35, -1, -30}, {28, -1, 33}, {-31, -1, 29}};
    floor.faces = {{0, 1, 2}, {0, 2, 3}};
    const glm::mat4 camera(1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2F, 0);
    expectPointsUnderPixels(floor, camera);
}

TEST_P(Barycentrics, agreeWithTheHomogeneousTriangle_whenItCrossesTheNearPlane) {
    // Reference without clipping: the weights at a pixel solve a linear system, and points nearer
    // than the near plane have z < near · w. Pixels near a border are left out.
    Random random(81);
    RasterOptions options = optionsForSize(90, 70);
    std::size_t asked = 0;
    std::size_t wrong = 0;
    for (int i = 0; i < 200; ++i) {
        options.nearDepth = i % 2 == 0 ? -1 : 0;
        std::vector<glm::vec4> clip;
        for (int k = 0; k < 3; ++k)
            clip.emplace_back(random(-1.5F, 1.5F), random(-1.5F, 1.5F), random(-2, 2),
                              random(-0.5F, 2));
        const RasterImage image = GetParam().draw(clip, {{0, 1, 2}}, options);
        const glm::dvec4 corner[3] = {clip[0], clip[1], clip[2]};
        const glm::dmat3 matrix(glm::dvec3(corner[0].x, corner[0].y, corner[0].w),
                                glm::dvec3(corner[1].x, corner[1].y, corner[1].w),
                                glm::dvec3(corner[2].x, corner[2].y, corner[2].w));
        if (std::abs(glm::determinant(matrix)) < 0.05) continue;
        const glm::dmat3 inverse = glm::inverse(matrix);
        const auto weightAt = [&](double x, double y) {
            const glm::dvec3 weight =
                inverse * glm::dvec3(2 * x / options.width - 1, 2 * y / options.height - 1, 1);
            // These are the weights of the corners, divided by the point's w, which is positive in
            // front of the camera.
            return weight;
        };
        const auto covers = [&](const glm::dvec3& weight) {
            const glm::dvec4 point =
                weight.x * corner[0] + weight.y * corner[1] + weight.z * corner[2];
            return weight.x >= 0 && weight.y >= 0 && weight.z >= 0 &&
                   point.z >= options.nearDepth * point.w;
        };
        for (std::uint32_t y = 0; y < options.height; ++y) {
            for (std::uint32_t x = 0; x < options.width; ++x) {
                constexpr double kAway = 0.02;
                const bool here = covers(weightAt(x + 0.5, y + 0.5));
                bool nearBorder = false;
                for (const auto& [dx, dy] :
                     {std::pair(-kAway, 0.0), {kAway, 0.0}, {0.0, -kAway}, {0.0, kAway}})
                    nearBorder |= covers(weightAt(x + 0.5 + dx, y + 0.5 + dy)) != here;
                if (nearBorder) continue;
                ++asked;
                const std::size_t p = y * options.width + x;
                wrong += (image.facePlusOne[p] != 0) != here ? 1 : 0;
                if (!here || image.facePlusOne[p] == 0) continue;
                const glm::dvec3 weight = weightAt(x + 0.5, y + 0.5);
                const glm::dvec3 expected = weight / (weight.x + weight.y + weight.z);
                wrong += glm::length(expected - glm::dvec3(image.barycentric[p])) < 0.02 ? 0 : 1;
            }
        }
    }
    EXPECT_GT(asked, 500'000U);
    EXPECT_EQ(wrong, 0U);
}

INSTANTIATE_TEST_SUITE_P(Every, Barycentrics, testing::ValuesIn(drawers()),
                         [](const auto& tested) { return tested.param.name; });

TEST(RasterFaces, areTheSame_whenBarycentricsAreNotWanted) {
    // A fan whose middle vertex is nearer than the near plane, so that faces are clipped.
    std::vector<glm::vec4> clip = {{0.1F, 0.2F, -2, 0.5F}};
    Faces faces;
    for (unsigned i = 0; i < 12; ++i) {
        const float angle = 0.55F * static_cast<float>(i);
        clip.emplace_back(std::cos(angle), std::sin(angle), 0.1F * static_cast<float>(i), 1.3F);
        if (i > 0) faces.emplace_back(0, i, i + 1);
    }
    const std::span<const glm::vec4> view(clip);
    for (const RasterTier tier : {RasterTier::basic, RasterTier::tiled, RasterTier::vectorised}) {
        RasterOptions options;
        options.width = 150;
        options.height = 90;
        options.choice.tier = tier;
        const RasterImage all = rasterize({&view, 1}, faces, options).front();
        options.wantBarycentric = false;
        const RasterImage some = rasterize({&view, 1}, faces, options).front();
        EXPECT_EQ(some.facePlusOne, all.facePlusOne);
        EXPECT_TRUE(some.barycentric.empty());
        EXPECT_GT(std::ranges::count_if(all.facePlusOne, [](auto face) { return face != 0; }), 100);
    }
}

TEST(RasterPixels, haveTheirCentresAtHalves_whenATriangleEndsThere) {
    // An image of 2 × 2 pixels; a corner is a quarter pixel before or beyond the first centre.
    const auto pixel = [](float x) { return x - 1; };
    for (const float corner : {0.25F, 0.75F}) {
        const std::vector<glm::vec4> clip = {{pixel(corner), pixel(corner), 0, 1},
                                             {pixel(corner), pixel(9), 0, 1},
                                             {pixel(9), pixel(corner), 0, 1}};
        const RasterImage image = rasterize({{clip}}, {{0, 1, 2}}, optionsForSize(2, 2)).front();
        const std::uint32_t first = corner < 0.5F ? 1 : 0;
        EXPECT_EQ(image.facePlusOne, (std::vector<std::uint32_t>{first, first, first, 1}));
    }
}

}  // namespace
}  // namespace threefold::test
