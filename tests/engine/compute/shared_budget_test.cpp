#include "engine/compute/shared_budget.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <thread>

#include <gtest/gtest.h>

#include "tests/support/poll_until.h"

namespace threefold::test {
namespace {

TEST(SharedBudget, admitsWorkAtOnce_whileItsAmountsFit) {
    SharedBudget budget(10);
    const auto first = budget.take(4);
    const auto second = budget.take(6);
    EXPECT_TRUE(first && second);
}

TEST(SharedBudget, admitsWorkBeyondTheLimit_whenItIsAlone) {
    SharedBudget budget(10);
    EXPECT_TRUE(budget.take(1000));
    EXPECT_TRUE(budget.take(1000)) << "the first was given back";
}

TEST(SharedBudget, admitsNoWork_whoseAmountDoesNotFit) {
    SharedBudget budget(10);
    std::stop_source stop;
    stop.request_stop();  // a wait ends immediately
    std::optional<SharedBudget::Part> first(budget.take(7));
    EXPECT_FALSE(budget.take(4, stop.get_token()));
    EXPECT_FALSE(budget.take(UINT64_MAX, stop.get_token()));
    EXPECT_TRUE(budget.take(3, stop.get_token()));
    first.reset();
    EXPECT_TRUE(budget.take(4, stop.get_token()));
}

TEST(SharedBudget, admitsWaitingWork_whenItsAmountFits) {
    SharedBudget budget(10);
    std::optional<SharedBudget::Part> first(budget.take(7));
    std::atomic<bool> admitted = false;
    const std::jthread second([&] {
        const auto part = budget.take(4);
        admitted = true;
    });
    first.reset();
    EXPECT_TRUE(pollUntil([&] { return admitted.load(); }));
}

TEST(SharedBudget, endsAWait_whenCancelled) {
    SharedBudget budget(10);
    const auto first = budget.take(10);
    std::stop_source stop;
    std::atomic<bool> ended = false;
    const std::jthread second([&] {
        EXPECT_FALSE(budget.take(1, stop.get_token()));
        ended = true;
    });
    stop.request_stop();
    EXPECT_TRUE(pollUntil([&] { return ended.load(); }));
}

}  // namespace
}  // namespace threefold::test
