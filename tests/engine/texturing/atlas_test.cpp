#include "engine/texturing/atlas.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stop_token>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/texturing/mesh_visibility.h"
#include "engine/views/camera.h"
#include "tests/engine/hull/shapes.h"
#include "tests/engine/texturing/photographed.h"

namespace threefold::texturing {
namespace {

std::vector<MeshVisibility> visibilities(const Mesh& mesh, const std::vector<TextureView>& views) {
    std::vector<MeshVisibility> seen;
    for (const TextureView& view : views) seen.emplace_back(mesh, view, std::stop_token());
    return seen;
}

/// A table in photographs from four sides.
struct PhotographedTable {
    Atlas packed(int side) const { return packCharts(table, seen, viewOfFace, side); }

    Mesh table = test::table(0.05F);
    std::vector<TextureView> views = test::allAround(table, test::smooth, 4);
    std::vector<MeshVisibility> seen = visibilities(table, views);
    std::vector<std::uint32_t> viewOfFace = chooseViews(table, seen);
};

TEST(ChooseViews, takesTheViewThatShowsAFaceLargest_orNoneWhereNoViewShowsIt) {
    const Mesh ball = test::sphere(0.25);
    std::vector<TextureView> views;
    for (const double azimuth : {0.0, 180.0})
        views.push_back(test::photographed(
            ball, Camera::fromRow({.azimuth = azimuth, .elevation = 0, .distance = 0.85}),
            test::smooth));
    const std::vector<std::uint32_t> chosen = chooseViews(ball, visibilities(ball, views));
    const glm::vec3 towardsFirst(glm::normalize(views[0].camera.centre));
    std::set<std::uint32_t> found;
    for (std::size_t face = 0; face < chosen.size(); ++face) {
        const glm::u32vec3& corners = ball.faces[face];
        const glm::vec3 centre = glm::normalize(
            ball.vertices[corners.x] + ball.vertices[corners.y] + ball.vertices[corners.z]);
        const float cosine = glm::dot(centre, towardsFirst);
        // A view at a slant may or may not show the face.
        if (std::abs(cosine) <= 0.6F && std::abs(cosine) >= 0.1F) continue;
        const std::uint32_t facing = cosine > 0 ? 0 : 1;
        EXPECT_EQ(chosen[face], std::abs(cosine) > 0.6F ? facing : kNoView) << face;
        found.insert(chosen[face]);
    }
    EXPECT_EQ(found, (std::set<std::uint32_t>{0, 1, kNoView}));
}

TEST(PackCharts, keepsThePaddingAroundEachChart) {
    const PhotographedTable table;
    constexpr int kSide = 512;
    const Atlas atlas = table.packed(kSide);
    const std::vector<glm::vec2>& positions = atlas.cornerPositions;
    ASSERT_EQ(positions.size(), 3 * table.viewOfFace.size());
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        EXPECT_GE(std::min(positions[i].x, positions[i].y), kChartPadding) << i;
        EXPECT_LE(std::max(positions[i].x, positions[i].y), kSide - kChartPadding) << i;
        for (std::size_t j = 0; j < i; ++j) {
            // Faces of one chart have the same view.
            if (table.viewOfFace[i / 3] == table.viewOfFace[j / 3]) continue;
            const glm::vec2 offset = glm::abs(positions[i] - positions[j]);
            EXPECT_GE(std::max(offset.x, offset.y), 2 * kChartPadding) << i << ", " << j;
            ++pairs;
        }
    }
    EXPECT_GT(pairs, 0U);
}

TEST(PackCharts, refusesAPictureThatCannotHoldTheCharts) {
    EXPECT_THROW(PhotographedTable().packed(4 * kChartPadding), InputError);
}

}  // namespace
}  // namespace threefold::texturing
