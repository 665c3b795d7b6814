#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "app/bench/list_run.h"

namespace threefold::test {
namespace {

using namespace std::chrono_literals;

/// Clock that advances only when the read limit sleeps.
struct ScriptedClock {
    ReadClock::Time now{1h};
    ReadClock clock{[this] { return now; },
                    [this](ReadClock::Time time) { now = std::max(now, time); }};

    std::chrono::duration<double> since(ReadClock::Time time) const { return now - time; }
};

TEST(ReadLimit, waitsInProportionToTheBytes) {
    ScriptedClock script;
    ReadLimit limit(1000, script.clock);
    const auto begin = script.now;
    limit.waitFor(500);
    EXPECT_NEAR(script.since(begin).count(), 0.5, 1e-6);
    limit.waitFor(250);
    EXPECT_NEAR(script.since(begin).count(), 0.75, 1e-6);
}

TEST(ReadLimit, savesNoBudget_whileNothingIsRead) {
    ScriptedClock script;
    ReadLimit limit(1000, script.clock);
    script.now += 1h;
    const auto begin = script.now;
    limit.waitFor(1000);
    EXPECT_NEAR(script.since(begin).count(), 1, 1e-6);
}

TEST(ReadLimit, makesThreadsWaitForEachOther) {
    // The clock stands still, as if two threads asked at the same time: the second must wait for
    // the bytes of both.
    const ReadClock::Time now{1h};
    std::vector<ReadClock::Time> until;
    ReadLimit limit(1000,
                    {[&] { return now; }, [&](ReadClock::Time time) { until.push_back(time); }});
    limit.waitFor(500);
    limit.waitFor(500);
    ASSERT_EQ(until.size(), 2U);
    EXPECT_EQ(until[0] - now, 500ms);
    EXPECT_EQ(until[1] - now, 1s);
}

TEST(ReadLimit, returnsAtOnce_whenThereIsNoLimit) {
    ReadLimit limit(0, {[]() -> ReadClock::Time { throw std::logic_error("no clock needed"); },
                        [](ReadClock::Time) { throw std::logic_error("no sleep needed"); }});
    limit.waitFor(1 << 30);
}

}  // namespace
}  // namespace threefold::test
