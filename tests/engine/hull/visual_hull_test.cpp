#include "engine/hull/visual_hull.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/geometry/nearest.h"
#include "engine/geometry/surface_samples.h"
#include "engine/raster/render_mask.h"
#include "engine/views/left_out_view.h"
#include "tests/engine/hull/shapes.h"
#include "tests/engine/hull/topology.h"

namespace threefold {
namespace {

using test::Topology;
using test::topologyOf;

/// A mesh, cameras, and for each camera the mesh's mask.
struct Scene {
    Scene(Mesh shape, int count, int side)
        : truth(std::move(shape)), cameras(test::camerasAround(count)) {
        for (const Camera& camera : cameras)
            masks.push_back(renderMask(truth.vertices, truth.faces, Pose{}, camera, side, side));
    }

    std::vector<MaskedView> views() const {
        std::vector<MaskedView> views;
        for (std::size_t i = 0; i < masks.size(); ++i)
            views.push_back({static_cast<int>(i), cameras[i], masks[i]});
        return views;
    }

    HullResult hull(HullOptions options = {}) const {
        options.threads = 2;
        return visualHull(views(), options);
    }

    Mesh truth;
    std::vector<Camera> cameras;
    std::vector<Mask> masks;
};

/// F-score at 0.01: harmonic mean of the fractions of surface points within that distance of the
/// other surface.
double fScore(const Mesh& mesh, const Mesh& truth) {
    constexpr std::size_t kSamples = 100'000;
    const Points one = sampleSurface(mesh, kSamples).points;
    const Points other = sampleSurface(truth, kSamples).points;
    const auto fractionNear = [](const Points& from, const Points& to) {
        const std::vector<double> squared = nearestNeighbours(from, to).squaredDistances;
        const auto near = std::count_if(squared.begin(), squared.end(),
                                        [](double each) { return each < 0.01 * 0.01; });
        return static_cast<double>(near) / static_cast<double>(squared.size());
    };
    const double precision = fractionNear(one, other);
    const double recall = fractionNear(other, one);
    return 2 * precision * recall / (precision + recall);
}

void expectOneComponent(const HullResult& result, int genus) {
    const Topology topology = topologyOf(result.mesh);
    EXPECT_TRUE(topology.isManifold);
    EXPECT_EQ(topology.componentCount, 1);
    EXPECT_EQ(topology.genus, genus);
    EXPECT_GT(topology.volume, 0);
}

TEST(VisualHull, hasTheShape_ofASphere) {
    const Scene scene(test::sphere(0.25), 24, 224);
    const HullResult result = scene.hull();
    expectOneComponent(result, 0);
    EXPECT_GT(fScore(result.mesh, scene.truth), 0.99);
    EXPECT_THAT(result.leftOut, testing::IsEmpty());
}

TEST(VisualHull, hasTheShape_ofATorus) {
    const Scene scene(test::torus(), 24, 640);
    const HullResult result = scene.hull();
    expectOneComponent(result, 1);
    EXPECT_GT(fScore(result.mesh, scene.truth), 0.99);
}

TEST(VisualHull, hasTheShape_ofAMug) {
    const Scene scene(test::mug(), 24, 640);
    const HullResult result = scene.hull();
    expectOneComponent(result, 1);
    // Part of the handle lies inside the body, so the hull has no surface there.
    EXPECT_GT(fScore(result.mesh, scene.truth), 0.95);
}

TEST(VisualHull, hasTheShape_ofAChairsBack) {
    const Scene scene(test::chair(), 24, 640);
    const HullResult result = scene.hull();
    expectOneComponent(result, 1);
    EXPECT_GT(fScore(result.mesh, scene.truth), 0.95);
}

TEST(VisualHull, hasTheShape_whenTwoMasksLackAPart) {
    Scene scene(test::chair(), 24, 448);
    // Both masks lack the upper half of the picture, which shows the chair's back.
    for (const std::size_t view : {4, 13})
        std::fill_n(scene.masks[view].inside.begin(), 448 * 448 / 2, std::uint8_t{0});
    const HullResult result = scene.hull();
    EXPECT_THAT(viewNumbersOf(result.leftOut), testing::UnorderedElementsAre(4, 13));
    EXPECT_EQ(result.toleratedCount, 0U);
    EXPECT_GT(fScore(result.mesh, scene.truth), 0.94);
    for (const LeftOutView& each : result.leftOut)
        EXPECT_THAT(each.reason, testing::HasSubstr("lacks a part"));
}

TEST(VisualHull, containsTheShape_fromEightViews) {
    const Scene scene(test::torus(), 8, 224);
    const HullResult result = scene.hull();
    expectOneComponent(result, 1);
    EXPECT_GT(fScore(result.mesh, scene.truth), 0.9);
}

/// Height of the highest vertex near the vertical axis.
float topAtTheMiddle(const Mesh& mesh) {
    float top = -1;
    for (const glm::vec3& vertex : mesh.vertices)
        if (std::abs(vertex.x) < 0.05F && std::abs(vertex.z) < 0.05F) top = std::max(top, vertex.y);
    return top;
}

TEST(VisualHull, hasAHollow_whichAMeshShows) {
    const Scene scene(test::pit(0.12F), 16, 224);
    EXPECT_GT(topAtTheMiddle(scene.hull({.vertexCount = 5000, .cancel = {}}).mesh), 0.1);
    HullOptions options{.vertexCount = 5000, .cancel = {}};
    options.meshWithHollows = &scene.truth;
    const HullResult result = scene.hull(options);
    expectOneComponent(result, 0);
    EXPECT_NEAR(topAtTheMiddle(result.mesh), 0.1 - 0.12, 0.005);
}

TEST(VisualHull, keepsParts_whichAMeshLacks) {
    const Scene scene(test::chair(), 24, 448);
    const Mesh lump = test::sphere(0.12);
    HullOptions options{.vertexCount = 5000, .cancel = {}};
    options.meshWithHollows = &lump;
    const HullResult result = scene.hull(options);
    expectOneComponent(result, 1);
    EXPECT_GT(fScore(result.mesh, scene.truth), 0.94);
}

TEST(VisualHull, hasNoHollows_whichContradictTheMasks) {
    const Scene scene(test::pit(0.12F), 16, 224);
    Mesh small = scene.truth;
    for (glm::vec3& vertex : small.vertices) vertex *= 0.97F;
    HullOptions options{.vertexCount = 2500, .cancel = {}};
    options.meshWithHollows = &small;
    const HullResult result = scene.hull(options);
    EXPECT_THAT(result.notes, testing::Contains(testing::HasSubstr("contradict the masks")));
    EXPECT_TRUE(result.mesh.vertices ==
                scene.hull({.vertexCount = 2500, .cancel = {}}).mesh.vertices);
}

TEST(VisualHull, isNotPierced_whenAMeshIsThin) {
    const Scene scene(test::pit(0.15F), 16, 224);
    const Mesh thin = test::pit(0.201F);  // 0.001 deeper than the solid
    HullOptions options{.vertexCount = 5000, .cancel = {}};
    options.meshWithHollows = &thin;
    const HullResult result = scene.hull(options);
    expectOneComponent(result, 0);
    EXPECT_LT(topAtTheMiddle(result.mesh), -0.05);
}

TEST(VisualHull, keepsLegs_twoPixelsWide) {
    constexpr float kPixel = 0.8F * 224 / (248 * 640);
    const HullResult result = Scene(test::table(2 * kPixel), 16, 640).hull();
    expectOneComponent(result, 0);
    for (const float x : {-0.16F, 0.16F})
        for (const float z : {-0.16F, 0.16F})
            for (const float y : {-0.14F, -0.1F, 0.0F, 0.09F})
                EXPECT_TRUE(std::any_of(result.mesh.vertices.begin(), result.mesh.vertices.end(),
                                        [&](glm::vec3 v) {
                                            return glm::distance(v, {x, y, z}) < 0.01F;
                                        }))
                    << x << ' ' << y << ' ' << z;
}

TEST(VisualHull, hasTheRequestedNumberOfVertices) {
    const Scene scene(test::mug(), 8, 64);
    for (const std::size_t vertices : {2'500U, 10'000U, 40'000U}) {
        const HullResult result = scene.hull({.vertexCount = vertices, .cancel = {}});
        EXPECT_TRUE(topologyOf(result.mesh).isManifold);
        EXPECT_NEAR(static_cast<double>(result.mesh.vertices.size()), double(vertices),
                    0.1 * double(vertices));
    }
}

TEST(VisualHull, isTheSame_withAnyNumberOfThreads) {
    const Scene scene(test::mug(), 8, 128);
    const HullResult one =
        visualHull(scene.views(), {.vertexCount = 2500, .cancel = {}, .threads = 1});
    const HullResult two =
        visualHull(scene.views(), {.vertexCount = 2500, .cancel = {}, .threads = 3});
    EXPECT_EQ(one.mesh.vertices, two.mesh.vertices);
    EXPECT_EQ(one.mesh.faces, two.mesh.faces);
}

TEST(VisualHull, tolerates_aMaskWithoutItsCorner) {
    Scene scene(test::sphere(0.25), 16, 224);
    Mask& mask = scene.masks[5];
    for (std::size_t y = 0; y < 112; ++y)
        for (std::size_t x = 0; x < 112; ++x) mask.inside[y * 224 + x] = 0;
    const HullResult result = scene.hull();
    expectOneComponent(result, 0);
    EXPECT_GT(fScore(result.mesh, scene.truth), 0.97);
}

/// Expects that the view is left out, and that the mesh equals the hull of the other views.
void expectLeftOut(Scene scene, int view) {
    const HullOptions options{.vertexCount = 2500, .cancel = {}};
    const HullResult result = scene.hull(options);
    EXPECT_THAT(result.leftOut, testing::ElementsAre(LeftOutView{
                                    view, "mask or camera contradicts the other views"}));
    EXPECT_THAT(result.notes, testing::IsEmpty());
    std::vector<MaskedView> others = scene.views();
    others.erase(others.begin() + view);
    EXPECT_EQ(result.mesh.vertices, visualHull(others, options).mesh.vertices);
}

TEST(VisualHull, leavesOut_anInvertedMask) {
    for (const int count : {6, 16}) {
        Scene scene(test::mug(), count, 128);
        for (std::uint8_t& inside : scene.masks[3].inside) inside ^= 1U;
        expectLeftOut(scene, 3);
    }
}

TEST(VisualHull, leavesOut_aCameraTurnedBy20Degrees) {
    for (const int count : {6, 16}) {
        Scene scene(test::mug(), count, 128);
        const glm::dmat4 turn = glm::rotate(glm::dmat4(1), glm::radians(20.0), {0, 1, 0});
        scene.cameras[2].rotation = glm::dmat3(turn) * scene.cameras[2].rotation;
        expectLeftOut(scene, 2);
    }
}

TEST(VisualHull, namesMasks_whichCannotBeUsed) {
    Scene scene(test::sphere(0.2), 6, 64);
    scene.masks[1].inside.assign(64UL * 64, 0);
    scene.masks[4].inside.assign(64UL * 64, 1);
    std::vector<MaskedView> views = scene.views();
    views[2].mask.reset();
    const HullResult result = visualHull(views, {.vertexCount = 2500, .cancel = {}});
    EXPECT_THAT(result.leftOut,
                testing::ElementsAre(LeftOutView{1, "empty mask"}, LeftOutView{2, "no mask"},
                                     LeftOutView{4, "mask without background"}));
    expectOneComponent(result, 0);
}

TEST(VisualHull, isNotCut_whenPicturesCutTheObject) {
    Scene scene(test::sphere(0.2), 16, 128);
    for (const std::size_t close : {2U, 9U, 12U}) {
        scene.cameras[close].centre *= 0.55;
        scene.masks[close] = renderMask(scene.truth.vertices, scene.truth.faces, Pose{},
                                        scene.cameras[close], 128, 128);
    }
    const HullResult result = scene.hull({.vertexCount = 2500, .cancel = {}});
    expectOneComponent(result, 0);
    EXPECT_GT(fScore(result.mesh, scene.truth), 0.97);
}

/// Marks pixels outside [left, right) × [top, bottom) as unknown.
void restrictKnown(Mask& mask, int left, int top, int right, int bottom) {
    mask.known.assign(mask.inside.size(), 0);
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            const std::size_t at =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(mask.width) +
                static_cast<std::size_t>(x);
            mask.known[at] = x >= left && x < right && y >= top && y < bottom ? 1 : 0;
            mask.inside[at] = mask.inside[at] & mask.known[at];
        }
    }
}

TEST(VisualHull, hasTheShape_whenBordersOfImagesAreUnknown) {
    Scene scene(test::torus(), 16, 224);
    for (Mask& mask : scene.masks) restrictKnown(mask, 8, 20, 216, 204);
    // Two photographs show only a part of the object.
    restrictKnown(scene.masks[3], 8, 100, 216, 204);
    restrictKnown(scene.masks[11], 90, 20, 216, 204);
    const HullResult result = scene.hull({.vertexCount = 2500, .cancel = {}});
    expectOneComponent(result, 1);
    EXPECT_GT(fScore(result.mesh, scene.truth), 0.95);
    EXPECT_THAT(result.leftOut, testing::IsEmpty());
}

TEST(VisualHull, hasTheShape_whenCamerasAreFarAway) {
    Scene scene(test::torus(), 16, 224);
    for (std::size_t i = 0; i < scene.cameras.size(); ++i) {
        scene.cameras[i].centre *= 4;
        scene.cameras[i].zoom = 4;
        scene.masks[i] =
            renderMask(scene.truth.vertices, scene.truth.faces, Pose{}, scene.cameras[i], 224, 224);
    }
    const HullResult result = scene.hull({.vertexCount = 2500, .cancel = {}});
    expectOneComponent(result, 1);
    EXPECT_GT(fScore(result.mesh, scene.truth), 0.95);
}

TEST(VisualHull, throws_whenNoMaskCanBeUsed) {
    Scene scene(test::sphere(0.1), 2, 64);
    const std::vector<MaskedView> one = {scene.views().front()};
    EXPECT_THROW(visualHull(one, {}), InputError);

    scene.cameras[1] = scene.cameras[0];
    for (std::size_t at = 0; at < scene.masks[0].inside.size(); ++at) {
        const std::size_t row = at / 64;
        scene.masks[0].inside[at] = row > 5 && row < 20 && at % 64 > 5 && at % 64 < 20 ? 1 : 0;
        scene.masks[1].inside[at] = row > 40 && row < 60 && at % 64 > 5 && at % 64 < 20 ? 1 : 0;
    }
    EXPECT_THROW(scene.hull(), InputError);

    scene.masks[0] = Mask{64, 32, std::vector<std::uint8_t>(64UL * 32)};
    EXPECT_THROW(scene.hull(), InputError);
    Scene other(test::sphere(0.1), 4, 64);
    other.cameras[1].centre.x = std::nan("");
    EXPECT_THROW(other.hull(), InputError);
}

TEST(VisualHull, isCancelled_atAnyMoment) {
    const Scene scene(test::mug(), 16, 640);
    for (const int milliseconds : {0, 40, 120, 250}) {
        std::stop_source source;
        const std::jthread canceller([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            source.request_stop();
        });
        EXPECT_THROW(scene.hull({.vertexCount = 40'000, .cancel = source.get_token()}), Cancelled);
    }
}

}  // namespace
}  // namespace threefold
