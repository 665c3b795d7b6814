#include "cuda/kernels/nearest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <glm/vec3.hpp>
#include <gtest/gtest.h>

#include "engine/geometry/nearest.h"
#include "tests/cuda/emulation/emulator.h"

namespace threefold::cuda {
namespace {

using Cloud = std::vector<glm::vec3>;
using Pair = std::pair<Cloud, Cloud>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Output of a launch, to compare bit for bit.
struct Found {
    std::vector<float> firstDistance, secondDistance;
    std::vector<std::uint32_t> firstIndex, secondIndex;
};

Cloud randomPoints(std::size_t count, unsigned seed, float low = -1, float high = 1) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> value(low, high);
    Cloud cloud(count);
    for (glm::vec3& point : cloud) {
        point.x = value(generator);
        point.y = value(generator);
        point.z = value(generator);
    }
    return cloud;
}

/// The first or second clouds of all pairs, packed for a launch.
struct Packed {
    Cloud points;
    std::vector<std::uint32_t> start{0};
    std::uint32_t largest = 0;

    void add(const Cloud& cloud) {
        points.insert(points.end(), cloud.begin(), cloud.end());
        start.push_back(static_cast<std::uint32_t>(points.size()));
        largest = std::max(largest, static_cast<std::uint32_t>(cloud.size()));
    }
    const float* values() const { return points.empty() ? nullptr : &points.front().x; }
};

/// Launches twice on one workspace, which a launch must leave ready for the next.
Found find(const std::vector<Pair>& pairs, int multiprocessors = 132) {
    Packed first, second;
    for (const Pair& pair : pairs) {
        first.add(pair.first);
        second.add(pair.second);
    }
    PackedCloudPairs clouds;
    clouds.first = first.values();
    clouds.second = second.values();
    clouds.firstOffsets = first.start.data();
    clouds.secondOffsets = second.start.data();
    clouds.pairs = static_cast<int>(pairs.size());
    clouds.firstPointCount = static_cast<std::uint32_t>(first.points.size());
    clouds.secondPointCount = static_cast<std::uint32_t>(second.points.size());
    clouds.maxFirstCount = first.largest;
    clouds.maxSecondCount = second.largest;

    std::vector<std::uint64_t> workspace((nearestWorkspaceBytes(clouds) + 7) / 8,
                                         ~std::uint64_t{0});
    DeviceLimits limits;
    limits.computeCapability = 90;
    limits.multiprocessors = multiprocessors;
    Found found;
    for (int run = 0; run < 2; ++run) {
        found.firstDistance.assign(first.points.size(), -1);
        found.firstIndex.assign(first.points.size(), 12345);
        found.secondDistance.assign(second.points.size(), -1);
        found.secondIndex.assign(second.points.size(), 12345);
        launchNearest(nullptr, limits, clouds,
                      {found.firstDistance.data(), found.firstIndex.data(),
                       found.secondDistance.data(), found.secondIndex.data()},
                      reinterpret_cast<std::byte*>(workspace.data()));
        for (const std::uint64_t word : workspace) EXPECT_EQ(word, ~std::uint64_t{0});
    }
    return found;
}

void expectSame(const Found& a, const Found& b) {
    const auto same = [](const auto& left, const auto& right) {
        return left.size() == right.size() &&
               (left.empty() ||
                std::memcmp(left.data(), right.data(), left.size() * sizeof left[0]) == 0);
    };
    EXPECT_TRUE(same(a.firstDistance, b.firstDistance));
    EXPECT_TRUE(same(a.firstIndex, b.firstIndex));
    EXPECT_TRUE(same(a.secondDistance, b.secondDistance));
    EXPECT_TRUE(same(a.secondIndex, b.secondIndex));
}

/// Linear search for the first of the nearest points, in the kernel's own arithmetic.
void search(const Cloud& queries, const Cloud& reference, std::vector<float>& distance,
            std::vector<std::uint32_t>& index) {
    for (const glm::vec3& query : queries) {
        float best = kInfinity;
        std::uint32_t at = kNoPoint;
        for (std::size_t i = 0; i < reference.size(); ++i) {
            const float d = squaredDistance(query.x, query.y, query.z, reference[i].x,
                                            reference[i].y, reference[i].z);
            if (d < best) {
                best = d;
                at = static_cast<std::uint32_t>(i);
            }
        }
        distance.push_back(best);
        index.push_back(at);
    }
}

Found expected(const std::vector<Pair>& pairs) {
    Found found;
    for (const Pair& pair : pairs) {
        search(pair.first, pair.second, found.firstDistance, found.firstIndex);
        search(pair.second, pair.first, found.secondDistance, found.secondIndex);
    }
    return found;
}

void expectFound(const std::vector<Pair>& pairs, int multiprocessors = 132) {
    expectSame(find(pairs, multiprocessors), expected(pairs));
}

TEST(NearestKernel, findsTheNearestBothWays_whateverTheSizes) {
    for (const auto& [n, m] : {std::pair{1, 1},
                               {1, 31},
                               {31, 1},
                               {31, 257},
                               {257, 31},
                               {128, 32},
                               {513, 33},
                               {129, 600}}) {
        SCOPED_TRACE(testing::Message() << n << " and " << m);
        expectFound({{randomPoints(static_cast<std::size_t>(n), 1),
                      randomPoints(static_cast<std::size_t>(m), 2)}});
    }
}

TEST(NearestKernel, isTheSame_withAnyNumberOfBlocks) {
    const std::vector<Pair> pairs = {{randomPoints(530, 3), randomPoints(300, 4)}};
    for (const int multiprocessors : {0, 1, 2, 1000}) expectFound(pairs, multiprocessors);
}

TEST(NearestKernel, agreesWithTheProcessor_withinFloatRounding) {
    const Cloud first = randomPoints(257, 5);
    const Cloud second = randomPoints(310, 6);
    const Found found = find({{first, second}});
    const Neighbours there = nearestNeighbours(first, second);
    const Neighbours back = nearestNeighbours(second, first);
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_NEAR(found.firstDistance[i], there.squaredDistances[i],
                    there.squaredDistances[i] * 1e-6);
        EXPECT_EQ(found.firstIndex[i], there.indices[i]);
    }
    for (std::size_t i = 0; i < second.size(); ++i) {
        EXPECT_NEAR(found.secondDistance[i], back.squaredDistances[i],
                    back.squaredDistances[i] * 1e-6);
        EXPECT_EQ(found.secondIndex[i], back.indices[i]);
    }
}

TEST(NearestKernel, takesTheLowestIndex_whenSeveralAreEquallyNear) {
    // Points of a coarse grid, each occurring many times, spread over lanes, warps, chunks and
    // tiles.
    Cloud first = randomPoints(600, 7, -2, 2);
    Cloud second = randomPoints(300, 8, -2, 2);
    for (Cloud* cloud : {&first, &second})
        for (glm::vec3& point : *cloud) point = glm::vec3(std::round(point.x), 0, 0);
    expectFound({{first, second}});
    const Found found = find({{Cloud(600, glm::vec3(1, 2, 3)), Cloud(70, glm::vec3(1, 2, 3))}});
    for (const std::uint32_t index : found.firstIndex) EXPECT_EQ(index, 0U);
    for (const std::uint32_t index : found.secondIndex) EXPECT_EQ(index, 0U);
    for (const float distance : found.firstDistance) EXPECT_EQ(distance, 0.0F);
}

TEST(NearestKernel, keepsPairsOfABatchSeparate) {
    expectFound({{randomPoints(40, 9), randomPoints(65, 10)},
                 {randomPoints(1, 11), randomPoints(257, 12)},
                 {{}, {}},
                 {randomPoints(520, 13), randomPoints(3, 14)},
                 {randomPoints(31, 15), {}},
                 {{}, randomPoints(33, 16)},
                 {randomPoints(5, 17), randomPoints(5, 18)}},
                4);
}

TEST(NearestKernel, leavesPointsWithoutNeighbour_whenTheOtherCloudIsEmpty) {
    const Found found = find({{randomPoints(31, 19), {}}, {{}, randomPoints(40, 20)}});
    for (const float distance : found.firstDistance) EXPECT_EQ(distance, kInfinity);
    for (const float distance : found.secondDistance) EXPECT_EQ(distance, kInfinity);
    for (const std::uint32_t index : found.firstIndex) EXPECT_EQ(index, kNoPoint);
    for (const std::uint32_t index : found.secondIndex) EXPECT_EQ(index, kNoPoint);
}

TEST(NearestKernel, doesNothing_whenThereAreNoPairs) {
    launchNearest(nullptr, {}, {}, {}, nullptr);
    EXPECT_EQ(nearestWorkspaceBytes({}), 0U);
}

TEST(NearestKernel, skipsPoints_whichAreNotFinite) {
    Cloud first = randomPoints(200, 21);
    Cloud second = randomPoints(100, 22);
    first[0].x = std::numeric_limits<float>::quiet_NaN();
    first[63].y = -std::numeric_limits<float>::quiet_NaN();
    first[150].z = kInfinity;
    second[1] = glm::vec3(-kInfinity);
    second[40].z = std::numeric_limits<float>::signaling_NaN();
    const Found found = find({{first, second}});
    expectSame(found, expected({{first, second}}));
    for (const std::size_t i : {0, 63, 150}) {
        EXPECT_EQ(found.firstIndex[i], kNoPoint);
        EXPECT_EQ(found.firstDistance[i], kInfinity);
    }
    EXPECT_EQ(found.secondIndex[1], kNoPoint);
    EXPECT_EQ(found.secondIndex[40], kNoPoint);
}

TEST(NearestKernel, isExact_whenPointsLieFarFromTheOrigin) {
    // The formula |a|² + |b|² − 2ab would lose all digits here.
    expectFound({{randomPoints(100, 23, 1e6F, 1.0001e6F), randomPoints(90, 24, 1e6F, 1.0001e6F)},
                 {randomPoints(33, 25, -1e18F, 1e18F), randomPoints(50, 26, -1e18F, 1e18F)},
                 {randomPoints(33, 27, -1e-19F, 1e-19F), randomPoints(50, 28, -1e-19F, 1e-19F)},
                 {randomPoints(33, 29, -1e30F, 1e30F), randomPoints(50, 30, -1e30F, 1e30F)}});
    const Found found = find({{{glm::vec3(3e38F)}, {glm::vec3(-3e38F)}}});
    EXPECT_EQ(found.firstIndex[0], kNoPoint);
    EXPECT_EQ(found.firstDistance[0], kInfinity);
}

TEST(NearestKernel, isTheSame_inAnyOrderOfThreadsAndBlocks) {
    Cloud first = randomPoints(300, 31);
    first[200] = first[7];
    const Cloud second = randomPoints(90, 32);
    const Found wanted = expected({{first, second}});
    emulation::forEachSeed([&](std::uint64_t seed) {
        SCOPED_TRACE(seed);
        expectSame(find({{first, second}}), wanted);
    });
}

}  // namespace
}  // namespace threefold::cuda
