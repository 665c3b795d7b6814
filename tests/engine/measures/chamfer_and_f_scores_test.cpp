#include "engine/measures/chamfer_and_f_scores.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/mesh.h"
#include "tests/support/message_of.h"

namespace threefold {
namespace {

TEST(ChamferAndFScores, isPerfect_whenBothAreTheSame) {
    const Points points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const ChamferAndFScores measures = chamferAndFScores(points, points);
    EXPECT_EQ(measures.chamfer, 0.0);
    for (const FScore& score : measures.fScores) {
        EXPECT_EQ(score.precision, 100.0);
        EXPECT_EQ(score.recall, 100.0);
        EXPECT_NEAR(score.fScore, 100.0, 1e-5);
    }
}

TEST(ChamferAndFScores, addsBothMeans_whenSizesDiffer) {
    // Squared distances of the prediction are 0 and 4 (to x = 3), of the truth 0, 1 and 4.
    const Points prediction = {{0, 0, 0}, {5, 0, 0}};
    const Points truth = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
    EXPECT_DOUBLE_EQ(chamferAndFScores(prediction, truth).chamfer,
                     (0.0 + 4) / 2 + (0.0 + 1 + 4) / 3);
}

TEST(ChamferAndFScores, countsPoints_exactlyAtTheThreshold) {
    const Points prediction = {{0, 0, 0}, {5, 0, 0}};
    const Points truth = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
    const ChamferAndFScores measures = chamferAndFScores(prediction, truth, 2.0);
    ASSERT_EQ(measures.fScores.size(), 4u);
    EXPECT_EQ(measures.fScores[0].threshold, 1.0);
    EXPECT_EQ(measures.atTau().threshold, 2.0);
    EXPECT_EQ(measures.fScores[2].threshold, 3.0);
    EXPECT_EQ(measures.atTwoTau().threshold, 4.0);
    EXPECT_DOUBLE_EQ(measures.fScores[0].precision, 50);
    EXPECT_DOUBLE_EQ(measures.fScores[0].recall, 200.0 / 3);
    EXPECT_DOUBLE_EQ(measures.atTwoTau().precision, 100);
    EXPECT_DOUBLE_EQ(measures.atTwoTau().recall, 100);
    EXPECT_DOUBLE_EQ(measures.atTau().fScore, 2 * 50 * (200.0 / 3) / (50 + 200.0 / 3 + 1e-6));
}

TEST(ChamferAndFScores, isZero_whenNothingIsNear) {
    const ChamferAndFScores measures = chamferAndFScores(Points{{0, 0, 0}}, Points{{1, 0, 0}});
    EXPECT_EQ(measures.atTau().fScore, 0.0);
    EXPECT_EQ(measures.chamfer, 2.0);
}

TEST(ChamferAndFScores, swapsPrecisionAndRecall_whenSidesAreSwapped) {
    const Points a = {{0, 0, 0}, {0.01f, 0, 0}, {1, 0, 0}};
    const Points b = {{0, 0.005f, 0}, {0.5f, 0, 0}};
    const ChamferAndFScores there = chamferAndFScores(a, b), back = chamferAndFScores(b, a);
    EXPECT_EQ(there.chamfer, back.chamfer);
    EXPECT_NE(there.atTau().precision, there.atTau().recall);
    EXPECT_EQ(there.atTau().precision, back.atTau().recall);
    EXPECT_EQ(there.atTau().recall, back.atTau().precision);
}

TEST(ChamferAndFScores, namesTheSide_whenItIsEmpty) {
    const Points some = {{0, 0, 0}};
    EXPECT_NE(test::messageOf<InputError>([&] { chamferAndFScores({}, some); }).find("prediction"),
              std::string::npos);
    EXPECT_NE(test::messageOf<InputError>([&] { chamferAndFScores(some, {}); }).find("truth"),
              std::string::npos);
}

TEST(FScoresAt, equalChamferAndFScores_atEveryThreshold) {
    Points prediction;
    Points truth;
    for (int i = 0; i < 300; ++i) {
        const auto t = static_cast<float>(i);
        prediction.emplace_back(std::sin(t), std::cos(1.7F * t), std::sin(0.3F * t));
        if (i % 2 == 0)
            truth.emplace_back(std::sin(t + 0.1F), std::cos(1.6F * t), std::sin(0.31F * t));
    }
    const Neighbours toTruth = nearestNeighbours(prediction, truth);
    const Neighbours toPrediction = nearestNeighbours(truth, prediction);
    // Two of the thresholds are squared distances that occur: a point exactly at a threshold
    // counts.
    const std::vector<double> thresholds = {0.3, toTruth.squaredDistances[7], 0.0,
                                            toPrediction.squaredDistances[11], 9.0};
    const std::vector<FScore> scores = fScoresAt(toTruth, toPrediction, thresholds);
    ASSERT_EQ(scores.size(), thresholds.size());
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
        EXPECT_EQ(scores[i].threshold, thresholds[i]);
        if (thresholds[i] == 0) continue;
        const FScore expected = chamferAndFScores(toTruth, toPrediction, thresholds[i]).atTau();
        EXPECT_EQ(scores[i].precision, expected.precision);
        EXPECT_EQ(scores[i].recall, expected.recall);
        EXPECT_EQ(scores[i].fScore, expected.fScore);
    }
    EXPECT_EQ(scores[2].fScore, 0);
    EXPECT_EQ(scores[4].precision, 100);
    EXPECT_THROW(fScoresAt({}, toPrediction, thresholds), InputError);
}

TEST(ChamferAndFScores, refuses_whenTauIsNoThreshold) {
    const Points some = {{0, 0, 0}};
    for (double tau : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                       std::numeric_limits<double>::infinity()})
        EXPECT_THROW(chamferAndFScores(some, some, tau), InputError);
}

}  // namespace
}  // namespace threefold
