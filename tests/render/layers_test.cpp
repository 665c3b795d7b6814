#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

#include <gmock/gmock.h>

#include "engine/error.h"
#include "render/offscreen.h"
#include "render/pane_view.h"
#include "resources/shaders/shared.h"
#include "tests/render/pictures.h"
#include "tests/render/rendering_test.h"
#include "tests/render/scenes.h"

namespace threefold::render {
namespace {

class Layers : public Rendering {};

constexpr int kSize = 120;
constexpr glm::ivec4 kDark{18, 19, 22, 255};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Layer constant(float value) {
    ValuedMesh mesh = makePebble(2);
    mesh.values.assign(mesh.vertices.size(), value);
    Layer layer = layerOf(std::move(mesh));
    layer.colourScale = {.min = 0.001F, .max = 0.1F};
    return layer;
}

// Number of pixels for which `test` is false.
template <typename Test>
int countPixelsWhereNot(const Image& image, Test test) {
    int count = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) count += test(x, y) ? 0 : 1;
    }
    return count;
}

// The published predict.obj has faces of both orientations.
TEST_F(Layers, areLitAlike_whicheverWayTheirFacesWind) {
    for (const Shading shading : {Shading::smooth, Shading::flat}) {
        ValuedMesh mixed = makePebble(4);
        Scene scene = sceneOfLayers({plain(mixed)});
        scene.panes[0].layers[0].shading = shading;
        const Image even = target().draw(scene, kSize, kSize);
        std::uint32_t random = 1;
        for (glm::u32vec3& face : mixed.faces) {
            random = random * 1664525U + 1013904223U;
            if (random >> 31U) std::swap(face.y, face.z);
        }
        scene.panes[0].layers[0].mesh = plain(mixed).mesh;
        const Image mixedPicture = target().draw(scene, kSize, kSize);
        // Faces that wind both ways change the vertices' normals slightly, so at most one pixel in
        // fifty may differ by more than kTolerance. Wrongly lit faces would make half of the pixels
        // dark.
        constexpr int kTolerance = 12, kPixelsPerDifferent = 50;
        EXPECT_LE(countPixelsWhereNot(
                      even,
                      [&](int x, int y) {
                          const glm::ivec4 difference =
                              glm::abs(pixelAt(even, x, y) - pixelAt(mixedPicture, x, y));
                          return std::max({difference.x, difference.y, difference.z}) <= kTolerance;
                      }),
                  kSize * kSize / kPixelsPerDifferent)
            << static_cast<int>(shading);
    }
}

TEST_F(Layers, sidesOfAWipeEqualTheWholeMeshes) {
    const Layer left = plain(makePebble(3)), right = plain(makeRing(40, 12));
    for (const float fraction : {0.0F, 0.31F, 0.5F, 0.777F, 1.0F}) {
        Scene scene = sceneOfLayers({left, right});
        scene.panes[0].layers[0].rightEdge = scene.panes[0].layers[1].leftEdge = fraction;
        const Image wiped = target().draw(scene, 117, 60);
        const Image onLeft = target().draw(sceneOfLayers({left}), 117, 60);
        const Image onRight = target().draw(sceneOfLayers({right}), 117, 60);
        const auto seam = static_cast<int>(std::lround(fraction * 117.0F));
        EXPECT_EQ(countPixelsWhereNot(wiped,
                                      [&](int x, int y) {
                                          return pixelAt(wiped, x, y) ==
                                                 pixelAt(x < seam ? onLeft : onRight, x, y);
                                      }),
                  0)
            << fraction;
    }
}

TEST_F(Layers, sidesOfAWipeEqualTheWholeMeshes_whenTranslucent) {
    for (const Shading shading : {Shading::smooth, Shading::wireframe, Shading::points}) {
        Layer left = plain(makePebble(3)), right = plain(makeRing(40, 12));
        left.opacity = right.opacity = 0.5F;
        left.shading = right.shading = shading;
        Scene scene = sceneOfLayers({left, right});
        scene.panes[0].layers[0].rightEdge = scene.panes[0].layers[1].leftEdge = 0.5F;
        const Image wiped = target().draw(scene, 117, 60);
        const Image onLeft = target().draw(sceneOfLayers({left}), 117, 60);
        const Image onRight = target().draw(sceneOfLayers({right}), 117, 60);
        EXPECT_EQ(countPixelsWhereNot(wiped,
                                      [&](int x, int y) {
                                          return pixelAt(wiped, x, y) ==
                                                 pixelAt(x < 59 ? onLeft : onRight, x, y);
                                      }),
                  0);
    }
}

TEST_F(Layers, edgesAreDrawn_whenTheSceneHasNoPixelRatio) {
    Layer layer = plain(makeTriangle());
    layer.edges = true;
    Scene scene = sceneOfLayers({layer});
    scene.panes[0].camera = {};
    const Image expected = target().draw(scene, kSize, kSize);
    scene.pixelRatio = 0;
    EXPECT_EQ(target().draw(scene, kSize, kSize).rgba, expected.rgba);
}

TEST_F(Layers, edgesKeepTheirLogicalWidth) {
    // Fraction of the picture that the edges darken.
    const auto darkFraction = [&](float ratio) {
        Layer layer = plain(makeTriangle());
        Scene scene = sceneOfLayers({layer});
        scene.panes[0].camera = {};
        scene.pixelRatio = ratio;
        const int size = static_cast<int>(100.0F * ratio);
        const Image bare = target().draw(scene, size, size);
        scene.panes[0].layers[0].edges = true;
        const Image edged = target().draw(scene, size, size);
        int darker = 0;
        for (std::size_t i = 0; i < bare.rgba.size(); i += 4) {
            darker += int{bare.rgba[i]} - int{edged.rgba[i]} > 40 ? 1 : 0;
        }
        return darker / (100.0 * 100.0 * ratio * ratio);
    };
    EXPECT_GT(darkFraction(4.0F), 0.002);
    EXPECT_NEAR(darkFraction(8.0F), darkFraction(4.0F), 0.3 * darkFraction(4.0F));
}

TEST_F(Layers, seamIsALineOfItsColourWithAGrip) {
    for (const float ratio : {1.0F, 2.0F}) {
        Scene scene = sceneOfLayers({});
        scene.seamColour = {1.0F, 0.0F, 0.2F};
        scene.pixelRatio = ratio;
        scene.panes[0].seamPosition = 0.5F;
        const int size = static_cast<int>(100 * ratio), line = size / 2 - (ratio > 1 ? 1 : 0);
        const Image picture = target().draw(scene, size, size);
        EXPECT_EQ(pixelAt(picture, line, 1), glm::ivec4(255, 0, 51, 255));
        EXPECT_EQ(pixelAt(picture, line - 1, 1), kDark);
        EXPECT_EQ(pixelAt(picture, line + static_cast<int>(ratio), 1), kDark);
        const int aside = line + static_cast<int>(2 * ratio);
        EXPECT_EQ(pixelAt(picture, aside, size / 2), glm::ivec4(255, 0, 51, 255));
    }
}

TEST_F(Layers, translucentLayerIsTheMeanOfTheOpaqueLayerAndTheBackground) {
    // Ring and pebble hide parts of themselves; hidden parts must not show through.
    for (const Shading shading : {Shading::smooth, Shading::flat}) {
        for (const ValuedMesh& mesh : {makeRing(48, 16), makePebble(4)}) {
            Layer layer = plain(mesh);
            layer.shading = shading;
            const Image opaque = target().draw(sceneOfLayers({layer}), kSize, kSize);
            layer.opacity = 0.5F;
            const Image half = target().draw(sceneOfLayers({layer}), kSize, kSize);
            EXPECT_EQ(countPixelsWhereNot(half,
                                          [&](int x, int y) {
                                              const auto sum = pixelAt(opaque, x, y) + kDark;
                                              const auto off = 2 * pixelAt(half, x, y) - sum;
                                              return std::abs(off.x) <= 3 && std::abs(off.y) <= 3 &&
                                                     std::abs(off.z) <= 3;
                                          }),
                      0);
        }
    }
}

TEST_F(Layers, translucentLayerIsHidden_whenInsideAnOpaqueMesh) {
    ValuedMesh inner = makePebble(3);
    for (glm::vec3& p : inner.vertices) p = {0.5F * p.x, 0.5F * p.y, -0.8F + 0.5F * (p.z + 0.8F)};
    Layer faint = plain(inner);
    faint.opacity = 0.5F;
    const Layer outer = plain(makePebble(3));
    const Image alone = target().draw(sceneOfLayers({outer}), kSize, kSize);
    EXPECT_EQ(target().draw(sceneOfLayers({outer, faint}), kSize, kSize).rgba, alone.rgba);
}

TEST_F(Layers, opacityRangesFromNothingToOpaque) {
    Layer layer = plain(makePebble(3));
    const Image opaque = target().draw(sceneOfLayers({layer}), kSize, kSize);
    for (const float opacity : {1.0F, 7.0F, kNan}) {
        layer.opacity = opacity;
        EXPECT_EQ(target().draw(sceneOfLayers({layer}), kSize, kSize).rgba, opaque.rgba) << opacity;
    }
    for (const float opacity : {0.0F, -1.0F}) {
        layer.opacity = opacity;
        EXPECT_EQ(countOther(target().draw(sceneOfLayers({layer}), kSize, kSize), kDark), 0U)
            << opacity;
    }
}

TEST_F(Layers, everyShadingIsDrawnTranslucent) {
    for (const Shading shading :
         {Shading::smooth, Shading::flat, Shading::wireframe, Shading::points}) {
        for (const bool edges : {false, true}) {
            Layer layer = plain(makePebble(3));
            layer.shading = shading;
            layer.edges = edges;
            layer.opacity = 0.5F;
            EXPECT_GT(countOther(target().draw(sceneOfLayers({layer}), kSize, kSize), kDark), 500U);
        }
    }
}

TEST_F(Layers, transparentBackgroundKeepsTheOpacity) {
    Layer layer = plain(makePebble(3));
    layer.opacity = 0.4F;
    Scene scene = sceneOfLayers({layer});
    scene.background = {0.0F, 0.0F, 0.0F, 0.0F};
    const Image picture = target().draw(scene, kSize, kSize);
    constexpr int kMiddle = kSize / 2;
    const glm::ivec4 faint = pixelAt(picture, kMiddle, kMiddle);
    EXPECT_EQ(faint.w, 102);
    layer.opacity = 1.0F;
    scene.panes[0].layers = {layer};
    const glm::ivec4 opaque = pixelAt(target().draw(scene, kSize, kSize), kMiddle, kMiddle);
    EXPECT_NEAR(faint.x, opaque.x, 2);
}

TEST_F(Layers, anotherQuantityUploadsOnlyItsValues) {
    const auto bytesWith = [&](const Scene& scene) {
        target().draw(scene, 20, 20);
        return device().allocatedBytes()->load();
    };
    Layer layer = layerOf(makePebble(3));
    Scene scene = sceneOfLayers({});
    const std::uint64_t none = bytesWith(scene);
    scene = sceneOfLayers({layer});
    const std::uint64_t one = bytesWith(scene);
    scene.panes.push_back(scene.panes[0]);
    scene.panes[1].layers[0].values =
        std::make_shared<const SceneValues>(layer.mesh->vertices.size(), 0.01F);
    const std::uint64_t two = bytesWith(scene);
    EXPECT_GE(two - one, layer.mesh->vertices.size() * sizeof(float));
    EXPECT_LT(two - one, layer.mesh->vertices.size() * sizeof(shared::MeshVertex));
    EXPECT_GT(one - none, two - one);
    scene.panes[1].layers[0].values.reset();
    EXPECT_EQ(bytesWith(scene), one);
    layer = {};
    scene.panes.clear();
    EXPECT_EQ(bytesWith(scene), none);
}

TEST_F(Layers, areRefused_whenValuesAreOfAnotherMesh) {
    Layer layer = layerOf(makePebble(3));
    layer.values = layerOf(makePebble(2)).values;
    EXPECT_THROW(target().draw(sceneOfLayers({layer}), 20, 20), InputError);
}

TEST_F(Layers, arePlain_whenThereAreNoValuesToColourBy) {
    Layer layer = plain(makePebble(3));
    layer.values.reset();
    const Image picture = target().draw(sceneOfLayers({layer}), kSize, kSize);
    layer.colouring = Colouring::values;
    EXPECT_EQ(target().draw(sceneOfLayers({layer}), kSize, kSize).rgba, picture.rgba);
}

TEST_F(Layers, logarithmicScaleEqualsTheLinearScaleAtBothEnds_andHasTheGeometricMeanHalfWay) {
    const auto draw = [&](float value, ValueScale scale, ColourMap map) {
        Layer layer = constant(value);
        layer.colourScale.scale = scale;
        layer.colourScale.map = map;
        return target().draw(sceneOfLayers({layer}), 60, 60);
    };
    for (const ColourMap map : kAllColourMaps) {
        const auto linear = [&](float value) { return draw(value, ValueScale::linear, map); };
        const auto logarithmic = [&](float value) {
            return draw(value, ValueScale::logarithmic, map);
        };
        EXPECT_EQ(logarithmic(0.001F).rgba, linear(0.001F).rgba);
        EXPECT_EQ(logarithmic(0.1F).rgba, linear(0.1F).rgba);
        EXPECT_EQ(logarithmic(-1.0F).rgba, linear(0.001F).rgba);
        EXPECT_EQ(logarithmic(9.0F).rgba, linear(0.1F).rgba);
        EXPECT_LT(compare(logarithmic(0.01F), linear(0.0505F)).maxBlockDistance, 0.5);
        EXPECT_GT(compare(logarithmic(0.01F), linear(0.01F)).maxBlockDistance, 5.0);
    }
}

TEST_F(Layers, logarithmicScaleIsDrawn_whenItHasNoLowerEnd) {
    for (const float lowest : {0.0F, -1.0F, kNan}) {
        Layer layer = layerOf(makePebble(3));
        layer.colourScale.scale = ValueScale::logarithmic;
        layer.colourScale.min = lowest;
        layer.colourScale.max = 0.02F;
        const Image picture = target().draw(sceneOfLayers({layer}), kSize, kSize);
        layer.colourScale.min = 0.02F * 1e-4F;
        EXPECT_EQ(target().draw(sceneOfLayers({layer}), kSize, kSize).rgba, picture.rgba);
    }
}

TEST_F(Layers, normalsAreColours) {
    // The normal is (0, 0, 1), towards the camera, so blue is higher than red and green.
    Layer layer = plain(makeTriangle());
    layer.colouring = Colouring::normals;
    Scene scene = sceneOfLayers({layer});
    scene.panes[0].camera = {};
    const glm::ivec4 pixel = pixelAt(target().draw(scene, kSize, kSize), kSize / 2, kSize / 2);
    EXPECT_NEAR(pixel.x, pixel.y, 2);
    EXPECT_GT(pixel.z, pixel.x + 60);
}

TEST_F(Layers, markersKeepTheirSizeAndShowThroughTheMesh) {
    for (const float distance : {0.9F, 3.0F}) {
        for (const float ratio : {1.0F, 2.0F}) {
            Scene scene = sceneOfLayers({plain(makePebble(3))});
            scene.pixelRatio = ratio;
            scene.panes[0].camera = {.distance = distance};
            scene.panes[0].markers = {
                {.position = {0.0F, 0.0F, -0.8F}, .colour = {1.0F, 0.0F, 0.0F}, .radius = 10.0F}};
            const int size = static_cast<int>(100 * ratio);
            const Image picture = target().draw(scene, size, size);
            const int middle = size / 2, radius = static_cast<int>(10 * ratio);
            const auto red = [&](int x) {
                const glm::ivec4 pixel = pixelAt(picture, x, middle);
                return pixel.x > 245 && pixel.y < 10;
            };
            EXPECT_TRUE(red(middle + radius)) << distance << ' ' << ratio;
            EXPECT_TRUE(red(middle - radius)) << distance << ' ' << ratio;
            EXPECT_FALSE(red(middle));
            EXPECT_FALSE(red(middle + radius + static_cast<int>(3 * ratio)));
        }
    }
}

TEST_F(Layers, markersAreLeftOut_whenBehindTheCameraOrNotFinite) {
    for (const glm::vec3 position :
         {glm::vec3(0.0F, 0.0F, 50.0F), glm::vec3(kNan), glm::vec3(1e30F, 0.0F, -0.8F)}) {
        Scene scene = sceneOfLayers({});
        scene.panes[0].camera = {};
        scene.panes[0].markers = {{.position = position}};
        EXPECT_EQ(countOther(target().draw(scene, 50, 50), kDark), 0U);
    }
}

TEST_F(Layers, areEmpty_whenPanesAreNarrowerThanAPixel) {
    Scene scene = sceneOfLayers({plain(makePebble(2))});
    scene.panes[0].seamPosition = 0.5F;
    scene.panes[0].markers = {{}};
    scene.panes.resize(9, scene.panes[0]);
    for (const int width : {1, 2, 5, 12}) EXPECT_EQ(target().draw(scene, width, 3).width, width);
}

}  // namespace
}  // namespace threefold::render
