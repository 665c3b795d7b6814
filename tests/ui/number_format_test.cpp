#include "ui/style/number_format.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <QLocale>

namespace threefold::ui {
namespace {

const QString kGap = QString(QChar(0x202F));
const QString kMinus = QString(QChar(0x2212));

TEST(NumberFormat, groupsThousands) {
    EXPECT_EQ(groupedCount(0), "0");
    EXPECT_EQ(groupedCount(999), "999");
    EXPECT_EQ(groupedCount(2466), "2" + kGap + "466");
    EXPECT_EQ(groupedCount(1234567), "1" + kGap + "234" + kGap + "567");
    EXPECT_EQ(groupedCount(-1000), kMinus + "1" + kGap + "000");
    EXPECT_EQ(groupedCount(-100), kMinus + "100");
}

TEST(NumberFormat, isUsedByInputFields_inAnyLanguage) {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    EXPECT_EQ(QLocale().toString(0.25), "0,25");
    useOneNumberFormat();
    EXPECT_EQ(QLocale().toString(0.25), "0.25");
    QLocale::setDefault(before);
}

TEST(NumberFormat, usesARealMinusSign_whenNegative) {
    EXPECT_EQ(fixedText(-2.516, 2), kMinus + "2.52");
    EXPECT_EQ(fixedText(-0.001, 2), "0.00");
    EXPECT_EQ(fixedText(12345.678, 1), "12" + kGap + "345.7");
}

TEST(NumberFormat, showsADash_whenNotFinite) {
    EXPECT_EQ(fixedText(std::nan(""), 2), "–");
    EXPECT_EQ(fixedText(std::numeric_limits<double>::infinity(), 2), "–");
    EXPECT_EQ(signedText(std::numeric_limits<double>::infinity(), 2), "–");
    EXPECT_EQ(shortScientific(std::nan("")), "–");
}

TEST(NumberFormat, signsDifferences_unlessTheyRoundToZero) {
    EXPECT_EQ(signedText(20.541, 2), "+20.54");
    EXPECT_EQ(signedText(-1.28, 2), kMinus + "1.28");
    EXPECT_EQ(signedText(0.004, 2), "0.00");
    EXPECT_EQ(signedText(-0.004, 2), "0.00");
}

TEST(NumberFormat, writesShortExponents) {
    EXPECT_EQ(shortScientific(3.214e-4), "3.21e-4");
    EXPECT_EQ(shortScientific(1.0e-12), "1.00e-12");
    EXPECT_EQ(shortScientific(0), "0");
}

TEST(NumberFormat, keepsThreeDigits_forMilliseconds) {
    EXPECT_EQ(millisecondsText(0.423), "0.42");
    EXPECT_EQ(millisecondsText(9.996), "10.0");
    EXPECT_EQ(millisecondsText(61.23), "61.2");
    EXPECT_EQ(millisecondsText(99.97), "100");
    EXPECT_EQ(millisecondsText(1812.4), "1" + kGap + "812");
}

TEST(NumberFormat, givesSeconds_forTimesAboveASecond) {
    EXPECT_EQ(timeText(0.423), "0.42 ms");
    EXPECT_EQ(timeText(612), "612 ms");
    EXPECT_EQ(timeText(999.4), "999 ms");
    EXPECT_EQ(timeText(999.6), "1.0 s");
    EXPECT_EQ(timeText(3412), "3.4 s");
    EXPECT_EQ(timeText(9960), "10 s");
    EXPECT_EQ(timeText(23'267), "23 s");
    EXPECT_EQ(timeText(185'000), "3 min 5 s");
}

TEST(NiceTicks, chooseStepsOfOneTwoOrFive) {
    const Ticks ticks = niceTicks(0, 0.0187, 5);
    ASSERT_EQ(ticks.values.size(), 4U);  // 0, 0.005, 0.010, 0.015
    EXPECT_DOUBLE_EQ(ticks.values[1], 0.005);
    EXPECT_EQ(ticks.decimals, 3);
}

TEST(NiceTicks, includeTheHighest_whenItIsAMultipleOfTheStep) {
    const Ticks ticks = niceTicks(0, 0.02, 4);
    ASSERT_EQ(ticks.values.size(), 5U);
    EXPECT_NEAR(ticks.values.back(), 0.02, 1e-12);
}

TEST(NiceTicks, neverExceedTheCountAskedFor) {
    for (int power = -60; power < 60; ++power) {
        const double highest = std::pow(10.0, 0.1 * power);
        for (int max = 1; max < 9; ++max) {
            const Ticks ticks = niceTicks(0, highest, max);
            EXPECT_LE(static_cast<int>(ticks.values.size()) - 1, max) << highest;
            EXPECT_LE(ticks.values.back(), highest * (1 + 1e-8));
        }
    }
}

TEST(NiceTicks, areEmpty_whenThereIsNoRange) {
    EXPECT_TRUE(niceTicks(0, 0, 5).values.empty());
    EXPECT_TRUE(niceTicks(0, -1, 5).values.empty());
    EXPECT_TRUE(niceTicks(0, std::nan(""), 5).values.empty());
}

TEST(NiceTicks, areEmpty_whenStepsAreBelowThePrecision) {
    const double largest = std::numeric_limits<double>::max();
    EXPECT_TRUE(niceTicks(1, std::nextafter(1, 2), 5).values.empty());
    EXPECT_TRUE(niceTicks(largest / 4, std::nextafter(largest / 4, largest), 5).values.empty());
    EXPECT_TRUE(niceTicks(0, std::numeric_limits<double>::denorm_min(), 5).values.empty());
    EXPECT_FALSE(niceTicks(1, 1 + 1e-9, 2).values.empty());
}

TEST(NiceTicks, areOnBothSidesOfZero_whenTheRangeIs) {
    const Ticks ticks = niceTicks(-12, 11, 5);
    EXPECT_EQ(ticks.values, (std::vector<double>{-10, -5, 0, 5, 10}));
    EXPECT_EQ(ticks.decimals, 0);
    const Ticks above = niceTicks(1.07, 5.2, 4);
    EXPECT_EQ(above.values, (std::vector<double>{2, 4}));
}

TEST(LogarithmicTicks, arePowersOfTen_andMultiplesThatFitBetween) {
    const std::vector<double> few = logarithmicTicks(0.9e-2, 2.5e-2, 6);
    ASSERT_EQ(few.size(), 2U);
    EXPECT_NEAR(few[0], 0.01, 1e-9);
    EXPECT_NEAR(few[1], 0.02, 1e-9);
    EXPECT_EQ(logarithmicTicks(1e-4, 1, 6).size(), 5U);
    for (int max = 1; max < 8; ++max) {
        EXPECT_LE(static_cast<int>(logarithmicTicks(3e-7, 40, max).size()), max);
    }
    EXPECT_TRUE(logarithmicTicks(0, 1, 5).empty());
    EXPECT_TRUE(logarithmicTicks(1, 1, 5).empty());
}

TEST(NumberFormat, isShort_atAnyMagnitude) {
    EXPECT_EQ(shortNumber(0.02), "0.02");
    EXPECT_EQ(shortNumber(5e-5), "5e-5");
    EXPECT_EQ(shortNumber(120), "120");
    EXPECT_EQ(shortNumber(1e5), "1e5");
    EXPECT_EQ(shortNumber(1e10), "1e10");
    EXPECT_EQ(shortNumber(1e-10), "1e-10");
    EXPECT_EQ(shortNumber(-12.345), QString(QChar(0x2212)) + "12.3");
    EXPECT_EQ(shortNumber(-0.0), "0");
}

}  // namespace
}  // namespace threefold::ui
