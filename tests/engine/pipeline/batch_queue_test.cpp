#include "engine/pipeline/batch_queue.h"

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;
using Ids = std::vector<BatchQueue::Id>;

constexpr BatchRules kRules{.full = 4, .timeOut = milliseconds(10), .patience = milliseconds(100)};

/// A queue with a clock that only the test moves.
struct Script {
    explicit Script(const BatchRules& rules = kRules) : queue(rules) {}

    void list(BatchQueue::Id id, std::size_t views = 3) {
        queue.add({id, Urgency::whenever, views}, clock);
    }
    void click(BatchQueue::Id id, std::size_t views = 3) {
        queue.add({id, Urgency::now, views}, clock);
    }
    Ids next(Urgency least = Urgency::whenever) { return queue.next(clock, least); }
    void pass(int time) { clock += milliseconds(time); }
    /// Computes a batch for so long.
    void compute(const Ids& batch, int time) {
        pass(time);
        queue.finish(batch, clock);
    }

    BatchQueue queue;
    BatchQueue::TimePoint clock{};
};

TEST(BatchQueue, closesABatch_whenItIsFull) {
    Script script;
    for (BatchQueue::Id id = 1; id <= 3; ++id) script.list(id);
    EXPECT_THAT(script.next(), IsEmpty());
    for (BatchQueue::Id id = 4; id <= 6; ++id) script.list(id);
    EXPECT_THAT(script.next(), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(script.next(), IsEmpty());
    EXPECT_EQ(script.queue.waiting(), 2U);
    EXPECT_EQ(script.queue.inFlight(), 4U);
}

TEST(BatchQueue, closesABatchThatIsNotFull_whenItsOldestHasWaitedForTheTimeOut) {
    Script script;
    EXPECT_FALSE(script.queue.closes());
    script.list(1);
    script.pass(6);
    script.list(2);
    EXPECT_EQ(script.queue.closes(), BatchQueue::TimePoint(milliseconds(10)));
    script.pass(3);
    EXPECT_THAT(script.next(), IsEmpty());
    script.pass(1);
    EXPECT_THAT(script.next(), ElementsAre(1, 2));
    EXPECT_FALSE(script.queue.closes());
}

TEST(BatchQueue, putsAClickIntoTheNextBatch_aloneAndWithoutATimeOut) {
    Script script;
    for (BatchQueue::Id id = 1; id <= 8; ++id) script.list(id);
    EXPECT_THAT(script.next(), ElementsAre(1, 2, 3, 4));
    script.click(9);
    EXPECT_THAT(script.next(), ElementsAre(9));
    EXPECT_THAT(script.next(), ElementsAre(5, 6, 7, 8));
}

TEST(BatchQueue, leavesTheListsWhereTheyAre_whenOnlyAClickMayBegin) {
    Script script;
    for (BatchQueue::Id id = 1; id <= 4; ++id) script.list(id);
    script.queue.add({5, Urgency::soon, 0}, script.clock);
    EXPECT_THAT(script.next(Urgency::now), IsEmpty());
    script.click(6);
    EXPECT_THAT(script.next(Urgency::now), ElementsAre(6));
    EXPECT_THAT(script.next(Urgency::soon), ElementsAre(5));
    EXPECT_THAT(script.next(Urgency::soon), IsEmpty());
    EXPECT_THAT(script.next(), ElementsAre(1, 2, 3, 4));
}

TEST(BatchQueue, fillsUpTheBatchOfAClick_onlyWhereTheRulesSaySo) {
    BatchRules rules = kRules;
    rules.fillUrgent = true;
    Script script(rules);
    script.list(1);
    script.list(2, 5);
    script.list(3);
    script.click(4);
    script.click(5, 0);
    EXPECT_THAT(script.next(), ElementsAre(4, 1, 3));
    EXPECT_THAT(script.next(), ElementsAre(5));  // goes alone
    EXPECT_THAT(script.next(), IsEmpty());
}

TEST(BatchQueue, putsOnlyEqualNumbersOfViewsTogether) {
    Script script;
    for (BatchQueue::Id id = 1; id <= 8; ++id) script.list(id, id % 2 == 0 ? 3 : 5);
    script.list(9, 0);
    EXPECT_THAT(script.next(), ElementsAre(1, 3, 5, 7));
    EXPECT_THAT(script.next(), ElementsAre(2, 4, 6, 8));
    EXPECT_THAT(script.next(), ElementsAre(9));
}

TEST(BatchQueue, letsAFullBatchPass_whereTheOldestStillWaitsForItsOwn) {
    Script script;
    script.list(1, 5);
    for (BatchQueue::Id id = 2; id <= 5; ++id) script.list(id);
    EXPECT_THAT(script.next(), ElementsAre(2, 3, 4, 5));
    EXPECT_THAT(script.next(), IsEmpty());
    script.pass(10);
    EXPECT_THAT(script.next(), ElementsAre(1));
}

TEST(BatchQueue, sharesItsBatchesAmongTwoLists) {
    Script script;
    for (BatchQueue::Id id = 1; id <= 3; ++id) {
        script.list(id);
        script.list(100 + id);
    }
    EXPECT_THAT(script.next(), ElementsAre(1, 101, 2, 102));
    script.pass(10);
    EXPECT_THAT(script.next(), ElementsAre(3, 103));
}

TEST(BatchQueue, forgetsWhatWasCancelledWhileItWaited) {
    Script script;
    for (BatchQueue::Id id = 1; id <= 5; ++id) script.list(id);
    script.click(6);
    EXPECT_TRUE(script.queue.remove(2));
    EXPECT_TRUE(script.queue.remove(6));
    EXPECT_FALSE(script.queue.remove(6));
    const Ids batch = script.next();
    EXPECT_THAT(batch, ElementsAre(1, 3, 4, 5));
    EXPECT_FALSE(script.queue.remove(1));  // in flight
    script.queue.finish(batch, script.clock);
    EXPECT_EQ(script.queue.waiting() + script.queue.inFlight(), 0U);
}

TEST(BatchQueue, beginsAnInterruptedBatchAgain_inItsOldPlace) {
    Script script;
    for (BatchQueue::Id id = 1; id <= 10; ++id) script.list(id);
    const Ids first = script.next();
    const Ids second = script.next();
    script.click(11);
    script.queue.putBack(second);
    EXPECT_TRUE(script.queue.remove(6));
    script.queue.putBack(first);
    EXPECT_THAT(script.next(), ElementsAre(11));
    EXPECT_THAT(script.next(), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(script.next(), ElementsAre(5, 7, 8, 9));
}

TEST(BatchQueue, owesAListATurn_whenClicksHaveUsedTheNetworkForLong) {
    Script script;
    for (BatchQueue::Id id = 1; id <= 8; ++id) script.list(id);
    std::string turns;
    for (BatchQueue::Id id = 100; turns.size() < 12; ++id) {
        script.click(id);  // there is always one more
        const Ids batch = script.next();
        ASSERT_FALSE(batch.empty());
        const bool click = batch.front() >= 100;
        EXPECT_EQ(click, !script.queue.owed());
        script.compute(batch, click ? 30 : 1000);
        turns += click ? 'c' : 'l';
    }
    EXPECT_EQ(turns, "cccclcccclcc");
}

TEST(BatchQueue, owesNothing_forTimeThatNoClickHasUsed) {
    Script script;
    script.click(1);
    script.compute(script.next(), 1000);  // no list waited
    for (BatchQueue::Id id = 2; id <= 5; ++id) script.list(id);
    script.pass(1000);
    EXPECT_FALSE(script.queue.owed());
    const Ids batch = script.next();
    script.click(6);
    script.pass(1000);  // slow, but it is the list's own time
    EXPECT_FALSE(script.queue.owed());
    script.queue.putBack(batch);
    script.compute(script.next(), 1000);
    EXPECT_TRUE(script.queue.owed());
    for (BatchQueue::Id id = 2; id <= 5; ++id) EXPECT_TRUE(script.queue.remove(id));
    EXPECT_FALSE(script.queue.owed());  // its list has gone
}

TEST(BatchQueue, keepsTheDebt_whenTheListsBatchIsInterrupted) {
    Script script;
    script.list(1);
    script.click(2);
    script.compute(script.next(), 200);
    const Ids batch = script.next();
    EXPECT_THAT(batch, ElementsAre(1));
    EXPECT_TRUE(script.queue.owed());
    script.queue.putBack(batch);
    EXPECT_TRUE(script.queue.owed());
    script.compute(script.next(), 5);
    EXPECT_FALSE(script.queue.owed());
}

/// A network with two batches in flight whose device sometimes fails, three who ask it, and a clock
/// of its own: what it does depends on the seed alone.
class ScriptedNetwork {
  public:
    explicit ScriptedNetwork(std::uint32_t seed) : random_(seed) {}

    void run(int events) {
        for (int event = 0; event < events; ++event) step(below(20));
        while (queue_.waiting() + queue_.inFlight() > 0) {
            begin();
            if (!flights_.empty()) end(false);
            clock_ += milliseconds(1);
        }
    }

    std::map<BatchQueue::Id, std::string> ends;  ///< of each request, all that it had
    BatchQueue::Id asked = 0;
    int fullBatches = 0, failedBatches = 0, interrupted = 0, clicksThatWaited = 0;

  private:
    int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

    void step(int what) {
        clock_ += std::chrono::microseconds(below(3000));
        if (what < 8) {
            const int count = 1 + below(3);
            for (int i = 0; i < count; ++i)
                add(Urgency::whenever, static_cast<std::size_t>(below(3)));
        } else if (what < 9) {
            clickAt_ = ++asked;
            queue_.add({asked, Urgency::now, 3}, clock_);
            begunSinceClick_ = 0;
        } else if (what < 10) {
            add(Urgency::soon, 0);
        } else if (what < 11 && asked > 0) {
            const auto id = 1 + random_() % asked;
            if (queue_.remove(id)) {
                ends[id] += "cancelled";
                if (id == clickAt_) clickAt_ = 0;
            }
        } else if (what < 12) {
            for (auto flight = flights_.rbegin(); flight != flights_.rend(); ++flight) {
                queue_.putBack(*flight);
                ++interrupted;
            }
            flights_.clear();
        } else if (what < 16) {
            begin();
        } else if (!flights_.empty()) {
            end(below(10) == 0);
        }
    }

    void add(Urgency urgency, std::size_t views) {
        queue_.add({++asked, urgency, views}, clock_);
        viewsOf_[asked] = views;
    }

    void begin() {
        const bool owed = queue_.owed();
        const Ids batch =
            queue_.next(clock_, flights_.size() < 2 ? Urgency::whenever : Urgency::now);
        if (batch.empty()) return;
        EXPECT_LE(batch.size(), kRules.full);
        fullBatches += batch.size() == kRules.full ? 1 : 0;
        for (const BatchQueue::Id id : batch) {
            EXPECT_TRUE(batch.size() == 1 ||
                        (viewsOf_[id] == viewsOf_[batch.front()] && viewsOf_[id] != 0));
        }
        if (clickAt_ != 0) {
            const bool itsTurn = std::ranges::find(batch, clickAt_) != batch.end();
            // Others that are owed a turn, and older clicks, may come first.
            if (!itsTurn && viewsOf_.count(batch.front()) > 0) {
                EXPECT_TRUE(owed);
                ++begunSinceClick_;
                clicksThatWaited += begunSinceClick_ == 1 ? 1 : 0;
            }
            if (itsTurn) clickAt_ = 0;
        }
        flights_.push_back(batch);
    }

    /// What fails is the batch's own alone.
    void end(bool failed) {
        const Ids batch = flights_.front();
        flights_.pop_front();
        clock_ += milliseconds(below(30));
        for (const BatchQueue::Id id : batch) ends[id] += failed ? "failed" : "done";
        failedBatches += failed ? 1 : 0;
        queue_.finish(batch, clock_);
    }

    std::mt19937 random_;
    BatchQueue queue_{kRules};
    BatchQueue::TimePoint clock_{};
    std::deque<Ids> flights_;
    std::map<BatchQueue::Id, std::size_t> viewsOf_;  ///< of all but clicks
    BatchQueue::Id clickAt_ = 0;                     ///< the newest that waits
    int begunSinceClick_ = 0;
};

TEST(BatchQueue, losesNothingAndDoublesNothing_inTenThousandEvents) {
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        ScriptedNetwork network(seed);
        network.run(10000);
        EXPECT_EQ(network.ends.size(), network.asked);
        std::map<std::string, int> counts;
        for (const auto& [id, end] : network.ends) ++counts[end];
        EXPECT_EQ(counts["done"] + counts["failed"] + counts["cancelled"],
                  static_cast<int>(network.asked));
        // Each of what may happen has happened.
        EXPECT_GT(counts["done"], 1000);
        EXPECT_GT(counts["failed"], 0);
        EXPECT_GT(counts["cancelled"], 0);
        EXPECT_GT(network.fullBatches, 100);
        EXPECT_GT(network.failedBatches, 10);
        EXPECT_GT(network.interrupted, 100);
        EXPECT_GT(network.clicksThatWaited, 0);
    }
}

}  // namespace
}  // namespace threefold
