#include "engine/texturing/mesh_visibility.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/texturing/photographed.h"

namespace threefold::texturing {
namespace {

constexpr float kNearDepth = -0.7F, kFarDepth = -0.8F;

Camera frontCamera() {
    return Camera::fromRow({0, 0, 0, 0.8, 25});
}

glm::vec3 placed(glm::dvec3 inCamera) {
    return glm::vec3(frontCamera().toWorld(inCamera));
}

/// Appends a square of half side `half`, parallel to the picture, as two faces.
void addSquare(Mesh& mesh, float half, float depth) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const glm::vec2 corner :
         {glm::vec2(-half, -half), {half, -half}, {half, half}, {-half, half}})
        mesh.vertices.push_back(placed({corner.x, corner.y, depth}));
    mesh.faces.emplace_back(first, first + 1, first + 2);
    mesh.faces.emplace_back(first, first + 2, first + 3);
}

/// A square, a smaller square in front of its middle, and a photograph in which the smaller square
/// is bright.
class TwoSquares : public testing::Test {
  protected:
    Visibility visibilityAt(glm::dvec3 inCamera) {
        return visible_.sampleColour(glm::dvec3(placed(inCamera)), colour_);
    }

    const Mesh mesh_ = [] {
        Mesh mesh;
        addSquare(mesh, 0.15F, kFarDepth);
        addSquare(mesh, 0.05F, kNearDepth);
        return mesh;
    }();
    const TextureView view_ = test::photographed(mesh_, frontCamera(), [](glm::vec3 point) {
        const bool isNear = frontCamera().toCamera(glm::dvec3(point)).z > -0.75;
        return glm::vec3(isNear ? 200.0F : 100.0F);
    });
    const MeshVisibility visible_{mesh_, view_, {}};
    glm::vec3 colour_{-1.0F};
};

TEST_F(TwoSquares, haveTheColoursOfTheirPixels_whereThePhotographShowsThem) {
    EXPECT_EQ(visibilityAt({0.02, 0.02, kNearDepth}), Visibility::visible);
    EXPECT_NEAR(colour_.x, 200, 1);
    EXPECT_EQ(visibilityAt({-0.11, 0.1, kFarDepth}), Visibility::visible);
    EXPECT_NEAR(colour_.x, 100, 1);
}

TEST_F(TwoSquares, haveNoColour_behindTheNearerSquareOrOutsideOfTheMask) {
    EXPECT_EQ(visibilityAt({0, 0, kFarDepth}), Visibility::hidden);
    EXPECT_EQ(visibilityAt({0.25, 0, kFarDepth}), Visibility::hidden);
    EXPECT_EQ(visibilityAt({0, 0, 0.1}), Visibility::hidden);
    EXPECT_EQ(colour_, glm::vec3(-1.0F));
}

TEST_F(TwoSquares, areUncertain_atTheMasksEdge) {
    EXPECT_EQ(visibilityAt({0.147, 0, kFarDepth}), Visibility::uncertain);
}

TEST_F(TwoSquares, haveTheirVisibleAreasInPixels) {
    const double perUnit = visible_.pixelsPerUnit();
    EXPECT_NEAR(perUnit, frontCamera().focalLength() * view_.photograph->width / kInputSide / 0.8,
                1e-6 * perUnit);
    const double farFace = 0.3 * 0.3 / 2 * perUnit * perUnit;
    const double nearFace = 0.1 * 0.1 / 2 * perUnit * perUnit * (0.8 / 0.7) * (0.8 / 0.7);
    const std::vector<float>& areas = visible_.areas();
    EXPECT_NEAR(areas[2], nearFace, 1e-3 * nearFace);
    EXPECT_NEAR(areas[3], nearFace, 1e-3 * nearFace);
    // A face counts with its full area if at least half of it is visible, since areas change evenly
    // from face to face, while numbers of visible pixels do not.
    EXPECT_NEAR(areas[0], farFace, 1e-3 * farFace);
}

TEST_F(TwoSquares, areProjectedIntoThePhotograph) {
    const auto centre = visible_.project(glm::dvec3(placed({0, 0, -0.8})));
    ASSERT_TRUE(centre);
    EXPECT_NEAR(centre->x, view_.photograph->width / 2.0, 1.5);
    EXPECT_NEAR(centre->y, view_.photograph->height / 2.0, 1.5);
    EXPECT_FALSE(visible_.project(glm::dvec3(placed({0, 0, 0.5}))));
}

}  // namespace
}  // namespace threefold::texturing
