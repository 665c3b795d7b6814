#include "engine/measures/scores.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/geometry/surface_samples.h"
#include "engine/measures/earth_movers.h"
#include "tests/support/message_of.h"

namespace threefold {
namespace {

using testing::HasSubstr;

/// A unit square in the plane z = `height`, with normals along +z.
Mesh square(float height) {
    return {{{0, 0, height}, {1, 0, height}, {1, 1, height}, {0, 1, height}},
            {{0, 1, 2}, {0, 2, 3}}};
}

ScoredShape scoredShapeOf(const Mesh& mesh) {
    return {mesh.vertices, mesh.faces, {}};
}

Points randomCloud(std::mt19937& random, std::size_t count) {
    std::normal_distribution<float> normal;
    Points points(count);
    for (glm::vec3& p : points) p = {normal(random), normal(random), normal(random)};
    return points;
}

TEST(Score, equalsBruteForceInDoublePrecision_whenCloudsAreRandom) {
    std::mt19937 random(1);
    const Points prediction = randomCloud(random, 700);
    const Points truth = randomCloud(random, 1100);
    ScoreOptions options;
    options.tau = 0.02;
    const Scores scores = score({prediction, {}, {}}, {truth, {}, {}}, options);

    double sums[2] = {0, 0};
    double worst[2] = {0, 0};
    double within[2] = {0, 0};
    for (int side = 0; side < 2; ++side) {
        const Points& from = side == 0 ? prediction : truth;
        const Points& to = side == 0 ? truth : prediction;
        for (const glm::vec3& p : from) {
            double min = std::numeric_limits<double>::infinity();
            for (const glm::vec3& q : to) {
                const glm::dvec3 d = glm::dvec3(p) - glm::dvec3(q);
                min = std::min(min, glm::dot(d, d));
            }
            sums[side] += min / static_cast<double>(from.size());
            worst[side] = std::max(worst[side], std::sqrt(min));
            within[side] += min <= 0.02 ? 100.0 / static_cast<double>(from.size()) : 0;
        }
    }
    EXPECT_EQ(scores.predictionPoints, 700U);
    EXPECT_EQ(scores.truthPoints, 1100U);
    EXPECT_NEAR(scores.measures.chamfer, sums[0] + sums[1], 1e-12);
    EXPECT_NEAR(scores.measures.atTau().precision, within[0], 1e-9);
    EXPECT_NEAR(scores.measures.atTau().recall, within[1], 1e-9);
    EXPECT_NEAR(scores.hausdorffToTruth, worst[0], 1e-12);
    EXPECT_NEAR(scores.hausdorffFromTruth, worst[1], 1e-12);
    EXPECT_EQ(scores.hausdorff, std::max(scores.hausdorffToTruth, scores.hausdorffFromTruth));
    EXPECT_FALSE(scores.normalConsistency);
    EXPECT_FALSE(scores.earthMovers);
}

TEST(Score, samplesBothSurfaces_underTheSurfaceProtocol) {
    const Mesh low = square(0);
    const Mesh high = square(0.25F);
    ScoreOptions options;
    options.protocol = Protocol::surface;
    const Scores scores = score(scoredShapeOf(low), scoredShapeOf(high), options);
    EXPECT_EQ(scores.protocol, Protocol::surface);
    EXPECT_EQ(scores.predictionPoints, kSurfaceSampleCount);
    EXPECT_EQ(scores.truthPoints, kSurfaceSampleCount);
    // With the same seed, samples of both squares lie exactly above each other.
    EXPECT_NEAR(scores.measures.chamfer, 2 * 0.0625, 1e-12);
    EXPECT_NEAR(scores.hausdorff, 0.25, 1e-12);
    EXPECT_NEAR(scores.normalConsistency.value(), 1, 1e-12);
}

TEST(Score, usesTheTruthsPoints_whenItHasNoFaces) {
    const Mesh low = square(0);
    const Points truth = {{0, 0, 0}, {1, 1, 0}};
    for (const Protocol protocol : {Protocol::published, Protocol::surface}) {
        ScoreOptions options;
        options.protocol = protocol;
        EXPECT_EQ(score(scoredShapeOf(low), {truth, {}, {}}, options).truthPoints, 2U);
    }
}

TEST(Score, derivesNormalsFromFaces_whenThereAreNone) {
    const Mesh mesh = square(0);
    // Normals at 60° to the square's; the sign of a normal does not count.
    const Points normals = {{0, std::sqrt(3.0F), 1}, {0, -std::sqrt(3.0F), -1}};
    const Points truth = {{0, 0, 0}, {1, 1, 0}};
    const Scores scores = score(scoredShapeOf(mesh), {truth, {}, normals}, {});
    EXPECT_NEAR(scores.normalConsistency.value(), 0.5, 1e-7);
}

TEST(Score, leavesPointsWithoutNormals_outOfTheConsistency) {
    const Points points = {{0, 0, 0}, {1, 0, 0}};
    const Points half = {{0, 0, 0}, {0, 0, 1}};
    const Points none = {{0, 0, 0}, {0, 0, 0}};
    const ScoredShape truth{points, {}, half};
    EXPECT_EQ(score({points, {}, half}, truth, {}).normalConsistency, 1.0);
    EXPECT_FALSE(score({points, {}, none}, truth, {}).normalConsistency);
    EXPECT_FALSE(score({points, {}, {}}, truth, {}).normalConsistency);
}

TEST(Score, isPerfect_whenBothAreTheSame) {
    std::mt19937 random(2);
    const Points cloud = randomCloud(random, 100);
    ScoreOptions options;
    options.measuresEarthMovers = true;
    const Scores scores = score({cloud, {}, {}}, {cloud, {}, {}}, options);
    EXPECT_EQ(scores.measures.chamfer, 0);
    EXPECT_EQ(scores.hausdorff, 0);
    EXPECT_TRUE(scores.earthMovers.value().isExact);
    EXPECT_NEAR(scores.earthMovers->distance, 0, 1e-12);
    EXPECT_EQ(scores.earthMovers->lowerBound, scores.earthMovers->distance);
}

TEST(Score, marksTheEarthMoversDistanceAsABound_whenPointsAreTooMany) {
    const Points many(kMaxExactPoints + 1, glm::vec3(0));
    const Points one = {{3, 4, 0}};
    ScoreOptions options;
    options.measuresEarthMovers = true;
    const Scores scores = score({many, {}, {}}, {one, {}, {}}, options);
    EXPECT_FALSE(scores.earthMovers.value().isExact);
    EXPECT_NEAR(scores.earthMovers->distance, 5, 1e-4);
    EXPECT_NEAR(scores.earthMovers->lowerBound, 5, 1e-4);
    EXPECT_LE(scores.earthMovers->lowerBound, scores.earthMovers->distance);
}

TEST(Score, givesTheExactEarthMoversDistance_whenSizesAreCoprime) {
    std::mt19937 random(5);
    ScoreOptions options;
    options.measuresEarthMovers = true;
    const Points first = randomCloud(random, 211);
    const Points second = randomCloud(random, 199);
    const Scores scores = score({first, {}, {}}, {second, {}, {}}, options);
    EXPECT_TRUE(scores.earthMovers.value().isExact);
    EXPECT_EQ(scores.earthMovers->distance, exactEarthMoversDistance({first, second}).distance);
}

TEST(Score, isCancelled_duringTheEarthMoversDistance) {
    const Points few = {{0, 0, 0}, {1, 0, 0}};
    const Points many(kMaxExactPoints + 1, glm::vec3(1));
    std::stop_source stop;
    stop.request_stop();
    ScoreOptions options;
    options.cancel = stop.get_token();
    EXPECT_NO_THROW(score({few, {}, {}}, {few, {}, {}}, options));
    options.measuresEarthMovers = true;
    EXPECT_THROW(score({few, {}, {}}, {few, {}, {}}, options), Cancelled);
    EXPECT_THROW(score({many, {}, {}}, {few, {}, {}}, options), Cancelled);
}

TEST(PreparedTruth, isReusable_forEveryPrediction) {
    std::mt19937 random(3);
    const Points truth = randomCloud(random, 300);
    const Points first = randomCloud(random, 200);
    const Points second = randomCloud(random, 100);
    PreparedTruth made({truth, {}, {}}, {});
    const PreparedTruth prepared = std::move(made);
    for (const Points* prediction : {&first, &second, &first}) {
        EXPECT_EQ(prepared.score({*prediction, {}, {}}).measures.chamfer,
                  score({*prediction, {}, {}}, {truth, {}, {}}, {}).measures.chamfer);
    }
}

TEST(PreparedTruth, keepsItsSamples_whenMoved) {
    const Mesh mesh = square(0);
    ScoreOptions options;
    options.protocol = Protocol::surface;
    PreparedTruth made(scoredShapeOf(mesh), options);
    const PreparedTruth prepared = std::move(made);
    EXPECT_EQ(prepared.score(scoredShapeOf(mesh)).measures.chamfer, 0);
}

TEST(Score, namesTheSideAndTheVertex_whenItCannotBeScored) {
    const Mesh mesh = square(0);
    const Points some = {{0, 0, 0}};
    const Points bad = {{0, 0, 0}, {0, std::nanf(""), 0}};
    ScoreOptions surface;
    surface.protocol = Protocol::surface;
    const auto message = [](const ScoredShape& prediction, const ScoredShape& truth,
                            const ScoreOptions& options) {
        return test::messageOf<InputError>([&] { score(prediction, truth, options); });
    };
    EXPECT_THAT(message({{}, {}, {}}, {some, {}, {}}, {}), HasSubstr("prediction: has no points"));
    EXPECT_THAT(message({some, {}, {}}, {{}, {}, {}}, {}), HasSubstr("truth: has no points"));
    EXPECT_THAT(message({bad, {}, {}}, {some, {}, {}}, {}), HasSubstr("prediction: point 1"));
    EXPECT_THAT(message({some, {}, {}}, {bad, {}, {}}, {}), HasSubstr("truth: point 1"));
    EXPECT_THAT(message({some, {}, {}}, {some, {}, {}}, surface),
                HasSubstr("prediction: has no faces"));
    EXPECT_THAT(message({some, mesh.faces, {}}, {some, {}, {}}, {}),
                HasSubstr("prediction: face 0: names the vertex 1"));
    EXPECT_THAT(message({some, mesh.faces, {}}, {some, {}, {}}, surface),
                HasSubstr("prediction: face 0: names the vertex 1"));
    EXPECT_THAT(message({some, {}, bad}, {some, {}, {}}, {}), HasSubstr("2 normals for 1 points"));
    ScoreOptions none;
    none.tau = 0;
    EXPECT_THAT(message({some, {}, {}}, {some, {}, {}}, none), HasSubstr("tau"));
}

TEST(Protocol, isReadByItsName) {
    for (const Protocol protocol : {Protocol::published, Protocol::surface}) {
        EXPECT_EQ(protocolFromName(protocolName(protocol)), protocol);
    }
    EXPECT_THROW(protocolFromName("both"), UsageError);
}

}  // namespace
}  // namespace threefold
