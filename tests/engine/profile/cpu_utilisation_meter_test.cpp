#include "engine/profile/cpu_utilisation_meter.h"

#include <gtest/gtest.h>

#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

TEST(CpuUtilisationMeter, isTheFractionOfAllCores_sinceTheLastReading) {
    // Times since a start long before the meter's construction.
    CpuUtilisationMeter::Times now{700, 50'000};
    CpuUtilisationMeter meter(4, [&] { return now; });
    now = {700 + 1000, 50'000 + 1000};
    EXPECT_EQ(meter.read(), 25);
    now.wall += 500;
    EXPECT_EQ(meter.read(), 0);
    now.wall += 500;
    now.onCores += 2000;
    EXPECT_EQ(meter.read(), 100);
    now.wall += 100;
    now.onCores += 401;  // more than possible, since the two clocks are not read at the same moment
    EXPECT_EQ(meter.read(), 100);
}

TEST(CpuUtilisationMeter, isEmpty_whenNoTimeHasPassed) {
    CpuUtilisationMeter::Times now{0, 0};
    CpuUtilisationMeter meter(2, [&] { return now; });
    now.onCores = 10;
    EXPECT_EQ(meter.read(), std::nullopt);
    now.wall = 10;
    EXPECT_EQ(meter.read(), 50) << "nothing is lost";
}

TEST(CpuUtilisationMeter, measuresThisProcessAtWork) {
    CpuUtilisationMeter meter;
    EXPECT_GE(CpuUtilisationMeter::usableCores(), 1);
    const double begun = threadCpuMilliseconds();
    while (threadCpuMilliseconds() < begun + 20) {
    }
    const auto used = meter.read();
    ASSERT_TRUE(used);
    EXPECT_GT(*used, 0);
    EXPECT_LE(*used, 100);
}

}  // namespace
}  // namespace threefold
