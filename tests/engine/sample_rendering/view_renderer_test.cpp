#include "engine/sample_rendering/view_renderer.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "engine/sample_rendering/render_options.h"
#include "engine/sample_rendering/view_plan.h"
#include "tests/engine/sample_rendering/shapes.h"

namespace threefold::test {
namespace {

constexpr glm::vec3 kAbove(0, 1, 0);

struct Extent {
    double left = 1e9;
    double top = 1e9;
    double right = -1e9;
    double bottom = -1e9;
};

/// Extent of the covered pixels of an image, in pixels.
Extent extentOf(const Image& image) {
    Extent extent;
    const auto alpha = [&](int x, int y) {
        return image.rgba[static_cast<std::size_t>(y * image.width + x) * 4 + 3] / 255.0;
    };
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (alpha(x, y) == 0) continue;
            extent.left = std::min(extent.left, double(x));
            extent.right = std::max(extent.right, x + 1.0);
            extent.top = std::min(extent.top, double(y));
            extent.bottom = std::max(extent.bottom, y + 1.0);
        }
    }
    return extent;
}

/// Extent of points projected by METHOD.md §2, in pixels of an image of `size` × `size` pixels.
Extent projectedExtent(const Points& world, const Camera& camera, int size) {
    Extent extent;
    for (const glm::vec3& point : world) {
        const glm::dvec2 at =
            projectToPixel(camera.toCamera(glm::dvec3(point))) * (double(size) / kInputSide);
        extent.left = std::min(extent.left, at.x);
        extent.right = std::max(extent.right, at.x);
        extent.top = std::min(extent.top, at.y);
        extent.bottom = std::max(extent.bottom, at.y);
    }
    return extent;
}

Camera cameraAt(double azimuth, double elevation, double distance) {
    return Camera::fromRow({azimuth, elevation, 0, distance, 25});
}

const std::uint8_t* pixelAt(const Image& image, glm::dvec2 at) {
    const auto x = static_cast<std::size_t>(at.x * image.width / kInputSide);
    const auto y = static_cast<std::size_t>(at.y * image.height / kInputSide);
    return &image.rgba[(y * static_cast<std::size_t>(image.width) + x) * 4];
}

TEST(ViewRenderer, drawsPoints_atTheMethodsProjections) {
    // The image has four times the default resolution, and points must be exact to half a default
    // pixel: two pixels.
    constexpr int kFine = kDefaultRenderingSide * kSupersampling;
    constexpr double kHalfPixel = 2;
    for (const Mesh& mesh : {ball(40), box({1, 2, 3})}) {
        const PreparedMesh subject = prepareMesh(plain(mesh));
        ViewRenderer renderer(subject, kFine, kAbove, 1);
        ViewPlan plan;
        plan.count = 8;
        plan.elevation = {{}, -80, 80};
        plan.distance = {{}, 0.8, 1.5};  // if nearer, a corner might leave the picture
        for (const CameraRow& row : planViews(plan, "silhouette")) {
            Camera camera = Camera::fromRow(row);
            camera.zoom = 1;  // the published lens at every distance
            const Extent drawn = extentOf(renderer.render(camera));
            const Extent expected = projectedExtent(subject.mesh.vertices, camera, kFine);
            EXPECT_NEAR(drawn.left, expected.left, kHalfPixel);
            EXPECT_NEAR(drawn.right, expected.right, kHalfPixel);
            EXPECT_NEAR(drawn.top, expected.top, kHalfPixel);
            EXPECT_NEAR(drawn.bottom, expected.bottom, kHalfPixel);
        }
    }
}

TEST(ViewRenderer, coversTheAreaOfABall) {
    const PreparedMesh subject = prepareMesh(plain(ball(60)));
    const double radius = glm::length(subject.mesh.vertices.front());
    const double distance = 0.9;
    const Image image =
        ViewRenderer(subject, kDefaultRenderingSide, kAbove, 1).render(cameraAt(30, 20, distance));
    double covered = 0;
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) covered += image.rgba[i] / 255.0;
    // The rays tangent to the ball meet the picture in a circle around its centre.
    const double outlineRadius =
        kFocalLength * std::tan(std::asin(radius / distance)) * kDefaultRenderingSide / kInputSide;
    EXPECT_NEAR(covered / (3.14159265 * outlineRadius * outlineRadius), 1, 0.005);
}

TEST(ViewRenderer, leavesTheBackgroundTransparent_withSoftEdges) {
    const PreparedMesh subject = prepareMesh(plain(ball(20)));
    const Image image = ViewRenderer(subject, 64, kAbove, 1).render(cameraAt(0, 0, 1));
    std::size_t partly = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        const std::uint8_t alpha = image.rgba[i + 3];
        if (alpha == 0) {
            EXPECT_EQ(image.rgba[i] + image.rgba[i + 1] + image.rgba[i + 2], 0);
        } else if (alpha < 255) {
            ++partly;
        }
    }
    EXPECT_GT(partly, 50U);
    EXPECT_EQ(image.rgba[3], 0);
}

TEST(ViewRenderer, drawsAlikeWithEveryTier) {
    const PreparedMesh subject = prepareMesh(plain(ball(20)));
    const Camera camera = cameraAt(30, 20, 1);
    const Image expected = ViewRenderer(subject, 64, kAbove, 1).render(camera);
    for (const RasterTier tier : {RasterTier::vectorised, RasterTier::tiled, RasterTier::basic}) {
        SCOPED_TRACE(rasterTierName(tier));
        const Image image = ViewRenderer(subject, 64, kAbove, 1, {tier}).render(camera);
        for (std::size_t i = 0; i < image.rgba.size(); ++i)
            ASSERT_NEAR(image.rgba[i], expected.rgba[i], i % 4 == 3 ? 0 : 1) << i;
    }
}

TEST(ViewRenderer, drawsBothSidesAlike) {
    Mesh inside = box({1, 1, 2});
    for (glm::u32vec3& face : inside.faces) std::swap(face.x, face.y);
    const PreparedMesh one = prepareMesh(plain(box({1, 1, 2})));
    const PreparedMesh other = prepareMesh(plain(inside));
    const Camera camera = cameraAt(40, 30, 0.8);
    const Image a = ViewRenderer(one, 48, kAbove, 1).render(camera);
    const Image b = ViewRenderer(other, 48, kAbove, 1).render(camera);
    ASSERT_EQ(a.rgba.size(), b.rgba.size());
    for (std::size_t i = 0; i < a.rgba.size(); ++i)
        EXPECT_NEAR(int(a.rgba[i]), int(b.rgba[i]), 1) << i;
}

TEST(ViewRenderer, showsVertexColoursAndMaterials) {
    TexturedMesh textured = plain(box({1, 1, 1}));
    textured.mesh.colours.assign(8, {1, 0, 0});
    textured.appearance.materials = {{.colour = {0, 0, 1}}};
    textured.appearance.materialOfFace.assign(12, kNoMaterial);
    const Camera camera = cameraAt(20, 25, 0.8);
    const glm::dvec2 middle(kPrincipalPoint);
    const auto seen = [&](const TexturedMesh& mesh) {
        const PreparedMesh subject = prepareMesh(mesh);
        const Image image = ViewRenderer(subject, 64, kAbove, 1).render(camera);
        const std::uint8_t* rgba = pixelAt(image, middle);
        return glm::ivec3(rgba[0], rgba[1], rgba[2]);
    };
    const glm::ivec3 red = seen(textured);
    EXPECT_GT(red.x, red.y + 100);
    EXPECT_EQ(red.y, red.z);
    textured.appearance.materialOfFace.assign(12, 0);
    const glm::ivec3 blue = seen(textured);
    EXPECT_GT(blue.z, blue.x + 100);
}

TEST(ViewRenderer, drawsTexturesUpright) {
    // A plate that faces the camera of azimuth 0: red above green, with a dark left half.
    TexturedMesh plate =
        plain({{{0, -1, 1}, {0, -1, -1}, {0, 1, -1}, {0, 1, 1}}, {{0, 1, 2}, {0, 2, 3}}});
    plate.appearance.textureCoordinates = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    Image image{64, 64, {}};
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x) {
            const auto value = static_cast<std::uint8_t>(x < 32 ? 100 : 255);
            const std::uint8_t none = 0;
            image.rgba.insert(image.rgba.end(),
                              {y < 32 ? value : none, y < 32 ? none : value, none, 255});
        }
    plate.appearance.textures = {image};
    plate.appearance.materials = {{.map = {.texture = 0}}};
    plate.appearance.materialOfFace = {0, 0};
    const PreparedMesh subject = prepareMesh(plate);
    const Camera camera = cameraAt(0, 0, 0.8);
    const Image drawn = ViewRenderer(subject, 96, kAbove, 1).render(camera);
    const auto at = [&](double x, double y) {
        const glm::dvec3 world(0, y * 0.15, x * 0.15);
        const std::uint8_t* rgba = pixelAt(drawn, projectToPixel(camera.toCamera(world)));
        return glm::ivec3(rgba[0], rgba[1], rgba[2]);
    };
    // u increases from z = 1 to z = −1.
    EXPECT_GT(at(-0.5, 0.5).x, 150);
    EXPECT_GT(at(-0.5, 0.5).x, at(0.5, 0.5).x + 60);
    EXPECT_GT(at(-0.5, -0.5).y, 150);
    EXPECT_GT(at(-0.5, -0.5).y, at(0.5, -0.5).y + 60);
    EXPECT_LT(at(-0.5, 0.5).y, 40);
}

}  // namespace
}  // namespace threefold::test
