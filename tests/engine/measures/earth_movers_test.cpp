#include "engine/measures/earth_movers.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stop_token>
#include <thread>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/mesh.h"

namespace threefold {
namespace {

Points shell(std::mt19937& random, std::size_t count, glm::vec3 radii) {
    std::normal_distribution<float> normal;
    Points points(count);
    for (glm::vec3& p : points) {
        p = radii * glm::normalize(glm::vec3(normal(random), normal(random), normal(random)));
    }
    return points;
}

Points moved(Points points, glm::vec3 by) {
    for (glm::vec3& p : points) p += by;
    return points;
}

/// Smallest cost of all assignments of a few points.
double cheapestPermutation(const Points& first, const Points& second) {
    std::vector<std::size_t> order(first.size());
    std::iota(order.begin(), order.end(), 0);
    double best = std::numeric_limits<double>::infinity();
    do {
        double sum = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            sum += glm::distance(glm::dvec3(first[i]), glm::dvec3(second[order[i]]));
        }
        best = std::min(best, sum / static_cast<double>(order.size()));
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

/// Expects that the exact distance lies between the lower bound and the approximation that
/// sinkhornDistance() gives, and that the gap between the two is at most `maxFraction` of the
/// approximation.
void expectBracketed(const Points& first, const Points& second, double maxFraction) {
    const double exact = exactEarthMoversDistance({first, second}).distance;
    const EarthMoversDistance found = sinkhornDistance({first, second});
    const double rounding = 2e-6 * (1 + exact);
    EXPECT_LE(found.lowerBound, exact + rounding);
    EXPECT_GE(found.distance, exact - rounding);
    EXPECT_LE(found.gap(), maxFraction * found.distance + rounding);
    EXPECT_GE(found.gap(), -rounding);
}

TEST(ExactEarthMoversDistance, equalsTheBestPermutation_whenThereAreFewPoints) {
    std::mt19937 random(1);
    for (std::size_t count = 1; count <= 7; ++count) {
        const Points first = shell(random, count, glm::vec3(1));
        const Points second = shell(random, count, glm::vec3(1, 2, 0.5F));
        EXPECT_NEAR(exactEarthMoversDistance({first, second}).distance,
                    cheapestPermutation(first, second), 1e-12);
    }
}

TEST(ExactEarthMoversDistance, splitsMasses_whenSizesDiffer) {
    // Two points of mass 1/2 against three of mass 1/3 on a line.
    const Points first = {{0, 0, 0}, {3, 0, 0}};
    const Points second = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
    EXPECT_NEAR(exactEarthMoversDistance({first, second}).distance, (1.0 + 2.0) / 6, 1e-12);
    EXPECT_NEAR(exactEarthMoversDistance({second, first}).distance, (1.0 + 2.0) / 6, 1e-12);
}

TEST(ExactEarthMoversDistance, isTheDistance_whenACloudIsMoved) {
    std::mt19937 random(2);
    const Points cloud = shell(random, 200, glm::vec3(0.3F));
    const Points far = moved(cloud, {4, 0, 3});
    EXPECT_NEAR(exactEarthMoversDistance({cloud, far}).distance, 5, 1e-6);
}

/// Expects that cost and lower bound are equal: no plan is cheaper than the bound of any
/// potentials, so equality proves that plan and potentials are optimal.
void expectOptimal(const Points& first, const Points& second) {
    double scale = 0;
    for (const glm::vec3& p : first) scale = std::max<double>(scale, glm::distance(p, second[0]));
    const EarthMoversDistance found = exactEarthMoversDistance({first, second});
    EXPECT_LE(found.gap(), 2e-11 * scale) << first.size() << " and " << second.size();
    EXPECT_GE(found.gap(), -1e-12 * scale);
}

TEST(ExactEarthMoversDistance, isProvenByItsPotentials_atAnySizes) {
    std::mt19937 random(9);
    const std::size_t sizes[][2] = {{1, 1},     {1, 2},     {2, 1},      {1, 300},   {300, 1},
                                    {255, 256}, {256, 255}, {250, 1000}, {997, 991}, {101, 2048}};
    for (const auto& size : sizes) {
        expectOptimal(shell(random, size[0], glm::vec3(0.3F, 0.2F, 0.4F)),
                      shell(random, size[1], glm::vec3(0.3F)));
    }
}

TEST(ExactEarthMoversDistance, ends_whenManyPlansAreEquallyGood) {
    std::mt19937 random(10);
    const auto onAGrid = [&](std::size_t count) {
        Points points(count);
        for (glm::vec3& p : points) p = {random() % 6, random() % 6, random() % 6};
        return points;
    };
    expectOptimal(onAGrid(600), onAGrid(601));
    const Points cloud = shell(random, 500, glm::vec3(0.3F));
    Points shuffled = cloud;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    EXPECT_EQ(exactEarthMoversDistance({cloud, shuffled}).distance, 0);
    shuffled.push_back(cloud.front());
    expectOptimal(cloud, shuffled);
    expectOptimal(Points(400, {0, 0, 0}), Points(399, {1, 0, 0}));
    expectOptimal(shell(random, 300, {1, 0, 0}), shell(random, 301, {1, 0, 0}));
    expectOptimal(shell(random, 300, {1, 1, 1}), moved(shell(random, 299, {1, 1, 1}), {100, 0, 0}));
}

TEST(ExactEarthMoversDistance, refuses_whenThereAreTooManyPoints) {
    const Points many(kMaxExactPoints + 1, glm::vec3(0));
    const Points one(1, glm::vec3(0));
    EXPECT_THROW(exactEarthMoversDistance({many, one}), InputError);
    EXPECT_THROW(exactEarthMoversDistance({one, many}), InputError);
    EXPECT_TRUE(canSolveExactly({Points(kMaxExactPoints), Points(kMaxExactPoints)}));
    EXPECT_FALSE(canSolveExactly({one, {}}));
}

TEST(ExactEarthMoversDistance, ends_whenItIsCancelled) {
    std::stop_source stop;
    stop.request_stop();
    const Points cloud = {{0, 0, 0}, {1, 0, 0}};
    EXPECT_THROW(exactEarthMoversDistance({cloud, cloud}, stop.get_token()), Cancelled);
}

TEST(EarthMovers, bracketsTheOptimum_whenSizesAreEqual) {
    std::mt19937 random(3);
    for (const std::size_t count : {1U, 2U, 3U, 15U, 16U, 17U, 100U, 300U}) {
        expectBracketed(shell(random, count, glm::vec3(0.3F)),
                        shell(random, count, glm::vec3(0.3F, 0.2F, 0.4F)), 0.03);
    }
}

TEST(EarthMovers, bracketsTheOptimum_whenSizesAreNotMultiplesOfEachOther) {
    std::mt19937 random(4);
    const std::size_t sizes[][2] = {{2, 3}, {7, 5}, {1, 40}, {40, 1}, {16, 24}, {33, 31}, {64, 96}};
    for (const auto& size : sizes) {
        expectBracketed(shell(random, size[0], glm::vec3(0.3F)),
                        shell(random, size[1], glm::vec3(0.2F)), 0.05);
    }
}

TEST(EarthMovers, bracketsTheOptimum_whenCloudsAreFarFlatOrClustered) {
    std::mt19937 random(5);
    const Points near = shell(random, 60, glm::vec3(0.3F));
    expectBracketed(near, moved(shell(random, 60, glm::vec3(0.3F)), {100, 0, 0}), 0.01);
    expectBracketed(shell(random, 60, {1, 1, 0}), shell(random, 90, {1, 0, 0}), 0.03);
    Points left = shell(random, 20, glm::vec3(1e-3F));
    Points right = left;
    const Points other = moved(shell(random, 40, glm::vec3(1e-3F)), {1, 0, 0});
    // The left cloud has 20 points near the origin and 40 near (1, 0, 0), the right cloud 20 near
    // each.
    left.insert(left.end(), other.begin(), other.end());
    right.insert(right.end(), other.begin(), other.begin() + 20);
    expectBracketed(left, right, 0.02);
}

TEST(EarthMovers, isNearZero_whenCloudsAreTheSame) {
    std::mt19937 random(6);
    const Points cloud = shell(random, 300, glm::vec3(0.3F));
    Points shuffled = cloud;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    const EarthMoversDistance found = sinkhornDistance({cloud, shuffled});
    EXPECT_GE(found.distance, 0);
    EXPECT_LE(found.distance, 1e-3);
    EXPECT_GE(found.lowerBound, 0);
    const Points one(17, glm::vec3(0.1F, 0.2F, 0.3F));
    EXPECT_EQ(sinkhornDistance({one, one}).distance, 0);
}

TEST(EarthMovers, isTheSame_whenRunTwiceOrInABatch) {
    std::mt19937 random(7);
    const Points first = shell(random, 150, glm::vec3(0.3F));
    const Points second = shell(random, 211, glm::vec3(0.2F));
    const EarthMoversDistance alone = sinkhornDistance({first, second});
    const CloudPair pairs[] = {{second, first}, {first, second}};
    const TransportResults batch = sinkhornDistances(pairs);
    ASSERT_EQ(batch.pairs.size(), 2U);
    EXPECT_EQ(batch.pairs[1].distance, alone.distance);
    EXPECT_EQ(batch.pairs[1].lowerBound, alone.lowerBound);
    // The swapped pair is the same problem, but its iterations differ.
    EXPECT_NEAR(batch.pairs[0].distance, alone.distance, alone.gap() + batch.pairs[0].gap());
}

TEST(EarthMovers, isTheSame_withAnyNumberOfThreads) {
    std::mt19937 random(11);
    const Points first = shell(random, 1500, glm::vec3(0.3F));
    const Points second = shell(random, 1300, glm::vec3(0.2F));
    const SinkhornSchedule brief{1, 4, 1.9};
    const int defaultThreads = omp_get_max_threads();
    omp_set_num_threads(1);
    const EarthMoversDistance alone = sinkhornDistance({first, second}, brief);
    omp_set_num_threads(3);
    const EarthMoversDistance shared = sinkhornDistance({first, second}, brief);
    omp_set_num_threads(defaultThreads);
    EXPECT_EQ(alone.distance, shared.distance);
    EXPECT_EQ(alone.lowerBound, shared.lowerBound);
}

TEST(EarthMovers, ends_whenItIsCancelledFromAnotherThread) {
    std::mt19937 random(12);
    const Points first = shell(random, 1500, glm::vec3(0.3F));
    const Points second = shell(random, 1300, glm::vec3(0.2F));
    SinkhornSchedule endless;
    endless.finalIterations = std::numeric_limits<int>::max();
    std::stop_source stop;
    const std::jthread other([&] { stop.request_stop(); });
    EXPECT_THROW(sinkhornDistance({first, second}, endless, stop.get_token()), Cancelled);
}

TEST(EarthMovers, reportsItsProgress_whenAsked) {
    std::mt19937 random(12);
    const Points first = shell(random, 150, glm::vec3(0.3F));
    const Points second = shell(random, 130, glm::vec3(0.2F));
    std::vector<double> fractions;
    const EarthMoversDistance found = sinkhornDistance(
        {first, second}, {}, {}, [&](double fraction) { fractions.push_back(fraction); });
    EXPECT_TRUE(found.hasConverged());
    ASSERT_GT(fractions.size(), 100U);
    EXPECT_TRUE(std::ranges::is_sorted(fractions));
    EXPECT_GT(fractions.front(), 0);
    EXPECT_DOUBLE_EQ(fractions.back(), 1);
}

TEST(EarthMovers, refuses_whenThereAreTooManyPairsOfPoints) {
    const Points many(65536);
    const Points more(65537);
    EXPECT_NO_THROW(requireTransportable({many, many}));
    EXPECT_THROW(requireTransportable({many, more}), InputError);
    EXPECT_THROW(sinkhornDistance({more, many}), InputError);
}

/// Points with nearly normally distributed coordinates around 0. Unlike numbers of
/// std::normal_distribution, the coordinates are the same with every standard library.
Points cloudOf(unsigned seed, std::size_t count, float spread) {
    std::mt19937 random(seed);
    const auto coordinate = [&] {
        constexpr unsigned kSteps = 1U << 20;
        float sum = -6;
        for (int i = 0; i < 12; ++i) sum += static_cast<float>(random() % kSteps) / kSteps;
        return spread * sum;
    };
    Points points(count);
    for (glm::vec3& p : points) {
        p.x = coordinate();
        p.y = coordinate();
        p.z = coordinate();
    }
    return points;
}

TEST(EarthMovers, converges_whenRelaxedIterationsOscillate) {
    const SinkhornSchedule relaxed{0, 40, 1.95};
    const SinkhornSchedule plain{0, 40, 1};
    for (const unsigned seed : {1U, 3U}) {
        const Points first = cloudOf(seed, 16, 0.2F);
        const Points second = cloudOf(seed + 100, 40, 0.3F);
        const EarthMoversDistance found = sinkhornDistance({first, second}, relaxed);
        const EarthMoversDistance steady = sinkhornDistance({first, second}, plain);
        EXPECT_TRUE(found.hasConverged()) << seed;
        EXPECT_EQ(found.distance, steady.distance) << seed;
        EXPECT_EQ(found.lowerBound, steady.lowerBound) << seed;
        const double exact = exactEarthMoversDistance({first, second}).distance;
        EXPECT_LE(found.lowerBound, exact + 2e-6) << seed;
        EXPECT_GE(found.distance, exact - 2e-6) << seed;
    }
}

TEST(EarthMovers, converges_whenTheDefaultScheduleOscillates) {
    std::mt19937 random(1);
    const auto normal = [&](std::size_t count, float spread) {
        std::normal_distribution<float> coordinate(0, spread);
        Points cloud(count);
        for (glm::vec3& point : cloud)
            point = {coordinate(random), coordinate(random), coordinate(random)};
        return cloud;
    };
    const Points narrow = normal(2466, 0.2F);
    const Points wide = normal(6500, 0.3F);
    const EarthMoversDistance found = sinkhornDistance({narrow, wide});
    EXPECT_TRUE(found.hasConverged());
    EXPECT_LE(found.distance, 1.05 * found.lowerBound);
}

TEST(ConvergedDistances, repeatPairsWithoutRelaxation_whenTheseDidNotConverge) {
    const Points clouds[] = {{{0, 0, 0}}, {{1, 0, 0}}, {{2, 0, 0}}, {{3, 0, 0}}, {{4, 0, 0}}};
    std::vector<CloudPair> pairs;
    for (const Points& cloud : clouds) pairs.push_back({cloud, cloud});
    const double none = std::nan("");
    const std::vector<EarthMoversDistance> relaxed = {
        {1, 0.9}, {5, 1}, {none, 0}, {5, 4.1}, {2, none}};
    std::vector<double> asked;
    const auto run = [&](std::span<const CloudPair> some, const SinkhornSchedule& with) {
        asked.push_back(with.relaxation);
        EXPECT_EQ(with.coolingIterations, 3);
        EXPECT_EQ(with.finalIterations, 50);
        if (asked.size() == 1) return relaxed;
        EXPECT_EQ(some.size(), 3U);
        EXPECT_EQ(some[0].first.data(), clouds[1].data());
        EXPECT_EQ(some[1].first.data(), clouds[2].data());
        EXPECT_EQ(some[2].first.data(), clouds[4].data());
        return std::vector<EarthMoversDistance>{{4, 0.5}, {3, 2}, {2.5, 2.4}};
    };
    const std::vector<EarthMoversDistance> found = convergedDistances(pairs, {3, 50, 1.9}, run);
    const std::vector<EarthMoversDistance> expected = {
        {1, 0.9}, {4, 1}, {3, 2}, {5, 4.1}, {2.5, 2.4}};
    EXPECT_EQ(asked, (std::vector<double>{1.9, 1}));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].distance, expected[i].distance) << i;
        EXPECT_EQ(found[i].lowerBound, expected[i].lowerBound) << i;
    }
}

TEST(ConvergedDistances, runOnce_whenNothingIsRelaxedOrAllConverge) {
    const Points cloud = {{0, 0, 0}};
    const CloudPair pair{cloud, cloud};
    EarthMoversDistance answer{5, 1};
    int runs = 0;
    const auto run = [&](std::span<const CloudPair>, const SinkhornSchedule&) {
        ++runs;
        return std::vector{answer};
    };
    EXPECT_EQ(convergedDistances({&pair, 1}, {4, 200, 1}, run).front().lowerBound, 1);
    EXPECT_EQ(runs, 1);
    answer = {5, 4};
    EXPECT_EQ(convergedDistances({&pair, 1}, {}, run).front().lowerBound, 4);
    EXPECT_EQ(runs, 2);
    answer = {0, 0};
    convergedDistances({&pair, 1}, {}, run);
    EXPECT_EQ(runs, 3);
}

TEST(EarthMovers, closesTheGap_whenItRunsLonger) {
    std::mt19937 random(8);
    const Points first = shell(random, 200, glm::vec3(0.3F));
    const Points second = shell(random, 250, glm::vec3(0.3F));
    SinkhornSchedule brief;
    brief.finalIterations = 4;
    EXPECT_LT(sinkhornDistance({first, second}).gap(),
              0.5 * sinkhornDistance({first, second}, brief).gap());
}

TEST(EarthMovers, refusesCloudsThatAreEmptyOrNotFiniteOrTooFar) {
    const Points one = {{0, 0, 0}};
    const Points bad = {{0, 0, 0}, {0, std::nanf(""), 0}};
    EXPECT_THROW(sinkhornDistance({one, {}}), InputError);
    EXPECT_THROW(sinkhornDistance({{}, one}), InputError);
    EXPECT_THROW(sinkhornDistance({one, bad}), InputError);
    EXPECT_THROW(exactEarthMoversDistance({bad, one}), InputError);
    EXPECT_THROW(sinkhornDistance({one, Points{{0, 1e19F, 0}}}), InputError);
    const EarthMoversDistance far =
        sinkhornDistance({Points{{0, 1e18F, 0}}, Points{{0, -1e18F, 0}}});
    EXPECT_NEAR(far.distance, 2e18, 1e13);
    EXPECT_NEAR(far.lowerBound, 2e18, 1e13);
    EXPECT_THROW(exactEarthMoversDistance({one, {}}), InputError);
    SinkhornSchedule schedule;
    schedule.relaxation = 2;
    EXPECT_THROW(sinkhornDistance({one, one}, schedule), InputError);
    schedule = {4, 3, 1};
    EXPECT_THROW(sinkhornDistance({one, one}, schedule), InputError);
}

}  // namespace
}  // namespace threefold
