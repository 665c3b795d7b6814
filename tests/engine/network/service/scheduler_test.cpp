#include "engine/network/service/scheduler.h"

#include <map>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

/// Scheduler with a clock that only the test advances.
struct Script {
    Scheduler::Id list() { return scheduler.add(Urgency::list); }
    Scheduler::Id soon() { return scheduler.add(Urgency::soon); }
    Scheduler::Id click() { return scheduler.add(Urgency::now); }
    /// Begins the next request; returns 0 if none waits.
    Scheduler::Id begin() {
        const auto id = scheduler.next();
        if (id) scheduler.begin(*id, clock);
        return id.value_or(0);
    }
    /// Finishes a request after `time` milliseconds.
    void compute(Scheduler::Id id, int time) {
        clock += milliseconds(time);
        scheduler.finish(id, clock);
    }

    Scheduler scheduler{milliseconds(100)};
    Scheduler::TimePoint clock{};
};

TEST(Scheduler, picksTheOldest_amongEquals) {
    Script script;
    const auto first = script.list();
    const auto second = script.list();
    EXPECT_EQ(script.begin(), first);
    EXPECT_EQ(script.begin(), second);
    EXPECT_EQ(script.begin(), 0U);
    EXPECT_EQ(script.scheduler.waiting(), 0U);
    EXPECT_EQ(script.scheduler.inFlight(), 2U);
}

TEST(Scheduler, picksClicksFirst_thenFollowUps_thenLists) {
    Script script;
    const auto list = script.list();
    const auto soon = script.soon();
    const auto click = script.click();
    const auto otherSoon = script.soon();
    const auto otherClick = script.click();
    for (const auto expected : {click, otherClick, soon, otherSoon, list})
        EXPECT_EQ(script.begin(), expected);
}

TEST(Scheduler, interruptsLessUrgentWork_forAClick) {
    Script script;
    const auto click = script.click();
    const auto soon = script.soon();
    const auto list = script.list();
    EXPECT_THAT(script.scheduler.interruptible(), IsEmpty());
    EXPECT_EQ(script.begin(), click);
    EXPECT_THAT(script.scheduler.interruptible(), IsEmpty());
    EXPECT_EQ(script.begin(), soon);
    EXPECT_EQ(script.begin(), list);
    EXPECT_THAT(script.scheduler.interruptible(), ElementsAre(soon, list));
}

TEST(Scheduler, dropsWaitingRequests_whenCancelled) {
    Script script;
    const auto first = script.list();
    const auto second = script.list();
    const auto click = script.click();
    EXPECT_TRUE(script.scheduler.remove(first));
    EXPECT_TRUE(script.scheduler.remove(click));
    EXPECT_FALSE(script.scheduler.remove(click));
    EXPECT_EQ(script.begin(), second);
    EXPECT_FALSE(script.scheduler.remove(second));  // cannot be removed while in flight
    script.compute(second, 1);
    script.scheduler.finish(second, script.clock);  // a second finish() has no effect
    EXPECT_EQ(script.scheduler.waiting() + script.scheduler.inFlight(), 0U);
}

TEST(Scheduler, repeatsInterruptedRequests_inTheirOldOrder) {
    Script script;
    const auto first = script.list();
    const auto second = script.list();
    const auto third = script.list();
    EXPECT_EQ(script.begin(), first);
    EXPECT_EQ(script.begin(), second);
    const auto click = script.click();
    script.scheduler.putBack(second);
    script.scheduler.putBack(first);
    for (const auto expected : {click, first, second, third}) EXPECT_EQ(script.begin(), expected);
}

TEST(Scheduler, owesAListATurn_whenClicksUsedTheNetworkForLong) {
    Script script;
    for (int i = 0; i < 8; ++i) script.list();
    std::string turns;
    while (turns.size() < 12) {
        const auto click = script.click();  // one click always waits
        const auto id = script.begin();
        const bool isClick = id > 8;
        EXPECT_EQ(isClick, !script.scheduler.isListStarved());
        script.compute(id, isClick ? 30 : 1000);
        if (!isClick) {
            EXPECT_TRUE(script.scheduler.remove(click));
        }
        turns += isClick ? 'c' : 'l';
    }
    EXPECT_EQ(turns, "cccclcccclcc");
}

TEST(Scheduler, doesNotInterruptAList_afterMaxListWait) {
    Script script;
    const auto list = script.list();
    const auto click = script.click();
    EXPECT_EQ(script.begin(), click);
    script.compute(click, 200);
    EXPECT_EQ(script.begin(), list);
    EXPECT_THAT(script.scheduler.interruptible(), IsEmpty());
}

TEST(Scheduler, owesNothing_whenNoClickUsedTheNetwork) {
    Script script;
    script.click();
    script.compute(script.begin(), 1000);  // no list waits meanwhile
    const auto first = script.list();
    const auto second = script.list();
    script.clock += milliseconds(1000);
    EXPECT_FALSE(script.scheduler.isListStarved());
    EXPECT_EQ(script.begin(), first);
    script.click();
    script.clock += milliseconds(1000);  // the device is slow, but works for the list
    EXPECT_FALSE(script.scheduler.isListStarved());
    script.scheduler.putBack(first);
    script.compute(script.begin(), 1000);
    EXPECT_TRUE(script.scheduler.isListStarved());
    EXPECT_TRUE(script.scheduler.remove(first));
    EXPECT_TRUE(script.scheduler.remove(second));
    EXPECT_FALSE(script.scheduler.isListStarved());  // the list has no more requests
}

TEST(Scheduler, keepsTheDebt_whenTheListIsInterrupted) {
    Script script;
    const auto list = script.list();
    script.click();
    script.compute(script.begin(), 200);
    EXPECT_EQ(script.begin(), list);
    EXPECT_TRUE(script.scheduler.isListStarved());
    script.scheduler.putBack(list);
    EXPECT_TRUE(script.scheduler.isListStarved());
    script.compute(script.begin(), 5);
    EXPECT_FALSE(script.scheduler.isListStarved());
}

TEST(Scheduler, losesNothingAndDoublesNothing_inTenThousandEvents) {
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        std::mt19937 random(seed);
        const auto below = [&](unsigned count) { return random() % count; };
        Script script;
        std::map<Scheduler::Id, std::string> ends;
        std::map<Scheduler::Id, Urgency> waiting;
        std::map<Scheduler::Id, Urgency> inFlight;
        Scheduler::Id asked = 0;
        int interrupted = 0;
        const auto end = [&](Scheduler::Id id) {
            script.compute(id, static_cast<int>(below(30)));
            ends[id] += "done";
            inFlight.erase(id);
        };
        const auto begin = [&] {
            const bool owed = script.scheduler.isListStarved();
            const auto id = script.begin();
            EXPECT_EQ(id == 0, waiting.empty());
            if (id == 0) return;
            for (const auto& [other, urgency] : waiting) {
                const bool comesBefore =
                    urgency < waiting[id] || (urgency == waiting[id] && other < id);
                EXPECT_TRUE(!comesBefore || (owed && waiting[id] == Urgency::list)) << id;
            }
            inFlight.insert(waiting.extract(id));
        };
        for (int event = 0; event < 10000; ++event) {
            const unsigned what = below(20);
            if (what < 8) {
                const Urgency urgency = what < 6   ? Urgency::list
                                        : what < 7 ? Urgency::soon
                                                   : Urgency::now;
                asked = script.scheduler.add(urgency);
                waiting[asked] = urgency;
            } else if (what < 9 && asked > 0) {
                const Scheduler::Id id = 1 + below(static_cast<unsigned>(asked));
                EXPECT_EQ(script.scheduler.remove(id), waiting.erase(id) > 0);
                if (!waiting.contains(id) && !inFlight.contains(id) && ends[id].empty())
                    ends[id] += "cancelled";
            } else if (what < 10) {
                for (const Scheduler::Id id : script.scheduler.interruptible()) {
                    script.scheduler.putBack(id);
                    waiting.insert(inFlight.extract(id));
                    ++interrupted;
                }
            } else if (what < 15 && inFlight.size() < 2) {
                begin();
            } else if (!inFlight.empty()) {
                end(inFlight.begin()->first);
            }
        }
        while (!waiting.empty() || !inFlight.empty()) {
            begin();
            end(inFlight.begin()->first);
        }
        std::erase_if(ends, [](const auto& each) { return each.second.empty(); });
        EXPECT_EQ(ends.size(), asked);
        for (const auto& [id, how] : ends) EXPECT_TRUE(how == "done" || how == "cancelled") << how;
        EXPECT_EQ(script.scheduler.waiting() + script.scheduler.inFlight(), 0U);
        EXPECT_GT(interrupted, 100);
    }
}

}  // namespace
}  // namespace threefold
