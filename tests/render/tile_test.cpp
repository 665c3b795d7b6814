#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <utility>

#include "render/offscreen.h"
#include "tests/render/pictures.h"
#include "tests/render/rendering_test.h"
#include "tests/render/shapes.h"

namespace threefold::render {
namespace {

using Tiles = Rendering;

constexpr int kWidth = 333, kHeight = 201;

// Scene of three panes with wipe, overlay, markers and edges.
Scene richScene(Shading shading) {
    const auto layer = [&](ValuedMesh mesh) {
        Layer made = layerOf(std::move(mesh));
        made.shading = shading;
        made.edges = true;
        return made;
    };
    Scene scene{.pixelRatio = 1.5F};
    const OrbitCamera camera{.yaw = 0.5F, .pitch = 0.35F};
    Pane wipe{.layers = {layer(makePebble(3)), layer(makeRing(40, 12))},
              .markers = {{.position = {0.0F, 0.1F, -0.8F}}, {.position = {0.3F, 0.3F, -0.8F}}},
              .camera = camera,
              .seamPosition = 0.37F};
    wipe.layers[0].rightEdge = wipe.layers[1].leftEdge = 0.37F;
    Pane overlay{.layers = {layer(makeChair()), layer(makePebble(3))}, .camera = camera};
    overlay.layers[1].opacity = 0.5F;
    overlay.layers[1].colouring = Colouring::normals;
    scene.panes = {wipe, overlay, Pane{.layers = {layer(makeRing(20, 9))}, .camera = camera}};
    return scene;
}

// Draws a picture as tiles of the given size, and joins them.
Image drawInTiles(OffscreenTarget& target, Scene scene, int tileWidth, int tileHeight) {
    Image whole{kWidth, kHeight, std::vector<std::uint8_t>(std::size_t{4} * kWidth * kHeight)};
    for (int top = 0; top < kHeight; top += tileHeight) {
        for (int left = 0; left < kWidth; left += tileWidth) {
            scene.tile = Tile{left, top, kWidth, kHeight};
            const Image tile = target.draw(scene, tileWidth, tileHeight);
            const int columns = std::min(tileWidth, kWidth - left);
            for (int y = 0; y < std::min(tileHeight, kHeight - top); ++y) {
                std::copy_n(tile.rgba.begin() + std::ptrdiff_t{4} * y * tileWidth, 4 * columns,
                            whole.rgba.begin() + std::ptrdiff_t{4} * ((top + y) * kWidth + left));
            }
        }
    }
    return whole;
}

struct ImageDifference {
    int largest = 0;
    std::size_t pixels = 0;  // number of pixels that differ
};

ImageDifference differenceOf(const Image& a, const Image& b) {
    ImageDifference found;
    for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
        int worst = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            worst = std::max(worst, std::abs(int{a.rgba[i + c]} - int{b.rgba[i + c]}));
        }
        found.largest = std::max(found.largest, worst);
        found.pixels += worst > 0 ? 1 : 0;
    }
    return found;
}

TEST_F(Tiles, equalTheirPartOfTheWhole) {
    for (const Shading shading :
         {Shading::smooth, Shading::flat, Shading::wireframe, Shading::points}) {
        const Scene scene = richScene(shading);
        const Image whole = target().draw(scene, kWidth, kHeight);
        for (const auto& [width, height] : {std::pair{64, 64}, {100, 37}, {333, 50}, {17, 201}}) {
            const ImageDifference found =
                differenceOf(drawInTiles(target(), scene, width, height), whole);
            EXPECT_LE(found.largest, 1) << width << " by " << height;
            EXPECT_LE(found.pixels, kWidth * kHeight / 1000) << width << " by " << height;
        }
    }
}

TEST_F(Tiles, equalTheWholeToTheByte_whenNothingIsInterpolated) {
    Scene scene = richScene(Shading::smooth);
    for (Pane& pane : scene.panes) pane.layers.clear();
    const Image whole = target().draw(scene, kWidth, kHeight);
    EXPECT_GT(countOther(whole, pixelAt(whole, 5, 5)), 500U);
    EXPECT_EQ(drawInTiles(target(), scene, 64, 64).rgba, whole.rgba);
    EXPECT_EQ(drawInTiles(target(), scene, 17, 37).rgba, whole.rgba);
}

TEST_F(Tiles, equalTheWholePicture_whenTheyAreAsLarge) {
    Scene scene = richScene(Shading::flat);
    const Image whole = target().draw(scene, kWidth, kHeight);
    scene.tile = Tile{0, 0, kWidth, kHeight};
    EXPECT_EQ(target().draw(scene, kWidth, kHeight).rgba, whole.rgba);
}

TEST_F(Tiles, showTheirPart_whenTheWholeExceedsTheDevicesLimit) {
    Scene scene = richScene(Shading::smooth);
    scene.panes = {Pane{.layers = {layerOf(makePebble(2))}}};
    for (const int size : {40'000, 1'000'000}) {
        scene.tile = Tile{size / 2, size / 2, size, size};
        const Image inside = target().draw(scene, 40, 40);
        EXPECT_EQ(countOther(inside, pixelAt(target().draw({}, 1, 1), 0, 0)), 1600U);
        scene.tile = Tile{0, 0, size, size};
        EXPECT_EQ(countOther(target().draw(scene, 40, 40), pixelAt(target().draw({}, 1, 1), 0, 0)),
                  0U);
    }
}

TEST_F(Tiles, areEmpty_whenTheyLieBesideThePictureOrThePictureHasNoSize) {
    const Image nothing = target().draw({}, 30, 20);
    const int far = std::numeric_limits<int>::max(), near = std::numeric_limits<int>::min();
    for (const Tile tile : {Tile{kWidth, 0, kWidth, kHeight}, Tile{0, -20, kWidth, kHeight},
                            Tile{far, far, kWidth, kHeight}, Tile{near, near, kWidth, kHeight},
                            Tile{0, 0, 0, 0}, Tile{0, 0, -5, 7}}) {
        Scene scene = richScene(Shading::smooth);
        scene.tile = tile;
        EXPECT_EQ(target().draw(scene, 30, 20).rgba, nothing.rgba) << tile.x;
    }
}

}  // namespace
}  // namespace threefold::render
