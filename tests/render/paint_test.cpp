#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include <glm/common.hpp>
#include <gmock/gmock.h>

#include "engine/error.h"
#include "engine/formats/pictures/srgb.h"
#include "render/decoration_painter.h"
#include "tests/render/pictures.h"
#include "tests/render/rendering_test.h"
#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

class Paint : public Rendering {};

constexpr int kPaintSize = 120;
// Pixels in halves and quarters of square(), which covers pixels 19 to 101.
constexpr glm::ivec2 kLowerHalf(60, 95), kUpperHalf(60, 25), kMiddle(60, 60);
constexpr glm::ivec2 kUpperRight(98, 30), kLowerLeft(28, 98), kUpperLeft(40, 40);
constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
const glm::vec4 kDarkPane(0.129F, 0.141F, 0.161F, 1.0F), kLightPane(0.925F, 0.933F, 0.945F, 1.0F);

double luminance(glm::vec3 encoded) {
    const glm::vec3 light = linearFromSrgb(encoded);
    return 0.2126 * static_cast<double>(light.x) + 0.7152 * static_cast<double>(light.y) +
           0.0722 * static_cast<double>(light.z);
}

glm::ivec4 at(const Image& image, glm::ivec2 pixel) {
    return pixelAt(image, pixel.x, pixel.y);
}

glm::vec3 colourOf(const Image& image, int x, int y) {
    return glm::vec3(pixelAt(image, x, y)) / 255.0F;
}

double contrastOf(glm::vec3 a, glm::vec3 b) {
    const double first = luminance(a) + 0.05, second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

// Scene seen from +z; the pane shows x and y from about −0.73 to 0.73.
Scene sceneOf(Layer layer, glm::vec4 background = kDarkPane) {
    Scene scene;
    scene.background = background;
    scene.panes = {
        {.layers = {std::move(layer)}, .camera = {.target = glm::vec3(0.0F), .distance = 2.0F}}};
    return scene;
}

// Square from (−0.5, −0.5) to (0.5, 0.5), facing +z.
Layer square() {
    auto mesh = std::make_shared<SceneMesh>();
    mesh->vertices = {{-0.5F, -0.5F, 0}, {0.5F, -0.5F, 0}, {0.5F, 0.5F, 0}, {-0.5F, 0.5F, 0}};
    mesh->faces = {{0, 1, 2}, {0, 2, 3}};
    Layer layer;
    layer.mesh = mesh;
    return layer;
}

Layer withValues(Layer layer, SceneValues values, Colouring colouring = Colouring::values) {
    layer.values = std::make_shared<const SceneValues>(std::move(values));
    layer.colouring = colouring;
    layer.colourScale = {.map = ColourMap::viridis, .min = 1.0F, .max = 3.0F};
    return layer;
}

int countIf(const Image& image, const std::function<bool(glm::ivec4)>& test) {
    int count = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) count += test(pixelAt(image, x, y)) ? 1 : 0;
    }
    return count;
}

TEST_F(Paint, givesPointsOfAValueTheColourOfTheMap_nearAndFar) {
    auto cloud = std::make_shared<SceneMesh>();
    cloud->vertices = {{-0.3F, 0, 0.8F}, {0.3F, 0, -0.8F}, {0, 0.3F, 0}};
    Layer layer;
    layer.mesh = cloud;
    layer.shading = Shading::points;
    for (const float value : {1.0F, 1.7F, 3.0F}) {
        const Layer valued = withValues(layer, {value, value, value});
        Scene scene = sceneOf(valued);
        scene.pixelRatio = 2.0F;
        const Image image = target().draw(scene, kPaintSize, kPaintSize);
        const glm::ivec4 background = pixelAt(image, 0, 0);
        const glm::vec3 wanted = 255.0F * colourAt(ColourMap::viridis, (value - 1.0F) / 2.0F);
        const auto isMap = [&](glm::ivec4 pixel) {
            return glm::distance(glm::vec3(pixel), wanted) < 5.0F;
        };
        const int inside = countIf(image, isMap);
        EXPECT_GT(inside, 60) << value;  // inner pixels of three discs of radius 4
        EXPECT_LT(countIf(image, [&](glm::ivec4 p) { return p != background && !isMap(p); }),
                  inside)
            << value;
    }
}

TEST_F(Paint, drawsALineAroundColoursThatAreLostOnTheBackground) {
    struct LostColour {
        glm::vec4 background;
        float value;
    };
    for (const Shading shading : {Shading::smooth, Shading::flat, Shading::points}) {
        for (const LostColour& each : {LostColour{kDarkPane, 1.0F}, LostColour{kLightPane, 3.0F}}) {
            ValuedMesh sphere = makeSphere(4);
            for (glm::vec3& vertex : sphere.vertices) vertex *= 0.5F;
            sphere.values.assign(sphere.vertices.size(), each.value);
            Layer layer = withValues(layerOf(sphere), sphere.values);
            layer.shading = shading;
            const auto bestContrast = [&](const Layer& shown) {
                const Image image =
                    target().draw(sceneOf(shown, each.background), kPaintSize, kPaintSize);
                double best = 1;
                // Searches from the pane's left edge to a column that is certainly inside the
                // sphere.
                for (int x = 0; x < 24; ++x) {
                    best = std::max(best, contrastOf(colourOf(image, x, kPaintSize / 2),
                                                     glm::vec3(each.background)));
                }
                return best;
            };
            layer.outline = each.value > 2.0F ? glm::vec3(0.4F) : glm::vec3(0.5F);
            EXPECT_GE(bestContrast(layer), 1.5) << static_cast<int>(shading) << ' ' << each.value;
        }
    }
}

TEST_F(Paint, changesOnlyTheBorder_whenALayerIsOutlined) {
    ValuedMesh sphere = makeSphere(3);
    for (glm::vec3& vertex : sphere.vertices) vertex *= 0.5F;
    Layer layer = layerOf(sphere);
    layer.colouring = Colouring::plain;
    const Image without = target().draw(sceneOf(layer), kPaintSize, kPaintSize);
    layer.outline = glm::vec3(1.0F, 0.0F, 0.0F);
    const Image with = target().draw(sceneOf(layer), kPaintSize, kPaintSize);
    int inside = 0, line = 0;
    for (int y = 0; y < kPaintSize; ++y) {
        for (int x = 0; x < kPaintSize; ++x) {
            const float away = glm::distance(glm::vec2(x, y) + 0.5F, glm::vec2(0.5F * kPaintSize));
            const bool same = pixelAt(with, x, y) == pixelAt(without, x, y);
            if (away < 38.0F && !same) ++inside;
            if (!same) ++line;
        }
    }
    EXPECT_EQ(inside, 0);
    EXPECT_GT(line, 150);
    EXPECT_LT(line, 900);
}

TEST_F(Paint, showsVertexColours_andThePlainColourWithoutThem) {
    const float red = packedColour({1, 0, 0}), blue = packedColour({0, 0, 1});
    Layer layer = withValues(square(), {red, red, blue, blue}, Colouring::vertexColours);
    const Image image = target().draw(sceneOf(layer), kPaintSize, kPaintSize);
    const glm::ivec4 low = at(image, kLowerHalf), high = at(image, kUpperHalf);
    EXPECT_GT(low.x, 3 * low.z);
    EXPECT_GT(high.z, 3 * high.x);
    const Layer none =
        withValues(square(), {kNoValue, kNoValue, kNoValue, kNoValue}, Colouring::vertexColours);
    Layer plain = square();
    EXPECT_EQ(at(target().draw(sceneOf(none), kPaintSize, kPaintSize), kMiddle),
              at(target().draw(sceneOf(plain), kPaintSize, kPaintSize), kMiddle));
}

TEST_F(Paint, drawsATextureOnItsFaces_andTheOthersPlain) {
    auto texture = std::make_shared<SceneTexture>();
    texture->width = 2;
    texture->height = 2;
    texture->pixels = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255};
    texture->texCoords = {{0, 1}, {1, 1}, {1, 0}, {kNoValue, 0}, {0, 0}, {0, 0}};
    Layer layer = square();
    layer.texture = texture;
    layer.colouring = Colouring::texture;
    const Image image = target().draw(sceneOf(layer), kPaintSize, kPaintSize);
    const glm::ivec4 green = at(image, kUpperRight), blue = at(image, kLowerLeft);
    EXPECT_GT(green.y, 2 * green.x);
    EXPECT_GT(green.y, 2 * green.z);
    EXPECT_GT(blue.z, 2 * blue.x);
    Layer plain = square();
    EXPECT_EQ(at(image, kUpperLeft),
              at(target().draw(sceneOf(plain), kPaintSize, kPaintSize), kUpperLeft));

    auto clear = std::make_shared<SceneTexture>(*texture);
    for (std::size_t i = 3; i < clear->pixels.size(); i += 4) clear->pixels[i] = 0;
    layer.texture = clear;
    EXPECT_EQ(pixelAt(target().draw(sceneOf(layer), kPaintSize, kPaintSize), 98, 98),
              pixelAt(target().draw(sceneOf(plain), kPaintSize, kPaintSize), 98, 98));

    auto wrong = std::make_shared<SceneTexture>(*texture);
    wrong->texCoords.pop_back();
    layer.texture = wrong;
    EXPECT_THROW(target().draw(sceneOf(layer), kPaintSize, kPaintSize), InputError);
    wrong = std::make_shared<SceneTexture>(*texture);
    wrong->pixels.pop_back();
    layer.texture = wrong;
    EXPECT_THROW(target().draw(sceneOf(layer), kPaintSize, kPaintSize), InputError);
}

TEST_F(Paint, tintsFacesSeenFromBehind) {
    Layer layer = square();
    layer.backfaces = true;
    Scene scene = sceneOf(layer);
    const Image front = target().draw(scene, kPaintSize, kPaintSize);
    scene.panes[0].camera.yaw = 3.14159F;
    const Image back = target().draw(scene, kPaintSize, kPaintSize);
    const glm::ivec4 seen = pixelAt(back, 60, 60), plain = pixelAt(front, 60, 60);
    EXPECT_GT(seen.x, 2 * seen.z);
    EXPECT_LT(plain.x, 2 * plain.z);
    EXPECT_EQ(plain, pixelAt(target().draw(sceneOf(square()), kPaintSize, kPaintSize), 60, 60));
}

TEST_F(Paint, drawsAGroundBehindTheMeshes) {
    Scene scene = sceneOf(square());
    scene.panes[0].camera.pitch = 0.4F;
    const Image bare = target().draw(scene, kPaintSize, kPaintSize);
    scene.panes[0].ground = GroundGrid{
        .centre = {0, -0.5F, 0}, .radius = 2.0F, .spacing = 0.25F, .colour = glm::vec3(1.0F)};
    const Image image = target().draw(scene, kPaintSize, kPaintSize);
    int meshes = 0, lines = 0;
    for (int y = 0; y < kPaintSize; ++y) {
        for (int x = 0; x < kPaintSize; ++x) {
            const bool same = pixelAt(image, x, y) == pixelAt(bare, x, y);
            const bool onMesh = x > 24 && x < 96 && y > 28 && y < 88;
            if (onMesh && !same) ++meshes;
            if (!same) ++lines;
        }
    }
    EXPECT_EQ(meshes, 0);
    EXPECT_GT(lines, 200);
}

TEST_F(Paint, drawsAxesInTheCornerOfThePane) {
    Scene scene = sceneOf(square());
    scene.panes[0].camera.yaw = 0.6F;
    scene.panes[0].camera.pitch = 0.4F;
    scene.panes[0].layers.clear();
    scene.panes[0].axes = true;
    const Image image = target().draw(scene, 2 * kPaintSize, 2 * kPaintSize);
    for (const int channel : {0, 1, 2}) {
        int found = 0;
        for (int y = kPaintSize; y < 2 * kPaintSize; ++y) {
            for (int x = 0; x < kPaintSize; ++x) {
                const glm::ivec4 pixel = pixelAt(image, x, y);
                const int other = std::max(pixel[(channel + 1) % 3], pixel[(channel + 2) % 3]);
                if (pixel[channel] > 100 && pixel[channel] > other + 50) ++found;
            }
        }
        EXPECT_GT(found, 20) << channel;
    }
}

TEST(Axes, pointInTheDirections_thatTheCameraSees) {
    const auto shapes = axisIndicatorStrokes({}, {0, 0, 200, 200}, 1.0F);
    ASSERT_EQ(shapes.size(), 3U + 2U + 2U + 3U);
    // Seen from +z: x points right, y up, and z to the camera.
    const auto armOf = [&](int channel) {
        return *std::ranges::find_if(shapes, [&](const shared::DecorationConstants& shape) {
            return shape.colour[channel] >= shape.colour[(channel + 1) % 3] &&
                   shape.colour[channel] >= shape.colour[(channel + 2) % 3];
        });
    };
    EXPECT_NEAR(armOf(0).angle, 0.0F, 1e-5F);
    EXPECT_GT(armOf(0).centre.x, 38.0F);
    EXPECT_NEAR(armOf(1).angle, -1.5708F, 1e-4F);
    EXPECT_LT(armOf(1).centre.y, 162.0F);
    EXPECT_NEAR(armOf(2).halfSize.x, armOf(2).halfSize.y, 1e-5F);
}

TEST_F(Paint, drawsARingAndAGrip_visibleOnTheirOwnColour) {
    for (const glm::vec3 colour : {glm::vec3(0.11F), glm::vec3(0.9F)}) {
        Scene scene;
        scene.background = glm::vec4(colour, 1.0F);
        scene.seamColour = colour;
        scene.panes = {{.markers = {{glm::vec3(0.0F), colour}},
                        .camera = {.target = glm::vec3(0.0F), .distance = 2.0F}}};
        const auto best = [&](const Image& image) {
            double max = 1;
            for (int x = 0; x < kPaintSize; ++x)
                max = std::max(max, contrastOf(colourOf(image, x, kPaintSize / 2), colour));
            return max;
        };
        EXPECT_GE(best(target().draw(scene, kPaintSize, kPaintSize)), 3.0);
        scene.panes[0].markers.clear();
        scene.panes[0].seamPosition = 0.5F;
        EXPECT_GE(best(target().draw(scene, kPaintSize, kPaintSize)), 1.4);
    }
}

TEST(PackedColour, keepsWholeBytes_andClamps) {
    EXPECT_EQ(packedColour({1, 1, 1}), 16777215.0F);
    EXPECT_EQ(packedColour({0.2F, 0.4F, 0.6F}), 51.0F * 65536 + 102 * 256 + 153);
    EXPECT_EQ(packedColour({-1, 2, kNoValue}), 65280.0F);
}

}  // namespace
}  // namespace threefold::render
