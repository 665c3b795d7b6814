#include <cstddef>

#include <gtest/gtest.h>

#include "engine/fitting/fit_schedule.h"

using namespace threefold::fitting;

namespace {

TEST(FitSchedule, blursCoarserLevelsMore) {
    const FitSchedule schedule(4);
    EXPECT_EQ(schedule.coverageBlurSigma(0, 0), 8);
    EXPECT_EQ(schedule.coverageBlurSigma(1, 0), 8);
    EXPECT_EQ(schedule.coverageBlurSigma(2, 0), 4);
    EXPECT_EQ(schedule.coverageBlurSigma(3, 0), 2);
    EXPECT_EQ(schedule.photometricBlurSigma(2), 2);
    EXPECT_EQ(FitSchedule(1).coverageBlurSigma(0, 0), 8);
}

TEST(FitSchedule, shrinksTheBlurToAPixel_onTheFinestLevelOnly) {
    const FitSchedule schedule(2);
    EXPECT_LT(schedule.coverageBlurSigma(1, 1), schedule.coverageBlurSigma(1, 0));
    EXPECT_EQ(schedule.coverageBlurSigma(1, schedule.maxSteps(1) - 1), 1);
    EXPECT_EQ(schedule.coverageBlurSigma(0, 5), schedule.coverageBlurSigma(0, 0));
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
