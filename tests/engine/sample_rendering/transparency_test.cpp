#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "engine/sample_rendering/view_renderer.h"
#include "tests/engine/sample_rendering/shapes.h"

namespace threefold::test {
namespace {

constexpr glm::vec3 kFromAbove(0, 1, 0);
constexpr int kSize = 64;
const Camera kCamera = Camera::fromRow({0, 0, 0, 0.8, 25});  // on the x axis, looking at the origin

/// Several unlit plates in one mesh.
class Plates {
  public:
    /// Adds a plate by its lower left, lower right, upper right and upper left corners as kCamera
    /// sees them.
    Plates& add(const glm::vec3 (&corner)[4], const Material& material) {
        const auto first = static_cast<std::uint32_t>(mesh_.mesh.vertices.size());
        for (const glm::vec3& each : corner) mesh_.mesh.vertices.push_back(each);
        for (const glm::u32vec3& face : {glm::u32vec3(0, 1, 2), glm::u32vec3(0, 2, 3)}) {
            mesh_.mesh.faces.push_back(face + first);
            mesh_.appearance.materialOfFace.push_back(
                static_cast<std::uint32_t>(mesh_.appearance.materials.size()));
        }
        for (const glm::vec2 at : {glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(1, 1),
                                   glm::vec2(0, 0), glm::vec2(1, 1), glm::vec2(0, 1)})
            mesh_.appearance.textureCoordinates.push_back(at);
        mesh_.appearance.materials.push_back(material);
        mesh_.appearance.materials.back().isUnlit = true;
        return *this;
    }
    /// Adds a plate perpendicular to the view at this x; larger x is nearer.
    Plates& add(float x, const Material& material, float half = 0.1F) {
        return add({{x, -half, half}, {x, -half, -half}, {x, half, -half}, {x, half, half}},
                   material);
    }
    Plates& add(float x, const glm::vec3& colour, float opacity) {
        return add(x, {.colour = colour, .opacity = opacity, .alphaMode = AlphaMode::blend});
    }
    Plates& addTexture(Image image) {
        mesh_.appearance.textures.push_back(std::move(image));
        return *this;
    }
    Image drawn(int size = kSize) const {
        TexturedMesh mesh = mesh_;
        mesh.mesh.source = "plates.obj";
        const PreparedMesh subject = prepareMesh(mesh, {.keepsCoordinates = true});
        return ViewRenderer(subject, size, kFromAbove, 1).render(kCamera);
    }

  private:
    TexturedMesh mesh_;
};

glm::ivec4 pixelAt(const Image& image, int x, int y) {
    const std::uint8_t* rgba = &image.rgba[static_cast<std::size_t>(y * image.width + x) * 4];
    return {rgba[0], rgba[1], rgba[2], rgba[3]};
}
glm::ivec4 middleOf(const Image& image) {
    return pixelAt(image, image.width / 2, image.height / 2);
}
void expectNear(const glm::ivec4& seen, const glm::dvec4& expected) {
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(seen[i], expected[i] * 255, 0.51) << "channel " << i;
}

constexpr glm::vec3 kRed(1, 0, 0);
constexpr glm::vec3 kGreen(0, 1, 0);
constexpr glm::vec3 kBlue(0, 0, 1);

TEST(Transparency, blendsFromFrontToBack_inAnyOrderOfFaces) {
    Plates plates;
    plates.add(0, kGreen, 0.25F).add(-0.1F, kBlue, 1).add(0.1F, kRed, 0.5F);
    expectNear(middleOf(plates.drawn()), {0.5, 0.125, 0.375, 1});
}

TEST(Transparency, givesStraightColours_andAlpha) {
    expectNear(middleOf(Plates().add(0, kRed, 0.3F).drawn()), {1, 0, 0, 0.3});
    expectNear(middleOf(Plates().add(0, kRed, 0.5F).add(-0.1F, kGreen, 0.25F).drawn()),
               {0.8, 0.2, 0, 0.625});
    EXPECT_EQ(middleOf(Plates().add(0, kRed, 0).drawn()), glm::ivec4(0));
}

TEST(Transparency, isOrderedAtEachPixel_whenPlatesCross) {
    Plates plates;
    plates.add(
        {{-0.1F, -0.1F, 0.1F}, {0.1F, -0.1F, -0.1F}, {0.1F, 0.1F, -0.1F}, {-0.1F, 0.1F, 0.1F}},
        {.colour = kRed, .opacity = 0.5F, .alphaMode = AlphaMode::blend});
    plates.add(
        {{0.1F, -0.1F, 0.1F}, {-0.1F, -0.1F, -0.1F}, {-0.1F, 0.1F, -0.1F}, {0.1F, 0.1F, 0.1F}},
        {.colour = kGreen, .opacity = 0.5F, .alphaMode = AlphaMode::blend});
    const Image image = plates.drawn();
    expectNear(pixelAt(image, kSize / 2 - 6, kSize / 2), {1 / 3.0, 2 / 3.0, 0, 0.75});
    expectNear(pixelAt(image, kSize / 2 + 6, kSize / 2), {2 / 3.0, 1 / 3.0, 0, 0.75});
}

TEST(Transparency, drawsCoincidentFacesOnce) {
    // The same plate three times, once with the other diagonal.
    Plates coincident;
    coincident.add(0.05F, kRed, 0.5F).add(0.05F, kRed, 0.5F);
    coincident.add(
        {{0.05F, 0.1F, 0.1F}, {0.05F, -0.1F, 0.1F}, {0.05F, -0.1F, -0.1F}, {0.05F, 0.1F, -0.1F}},
        {.colour = kRed, .opacity = 0.5F, .alphaMode = AlphaMode::blend});
    expectNear(middleOf(coincident.drawn()), {1, 0, 0, 0.5});
    // A plate coincident with a wall: the wall is seen through the plate in either order.
    expectNear(middleOf(Plates().add(0, kRed, 0.5F).add(0, kBlue, 1).drawn()), {0.5, 0, 0.5, 1});
    expectNear(middleOf(Plates().add(0, kBlue, 1).add(0, kRed, 0.5F).drawn()), {0.5, 0, 0.5, 1});
}

TEST(Transparency, holdsForManyLayers) {
    Plates plates;
    for (int i = 0; i < 40; ++i) plates.add(0.1F - 0.005F * static_cast<float>(i), kRed, 0.1F);
    expectNear(middleOf(plates.drawn()), {1, 0, 0, 1 - std::pow(0.9, 40)});
}

TEST(Transparency, cutsMasksOutExactly) {
    // The left half has alpha 0, the right half 140, which AlphaMode::mask draws as opaque.
    Material mask{.map = {.texture = 0, .wrapS = Wrap::clamp}, .alphaMode = AlphaMode::mask};
    Image image{32, 1, {}};
    for (int i = 0; i < 32; ++i)
        image.rgba.insert(image.rgba.end(),
                          {255, 255, 255, static_cast<std::uint8_t>(i < 16 ? 0 : 140)});
    const Image drawn = Plates().addTexture(image).add(0.05F, mask).add(-0.05F, kBlue, 1).drawn();
    EXPECT_EQ(pixelAt(drawn, kSize / 2 - 4, kSize / 2), glm::ivec4(0, 0, 255, 255));
    EXPECT_EQ(pixelAt(drawn, kSize / 2 + 4, kSize / 2), glm::ivec4(255));
    const Image alone = Plates().addTexture(image).add(0.05F, mask).drawn();
    EXPECT_EQ(pixelAt(alone, kSize / 2 - 4, kSize / 2), glm::ivec4(0));
    EXPECT_EQ(pixelAt(alone, kSize / 2 + 4, kSize / 2), glm::ivec4(255));
    mask.alphaCutoff = 0.6F;  // above 140 / 255
    EXPECT_EQ(pixelAt(Plates().addTexture(image).add(0, mask).drawn(), kSize / 2 + 4, kSize / 2),
              glm::ivec4(0));
}

TEST(Transparency, leavesOpaqueMeshesUnchanged) {
    TexturedMesh alone = plain(ball(20));
    TexturedMesh behindPane = alone;
    behindPane.appearance.materials = {{.opacity = 0, .alphaMode = AlphaMode::blend}};
    behindPane.appearance.materialOfFace.assign(alone.mesh.faces.size(), kNoMaterial);
    for (const glm::vec3& corner :
         {glm::vec3(0.9F, -0.4F, 0), glm::vec3(0.9F, 0.4F, -0.4F), glm::vec3(0.9F, 0.4F, 0.4F)})
        behindPane.mesh.vertices.push_back(corner);  // within the bounding box of the ball
    const auto last = static_cast<std::uint32_t>(behindPane.mesh.vertices.size());
    behindPane.mesh.faces.emplace_back(last - 3, last - 2, last - 1);
    behindPane.appearance.materialOfFace.push_back(0);
    const PreparedMesh one = prepareMesh(alone);
    const PreparedMesh other = prepareMesh(behindPane);
    EXPECT_EQ(ViewRenderer(one, kSize, kFromAbove, 1).render(kCamera).rgba,
              ViewRenderer(other, kSize, kFromAbove, 1).render(kCamera).rgba);
}

TEST(Transparency, usesTintsAndOpacityMaps) {
    TexturedMesh mesh;
    mesh.mesh.source = "tinted.glb";
    mesh.mesh.vertices = {{0, -0.1F, 0.1F}, {0, -0.1F, -0.1F}, {0, 0.2F, 0}};
    mesh.mesh.faces = {{0, 1, 2}};
    mesh.appearance.materialOfFace = {0};
    mesh.appearance.materials = {
        {.colour = {1, 0.5F, 1}, .alphaMode = AlphaMode::blend, .isUnlit = true}};
    mesh.appearance.linearColours.assign(3, {0, 1, 1, 0.5F});
    mesh.appearance.textureCoordinates = {{0, 0}, {1, 0}, {0.5F, 1}};
    const auto seen = [&] {
        const PreparedMesh subject = prepareMesh(mesh, {.keepsCoordinates = true});
        return middleOf(ViewRenderer(subject, kSize, kFromAbove, 1).render(kCamera));
    };
    expectNear(seen(), {0, 0.5, 1, 0.5});
    mesh.appearance.textures = {{1, 1, {255, 255, 255, 102}}};
    mesh.appearance.materials[0].opacityMap.texture = 0;
    expectNear(seen(), {0, 0.5, 1, 0.2});
    mesh.appearance.materials[0].alphaMode = AlphaMode::opaque;
    expectNear(seen(), {0, 0.5, 1, 1});
}

TEST(UnlitTextures, keepTheirColours_faceOn) {
    std::mt19937 random(7);
    Image image{8, 8, {}};
    for (int i = 0; i < 64; ++i)
        for (int channel = 0; channel < 4; ++channel)
            image.rgba.push_back(static_cast<std::uint8_t>(channel < 3 ? random() % 256 : 255));
    constexpr int kFine = 512;
    constexpr float kHalf = 0.1F;
    const Material textured{.map = {.texture = 0, .wrapS = Wrap::clamp, .wrapT = Wrap::clamp}};
    const Image drawn = Plates().addTexture(image).add(0, textured, kHalf).drawn(kFine);
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column) {
            const glm::dvec3 world(0, kHalf * (3.5 - row) / 4, kHalf * (3.5 - column) / 4);
            const glm::dvec2 at = projectToPixel(kCamera.toCamera(world)) * (double{kFine} / 224);
            const glm::ivec4 seen = pixelAt(drawn, static_cast<int>(at.x), static_cast<int>(at.y));
            const std::uint8_t* texel = &image.rgba[static_cast<std::size_t>(row * 8 + column) * 4];
            // The pixel's centre is at most half a pixel from the texel's centre; a texel is some
            // 18 pixels wide.
            for (int channel = 0; channel < 3; ++channel)
                EXPECT_NEAR(seen[channel], texel[channel], 12) << row << ' ' << column;
        }
}

}  // namespace
}  // namespace threefold::test
