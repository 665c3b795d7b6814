#include "engine/stereo/depth_surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <stop_token>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/geometry/nearest.h"
#include "engine/geometry/surface_samples.h"
#include "engine/hull/visual_hull.h"
#include "engine/views/foreground.h"
#include "tests/engine/hull/shapes.h"
#include "tests/engine/hull/topology.h"
#include "tests/engine/stereo/photographs.h"

namespace threefold {
namespace {

constexpr int kSide = 200;
constexpr float kDeep = 0.07F;

/// Photographs of a mesh, by default of a block with a pit that no silhouette shows, and their
/// hull.
struct Scene {
    explicit Scene(double contrast, int count = 32, const Mesh& shape = test::pit(kDeep))
        : truth(shape) {
        for (const Camera& camera : test::camerasAround(count)) {
            Image photograph = test::texturedPhotograph(truth, camera, kSide, contrast);
            const Mask mask = foregroundOf(photograph).value();
            photographs.push_back(
                {static_cast<int>(photographs.size()), camera, mask, {}, std::move(photograph)});
        }
        HullOptions options;
        options.threads = 2;
        hull = visualHull(photographs, options).mesh;
    }

    std::vector<const MaskedView*> views() const {
        std::vector<const MaskedView*> views;
        for (const MaskedView& photograph : photographs) views.push_back(&photograph);
        return views;
    }

    DepthSurface refined(int threads = 2) const {
        DepthOptions options;
        options.threads = threads;
        return depthSurface(hull, views(), options);
    }

    Mesh truth;
    std::vector<MaskedView> photographs;
    Mesh hull;
};

const Scene& textured() {
    static const Scene scene(40);
    return scene;
}

const DepthSurface& found() {
    static const DepthSurface surface = textured().refined(1);
    return surface;
}

TEST(DepthSurface, findsAHollow_whichNoOutlineShows) {
    ASSERT_FALSE(found().mesh.faces.empty());
    EXPECT_GT(found().sureFraction, 0.5);
    EXPECT_GT(test::distanceFromPitFloor(textured().hull, kDeep), 0.05);
    EXPECT_LT(test::distanceFromPitFloor(found().mesh, kDeep), 0.007);
}

TEST(DepthSurface, isAClosedManifold_withTheRequestedVertices) {
    DepthOptions options;
    options.vertices = 3000;
    const Mesh mesh = depthSurface(textured().hull, textured().views(), options).mesh;
    const test::Topology topology = test::topologyOf(mesh);
    EXPECT_TRUE(topology.isManifold);
    EXPECT_EQ(topology.componentCount, 1);
    EXPECT_NEAR(static_cast<double>(mesh.vertices.size()), 3000, 300);
}

TEST(DepthSurface, isTheSame_withAnyThreadsAndInstructions) {
    DepthOptions options;
    options.instructions = "portable";
    options.threads = 3;
    const DepthSurface other = depthSurface(textured().hull, textured().views(), options);
    EXPECT_EQ(found().mesh.vertices, other.mesh.vertices);
    EXPECT_EQ(found().mesh.faces, other.mesh.faces);
}

TEST(DepthSurface, keepsTheStart_whenPhotographsDisagree) {
    Scene scene(0);
    std::mt19937 random(1);
    for (MaskedView& view : scene.photographs)
        for (std::size_t i = 0; i < view.photograph.rgba.size(); i += 4)
            for (std::size_t channel = 0; channel < 3; ++channel)
                view.photograph.rgba[i + channel] = static_cast<std::uint8_t>(random() % 256);
    const DepthSurface found = scene.refined();
    EXPECT_TRUE(found.mesh.faces.empty());
    EXPECT_LT(found.strongFraction, 0.25);
}

/// Mean distance between two surfaces, over both directions.
double surfaceError(const Mesh& one, const Mesh& other) {
    const Points a = sampleSurface(one, 50'000).points;
    const Points b = sampleSurface(other, 50'000).points;
    double sum = 0;
    for (const auto& [from, to] : {std::pair(&a, &b), std::pair(&b, &a)})
        for (const double squared : nearestNeighbours(*from, *to).squaredDistances)
            sum += std::sqrt(squared) / 100'000;
    return sum;
}

TEST(DepthSurface, isNoWorseThanTheStart_whenTheSurfaceHasNoTexture) {
    const Scene bare(0);
    const Mesh mesh = bare.refined().mesh;
    EXPECT_LT(surfaceError(mesh.faces.empty() ? bare.hull : mesh, bare.truth),
              surfaceError(bare.hull, bare.truth) + 5e-4);
}

/// Fraction of points on a table's legs that lie near a mesh.
double legsFound(const Mesh& table, const Mesh& mesh) {
    Points points;
    for (const glm::vec3& point : sampleSurface(table, 50'000).points)
        if (point.y < 0) points.push_back(point);
    std::size_t near = 0;
    constexpr float kNear = 0.006F;
    for (const double squared :
         nearestNeighbours(points, sampleSurface(mesh, 100'000).points).squaredDistances)
        near += squared < double{kNear * kNear} ? 1 : 0;
    return static_cast<double>(near) / static_cast<double>(points.size());
}

TEST(DepthSurface, keepsLegsOfTwoCells) {
    const Scene scene(40, 32, test::table(0.008F));
    ASSERT_GT(legsFound(scene.truth, scene.hull), 0.95);
    const Mesh mesh = scene.refined().mesh;
    ASSERT_FALSE(mesh.faces.empty());
    EXPECT_GT(legsFound(scene.truth, mesh), 0.85);  // 0.67 if the first round removes legs
}

TEST(DepthSurface, reportsItsProgressAndTimes) {
    DepthOptions options;
    std::vector<double> done;
    std::vector<std::size_t> maps(textured().photographs.size());
    options.progress = [&](double fraction) { done.push_back(fraction); };
    options.onMap = [&](const ViewDepthMap& depths) {
        ++maps.at(static_cast<std::size_t>(depths.view));
        EXPECT_EQ(depths.depth.size(), static_cast<std::size_t>(depths.side * depths.side));
    };
    const DepthSurface timed = depthSurface(textured().hull, textured().views(), options);
    ASSERT_FALSE(done.empty());
    EXPECT_TRUE(std::ranges::is_sorted(done));
    EXPECT_EQ(done.back(), 1);
    EXPECT_GE(timed.times.size(), 6U);
    EXPECT_THAT(maps, testing::Each(2));
    ASSERT_EQ(timed.maps.size(), textured().photographs.size());
    EXPECT_GT(std::ranges::count_if(timed.maps[3].depth, [](float depth) { return depth > 0; }),
              100);
}

TEST(DepthSurface, ends_whenCancelled) {
    DepthOptions options;
    std::stop_source stop;
    options.cancel = stop.get_token();
    options.progress = [&](double) { stop.request_stop(); };
    EXPECT_THROW(depthSurface(textured().hull, textured().views(), options), Cancelled);
}

TEST(DepthSurface, refusesViews_whichCannotBeMatched) {
    const std::vector<const MaskedView*> views = textured().views();
    EXPECT_THROW(depthSurface(textured().hull, std::span(views).first(3), {}), InputError);
    EXPECT_THROW(depthSurface(Mesh{}, views, {}), InputError);
    DepthOptions options;
    options.instructions = "abacus";
    EXPECT_THROW(depthSurface(textured().hull, views, options), InputError);
}

}  // namespace
}  // namespace threefold
