#include "ui/run/continuous_pace.h"

#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

// A pace that knows runs of 100 ms.
ContinuousPace practised() {
    ContinuousPace pace;
    for (int run = 0; run < 3; ++run) {
        pace.begin(1000.0 * run);
        pace.finish(1000.0 * run + 100);
    }
    pace.rest();
    return pace;
}

TEST(ContinuousPace, stopsNothing_beforeItKnowsHowLongRunsTake) {
    ContinuousPace pace;
    pace.begin(0);
    EXPECT_FALSE(pace.mayStop(1));
}

TEST(ContinuousPace, stopsAYoungRun_butNotOneThatIsHalfDone) {
    ContinuousPace pace = practised();
    EXPECT_EQ(pace.expected(), 100);
    pace.begin(5000);
    EXPECT_TRUE(pace.mayStop(5049));
    EXPECT_FALSE(pace.mayStop(5050));
}

TEST(ContinuousPace, showsSomethingWithinThreeRuns_howeverOftenItIsAsked) {
    ContinuousPace pace = practised();
    double now = 10000;
    double shown = now;
    double begun = now;
    pace.begin(now);
    for (int step = 0; step < 2000; ++step) {
        now += 16;
        if (now - begun >= 100) {
            pace.finish(now);
            EXPECT_LE(now - shown, 3 * 100 + 2 * 16);
            shown = now;
            pace.begin(begun = now);
        } else if (pace.mayStop(now)) {
            pace.begin(begun = now);
        }
    }
    EXPECT_GT(shown, 10000 + 2000 * 16 - 400);
}

TEST(ContinuousPace, keepsNobodyWaiting_afterARest) {
    ContinuousPace pace = practised();
    pace.begin(5000);
    pace.finish(5100);
    pace.rest();
    pace.begin(90000);
    EXPECT_TRUE(pace.mayStop(90010));
}

}  // namespace
}  // namespace threefold::ui
