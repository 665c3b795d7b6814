#include "engine/geometry/nearest.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/geometry/nearest_tree.h"
#include "engine/geometry/simd/nearest_search.h"
#include "engine/mesh.h"

namespace threefold {
namespace {

double squaredDistance(glm::dvec3 a, glm::dvec3 b) {
    return glm::dot(a - b, a - b);
}

/// Compares nearestNeighbours() with brute force in double precision.
void expectExact(const Points& queries, const Points& reference) {
    const Neighbours nearest = nearestNeighbours(queries, reference);
    ASSERT_EQ(nearest.squaredDistances.size(), queries.size());
    ASSERT_EQ(nearest.indices.size(), queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
        double best = std::numeric_limits<double>::infinity();
        for (const glm::vec3& point : reference)
            best = std::min(best, squaredDistance(queries[i], point));
        ASSERT_NEAR(nearest.squaredDistances[i], best, 1e-12 * best) << "query " << i;
        ASSERT_LT(nearest.indices[i], reference.size());
        ASSERT_NEAR(squaredDistance(queries[i], reference[nearest.indices[i]]), best, 1e-12 * best);
    }
}

Points randomCloud(std::mt19937& random, std::size_t count, glm::vec3 scale) {
    std::normal_distribution<float> normal;
    Points points(count);
    for (glm::vec3& p : points)
        p = scale * glm::vec3(normal(random), normal(random), normal(random));
    return points;
}

TEST(NearestNeighbours, equalsBruteForce_whenCloudsAreRandom) {
    std::mt19937 random(7);
    for (std::size_t count : {1u, 2u, 9u, 16u, 17u, 100u, 1000u}) {
        expectExact(randomCloud(random, 300, glm::vec3(0.2f)),
                    randomCloud(random, count, glm::vec3(0.2f)));
    }
}

TEST(NearestNeighbours, equalsBruteForce_whenCloudsAreFlatThinOrFar) {
    std::mt19937 random(8);
    for (const glm::vec3 scale :
         {glm::vec3(1, 1, 0), glm::vec3(1, 0, 0), glm::vec3(1e-6f, 1, 1e3f)})
        expectExact(randomCloud(random, 200, scale), randomCloud(random, 500, scale));
    Points far = randomCloud(random, 100, glm::vec3(1));
    for (glm::vec3& p : far) p += glm::vec3(1000, 0, 0);
    expectExact(far, randomCloud(random, 500, glm::vec3(1)));
}

TEST(NearestNeighbours, isZero_whenPointsCoincide) {
    const Points same(200, glm::vec3(0.1f, 0.2f, 0.3f));
    for (double d : nearestNeighbours(same, same).squaredDistances) EXPECT_EQ(d, 0.0);
}

TEST(NearestNeighbours, keepsDoublePrecision_whenDifferencesAreTiny) {
    const Neighbours nearest = nearestNeighbours(Points{{0.8f, 0, 0}}, Points{{-1e-9f, 0, 0}});
    const double difference = static_cast<double>(0.8f) + static_cast<double>(1e-9f);
    EXPECT_DOUBLE_EQ(nearest.squaredDistances[0], difference * difference);
}

TEST(NearestNeighbours, equalsBruteForce_whenCloudsAreHostile) {
    std::mt19937 random(10);
    const Points some = randomCloud(random, 700, glm::vec3(1));
    std::vector<Points> clouds = {
        Points(700, glm::vec3(0.3F)),                 // all points equal
        randomCloud(random, 700, glm::vec3(1e18F)),   // squares overflow float32
        randomCloud(random, 700, glm::vec3(1e-30F)),  // squares underflow float32
        // The smallest number of points for which a tree is built.
        randomCloud(random, 257, glm::vec3(1)),
        // The largest number of points for which no tree is built.
        randomCloud(random, 256, glm::vec3(1)),
        Points(1, glm::vec3(3e38F)),
    };
    Points clusters = randomCloud(random, 900, glm::vec3(1e-6F));
    for (std::size_t i = 0; i < clusters.size(); i += 3) clusters[i] += glm::vec3(1e6F, 0, 0);
    clusters.emplace_back(0.0F, 1e18F, 0.0F);
    clouds.push_back(clusters);
    Points twice = some;
    twice.insert(twice.end(), some.begin(), some.end());
    clouds.push_back(twice);
    for (const Points& cloud : clouds) {
        expectExact(some, cloud);
        expectExact(cloud, some);
        expectExact(cloud, cloud);
    }
}

TEST(NearestNeighbours, givesEqualDistancesToTheLastBit_onEveryInstructionSet) {
    std::mt19937 random(11);
    const Points reference = randomCloud(random, 3001, glm::vec3(0.3F, 1, 2));
    const Points queries = randomCloud(random, 500, glm::vec3(1));
    const PackedKdTree packed(reference);
    for (const simd::NearestSearch* search : simd::runnableNearestSearches()) {
        std::vector<double> squared(queries.size());
        std::vector<std::uint32_t> position(queries.size());
        search->find(packed.view(), &queries[0].x, queries.size(), squared.data(), position.data());
        for (std::size_t i = 0; i < queries.size(); ++i) {
            double best = std::numeric_limits<double>::infinity();
            for (const glm::vec3& point : reference)
                best = std::min(best, squaredDistance(queries[i], point));
            ASSERT_EQ(squared[i], best) << search->name << " query " << i;
            const glm::vec3& found = reference[packed.indexOf(position[i])];
            ASSERT_EQ(squaredDistance(queries[i], found), best);
        }
    }
}

TEST(NearestNeighbours, isExact_whenThereAreEnoughQueriesForThreads) {
    std::mt19937 random(12);
    const Points reference = randomCloud(random, 40'000, glm::vec3(1));
    const NearestIndex index(reference);
    const Neighbours all = index.find(reference);
    for (std::size_t i = 0; i < reference.size(); ++i) {
        ASSERT_EQ(all.squaredDistances[i], 0);
        ASSERT_EQ(reference[all.indices[i]], reference[i]);
    }
    const Points few = randomCloud(random, 40, glm::vec3(1));
    const Neighbours found = index.find(few);
    for (std::size_t i = 0; i < few.size(); ++i) {
        double best = std::numeric_limits<double>::infinity();
        for (const glm::vec3& point : reference)
            best = std::min(best, squaredDistance(few[i], point));
        ASSERT_EQ(found.squaredDistances[i], best);
    }
}

TEST(NearestNeighbours, givesTheSame_whenTheIndexIsReused) {
    std::mt19937 random(9);
    const Points reference = randomCloud(random, 400, glm::vec3(1));
    const Points queries = randomCloud(random, 50, glm::vec3(1));
    NearestIndex index(reference);
    const NearestIndex moved = std::move(index);
    for (int run = 0; run < 2; ++run)
        EXPECT_EQ(moved.find(queries).squaredDistances,
                  nearestNeighbours(queries, reference).squaredDistances);
}

TEST(NearestNeighbours, isEmpty_whenNothingIsAsked) {
    EXPECT_TRUE(nearestNeighbours({}, Points{{0, 0, 0}}).indices.empty());
    EXPECT_TRUE(nearestNeighbours({}, {}).indices.empty());
}

TEST(NearestNeighbours, refusesPointsThatAreMissingOrNotFinite) {
    EXPECT_THROW(nearestNeighbours(Points{{0, 0, 0}}, {}), InputError);
    const Points bad = {{0, 0, 0}, {0, std::nanf(""), 0}};
    const Points infinite = {{std::numeric_limits<float>::infinity(), 0, 0}};
    for (const Points& points : {bad, infinite}) {
        EXPECT_THROW(nearestNeighbours(points, Points{{0, 0, 0}}), InputError);
        EXPECT_THROW(nearestNeighbours(Points{{0, 0, 0}}, points), InputError);
    }
}

}  // namespace
}  // namespace threefold
