#include <cstddef>

#include <gtest/gtest.h>

#include "engine/fitting/fit_schedule.h"

using namespace threefold::fitting;

namespace {

TEST(FitSchedule, blursCoarserLevelsMore) {
    const FitSchedule schedule(4);
    EXPECT_EQ(schedule.scale(0, 0).coverageBlurSigma, 8);
    EXPECT_EQ(schedule.scale(1, 0).coverageBlurSigma, 8);
    EXPECT_EQ(schedule.scale(2, 0).coverageBlurSigma, 4);
    EXPECT_EQ(schedule.scale(3, 0).coverageBlurSigma, 2);
    EXPECT_EQ(schedule.scale(2, 0).photometricBlurSigma, 2);
    EXPECT_EQ(FitSchedule(1).scale(0, 0).coverageBlurSigma, 8);
}

TEST(FitSchedule, shrinksTheBlurToAPixel_onTheFinestLevelOnly) {
    const FitSchedule schedule(2);
    EXPECT_LT(schedule.scale(1, 1).coverageBlurSigma, schedule.scale(1, 0).coverageBlurSigma);
    EXPECT_EQ(schedule.scale(1, schedule.maxSteps(1) - 1).coverageBlurSigma, 1);
    EXPECT_EQ(schedule.scale(0, 5).coverageBlurSigma, schedule.scale(0, 0).coverageBlurSigma);
}

TEST(FitSchedule, comparesAllSamples_onTheFinestLevelOnly) {
    const FitSchedule schedule(2);
    EXPECT_FALSE(schedule.scale(0, 0).hasFineCoverage);
    EXPECT_TRUE(schedule.scale(1, 0).hasFineCoverage);
    EXPECT_EQ(schedule.scale(1, 0).level, 1U);
}

TEST(FitSchedule, countsTheStepsOfAllLevels) {
    const FitSchedule schedule(2);
    EXPECT_EQ(schedule.fraction(0, 0), 0);
    EXPECT_EQ(schedule.fraction(0, schedule.maxSteps(0)), schedule.fraction(1, 0));
    EXPECT_EQ(schedule.fraction(1, schedule.maxSteps(1)), 1);
}

TEST(ConvergenceTest, ends_afterEightStepsWithoutGain) {
    ConvergenceTest convergence;
    convergence.add(100);
    for (int step = 0; step < 7; ++step) convergence.add(99.5);
    EXPECT_FALSE(convergence.hasConverged());
    convergence.add(99.5);
    EXPECT_TRUE(convergence.hasConverged());
    convergence.add(50);
    EXPECT_FALSE(convergence.hasConverged());
}

}  // namespace
