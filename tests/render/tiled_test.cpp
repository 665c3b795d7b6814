#include "render/offscreen.h"

#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "engine/error.h"
#include "engine/formats/pictures/image.h"
#include "tests/render/pictures.h"
#include "tests/render/rendering_test.h"
#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

using Tiled = Rendering;

Scene twoPanes() {
    Scene scene;
    OrbitCamera camera{.yaw = 0.5F, .pitch = 0.35F};
    frameBox(camera, {-0.28F, -0.25F, -1.08F}, {0.28F, 0.25F, -0.52F}, 1.0F);
    scene.panes.resize(2);
    for (Pane& pane : scene.panes) pane.camera = camera;
    scene.panes[0].layers = {layerOf(makePebble(4))};
    scene.panes[1].layers = {layerOf(makeRing(64, 24))};
    return scene;
}

Image tiled(const Device& device, const Scene& scene, int width, int height, int side) {
    Image image{width, height, {}};
    renderTiled(device, scene, width, height,
                [&](auto rows) { image.rgba.insert(image.rgba.end(), rows.begin(), rows.end()); },
                {}, {side, side});
    return image;
}

TEST_F(Tiled, equalsThePictureDrawnInOnePiece) {
    for (const Shading shading : {Shading::smooth, Shading::wireframe, Shading::points}) {
        Scene scene = twoPanes();
        for (Pane& pane : scene.panes) pane.layers[0].shading = shading;
        const Image whole = target().draw(scene, 301, 203);
        const Image parts = tiled(device(), scene, 301, 203, 64);
        ASSERT_EQ(parts.rgba.size(), whole.rgba.size());
        const Difference found = compare(parts, whole);
        EXPECT_LT(found.fraction, 0.002) << static_cast<int>(shading);
        EXPECT_LT(found.mean, 0.02) << static_cast<int>(shading);
    }
}

TEST_F(Tiled, keepsATransparentBackground) {
    Scene scene = twoPanes();
    scene.background = {0.8F, 0.4F, 0.2F, 0.0F};
    const Image parts = tiled(device(), scene, 150, 100, 32);
    EXPECT_EQ(pixelAt(parts, 0, 0), glm::ivec4(204, 102, 51, 0));
    EXPECT_EQ(pixelAt(parts, 149, 99), glm::ivec4(204, 102, 51, 0));
    EXPECT_EQ(pixelAt(parts, 37, 50).w, 255);
}

TEST_F(Tiled, exceedsTheDevicesSizeLimit) {
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(device().physicalDevice(), &properties);
    const int width = static_cast<int>(properties.limits.maxImageDimension2D) + 5;
    std::size_t bytes = 0;
    renderTiled(device(), twoPanes(), width, 3, [&](auto rows) { bytes += rows.size(); });
    EXPECT_EQ(bytes, static_cast<std::size_t>(width) * 3 * 4);
}

TEST_F(Tiled, ends_whenItIsCancelled) {
    std::stop_source stop;
    int bands = 0;
    const auto receive = [&](auto) {
        if (++bands == 2) stop.request_stop();
    };
    EXPECT_THROW(renderTiled(device(), twoPanes(), 100, 100, receive, stop.get_token(), {20, 20}),
                 Cancelled);
    EXPECT_EQ(bands, 2);
}

TEST_F(Tiled, refusesSizes_whenNotPositive) {
    for (const auto& [width, height] : {std::pair{0, 10}, {10, 0}, {-1, 10}}) {
        EXPECT_THROW(renderTiled(device(), twoPanes(), width, height, [](auto) {}), InputError);
    }
}

}  // namespace
}  // namespace threefold::render
