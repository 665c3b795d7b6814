#include "tests/render/pictures.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>

#include <glm/common.hpp>

#include "render/profile_panel_layout.h"
#include "tests/render/fake_profile_panel.h"
#include "tests/render/rendering_test.h"
#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

using Pictures = Rendering;

Scene ringScene(Shading shading) {
    Scene scene;
    Pane pane{.layers = {layerOf(makeRing(48, 16))}, .camera = {.yaw = 0.5F, .pitch = 0.35F}};
    pane.layers[0].colouring = Colouring::plain;
    pane.layers[0].shading = shading;
    scene.panes = {pane};
    return scene;
}

// Copy of `image` in which the content of the rectangle is moved one pixel to the left.
Image shifted(const Image& image, int left, int top, int width, int height) {
    Image result = image;
    for (int y = top; y < top + height; ++y) {
        for (int x = left; x < left + width; ++x) {
            const glm::ivec4 pixel = pixelAt(image, std::min(x + 1, image.width - 1), y);
            for (int c = 0; c < 4; ++c) {
                result.rgba[static_cast<std::size_t>(4 * (y * image.width + x) + c)] =
                    static_cast<std::uint8_t>(pixel[c]);
            }
        }
    }
    return result;
}

TEST_F(Pictures, areAlike_whenBytesAreOffByOne) {
    for (const Shading shading : {Shading::smooth, Shading::wireframe}) {
        const Image picture = target().draw(ringScene(shading), 160, 120);
        Image noisy = picture;
        std::mt19937 random(7);
        for (std::size_t i = 0; i < noisy.rgba.size(); ++i) {
            if (i % 4 == 3) continue;
            const int off = static_cast<int>(random() % 3) - 1;
            noisy.rgba[i] = static_cast<std::uint8_t>(std::clamp(noisy.rgba[i] + off, 0, 255));
        }
        EXPECT_TRUE(looksAlike(compare(picture, noisy)));
    }
}

TEST_F(Pictures, areAlike_whenSomeEdgePixelsDifferByOneMultisample) {
    const Image picture = target().draw(ringScene(Shading::smooth), 160, 120);
    Image other = picture;
    for (int y = 5; y < 120; y += 9) {
        for (int x = 1; x + 1 < 160; ++x) {
            const glm::ivec4 here = pixelAt(picture, x, y), next = pixelAt(picture, x + 1, y);
            if (std::abs(here.x - next.x) < 60) continue;
            for (int c = 0; c < 3; ++c) {
                other.rgba[static_cast<std::size_t>(4 * (y * 160 + x) + c)] =
                    static_cast<std::uint8_t>((3 * here[c] + next[c]) / 4);
            }
        }
    }
    EXPECT_NE(other.rgba, picture.rgba);
    EXPECT_TRUE(looksAlike(compare(picture, other)));
}

TEST_F(Pictures, differ_whenAnEdgeIsOffByAPixel) {
    for (const Shading shading : {Shading::smooth, Shading::flat, Shading::wireframe}) {
        const Image picture = target().draw(ringScene(shading), 160, 120);
        EXPECT_FALSE(looksAlike(compare(picture, shifted(picture, 0, 0, 160, 120))));
        // A shift of one short piece of the outline is found, too.
        int x = 0;
        while (pixelAt(picture, x + 1, 60) == pixelAt(picture, 0, 0)) ++x;
        EXPECT_FALSE(looksAlike(compare(picture, shifted(picture, x - 8, 52, 16, 16))));
    }
}

TEST_F(Pictures, differ_whenOneLineIsOffByAPixel) {
    Scene scene = ringScene(Shading::wireframe);
    ValuedMesh mesh = makeTriangle();
    mesh.values.clear();
    scene.panes[0].camera = {};
    scene.panes[0].layers = {layerOf(mesh)};
    scene.panes[0].layers[0].shading = Shading::wireframe;
    const Image picture = target().draw(scene, 160, 120);
    // At the triangle's distance, a pixel is 0.0061 wide. So the vertex moves by one pixel, and the
    // vertex's edges move by less.
    mesh.vertices[2].x += 0.0061F;
    scene.panes[0].layers[0].mesh = layerOf(mesh).mesh;
    EXPECT_FALSE(looksAlike(compare(picture, target().draw(scene, 160, 120))));
}

TEST_F(Pictures, differ_whenAColourIsOffByAFiftieth) {
    Scene scene = ringScene(Shading::smooth);
    const Image picture = target().draw(scene, 160, 120);
    for (int channel = 0; channel < 3; ++channel) {
        Scene other = scene;
        other.panes[0].layers[0].plainColour[channel] += 0.02F;
        EXPECT_FALSE(looksAlike(compare(picture, target().draw(other, 160, 120)))) << channel;
    }
    scene.background.z += 0.02F;
    EXPECT_FALSE(looksAlike(compare(picture, target().draw(scene, 160, 120))));
}

TEST_F(Pictures, differ_whenLinesAreAThirdWider) {
    Scene scene = ringScene(Shading::wireframe);
    const Image picture = target().draw(scene, 160, 120);
    scene.pixelRatio = 1.33F;
    EXPECT_FALSE(looksAlike(compare(picture, target().draw(scene, 160, 120))));
}

// Scene with two equal panes that show more than a surface: outline, marker, seam, ground grid and
// axes.
Scene fullScene() {
    Scene scene;
    Pane pane{.layers = {layerOf(makeRing(48, 16))}, .camera = {.yaw = 0.5F, .pitch = 0.35F}};
    pane.layers[0].outline = glm::vec3(1.0F);
    pane.markers = {{.position = {0.0F, 0.0F, -0.8F}, .radius = 4.0F}};
    pane.seamPosition = 0.3F;
    pane.ground = GroundGrid{.centre = {0.0F, -0.2F, -0.8F}};
    pane.axes = true;
    scene.panes = {pane, pane};
    return scene;
}

struct Mistake {
    const char* name;
    void (*make)(Scene&, Pane&);
};

const Mistake kMistakes[] = {
    {"marker is missing", [](Scene&, Pane& pane) { pane.markers.clear(); }},
    {"marker is a pixel larger", [](Scene&, Pane& pane) { pane.markers[0].radius += 1.0F; }},
    {"seam is missing", [](Scene&, Pane& pane) { pane.seamPosition.reset(); }},
    {"seam is a pixel off", [](Scene&, Pane& pane) { *pane.seamPosition += 1.0F / 160.0F; }},
    {"divider is missing", [](Scene& scene, Pane&) { scene.dividerColour = scene.background; }},
    {"camera is panned by a pixel",
     [](Scene&, Pane& pane) {
         pane.camera.pan({1.0F, 0.0F}, 120.0F);
     }},
    {"ground is missing", [](Scene&, Pane& pane) { pane.ground.reset(); }},
    {"axes are missing", [](Scene&, Pane& pane) { pane.axes = false; }},
    {"outline is missing", [](Scene&, Pane& pane) { pane.layers[0].outline.reset(); }},
    {"colour map begins 3 % later",
     [](Scene&, Pane& pane) { pane.layers[0].colourScale.min = 6e-4F; }},
    {"colour map ends 3 % earlier",
     [](Scene&, Pane& pane) { pane.layers[0].colourScale.max *= 0.97F; }},
    {"other colour map",
     [](Scene&, Pane& pane) { pane.layers[0].colourScale.map = ColourMap::viridis; }},
    {"other light", [](Scene& scene, Pane&) { scene.lighting = Lighting::matcap; }},
    {"fixed lights", [](Scene& scene, Pane&) { scene.lighting = Lighting::fixed; }},
    {"no light", [](Scene&, Pane& pane) { pane.layers[0].unlit = true; }},
    {"cut away", [](Scene&, Pane& pane) { pane.camera.clipDepth = 0.0F; }},
    {"layer is seen from another camera only",
     [](Scene&, Pane& pane) { pane.layers[0].onlySeenFrom = glm::vec3(0.0F); }},
    {"flat faces", [](Scene&, Pane& pane) { pane.layers[0].shading = Shading::flat; }},
};

TEST_F(Pictures, differ_whenOnePaneHasAMistake) {
    const Image picture = target().draw(fullScene(), 320, 120);
    for (const Mistake& mistake : kMistakes) {
        Scene scene = fullScene();
        mistake.make(scene, scene.panes[1]);
        EXPECT_FALSE(looksAlike(compare(picture, target().draw(scene, 320, 120)))) << mistake.name;
    }
}

// With yaw and pitch 0 the camera looks along −z, so that fixed lights and lights that follow the
// camera are the same.
TEST_F(Pictures, areAlike_whenOptionsNameTheirDefaults) {
    Scene scene = ringScene(Shading::smooth);
    OrbitCamera& camera = scene.panes[0].camera;
    camera.yaw = camera.pitch = 0.0F;
    const Image picture = target().draw(scene, 160, 120);
    scene.lighting = Lighting::fixed;
    EXPECT_TRUE(looksAlike(compare(picture, target().draw(scene, 160, 120))));
    scene.panes[0].layers[0].onlySeenFrom = camera.centre();
    EXPECT_TRUE(looksAlike(compare(picture, target().draw(scene, 160, 120))));
    camera.clipDepth = 100.0F;  // the clip plane lies behind the camera, so nothing is cut
    EXPECT_TRUE(looksAlike(compare(picture, target().draw(scene, 160, 120))));
}

TEST_F(Pictures, differ_whenATextHasAnotherDigit) {
    ProfilePanelView view = fakeProfilePanel();
    view.margin = 0;
    const glm::vec2 size = profilePanelSize(view);
    const auto draw = [&] {
        Scene scene;
        scene.profilePanel = std::make_shared<const ProfilePanelView>(view);
        return target().draw(scene, static_cast<int>(size.x), static_cast<int>(size.y));
    };
    const Image picture = draw();
    EXPECT_EQ(view.network.values[1], "98.4");
    view.network.values[1] = "98.1";
    EXPECT_FALSE(looksAlike(compare(picture, draw())));
}

TEST_F(Pictures, differ_whenTransparencyDoes) {
    Image opaque{16, 16, std::vector<std::uint8_t>(4 * 16 * 16, 255)};
    Image other = opaque;
    for (std::size_t i = 3; i < other.rgba.size(); i += 4) other.rgba[i] = 245;
    EXPECT_FALSE(looksAlike(compare(opaque, other)));
    EXPECT_TRUE(looksAlike(compare(opaque, opaque)));
}

}  // namespace
}  // namespace threefold::render
