#include "engine/fitting/outline.h"

#include <cmath>
#include <functional>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace threefold::fitting {
namespace {

Mask drawn(int width, int height, const std::function<bool(float, float)>& inside) {
    Mask mask{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            mask.inside.push_back(
                inside(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F) ? 1 : 0);
    return mask;
}

const auto kDisc = [](float x, float y) {
    return glm::distance(glm::vec2(x, y), glm::vec2(112)) < 60;
};

TEST(Outline, measuresTheSignedDistance_ofADisc) {
    const auto outline = Outline::of(drawn(224, 224, kDisc), 500);
    ASSERT_TRUE(outline);
    for (const glm::vec2 place : {glm::vec2(112, 30), glm::vec2(200, 112), glm::vec2(150, 160),
                                  glm::vec2(100, 112), glm::vec2(60, 100)}) {
        const OutlineSample at = outline->sample(place);
        EXPECT_NEAR(at.distance, glm::distance(place, glm::vec2(112)) - 60, 0.8);
        EXPECT_GT(glm::dot(at.gradient, glm::normalize(place - glm::vec2(112))), 0.9F);
    }
}

TEST(Outline, liesOnTheCircle_withItsNormals) {
    for (const int size : {224, 137}) {
        const float scale = 224.0F / static_cast<float>(size);
        const auto outline = Outline::of(
            drawn(size, size, [&](float x, float y) { return kDisc(scale * x, scale * y); }), 300);
        ASSERT_TRUE(outline);
        EXPECT_GT(outline->points().size(), 250U);
        for (const OutlinePoint& point : outline->points()) {
            const glm::vec2 away = point.position - glm::vec2(112);
            EXPECT_NEAR(glm::length(away), 60, scale);
            EXPECT_GT(glm::dot(glm::normalize(away), point.normal), 0.97F);
        }
    }
}

TEST(Outline, samplesALargeOblongMask_inASquare) {
    const auto outline =
        Outline::of(drawn(896, 448, [](float x, float y) { return kDisc(x / 4, y / 2); }), 300);
    ASSERT_TRUE(outline);
    for (const OutlinePoint& point : outline->points())
        EXPECT_NEAR(glm::distance(point.position, glm::vec2(112)), 60, 1);
}

TEST(Outline, ignoresPinholesAndSpecks_butNoRealHole) {
    const auto distanceAt = [](const Mask& mask, glm::vec2 place) {
        return Outline::of(mask, 500)->sample(place).distance;
    };
    const Mask pinholes = drawn(224, 224, [](float x, float y) {
        const bool pinhole = glm::distance(glm::vec2(x, y), glm::vec2(100, 110)) < 2;
        const bool speck = glm::distance(glm::vec2(x, y), glm::vec2(20, 20)) < 2;
        return (kDisc(x, y) && !pinhole) || speck;
    });
    EXPECT_LT(distanceAt(pinholes, {100, 110}), -40);
    EXPECT_GT(distanceAt(pinholes, {20, 20}), 40);
    const Mask ring = drawn(224, 224, [](float x, float y) {
        return kDisc(x, y) && glm::distance(glm::vec2(x, y), glm::vec2(112)) > 30;
    });
    EXPECT_GT(distanceAt(ring, {112, 112}), 20);
}

TEST(Outline, hasNoPoints_whereverTheObjectLeavesTheImage) {
    const auto outline =
        Outline::of(drawn(224, 224, [](float x, float /*y*/) { return x < 100; }), 1000);
    ASSERT_TRUE(outline);
    for (const OutlinePoint& point : outline->points()) EXPECT_NEAR(point.position.x, 100, 1);
}

TEST(Outline, keepsTheResolutionOfALargeMask) {
    // In a mask of 1024 pixels a side, a slit of three pixels is narrower than one pixel of the
    // 224×224 projection.
    const Mask slit = drawn(1024, 1024, [](float x, float y) {
        return glm::distance(glm::vec2(x, y), glm::vec2(512)) < 300 && std::abs(x - 512) > 1.5F;
    });
    const auto outline = Outline::of(slit, 300);
    ASSERT_TRUE(outline);
    EXPECT_EQ(outline->mask().width, 1024);
    EXPECT_GT(outline->sample(glm::vec2(112.1F)).distance, 0);
    EXPECT_LT(outline->sample(glm::vec2(110, 112)).distance, -1);
}

TEST(Outline, ends_whereverTheMaskIsUnknown) {
    for (const int size : {224, 896}) {
        const float scale = 224.0F / static_cast<float>(size);
        Mask mask =
            drawn(size, size, [&](float x, float y) { return kDisc(scale * x, scale * y); });
        mask.known.assign(mask.inside.size(), 1);
        for (std::size_t i = 0; i < mask.inside.size(); ++i)
            if (i % static_cast<std::size_t>(size) >= static_cast<std::size_t>(size) / 2)
                mask.known[i] = mask.inside[i] = 0;
        const auto outline = Outline::of(mask, 300);
        ASSERT_TRUE(outline);
        for (const OutlinePoint& point : outline->points()) {
            EXPECT_NEAR(glm::distance(point.position, glm::vec2(112)), 60, 1);
            EXPECT_LT(point.position.x, 113);
        }
        EXPECT_LT(outline->sample({150, 112}).distance, 0);
        EXPECT_LT(outline->sample({220, 20}).distance, 0);
        EXPECT_GT(outline->sample({20, 112}).distance, 25);
        // If only the object's pixels are known, there is no outline.
        for (std::size_t i = 0; i < mask.inside.size(); ++i) mask.known[i] = mask.inside[i];
        EXPECT_FALSE(Outline::of(mask, 300));
    }
}

TEST(Outline, isNone_whenAMaskIsEmptyOrFull) {
    EXPECT_FALSE(Outline::of(drawn(50, 50, [](float, float) { return false; }), 100));
    EXPECT_FALSE(Outline::of(drawn(50, 50, [](float, float) { return true; }), 100));
    EXPECT_FALSE(Outline::of(Mask{}, 100));
}

}  // namespace
}  // namespace threefold::fitting
