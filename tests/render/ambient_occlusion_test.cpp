#include "render/ambient_occlusion.h"

#include <utility>

#include <gmock/gmock.h>

#include "render/offscreen.h"
#include "render/recording.h"
#include "render/renderer.h"
#include "tests/render/pictures.h"
#include "tests/render/rendering_test.h"
#include "tests/render/scenes.h"

namespace threefold::render {
namespace {

class AmbientOcclusionPicture : public Rendering {};

Image drawn(OffscreenTarget& target, Scene scene, bool occlusion) {
    scene.ambientOcclusion = occlusion;
    return target.draw(scene, 240, 180);
}

TEST_F(AmbientOcclusionPicture, darkensCreasesAndNothingElse) {
    const Scene scene = sceneOfLayers({plain(makeChair())});
    const Image without = drawn(target(), scene, false);
    const Image with = drawn(target(), scene, true);
    std::size_t darker = 0, brighter = 0, background = 0;
    for (int y = 0; y < 180; ++y) {
        for (int x = 0; x < 240; ++x) {
            const glm::ivec4 before = pixelAt(without, x, y), after = pixelAt(with, x, y);
            if (before == glm::ivec4(18, 19, 22, 255)) {
                background += after == before ? 0 : 1;
                continue;
            }
            darker += after.x < before.x - 8 ? 1 : 0;
            brighter += after.x > before.x ? 1 : 0;
        }
    }
    EXPECT_EQ(background, 0U);
    EXPECT_EQ(brighter, 0U);
    EXPECT_GT(darker, 300U);
}

TEST_F(AmbientOcclusionPicture, livesAsLongAsItsFrame_whenTheNextFrameIsNeverSubmitted) {
    Renderer renderer(device(), VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    CommandBuffer first(device());
    CommandBuffer second(device());
    const FenceHandle done = makeFence(device());
    const VkExtent2D extent{240, 180};
    Scene scene = sceneOfLayers({plain(makeChair())});
    scene.ambientOcclusion = true;
    FrameResources resources;
    first.begin();
    renderer.prepare(first.handle(), scene, extent, resources);
    first.end();
    VkCommandBuffer commands = first.handle();
    const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .commandBufferCount = 1,
                            .pCommandBuffers = &commands};
    device().submit(info, done.get());

    scene.ambientOcclusion = false;
    second.begin();
    {
        // These resources are destroyed without a submission, as happens when the window's
        // swapchain gives no image.
        FrameResources dropped;
        renderer.prepare(second.handle(), scene, extent, dropped);
    }
    second.end();
    device().wait(done.get());
    resources.clear();
}

TEST_F(AmbientOcclusionPicture, leavesColoursOfValuesUnchanged) {
    Scene scene = sceneOfLayers({plain(makeChair())});
    Layer& layer = scene.panes[0].layers[0];
    layer.values = std::make_shared<const SceneValues>(layer.mesh->vertices.size(), 0.01F);
    for (const bool edges : {false, true}) {
        layer.edges = edges;
        for (const Colouring colouring : {Colouring::values, Colouring::normals}) {
            layer.colouring = colouring;
            EXPECT_EQ(drawn(target(), scene, true).rgba, drawn(target(), scene, false).rgba);
        }
    }
    // In a second pane, a plain surface is darkened; the pane of values still does not change.
    layer.colouring = Colouring::values;
    scene.panes.push_back(sceneOfLayers({plain(makeChair())}).panes[0]);
    const Image without = drawn(target(), scene, false), with = drawn(target(), scene, true);
    EXPECT_NE(with.rgba, without.rgba);
    for (int y = 0; y < 180; ++y) {
        for (int x = 0; x < 119; ++x) ASSERT_EQ(pixelAt(with, x, y), pixelAt(without, x, y));
    }
}

TEST_F(AmbientOcclusionPicture, leavesATranslucentLayerUnchanged) {
    Scene scene = sceneOfLayers({plain(makeChair())});
    scene.panes[0].layers[0].opacity = 0.5F;
    EXPECT_EQ(drawn(target(), scene, true).rgba, drawn(target(), scene, false).rgba);
}

TEST_F(AmbientOcclusionPicture, leavesDirectLightUnchanged) {
    // Where the key light shines, at least half of the light is direct.
    const Scene scene = sceneOfLayers({plain(makeRing(64, 24))});
    const Image without = drawn(target(), scene, false), with = drawn(target(), scene, true);
    int bright = 0;
    for (int y = 0; y < 180; ++y) {
        for (int x = 0; x < 240; ++x) {
            const int before = pixelAt(without, x, y).y;
            if (before < 170) continue;
            ++bright;
            EXPECT_GT(pixelAt(with, x, y).y, before * 7 / 10) << x << ' ' << y;
        }
    }
    EXPECT_GT(bright, 1000);
}

TEST_F(AmbientOcclusionPicture, leavesAConvexShapeUnchanged) {
    const Scene scene = sceneOfLayers({plain(makePebble(5))});
    const Difference found = compare(drawn(target(), scene, true), drawn(target(), scene, false));
    EXPECT_LT(found.fraction, 0.02);
}

TEST_F(AmbientOcclusionPicture, isTheSame_whenRepeatedAndAfterItWasOff) {
    const Scene scene = sceneOfLayers({plain(makeRing(64, 24))});
    const Image first = drawn(target(), scene, true);
    EXPECT_EQ(drawn(target(), scene, true).rgba, first.rgba);
    const Image off = drawn(target(), scene, false);
    EXPECT_NE(off.rgba, first.rgba);
    EXPECT_EQ(drawn(target(), scene, true).rgba, first.rgba);
}

TEST_F(AmbientOcclusionPicture, keepsATransparentBackground) {
    Scene scene = sceneOfLayers({plain(makeChair())});
    scene.background = {0.8F, 0.4F, 0.2F, 0.0F};
    const Image picture = drawn(target(), scene, true);
    EXPECT_EQ(pixelAt(picture, 0, 0), glm::ivec4(204, 102, 51, 0));
}

TEST_F(AmbientOcclusionPicture, isTheSame_whenDrawnInTiles) {
    Scene scene = sceneOfLayers({plain(makeRing(64, 24))});
    scene.ambientOcclusion = true;
    scene.panes.push_back(scene.panes[0]);
    const Image whole = target().draw(scene, 300, 200);
    Image parts{300, 200, {}};
    renderTiled(device(), scene, 300, 200,
                [&](auto rows) { parts.rgba.insert(parts.rgba.end(), rows.begin(), rows.end()); },
                {}, {90, 70});
    ASSERT_EQ(parts.rgba.size(), whole.rgba.size());
    const Difference found = compare(parts, whole);
    EXPECT_LT(found.fraction, 0.001);
    EXPECT_LT(found.mean, 0.02);
}

TEST_F(AmbientOcclusionPicture, changesNothing_whenThereAreNoFaces) {
    Scene scene;
    scene.ambientOcclusion = true;
    EXPECT_EQ(target().draw(scene, 20, 20).width, 20);
    scene.panes.resize(2);
    EXPECT_EQ(target().draw(scene, 20, 20).width, 20);
    Scene points = sceneOfLayers({plain(makePebble(2))});
    points.panes[0].layers[0].shading = Shading::points;
    EXPECT_EQ(drawn(target(), points, true).rgba, drawn(target(), points, false).rgba);
}

}  // namespace
}  // namespace threefold::render
