#include "engine/measures/silhouette.h"

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/raster/render_mask.h"
#include "tests/engine/sample_rendering/shapes.h"

namespace threefold::test {
namespace {

Mask drawn(int width, int height, const std::function<bool(int, int)>& inside) {
    Mask mask{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) mask.inside.push_back(inside(x, y) ? 1 : 0);
    return mask;
}

Mask rectangle(int left, int top, int right, int bottom) {
    return drawn(60, 40,
                 [=](int x, int y) { return x >= left && x < right && y >= top && y < bottom; });
}

TEST(Silhouette, agreesWithItself) {
    const Mask mask = rectangle(10, 10, 30, 20);
    const SilhouetteScore score = compareMasks(mask, mask);
    EXPECT_EQ(score.overlap, 1);
    ASSERT_TRUE(score.outlineDistance);
    EXPECT_EQ(score.outlineDistance->mean, 0);
    EXPECT_EQ(score.outlineDistance->hausdorff, 0);
}

TEST(Silhouette, countsPixels_missedByAShiftedRectangle) {
    const Mask one = rectangle(10, 10, 30, 20);
    const Mask other = rectangle(13, 10, 33, 20);
    const SilhouetteScore score = compareMasks(one, other);
    EXPECT_DOUBLE_EQ(score.overlap, 17.0 / 23);
    EXPECT_EQ(score.outlineDistance->hausdorff, 3);
    EXPECT_GT(score.outlineDistance->mean, 0);
    EXPECT_LT(score.outlineDistance->mean, 3);
    const SilhouetteScore back = compareMasks(other, one);
    EXPECT_EQ(back.overlap, score.overlap);
    EXPECT_EQ(back.outlineDistance->mean, score.outlineDistance->mean);
    EXPECT_EQ(back.outlineDistance->hausdorff, score.outlineDistance->hausdorff);
}

TEST(Silhouette, countsOnlyPixels_knownInBoth) {
    Mask one = rectangle(10, 10, 30, 20);
    const Mask other = rectangle(10, 10, 33, 20);
    EXPECT_DOUBLE_EQ(compareMasks(one, other).overlap, 20.0 / 23);
    one.known = rectangle(0, 0, 28, 40).inside;  // both objects extend beyond the known part
    for (std::size_t i = 0; i < one.inside.size(); ++i) one.inside[i] &= one.known[i];
    for (const auto& [a, b] : {std::pair(one, other), std::pair(other, one)}) {
        const SilhouetteScore score = compareMasks(a, b);
        EXPECT_EQ(score.overlap, 1);
        EXPECT_EQ(score.outlineDistance->hausdorff, 0);
    }
    Mask third = rectangle(13, 10, 33, 20);
    third.known = rectangle(12, 0, 60, 40).inside;
    EXPECT_DOUBLE_EQ(compareMasks(one, third).overlap, 15.0 / 16);
    third.known.pop_back();
    EXPECT_THROW(compareMasks(one, third), InputError);
}

TEST(Silhouette, isUncovered_whereTheMaskIsKnownAndTheRenderingHasNoPixel) {
    const Mask mask{4, 1, {1, 1, 1, 0}, {1, 1, 0, 1}};
    EXPECT_EQ(uncoveredFraction(mask, {4, 1, {1, 0, 0, 1}}), 0.5);
    EXPECT_EQ(uncoveredFraction({4, 1, {0, 0, 0, 0}}, {4, 1, {1, 0, 0, 1}}), 0);
    EXPECT_THROW(uncoveredFraction(mask, {2, 1, {1, 0}}), InputError);
}

TEST(Silhouette, measuresAcrossCorners) {
    const SilhouetteScore score =
        compareMasks(rectangle(10, 10, 11, 11), rectangle(13, 14, 14, 15));
    EXPECT_EQ(score.overlap, 0);
    EXPECT_DOUBLE_EQ(score.outlineDistance->mean, 5);
    EXPECT_DOUBLE_EQ(score.outlineDistance->hausdorff, 5);
}

TEST(Silhouette, equalsSearchingAllPairs_onScatteredPixels) {
    std::uint32_t state = 7;
    const auto scattered = [&](int, int) {
        state = state * 1664525U + 1013904223U;
        return (state >> 24U) < 6;
    };
    for (int round = 0; round < 10; ++round) {
        const Mask one = drawn(60, 40, scattered);
        const Mask other = drawn(60, 40, scattered);
        double max = 0;
        double means = 0;
        for (const auto& [from, to] : {std::pair(one, other), std::pair(other, one)}) {
            double sum = 0;
            double count = 0;
            for (int i = 0; i < 2400; ++i) {
                if (from.inside[static_cast<std::size_t>(i)] == 0) continue;
                double min = std::numeric_limits<double>::max();
                for (int j = 0; j < 2400; ++j)
                    if (to.inside[static_cast<std::size_t>(j)] != 0)
                        min = std::min(min, std::hypot(i % 60 - j % 60, i / 60 - j / 60));
                max = std::max(max, min);
                sum += min;
                ++count;
            }
            means += sum / count / 2;
        }
        const SilhouetteScore score = compareMasks(one, other);
        EXPECT_NEAR(score.outlineDistance->hausdorff, max, 1e-9);
        EXPECT_NEAR(score.outlineDistance->mean, means, 1e-9);
    }
}

TEST(Silhouette, findsAnOutlineAtTheFarEnd_ofLongImages) {
    for (const auto& [width, height] : {std::pair(900, 3), std::pair(3, 900)}) {
        const auto dot = [&, w = width, h = height](int at) {
            return drawn(
                w, h, [=](int x, int y) { return w > h ? x == at && y == 1 : x == 1 && y == at; });
        };
        const SilhouetteScore score = compareMasks(dot(2), dot(895));
        EXPECT_EQ(score.outlineDistance->mean, 893);
        EXPECT_EQ(score.outlineDistance->hausdorff, 893);
    }
}

TEST(Silhouette, hasNoDistance_whenThereIsNoOutline) {
    const Mask nothing = rectangle(0, 0, 0, 0);
    const Mask all = rectangle(0, 0, 60, 40);
    EXPECT_EQ(compareMasks(nothing, nothing).overlap, 1);
    EXPECT_EQ(compareMasks(nothing, all).overlap, 0);
    EXPECT_FALSE(compareMasks(nothing, rectangle(1, 1, 5, 5)).outlineDistance);
    EXPECT_FALSE(compareMasks(all, rectangle(1, 1, 5, 5)).outlineDistance);
    EXPECT_THROW(compareMasks(nothing, Mask{1, 1, {0}}), InputError);
    EXPECT_THROW(compareMasks(Mask{2, 2, {0}}, Mask{2, 2, {0}}), InputError);
}

TEST(Silhouette, hasNoOutline_atTheImagesBorder) {
    // Both rectangles fill the left side of the image; only the edge in the middle is an outline.
    const SilhouetteScore score = compareMasks(rectangle(0, 0, 30, 40), rectangle(0, 0, 32, 40));
    EXPECT_DOUBLE_EQ(score.outlineDistance->mean, 2);
    EXPECT_DOUBLE_EQ(score.outlineDistance->hausdorff, 2);
}

TEST(Silhouette, isACircle_whenABallIsSeenFromAnySide) {
    Mesh mesh = ball(60);
    const double radius = 0.2;
    for (glm::vec3& vertex : mesh.vertices) vertex *= radius;
    const Camera first = Camera::fromRow({10, 25, 0, 0.9, 25});
    Mesh seen = mesh;
    for (glm::vec3& vertex : seen.vertices) vertex = glm::vec3(first.toCamera(glm::dvec3(vertex)));
    const double distance = 0.7;
    const double circleRadius =
        kFocalLength * std::tan(std::asin(radius / distance)) * 2;  // pixels at 448 × 448
    for (const double azimuth : {0.0, 75.0, 200.0}) {
        const Camera camera = Camera::fromRow({azimuth, 40, 0, distance, 25});
        const Mask mask = renderMask(seen.vertices, seen.faces, first, camera, 448, 448);
        const Mask circle = drawn(448, 448, [&](int x, int y) {
            return std::hypot(x + 0.5 - 224, y + 0.5 - 224) < circleRadius;
        });
        const SilhouetteScore score = compareMasks(mask, circle);
        EXPECT_GT(score.overlap, 0.99);
        EXPECT_LE(score.outlineDistance->hausdorff, 1.5);
        EXPECT_EQ(renderMask(mesh.vertices, mesh.faces, Camera{}, camera, 448, 448).inside.size(),
                  mask.inside.size());
        EXPECT_GT(
            compareMasks(renderMask(mesh.vertices, mesh.faces, Camera{}, camera, 448, 448), mask)
                .overlap,
            0.9999);
    }
}

}  // namespace
}  // namespace threefold::test
