// Every seed of every fuzz target, within the budgets of readers. Long fuzzing: packaging/test
// --long, tests/fuzz/README.md.

#include <cstring>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/fuzz/allocations.h"
#include "tests/fuzz/seeds.h"
#include "tests/fuzz/targets.h"

namespace threefold {
namespace {

class Fuzz : public testing::TestWithParam<test::FuzzTarget> {};

/// Of exactly the right size, so that a sanitizer sees one byte too far.
void runExact(const test::FuzzTarget& target, test::FuzzBytes bytes) {
    const auto exact = std::make_unique<std::byte[]>(bytes.size());
    if (!bytes.empty()) std::memcpy(exact.get(), bytes.data(), bytes.size());
    ASSERT_NO_THROW(test::runWithinBudget(target, {exact.get(), bytes.size()}));
}

TEST_P(Fuzz, staysWithinItsBudgets_whenSeedsAreReplayed) {
    const auto seeds = test::seedsOf(GetParam().name);
    ASSERT_FALSE(seeds.empty());
    runExact(GetParam(), {});
    for (const test::Seed& seed : seeds) {
        SCOPED_TRACE(seed.name);
        runExact(GetParam(), seed.bytes);
        runExact(GetParam(), test::FuzzBytes(seed.bytes).first(seed.bytes.size() / 2));
    }
}

INSTANTIATE_TEST_SUITE_P(All, Fuzz, testing::ValuesIn(test::fuzzTargets()),
                         [](const auto& target) { return std::string(target.param.name); });

TEST(FuzzBudget, findsReaderThatTakesTooMuch) {
    const test::FuzzTarget greedy{"greedy", [](test::FuzzBytes) {
                                      const std::string much(std::size_t{65} << 20, ' ');
                                      ASSERT_EQ(much.back(), ' ');
                                  }};
    EXPECT_THROW(test::runWithinBudget(greedy, {}), std::runtime_error);
}

TEST(FuzzBudget, countsWhatIsHeldAtOnce) {
    const test::Allocations allocations;
    for (int i = 0; i < 3; ++i) {
        const auto block = std::make_unique<std::byte[]>(100'000);
        block[static_cast<std::size_t>(i)] = std::byte{1};
        EXPECT_GE(allocations.held(), 100'000U);
    }
    EXPECT_GE(allocations.peak(), 100'000U);
    EXPECT_LT(allocations.peak(), 200'000U);
}

}  // namespace
}  // namespace threefold
