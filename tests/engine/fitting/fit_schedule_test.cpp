#include <cstddef>

#include <gtest/gtest.h>

#include "engine/fitting/fit_schedule.h"

using namespace threefold::fitting;

namespace {

TEST(FitSchedule, blursCoarserLevelsMore) {
    const FitSchedule schedule(4);
    EXPECT_EQ(schedule.coverageBlur(0, 0), 8);
    EXPECT_EQ(schedule.coverageBlur(1, 0), 8);
    EXPECT_EQ(schedule.coverageBlur(2, 0), 4);
    EXPECT_EQ(schedule.coverageBlur(3, 0), 2);
    EXPECT_EQ(schedule.photometricBlur(2), 2);
    EXPECT_EQ(FitSchedule(1).coverageBlur(0, 0), 8);
}

TEST(FitSchedule, shrinksTheBlurToAPixel_onTheFinestLevelOnly) {
    const FitSchedule schedule(2);
    EXPECT_LT(schedule.coverageBlur(1, 1), schedule.coverageBlur(1, 0));
    EXPECT_EQ(schedule.coverageBlur(1, schedule.maxSteps(1) - 1), 1);
    EXPECT_EQ(schedule.coverageBlur(0, 5), schedule.coverageBlur(0, 0));
}

TEST(FitSchedule, countsTheStepsOfAllLevels) {
    const FitSchedule schedule(2);
    EXPECT_EQ(schedule.fraction(0, 0), 0);
    EXPECT_EQ(schedule.fraction(0, schedule.maxSteps(0)), schedule.fraction(1, 0));
    EXPECT_EQ(schedule.fraction(1, schedule.maxSteps(1)), 1);
}

TEST(EnergyDescent, ends_afterEightStepsWithoutGain) {
    EnergyDescent descent;
    descent.add(100);
    for (int step = 0; step < 7; ++step) descent.add(99.5);
    EXPECT_FALSE(descent.hasEnded());
    descent.add(99.5);
    EXPECT_TRUE(descent.hasEnded());
    descent.add(50);
    EXPECT_FALSE(descent.hasEnded());
}

}  // namespace
