// Replays every seed of every fuzz target within the readers' budgets. For longer fuzzing see
// packaging/test --long and tests/fuzz/README.md.

#include <cstring>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "engine/evaluation/journal/journal_text.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "tests/fuzz/allocations.h"
#include "tests/fuzz/seeds.h"
#include "tests/fuzz/targets.h"
#include "tests/support/pickle_writer.h"

namespace threefold {
namespace {

namespace pickle = test::pickle;

class Fuzz : public testing::TestWithParam<test::FuzzTarget> {};

/// Runs a target on a copy of exactly the input's size, so that a sanitizer detects reads beyond
/// the input.
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

/// Template of dense matrices of bytes. No other template takes as much memory relative to its
/// size. This template is too large for the corpus.
std::string denseTemplate() {
    constexpr std::size_t kSide = 2500;
    const std::string matrix =
        pickle::array("u1", std::vector<std::uint8_t>(kSide * kSide, 1), {kSide, kSide});
    const std::string points = pickle::array("f4", std::vector<float>{0, 0, 1}, {1, 3});
    const std::string faces = pickle::array("i4", std::vector<std::int32_t>{0, 0, 0}, {1, 3});
    const std::string edges = pickle::array("i4", std::vector<std::int32_t>{0, 0}, {1, 2});
    return pickle::pickled(pickle::dict({{"coord", points},
                                         {"stage1", pickle::list({"N", matrix})},
                                         {"faces", pickle::list({faces, faces, faces})},
                                         {"pool_idx", pickle::list({edges, edges})},
                                         {"stage2", pickle::list({"N", matrix})}}));
}

TEST(FuzzBudget, holdsForTemplateOfDenseMatrices) {
    const std::string bytes = denseTemplate();
    EXPECT_NO_THROW(test::runWithinBudget(test::fuzzTarget("template"), asBytes(bytes)));
}

TEST(FuzzBudget, holdsForArrayThatIsNamedManyTimes) {
    const std::string points =
        pickle::array("u1", std::vector<std::uint8_t>(12'000'000, 1), {4'000'000, 3});
    const std::string bytes = pickle::pickled(pickle::dict(
        {{"coord", points + "q\1"},
         {"stage1",
          pickle::list(
              {"N", pickle::tuple({pickle::array("i4", std::vector<std::int32_t>{0, 0}, {1, 2}),
                                   pickle::array("f4", std::vector<float>{1}, {1}),
                                   pickle::tuple({pickle::integer(1), pickle::integer(1)})})}) +
              "q\2"},
         {"stage2", "h\2"},
         {"stage3", "h\2"},
         {"faces", pickle::list({"h\1", "h\1", "h\1"})},
         {"pool_idx",
          pickle::list(
              {pickle::array("i4", std::vector<std::int32_t>{0, 0}, {1, 2}) + "q\3", "h\3"})},
         {"sample_coord", "h\1"}}));
    EXPECT_NO_THROW(test::runWithinBudget(test::fuzzTarget("template"), asBytes(bytes)));
}

TEST(FuzzBudget, holdsForPhotographsWithNamesOfManyFolders) {
    std::string name;
    while (name.size() < 2'900'000) name += "a/";
    const std::string bytes =
        R"({"frames":[{"file_path":")" + name +
        R"(","transform_matrix":[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]],"fl_x":1}]})";
    EXPECT_NO_THROW(test::runWithinBudget(test::fuzzTarget("cameras"), asBytes(bytes)));
}

TEST(FuzzBudget, holdsForJournalOfManyMachines) {
    RunDescription description;
    std::string text = journalHeaderLine(description);
    while (text.size() < 1'000'000) {
        description.startedAt = "2024-05-01T10:00:00Z";
        description.machines = {{std::to_string(text.size()), "", 1, "", "", "", "", ""}};
        text += journalSessionLine(description);
    }
    EXPECT_NO_THROW(test::runWithinBudget(test::fuzzTarget("journal"), asBytes(text)));
}

TEST(FuzzBudget, findsReaderThatTakesTooMuch) {
    const test::FuzzTarget greedy{"greedy", [](test::FuzzBytes) {
                                      const std::string much(std::size_t{65} << 20, ' ');
                                      ASSERT_EQ(much.back(), ' ');
                                  }};
    EXPECT_THROW(test::runWithinBudget(greedy, {}), std::runtime_error);
}

TEST(FuzzBudget, countsMemoryHeldAtTheSameTime) {
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
