#include "engine/evaluation/batcher.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace threefold {
namespace {

using namespace std::chrono_literals;
using Batches = Batcher<int>;
using Ints = std::vector<int>;

constexpr Priority kInteractive = Priority::interactive;
constexpr Priority kBackground = Priority::background;

Batches::Time at(std::chrono::milliseconds time) {
    return Batches::Time(time);
}

TEST(Batcher, handsOutABatch_whenItIsFull) {
    Batches batches({3, 0ms, 20ms});
    batches.add(1, kBackground, at(0ms));
    batches.add(2, kBackground, at(1ms));
    EXPECT_TRUE(batches.take(at(1ms)).empty());
    for (const int request : {3, 4}) batches.add(request, kBackground, at(2ms));
    EXPECT_EQ(batches.take(at(2ms)), (Ints{1, 2, 3}));
    EXPECT_TRUE(batches.take(at(2ms)).empty());
    EXPECT_EQ(batches.waiting(), 1U);
}

TEST(Batcher, handsOutWhatThereIs_whenPatienceEnds) {
    Batches batches({8, 0ms, 20ms});
    EXPECT_FALSE(batches.due());
    batches.add(1, kBackground, at(5ms));
    batches.add(2, kBackground, at(15ms));
    EXPECT_EQ(batches.due(), at(25ms));
    EXPECT_TRUE(batches.take(at(24ms)).empty());
    EXPECT_EQ(batches.take(at(25ms)), (Ints{1, 2}));
    EXPECT_FALSE(batches.due());
}

TEST(Batcher, putsInteractiveRequestsFirst_andFillsUpWithOthers) {
    Batches batches({3, 0ms, 20ms});
    batches.add(1, kBackground, at(0ms));
    batches.add(2, kInteractive, at(1ms));
    EXPECT_EQ(batches.due(), at(1ms));
    EXPECT_EQ(batches.take(at(1ms)), (Ints{2, 1}));
    for (const int request : {1, 2, 3}) batches.add(request, kBackground, at(2ms));
    for (const int request : {4, 5}) batches.add(request, kInteractive, at(3ms));
    EXPECT_EQ(batches.take(at(3ms)), (Ints{4, 5, 1}));
    EXPECT_TRUE(batches.take(at(3ms)).empty());
    EXPECT_EQ(batches.takeAny(), (Ints{2, 3}));
    EXPECT_TRUE(batches.takeAny().empty());
}

TEST(Batcher, takesBackWhatIsStillWaiting) {
    Batches batches({2, 5ms, 20ms});
    const Batches::Ticket first = batches.add(1, kBackground, at(0ms));
    const Batches::Ticket second = batches.add(2, kInteractive, at(0ms));
    batches.add(3, kBackground, at(1ms));
    EXPECT_TRUE(batches.cancel(second));
    EXPECT_FALSE(batches.cancel(second));
    EXPECT_EQ(batches.take(at(1ms)), (Ints{1, 3}));
    EXPECT_FALSE(batches.cancel(first));
    EXPECT_FALSE(batches.cancel(99));
}

TEST(Batcher, refusesWhatIsNoBatch) {
    EXPECT_THROW(Batches({0, 0ms, 0ms}), InputError);
    EXPECT_THROW(Batches({1, -1ns, 0ms}), InputError);
    EXPECT_THROW(Batches({1, 0ms, -1ns}), InputError);
}

TEST(Batcher, losesNothingAndKeepsNobodyWaiting_throughRandomRequests) {
    constexpr std::size_t kBatch = 5;
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](int limit) {
            return std::uniform_int_distribution<int>(0, limit - 1)(random);
        };
        Batches batches({kBatch, 2ms, 15ms});
        std::map<int, std::pair<Batches::Ticket, std::chrono::milliseconds>> waiting;
        auto now = 0ms;
        for (int request = 0; request < 2000; ++request) {
            now += std::chrono::milliseconds(below(4));
            const Priority priority = below(10) == 0 ? kInteractive : kBackground;
            const Batches::Ticket ticket = batches.add(request, priority, at(now));
            waiting[request] = {ticket, now + (priority == kInteractive ? 2ms : 15ms)};
            if (below(10) == 0) {
                const auto victim =
                    std::next(waiting.begin(), below(static_cast<int>(waiting.size())));
                ASSERT_TRUE(batches.cancel(victim->second.first));
                waiting.erase(victim);
            }
            for (Ints batch = batches.take(at(now)); !batch.empty();
                 batch = batches.take(at(now))) {
                ASSERT_LE(batch.size(), kBatch);
                for (const int taken : batch) ASSERT_EQ(waiting.erase(taken), 1U);
            }
            ASSERT_EQ(batches.waiting(), waiting.size());
            ASSERT_LT(waiting.size(), kBatch);
            for (const auto& [left, entry] : waiting) ASSERT_GT(entry.second, now);
        }
    }
}

}  // namespace
}  // namespace threefold
