#include "engine/texturing/bake_texture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/hull/visual_hull.h"
#include "engine/raster/rasterize.h"
#include "engine/resources.h"
#include "engine/sample/sample.h"
#include "engine/sample_rendering/render_options.h"
#include "engine/sample_rendering/view_renderer.h"
#include "engine/sample_steps/texture_views.h"
#include "engine/texturing/atlas.h"
#include "tests/engine/hull/shapes.h"
#include "tests/engine/texturing/photographed.h"

namespace threefold {
namespace {

using test::allAround;
using test::photographed;
using test::smooth;

constexpr glm::vec3 kGreen(20, 200, 40);
glm::vec3 green(glm::vec3) {
    return kGreen;
}

BakedTexture baked(const Mesh& mesh, std::span<const TextureView> views, bool level = true) {
    return bakeTexture(mesh, views, {.side = kMinTextureSide, .levelsSeams = level});
}

/// Colour interpolated bilinearly between texels, as renderers sample it.
glm::vec4 texelAt(const Image& image, glm::vec2 coordinate) {
    const glm::vec2 at(coordinate.x * static_cast<float>(image.width) - 0.5F,
                       (1 - coordinate.y) * static_cast<float>(image.height) - 0.5F);
    glm::vec4 sum(0.0F);
    for (int corner = 0; corner < 4; ++corner) {
        const glm::ivec2 texel = glm::ivec2(glm::floor(at)) + glm::ivec2(corner % 2, corner / 2);
        const glm::vec2 weight = 1.0F - glm::abs(at - glm::vec2(texel));
        const std::uint8_t* rgba = &image.rgba.at(
            4 * (static_cast<std::size_t>(texel.y) * static_cast<std::size_t>(image.width) +
                 static_cast<std::size_t>(texel.x)));
        sum += weight.x * weight.y * glm::vec4(rgba[0], rgba[1], rgba[2], rgba[3]);
    }
    return sum;
}

template <class Visit>
void visitSurface(const Mesh& mesh, const BakedTexture& texture, const Visit& visit) {
    for (std::size_t face = 0; face < mesh.faces.size(); ++face) {
        for (const glm::vec3 weights : {glm::vec3(1, 0, 0), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1),
                                        glm::vec3(1) / 3.0F, glm::vec3(0, 0.5, 0.5)}) {
            glm::vec2 place(0.0F);
            glm::vec3 point(0.0F);
            for (int k = 0; k < 3; ++k) {
                place +=
                    weights[k] * texture.textureCoordinates[3 * face + static_cast<std::size_t>(k)];
                point += weights[k] * mesh.vertices[mesh.faces[face][k]];
            }
            visit(face, place, point);
        }
    }
}

TEST(BakeTexture, showsEachPoint_inItsColour) {
    for (const Mesh& mesh : {test::sphere(0.2), test::torus()}) {
        const BakedTexture texture = baked(mesh, allAround(mesh, smooth));
        ASSERT_EQ(texture.textureCoordinates.size(), 3 * mesh.faces.size());
        EXPECT_EQ(texture.picture.width, kMinTextureSide);
        EXPECT_GT(texture.visibleFraction, 0.8);
        std::size_t all = 0;
        std::size_t close = 0;
        visitSurface(mesh, texture, [&](std::size_t, glm::vec2 place, glm::vec3 point) {
            if (texelAt(texture.observedPicture, place).w < 255) return;
            ++all;
            const glm::vec3 off = glm::vec3(texelAt(texture.picture, place)) - smooth(point);
            close += glm::length(off) < 8 ? 1 : 0;
        });
        EXPECT_GT(all, 3 * mesh.faces.size());
        EXPECT_GT(static_cast<double>(close), 0.98 * static_cast<double>(all));
    }
}

TEST(BakeTexture, usesNoBackgroundPixels) {
    const Mesh mesh = test::torus();
    // Meshes usually reach beyond the masks.
    Mesh larger = mesh;
    for (glm::vec3& vertex : larger.vertices) vertex *= 1.05F;
    const BakedTexture texture = baked(larger, allAround(mesh, green));
    for (std::size_t i = 0; i < texture.picture.rgba.size(); i += 4) {
        const std::uint8_t* rgba = &texture.picture.rgba[i];
        ASSERT_LE(glm::length(glm::vec3(rgba[0], rgba[1], rgba[2]) - kGreen), 3) << i / 4;
        ASSERT_EQ(rgba[3], 255);
    }
}

TEST(BakeTexture, doesNotOverlapFaces) {
    const Mesh mesh = test::torus();
    const BakedTexture texture = baked(mesh, allAround(mesh, smooth));
    constexpr std::uint32_t kSide = kMinTextureSide;
    std::vector<glm::vec4> clip;
    Faces unsharedFaces;
    double areas = 0;
    for (std::uint32_t i = 0; i < mesh.faces.size(); ++i) {
        unsharedFaces.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
        const glm::dvec2 corner = texture.textureCoordinates[3 * i];
        const glm::dvec2 a = glm::dvec2(texture.textureCoordinates[3 * i + 1]) - corner;
        const glm::dvec2 b = glm::dvec2(texture.textureCoordinates[3 * i + 2]) - corner;
        areas += std::abs(a.x * b.y - a.y * b.x) / 2 * kSide * kSide;
    }
    for (const glm::vec2 place : texture.textureCoordinates)
        clip.emplace_back(2.0F * place - 1.0F, 0.0F, 1.0F);
    RasterOptions options;
    options.width = options.height = kSide;
    const std::span<const glm::vec4> spans[] = {clip};
    const RasterImage drawn = rasterize(spans, unsharedFaces, options).front();
    const auto covered = static_cast<double>(drawn.facePlusOne.size()) -
                         static_cast<double>(std::ranges::count(drawn.facePlusOne, 0U));
    EXPECT_NEAR(areas, covered, 0.01 * covered);
    EXPECT_GT(covered, 0.2 * kSide * kSide);
}

TEST(BakeTexture, reducesSeams_whenExposuresDiffer) {
    const Mesh mesh = test::sphere(0.2);
    std::vector<TextureView> views;
    int number = 0;
    for (const Camera& camera : test::camerasAround(12)) {
        const float exposure = ++number % 2 == 0 ? 0.88F : 1.0F;
        views.push_back(photographed(
            mesh, camera, [exposure](glm::vec3 point) { return exposure * smooth(point); }));
    }
    const BakedTexture texture =
        bakeTexture(mesh, views, {.side = kMinTextureSide, .equalisesExposure = false});
    EXPECT_GT(texture.meanSeamDifferenceBefore, 5);
    EXPECT_LT(texture.meanSeamDifferenceAfter, texture.meanSeamDifferenceBefore / 4);
    const BakedTexture plain = bakeTexture(
        mesh, views, {.side = kMinTextureSide, .equalisesExposure = false, .levelsSeams = false});
    EXPECT_EQ(plain.meanSeamDifferenceAfter, plain.meanSeamDifferenceBefore);
    const BakedTexture evened = baked(mesh, views, false);
    EXPECT_LT(evened.meanSeamDifferenceBefore, plain.meanSeamDifferenceBefore / 4);
    ASSERT_EQ(evened.exposures.size(), views.size());
    EXPECT_GT(evened.exposures[1].gain.x, evened.exposures[0].gain.x);
}

TEST(BakeTexture, marksAndFillsFaces_thatNoPhotographShows) {
    // A large square hides a small square.
    Mesh mesh;
    for (const float z : {-0.8F, -1.0F}) {
        const float half = z > -0.9F ? 0.2F : 0.1F;
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        for (const glm::vec2 corner :
             {glm::vec2(-1, -1), glm::vec2(1, -1), glm::vec2(1, 1), glm::vec2(-1, 1)})
            mesh.vertices.emplace_back(half * corner, z);
        mesh.faces.emplace_back(first, first + 1, first + 2);
        mesh.faces.emplace_back(first, first + 2, first + 3);
    }
    const TextureView views[] = {photographed(mesh, Camera{}, green)};
    const BakedTexture texture = baked(mesh, views);
    visitSurface(mesh, texture, [&](std::size_t face, glm::vec2 place, glm::vec3) {
        EXPECT_LT(glm::length(glm::vec3(texelAt(texture.picture, place)) - kGreen), 2);
        if (face >= 2) {
            EXPECT_EQ(texelAt(texture.observedPicture, place).w, 0);
        }
    });
    EXPECT_GT(texture.visibleFraction, 0.5);
    EXPECT_LT(texture.visibleFraction, 0.95);
}

// A plate seen by two cameras, with faces smaller than the pixels of the visibility images.
TEST(ChooseViews, leavesNoSpeckles_whenFacesAreSmall) {
    constexpr std::uint32_t kSide = 280;
    const Camera front = Camera::fromRow({.azimuth = 0, .elevation = 0, .distance = 0.8});
    Mesh mesh;
    for (std::uint32_t y = 0; y < kSide; ++y) {
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const glm::dvec2 at(0.36 * x / kSide - 0.18, 0.36 * y / kSide - 0.18);
            mesh.vertices.emplace_back(front.toWorld({at.x, at.y, -0.8}));
            if (x == 0 || y == 0) continue;
            const std::uint32_t corner = y * kSide + x;
            mesh.faces.emplace_back(corner - kSide - 1, corner - kSide, corner);
            mesh.faces.emplace_back(corner - kSide - 1, corner, corner - 1);
        }
    }
    const auto white = std::make_shared<const Image>(
        Image{224, 224, std::vector<std::uint8_t>(std::size_t{4} * 224 * 224, 255)});
    std::vector<TextureView> views;
    for (const double azimuth : {-20.0, 20.0})
        views.push_back({Camera::fromRow({.azimuth = azimuth, .elevation = 0, .distance = 0.8}),
                         white, std::nullopt});
    std::vector<texturing::MeshVisibility> seen;
    for (const TextureView& view : views) seen.emplace_back(mesh, view, std::stop_token());
    const std::vector<std::uint32_t> best = texturing::chooseViews(mesh, seen);
    EXPECT_EQ(std::ranges::count(best, texturing::kNoView), 0);
    std::size_t changes = 0;
    for (std::size_t face = 1; face < best.size(); ++face)
        changes += best[face - 1] != best[face] ? 1 : 0;
    // Each camera gets one half of the plate, so the view changes at the start and in the middle of
    // each row of faces.
    EXPECT_LE(changes, 4 * (kSide - 1));
}

TEST(BakeTexture, isTheSame_withAnyThreads) {
    const Mesh mesh = test::sphere(0.2);
    const auto views = allAround(mesh, smooth, 4);
    const BakedTexture one = bakeTexture(mesh, views, {.side = kMinTextureSide, .threads = 1});
    const BakedTexture two = bakeTexture(mesh, views, {.side = kMinTextureSide, .threads = 2});
    EXPECT_EQ(one.picture.rgba, two.picture.rgba);
    EXPECT_EQ(one.observedPicture.rgba, two.observedPicture.rgba);
    EXPECT_EQ(one.textureCoordinates, two.textureCoordinates);
}

TEST(BakeTexture, refusesMeshes_whichCannotBePainted) {
    const Mesh mesh = test::sphere(0.2);
    const auto views = allAround(mesh, smooth, 2);
    for (const int side : {0, kMinTextureSide - 1, kMaxTextureSide + 1})
        EXPECT_THROW(bakeTexture(mesh, views, {.side = side}), InputError);
    EXPECT_THROW(baked({mesh.vertices, {}}, views), InputError);
    EXPECT_THROW(baked(mesh, {}), InputError);
    Mesh behind = mesh;
    for (glm::vec3& vertex : behind.vertices)
        vertex = glm::vec3(views[0].camera.toWorld({vertex.x, vertex.y, vertex.z + 3}));
    EXPECT_THROW(baked(behind, std::span(views).first(1)), InputError);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(bakeTexture(mesh, views, {.side = kMinTextureSide, .cancel = stop.get_token()}),
                 Cancelled);
}

// Bakes a texture from every second view of a bundled sample, and compares renderings of the
// textured mesh with the other views.
TEST(BakeTexture, resemblesPhotographs_whichWereLeftOut) {
    const Sample sample =
        findSample(bundledSamplesFolder() / "ShapeNetRendering" / "03001627" / "p0001");
    std::vector<int> used;
    for (int view = 0; view < static_cast<int>(sample.viewCount()); view += 2) used.push_back(view);
    std::vector<std::string> notes;
    const auto views = textureViews(sample, used, notes);
    ASSERT_EQ(views.size(), used.size());
    EXPECT_TRUE(notes.empty());
    std::vector<MaskedView> silhouettes;
    for (const TextureView& view : views)
        silhouettes.push_back({static_cast<int>(silhouettes.size()), view.camera, view.mask});
    const Mesh mesh = visualHull(silhouettes, {4000, {}}).mesh;
    const BakedTexture texture = baked(mesh, views);
    TexturedMesh textured;
    textured.mesh.vertices = mesh.vertices;
    textured.mesh.faces = mesh.faces;
    textured.appearance.materialOfFace.assign(mesh.faces.size(), 0);
    textured.appearance.textureCoordinates = texture.textureCoordinates;
    textured.appearance.textures = {texture.picture};
    Material material;
    material.map.texture = 0;
    material.isUnlit = true;
    textured.appearance.materials = {material};
    const PreparedMesh prepared =
        prepareMesh(std::move(textured), {.isZUp = false, .keepsCoordinates = true});
    ViewRenderer renderer(prepared, kDefaultRenderingSide, glm::vec3(0, 1, 0), 0);
    std::vector<double> ratios;
    for (std::size_t view = 1; view < sample.viewCount(); view += 2) {
        const Image shown = renderer.render(Camera::fromRow(sample.cameraRows[view]));
        const Image photograph = readImage(sample.images[view]);
        double sum = 0;
        double count = 0;
        for (std::size_t i = 0; i < photograph.rgba.size(); i += 4) {
            if (photograph.rgba[i + 3] < 250 || shown.rgba[i + 3] < 250) continue;
            for (std::size_t k = i; k < i + 3; ++k) {
                const double off = double{1} * photograph.rgba[k] - shown.rgba[k];
                sum += off * off;
                ++count;
            }
        }
        ratios.push_back(10 * std::log10(255.0 * 255.0 * count / sum));
    }
    std::ranges::sort(ratios);
    EXPECT_GT(ratios[ratios.size() / 2], 25);  // PSNR in decibels; 27 when this test was written
}

}  // namespace
}  // namespace threefold
