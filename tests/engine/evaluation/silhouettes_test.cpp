#include "engine/pipeline/silhouettes.h"

#include <memory>

#include <gtest/gtest.h>

#include "tests/engine/sample_rendering/shapes.h"

namespace threefold::test {
namespace {

/// A ball as the coarse mesh, a smaller one as the refined, and photographs that show the coarse.
struct Scene {
    Reconstruction meshes;
    NetworkInput input;
    std::vector<int> views{4, 9};
};

Scene scene(int side) {
    Scene scene;
    const Mesh unit = ball(40);
    scene.input.cameras = {Camera::fromRow({10, 20, 0, 0.8, 25}),
                           Camera::fromRow({130, -10, 0, 0.8, 25})};
    for (const glm::vec3& vertex : unit.vertices) {
        const auto placed = [&](double radius) {
            return glm::vec3(scene.input.cameras[0].toView(radius * glm::dvec3(vertex)));
        };
        scene.meshes.coarse.push_back(placed(0.2));
        scene.meshes.refined.push_back(placed(0.15));
    }
    scene.meshes.levelFaces = std::make_shared<const std::vector<Faces>>(1, unit.faces);
    for (const Camera& camera : scene.input.cameras) {
        const Mask mask =
            maskOf(scene.meshes.coarse, unit.faces, scene.input.cameras[0], camera, side, side);
        Image image{side, side, {}};
        for (const std::uint8_t inside : mask.inside)
            image.rgba.insert(image.rgba.end(),
                              {120, 120, 120, static_cast<std::uint8_t>(255 * inside)});
        scene.input.images.push_back(std::move(image));
    }
    return scene;
}

TEST(Silhouettes, compareBothMeshesWithEachPhotograph) {
    const Scene seen = scene(137);
    const auto silhouettes = silhouettesOf(seen.meshes, seen.input, seen.views);
    ASSERT_EQ(silhouettes.size(), 2U);
    EXPECT_EQ(silhouettes[1].view, 9);
    for (const ViewSilhouettes& view : silhouettes) {
        EXPECT_EQ(view.coarse->overlap, 1);
        EXPECT_EQ(view.coarse->distance->most, 0);
        EXPECT_NEAR(view.refined->overlap, 0.75 * 0.75, 0.04);
        EXPECT_NEAR(view.refined->distance->mean, 10, 1.5);  // of a radius of 39 pixels, a quarter
    }
}

TEST(Silhouettes, tellDistancesInPixelsOfThePhotograph_whenItIsLarge) {
    const Scene seen = scene(2740);
    const auto silhouettes = silhouettesOf(seen.meshes, seen.input, seen.views);
    EXPECT_GT(silhouettes[0].coarse->overlap, 0.99);
    EXPECT_NEAR(silhouettes[0].refined->overlap, 0.75 * 0.75, 0.02);
    EXPECT_NEAR(silhouettes[0].refined->distance->mean, 200, 10);
}

TEST(Silhouettes, leaveOutPhotographsThatShowNoOutline) {
    Scene seen = scene(60);
    for (std::size_t i = 3; i < seen.input.images[1].rgba.size(); i += 4)
        seen.input.images[1].rgba[i] = 255;
    const auto silhouettes = silhouettesOf(seen.meshes, seen.input, seen.views);
    EXPECT_TRUE(silhouettes[0].refined);
    EXPECT_FALSE(silhouettes[1].refined);
    EXPECT_EQ(meansOf(silhouettes, &ViewSilhouettes::refined)->overlap,
              silhouettes[0].refined->overlap);
    EXPECT_EQ(meansOf(silhouettes, &ViewSilhouettes::refined)->views, 1U);
    EXPECT_FALSE(meansOf(std::span(silhouettes).subspan(1), &ViewSilhouettes::coarse));
}

TEST(Silhouettes, haveNoMeanDistance_whereNoViewHasAnOutline) {
    const std::vector<ViewSilhouettes> without = {{0, SilhouetteScore{0.5, {}}, {}}};
    EXPECT_FALSE(meansOf(without, &ViewSilhouettes::coarse)->distance);
    const std::vector<ViewSilhouettes> views = {
        {0, SilhouetteScore{0.5, {}}, {}},
        {6, SilhouetteScore{0.25, OutlineDistance{3, 9}}, {}},
        {7, SilhouetteScore{0.75, OutlineDistance{4, 7}}, {}}};
    EXPECT_EQ(meansOf(views, &ViewSilhouettes::coarse)->overlap, 0.5);
    EXPECT_EQ(meansOf(views, &ViewSilhouettes::coarse)->distance, 3.5);
}

}  // namespace
}  // namespace threefold::test
