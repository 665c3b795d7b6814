#include "cuda/kernels/sinkhorn.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <glm/vec3.hpp>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/cuda/emulation/emulator.h"

namespace threefold::cuda {
namespace {

using Cloud = std::vector<glm::vec3>;
using Pair = std::pair<Cloud, Cloud>;

/// A schedule short enough for the emulator.
constexpr SinkhornSchedule kShort = {1, 6, 1.5};

Cloud randomCloud(std::size_t count, unsigned seed, float size = 1, float offset = 0) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> value(offset - size, offset + size);
    Cloud cloud(count);
    for (glm::vec3& point : cloud) {
        point.x = value(generator);
        point.y = value(generator);
        point.z = value(generator);
    }
    return cloud;
}

/// Runs steps 1 to 4 of the definition (METHOD.md §9) in one call of launchMatching(), on a
/// workspace whose initial contents must not matter.
std::vector<EarthMoversDistance> matchOnce(const std::vector<Pair>& pairs,
                                           const SinkhornSchedule& schedule) {
    Cloud first, second;
    std::vector<std::uint32_t> firstOffsets{0}, secondOffsets{0};
    PackedCloudPairs clouds;
    for (const Pair& pair : pairs) {
        first.insert(first.end(), pair.first.begin(), pair.first.end());
        second.insert(second.end(), pair.second.begin(), pair.second.end());
        firstOffsets.push_back(static_cast<std::uint32_t>(first.size()));
        secondOffsets.push_back(static_cast<std::uint32_t>(second.size()));
        clouds.maxFirstCount =
            std::max(clouds.maxFirstCount, static_cast<std::uint32_t>(pair.first.size()));
        clouds.maxSecondCount =
            std::max(clouds.maxSecondCount, static_cast<std::uint32_t>(pair.second.size()));
    }
    clouds.first = first.empty() ? nullptr : &first.front().x;
    clouds.second = second.empty() ? nullptr : &second.front().x;
    clouds.firstOffsets = firstOffsets.data();
    clouds.secondOffsets = secondOffsets.data();
    clouds.pairs = static_cast<int>(pairs.size());
    clouds.firstPointCount = static_cast<std::uint32_t>(first.size());
    clouds.secondPointCount = static_cast<std::uint32_t>(second.size());

    std::vector<double> workspace(matchingWorkspaceBytes(clouds) / sizeof(double),
                                  std::numeric_limits<double>::quiet_NaN());
    std::vector<EarthMoversDistance> results(pairs.size(), EarthMoversDistance{-1, -1});
    launchMatching(nullptr, clouds, schedule, results.data(),
                   reinterpret_cast<std::byte*>(workspace.data()));
    return results;
}

/// Runs the whole matching until the distances converge, as the back end does.
std::vector<EarthMoversDistance> match(const std::vector<Pair>& pairs,
                                       const SinkhornSchedule& schedule) {
    std::vector<CloudPair> views;
    for (const auto& [first, second] : pairs) views.push_back({first, second});
    return convergedDistances(
        views, schedule, [](std::span<const CloudPair> some, const SinkhornSchedule& with) {
            std::vector<Pair> copies;
            for (const CloudPair& pair : some) {
                copies.emplace_back(Cloud(pair.first.begin(), pair.first.end()),
                                    Cloud(pair.second.begin(), pair.second.end()));
            }
            return matchOnce(copies, with);
        });
}

double scaleOf(const Pair& pair) {
    glm::dvec3 low(std::numeric_limits<double>::infinity());
    glm::dvec3 high(-low);
    for (const Cloud& cloud : {pair.first, pair.second}) {
        for (const glm::vec3& point : cloud) {
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = std::min(low[axis], static_cast<double>(point[axis]));
                high[axis] = std::max(high[axis], static_cast<double>(point[axis]));
            }
        }
    }
    const glm::dvec3 size = high - low;
    return std::sqrt(size.x * size.x + size.y * size.y + size.z * size.z);
}

/// Effect of rounding on sums of exponentials, relative to scaleOf().
constexpr double kRounding = 1e-5;

void expectAsOnTheProcessor(const std::vector<Pair>& pairs, const SinkhornSchedule& schedule) {
    omp_set_num_threads(1);  // with such small clouds, several threads would mostly wait for each
                             // other
    const std::vector<EarthMoversDistance> found = match(pairs, schedule);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        SCOPED_TRACE(i);
        const EarthMoversDistance expected =
            sinkhornDistance({pairs[i].first, pairs[i].second}, schedule);
        const double allowed = kRounding * scaleOf(pairs[i]);
        EXPECT_NEAR(found[i].distance, expected.distance, allowed);
        EXPECT_NEAR(found[i].lowerBound, expected.lowerBound, allowed);
    }
}

TEST(MatchingKernels, agreeWithTheProcessor_whateverTheSizes) {
    for (const auto& [n, m] : {std::pair{1, 1}, {1, 9}, {7, 1}, {8, 128}, {31, 17}, {9, 130}}) {
        SCOPED_TRACE(testing::Message() << n << " and " << m);
        expectAsOnTheProcessor({{randomCloud(static_cast<std::size_t>(n), 1),
                                 randomCloud(static_cast<std::size_t>(m), 2)}},
                               kShort);
    }
}

TEST(MatchingKernels, agreeWithTheProcessor_whenThePlanIsNearlyTheBest) {
    expectAsOnTheProcessor({{randomCloud(15, 3), randomCloud(10, 4)}}, {4, 60, 1.9});
}

TEST(MatchingKernels, convergeAsOnTheProcessor_whenRelaxedIterationsOscillate) {
    const SinkhornSchedule schedule{0, 60, 1.98};
    const std::vector<Pair> pairs = {{randomCloud(20, 30), randomCloud(60, 31, 2)},
                                     {randomCloud(20, 34), randomCloud(60, 35, 2)}};
    for (const EarthMoversDistance& once : matchOnce(pairs, schedule))
        EXPECT_FALSE(once.hasConverged());
    expectAsOnTheProcessor(pairs, schedule);
}

TEST(MatchingKernels, encloseTheExactAnswer_ofSmallSets) {
    const std::vector<Pair> pairs = {{randomCloud(6, 5), randomCloud(6, 6)},
                                     {randomCloud(4, 7), randomCloud(10, 8)},
                                     {randomCloud(9, 9), randomCloud(6, 10)}};
    const std::vector<EarthMoversDistance> found = match(pairs, {4, 40, 1.9});
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        SCOPED_TRACE(i);
        const double exact = exactEarthMoversDistance({pairs[i].first, pairs[i].second}).distance;
        const double allowed = kRounding * scaleOf(pairs[i]);
        EXPECT_LE(found[i].lowerBound, exact + allowed);
        EXPECT_GE(found[i].distance, exact - allowed);
        EXPECT_LE(found[i].gap(), 0.1 * exact);
    }
}

TEST(MatchingKernels, matchAPairTheSame_aloneAndWithinABatch) {
    const std::vector<Pair> pairs = {{randomCloud(5, 11), randomCloud(12, 12)},
                                     {randomCloud(20, 13), randomCloud(3, 14)},
                                     {randomCloud(1, 15), randomCloud(1, 16)}};
    expectAsOnTheProcessor(pairs, kShort);
    const std::vector<EarthMoversDistance> together = match(pairs, kShort);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::vector<EarthMoversDistance> alone = match({pairs[i]}, kShort);
        EXPECT_EQ(alone[0].distance, together[i].distance) << i;
        EXPECT_EQ(alone[0].lowerBound, together[i].lowerBound) << i;
    }
}

TEST(MatchingKernels, agreeWithTheProcessor_farFromTheOriginAndAtAnySize) {
    expectAsOnTheProcessor({{randomCloud(9, 17, 1e-6F), randomCloud(12, 18, 1e-6F)},
                            {randomCloud(9, 19, 1e6F), randomCloud(12, 20, 1e6F)},
                            {randomCloud(9, 21, 1, 1e4F), randomCloud(12, 22, 1, 1e4F)}},
                           kShort);
}

TEST(MatchingKernels, giveZero_whenAllPointsAreEqual) {
    const Cloud here(5, glm::vec3(1, 2, 3));
    const std::vector<EarthMoversDistance> found = match({{here, here}}, kShort);
    EXPECT_EQ(found[0].distance, 0);
    EXPECT_EQ(found[0].lowerBound, 0);
}

TEST(MatchingKernels, acceptCoincidentPoints) {
    Cloud first = randomCloud(8, 23);
    Cloud second = first;
    first[3] = first[2];
    std::reverse(second.begin(), second.end());
    expectAsOnTheProcessor({{first, second}}, kShort);
}

TEST(MatchingKernels, giveNan_whenACloudIsEmptyOrNotFinite) {
    Cloud broken = randomCloud(4, 24);
    broken[2].y = std::numeric_limits<float>::infinity();
    const Cloud fine = randomCloud(3, 25);
    const std::vector<EarthMoversDistance> found =
        matchOnce({{broken, fine}, {fine, broken}, {{}, fine}, {fine, {}}, {fine, fine}}, kShort);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_TRUE(std::isnan(found[i].distance)) << i;
        EXPECT_TRUE(std::isnan(found[i].lowerBound)) << i;
    }
    EXPECT_GE(found[4].distance, 0);
}

TEST(MatchingKernels, refuseAScheduleThatCannotBeRun) {
    EXPECT_THROW(launchMatching(nullptr, {}, {4, 3, 1.9}, nullptr, nullptr), InputError);
    EXPECT_THROW(launchMatching(nullptr, {}, {4, 200, 2.0}, nullptr, nullptr), InputError);
    launchMatching(nullptr, {}, {}, nullptr, nullptr);
    EXPECT_EQ(matchingWorkspaceBytes({}), 0U);
}

TEST(MatchingKernels, areTheSame_inAnyOrderOfThreadsAndBlocks) {
    const std::vector<Pair> pairs = {{randomCloud(11, 26), randomCloud(9, 27)}};
    const std::vector<EarthMoversDistance> expected = match(pairs, kShort);
    emulation::forEachSeed([&](std::uint64_t seed) {
        const std::vector<EarthMoversDistance> found = match(pairs, kShort);
        EXPECT_EQ(found[0].distance, expected[0].distance) << seed;
        EXPECT_EQ(found[0].lowerBound, expected[0].lowerBound) << seed;
    });
}

}  // namespace
}  // namespace threefold::cuda
