#include "render/offscreen.h"

#include <cmath>
#include <cstddef>
#include <limits>

#include <gmock/gmock.h>

#include "engine/error.h"
#include "render/pane_view.h"
#include "tests/render/pictures.h"
#include "tests/render/rendering_test.h"
#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

using Offscreen = Rendering;

constexpr glm::ivec4 kDark{18, 19, 22, 255};  // round(255 × the default background)

Scene pebbleScene() {
    Scene scene;
    OrbitCamera camera{.yaw = 0.5F, .pitch = 0.35F};
    frameBox(camera, {-0.28F, -0.25F, -1.08F}, {0.28F, 0.25F, -0.52F}, 1.0F);
    scene.panes = {{.layers = {layerOf(makePebble(3))}, .camera = camera}};
    return scene;
}

Layer& layerIn(Scene& scene) {
    return scene.panes[0].layers[0];
}

Scene sceneOfOne(ValuedMesh mesh) {
    Scene scene = pebbleScene();
    scene.panes[0].layers = {layerOf(std::move(mesh))};
    return scene;
}

TEST_F(Offscreen, givesTheSameBytes_whenTheSceneIsTheSame) {
    const Scene scene = pebbleScene();
    const Image first = target().draw(scene, 200, 150);
    EXPECT_EQ(target().draw(scene, 200, 150).rgba, first.rgba);
    EXPECT_EQ(renderOffscreen(device(), scene, 200, 150).rgba, first.rgba);
}

TEST_F(Offscreen, staysUsable_afterADeviceThatDidNotFinishInTime) {
    const Scene scene = pebbleScene();
    int waits = 0;
    const Device slow(instance(), VK_NULL_HANDLE,
                      {.wait = [&waits] { return waits++ == 1 ? VK_TIMEOUT : VK_SUCCESS; }});
    OffscreenTarget target(slow);
    const Image first = target.draw(scene, 200, 150);
    EXPECT_THROW(target.draw(scene, 200, 150), DeviceError);
    EXPECT_EQ(target.draw(scene, 200, 150).rgba, first.rgba);
    EXPECT_EQ(waits, 3);
}

TEST_F(Offscreen, staysUsable_afterASubmissionThatFailed) {
    const Scene scene = pebbleScene();
    int submissions = 0;
    const Device device(instance(), VK_NULL_HANDLE, {.submit = [&submissions] {
                            return submissions++ == 1 ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
                        }});
    OffscreenTarget target(device);
    const Image first = target.draw(scene, 200, 150);
    EXPECT_THROW(target.draw(scene, 200, 150), DeviceError);
    EXPECT_EQ(target.draw(scene, 200, 150).rgba, first.rgba);
}

TEST_F(Offscreen, backgroundIsExact) {
    for (int byte = 0; byte < 256; byte += 15) {
        const float value = static_cast<float>(byte) / 255.0F;
        const Scene scene{.background = {value, 1.0F - value, 0.5F * value, 1.0F}};
        const glm::ivec4 expected{byte, 255 - byte,
                                  static_cast<int>(std::lround(255.0F * 0.5F * value)), 255};
        EXPECT_EQ(countOther(target().draw(scene, 9, 7), expected), 0U) << byte;
    }
}

TEST_F(Offscreen, backgroundIsExact_whenItIsTransparent) {
    for (const float alpha : {0.0F, 0.1F, 0.5F, 0.9F}) {
        Scene scene = pebbleScene();
        scene.background = {0.8F, 0.4F, 0.2F, alpha};
        const Image picture = target().draw(scene, 100, 100);
        const auto byte = static_cast<int>(std::lround(255.0F * alpha));
        EXPECT_EQ(pixelAt(picture, 0, 0), glm::ivec4(204, 102, 51, byte)) << alpha;
        EXPECT_EQ(pixelAt(picture, 50, 50).w, 255) << alpha;
    }
}

TEST_F(Offscreen, edgesHaveNoFringe_whenTheBackgroundIsTransparent) {
    Scene scene = sceneOfOne(makeTriangle());
    layerIn(scene).colouring = Colouring::plain;
    scene.background = {1.0F, 0.0F, 0.0F, 0.0F};
    scene.panes[0].camera = {};
    const Image picture = target().draw(scene, 120, 120);
    std::size_t edge = 0;
    for (int y = 0; y < 120; ++y) {
        for (int x = 0; x < 120; ++x) {
            const glm::ivec4 pixel = pixelAt(picture, x, y);
            if (pixel.w == 0 || pixel.w == 255) continue;
            ++edge;
            EXPECT_LT(std::abs(pixel.x - pixel.y), 20) << x << ' ' << y;
        }
    }
    EXPECT_GT(edge, 50U);
}

TEST_F(Offscreen, dividerIsExact) {
    for (const float ratio : {1.0F, 1.5F, 2.0F}) {
        Scene scene = pebbleScene();
        scene.pixelRatio = ratio;
        scene.panes.push_back(scene.panes[0]);
        scene.dividerColour = {1.0F, 0.0F, 0.2F};
        const int width = 257, height = 31;
        const Image picture = target().draw(scene, width, height);
        const std::vector<PixelRect> panes = paneRects(width, height, 2, ratio);
        const int begin = panes[0].x + panes[0].width;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const bool inDivider = x >= begin && x < panes[1].x;
                EXPECT_EQ(pixelAt(picture, x, y) == glm::ivec4(255, 0, 51, 255), inDivider)
                    << x << ' ' << y;
            }
        }
    }
}

TEST_F(Offscreen, panesShowTheSame_whenMeshAndCameraAreTheSame) {
    Scene scene = pebbleScene();
    scene.panes.push_back(scene.panes[0]);
    const Image picture = target().draw(scene, 201, 100);
    for (int y = 0; y < 100; ++y) {
        for (int x = 0; x < 100; ++x) {
            ASSERT_EQ(pixelAt(picture, x, y), pixelAt(picture, x + 101, y)) << x << ' ' << y;
        }
    }
}

TEST_F(Offscreen, nothingIsDrawn_whenThereAreNoPanesOrMeshes) {
    EXPECT_EQ(countOther(target().draw({}, 33, 21), kDark), 0U);
    EXPECT_EQ(countOther(target().draw({.panes = {Pane{}}}, 33, 21), kDark), 0U);
    for (const Shading shading :
         {Shading::smooth, Shading::flat, Shading::wireframe, Shading::points}) {
        Scene scene = sceneOfOne({});
        layerIn(scene).shading = shading;
        EXPECT_EQ(countOther(target().draw(scene, 33, 21), kDark), 0U);
    }
}

TEST_F(Offscreen, onlyPointsAreDrawn_whenAMeshHasNoFaces) {
    ValuedMesh cloud = makePebble(2);
    cloud.faces.clear();
    Scene scene = sceneOfOne(std::move(cloud));
    layerIn(scene).shading = Shading::points;
    const Image points = target().draw(scene, 60, 60);
    EXPECT_GT(countOther(points, kDark), 100U);
    for (const Shading shading : {Shading::smooth, Shading::flat, Shading::wireframe}) {
        layerIn(scene).shading = shading;
        EXPECT_EQ(target().draw(scene, 60, 60).rgba, points.rgba);
    }
}

TEST_F(Offscreen, drawsManyNarrowPanes) {
    Scene scene = pebbleScene();
    scene.panes.resize(40, scene.panes[0]);
    const Image picture = target().draw(scene, 16, 16);
    EXPECT_EQ(picture.width, 16);
}

TEST_F(Offscreen, drawsOnePixel) {
    Scene scene = pebbleScene();
    scene.panes[0].camera.distance = 0.4F;
    EXPECT_NE(pixelAt(target().draw(scene, 1, 1), 0, 0), kDark);
}

TEST_F(Offscreen, refusesASize_whenItIsZeroNegativeOrTooLarge) {
    const Scene scene = pebbleScene();
    for (const auto& [width, height] :
         {std::pair{0, 10}, {10, 0}, {-1, 10}, {10, -5}, {1'000'000, 10}, {10, 1'000'000}}) {
        EXPECT_THROW(target().draw(scene, width, height), InputError) << width << " by " << height;
    }
}

TEST_F(Offscreen, namesTheFace_whenAnIndexIsOutOfRange) {
    ValuedMesh bad = makeTriangle();
    bad.faces.push_back({0, 1, 3});
    try {
        target().draw(sceneOfOne(std::move(bad)), 20, 20);
        FAIL() << "an index out of range was accepted";
    } catch (const InputError& error) {
        EXPECT_EQ(error.report().place, "face 1");
        EXPECT_THAT(error.report().problem, testing::HasSubstr("3 vertices"));
    }
}

TEST_F(Offscreen, drawsTheNextScene_afterAMeshWasRefused) {
    const Scene good = pebbleScene();
    ValuedMesh bad = makeTriangle();
    bad.values.pop_back();
    Scene scene = good;
    scene.panes.push_back({.layers = {layerOf(std::move(bad))}});
    EXPECT_THROW(target().draw(scene, 90, 60), InputError);
    // The good mesh was prepared first, and its upload was dropped with the failed picture.
    EXPECT_EQ(target().draw(good, 90, 60).rgba, renderOffscreen(device(), good, 90, 60).rgba);
}

TEST_F(Offscreen, drawsTheRest_whenNumbersAreNotFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float huge = std::numeric_limits<float>::max();
    for (const float bad : {nan, huge, -huge, std::numeric_limits<float>::infinity()}) {
        ValuedMesh mesh = makePebble(2);
        mesh.vertices[3].x = bad;
        mesh.values[5] = bad;
        Scene scene = sceneOfOne(std::move(mesh));
        for (const Shading shading :
             {Shading::smooth, Shading::flat, Shading::wireframe, Shading::points}) {
            layerIn(scene).shading = shading;
            EXPECT_GT(countOther(target().draw(scene, 60, 60), kDark), 100U) << bad;
        }
        scene.panes[0].camera.distance = bad;
        scene.panes[0].camera.target.x = bad;
        scene.pixelRatio = bad;
        layerIn(scene).colourScale.max = bad;
        EXPECT_EQ(target().draw(scene, 60, 60).width, 60);
    }
}

TEST_F(Offscreen, valueColoursAreNeutral_whenThereIsNoValue) {
    ValuedMesh mesh = makePebble(3);
    mesh.values.assign(mesh.vertices.size(), std::numeric_limits<float>::quiet_NaN());
    const glm::ivec4 centre = pixelAt(target().draw(sceneOfOne(std::move(mesh)), 80, 80), 40, 40);
    EXPECT_NEAR(centre.x, centre.y, 2);
    EXPECT_NEAR(centre.y, centre.z, 2);
    EXPECT_GT(centre.x, 40);
}

TEST_F(Offscreen, valuesAreClamped_whenTheyAreBeyondTheRange) {
    Scene scene = sceneOfOne(makePebble(3));
    const auto drawWith = [&](float value) {
        ValuedMesh mesh = makePebble(3);
        mesh.values.assign(mesh.vertices.size(), value);
        layerIn(scene).values = layerOf(std::move(mesh)).values;
        return target().draw(scene, 60, 60).rgba;
    };
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(drawWith(7.0F), drawWith(layerIn(scene).colourScale.max));
    EXPECT_EQ(drawWith(infinity), drawWith(layerIn(scene).colourScale.max));
    EXPECT_EQ(drawWith(-infinity), drawWith(layerIn(scene).colourScale.min));
    EXPECT_NE(drawWith(layerIn(scene).colourScale.min), drawWith(layerIn(scene).colourScale.max));
    layerIn(scene).colourScale.min = layerIn(scene).colourScale.max;
    EXPECT_EQ(drawWith(1.0F), drawWith(0.0F));
}

TEST_F(Offscreen, surfaceLooksTheSame_whenItIsInsideOut) {
    ValuedMesh reversed = makePebble(3);
    for (glm::u32vec3& face : reversed.faces) face = {face.x, face.z, face.y};
    Scene scene = sceneOfOne(std::move(reversed));
    for (const Shading shading : {Shading::smooth, Shading::flat, Shading::wireframe}) {
        Scene straight = pebbleScene();
        layerIn(scene).shading = layerIn(straight).shading = shading;
        const Difference found =
            compare(target().draw(scene, 120, 120), target().draw(straight, 120, 120));
        EXPECT_LT(found.mean, 0.05);
    }
}

// Pixels that a mesh covers in a picture of 100 × 100 logical pixels.
std::size_t covered(OffscreenTarget& target, Scene scene, float ratio) {
    scene.pixelRatio = ratio;
    const int size = static_cast<int>(100.0F * ratio);
    return countOther(target.draw(scene, size, size), kDark);
}

TEST_F(Offscreen, pointsAreDiscsThatGrowWithThePixelRatio) {
    Scene scene = sceneOfOne({{{0.0F, 0.0F, -0.8F}}, {}, {}});
    layerIn(scene).shading = Shading::points;
    scene.panes[0].camera = {};
    EXPECT_NEAR(static_cast<double>(covered(target(), scene, 1.0F)), 14.0, 8.0);
    EXPECT_NEAR(static_cast<double>(covered(target(), scene, 8.0F)), 64 * 12.0, 64.0);
}

TEST_F(Offscreen, linesKeepTheirLogicalWidth) {
    // Fraction of the picture that is as bright as a line.
    const auto brightFraction = [&](float ratio) {
        Scene scene = sceneOfOne(makeTriangle());
        scene.panes[0].camera = {};
        layerIn(scene).colouring = Colouring::plain;
        layerIn(scene).shading = Shading::wireframe;
        scene.pixelRatio = ratio;
        const int size = static_cast<int>(100.0F * ratio);
        const Image picture = target().draw(scene, size, size);
        int bright = 0;
        for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
            bright += picture.rgba[i] > 110 ? 1 : 0;
        }
        return bright / (100.0 * 100.0 * ratio * ratio);
    };
    EXPECT_GT(brightFraction(4.0F), 0.005);
    EXPECT_NEAR(brightFraction(8.0F), brightFraction(4.0F), 0.15 * brightFraction(4.0F));
}

TEST_F(Offscreen, freesAMesh_whenItsLastOwnerIsGone) {
    const auto bytesWith = [&](const Scene& scene) {
        target().draw(scene, 20, 20);
        return device().allocatedBytes()->load();
    };
    Scene scene;
    const std::uint64_t none = bytesWith(scene);
    scene = pebbleScene();
    const std::uint64_t one = bytesWith(scene);
    EXPECT_GT(one, none);
    scene.panes.push_back(scene.panes[0]);
    EXPECT_EQ(bytesWith(scene), one);
    scene.panes[1].layers = {layerOf(makeTriangle())};
    EXPECT_GT(bytesWith(scene), one);
    scene.panes.pop_back();
    EXPECT_EQ(bytesWith(scene), one);
    scene.panes.clear();
    EXPECT_EQ(bytesWith(scene), none);
}

}  // namespace
}  // namespace threefold::render
