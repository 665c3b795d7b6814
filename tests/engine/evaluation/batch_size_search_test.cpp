#include "engine/evaluation/batch_size_search.h"

#include <set>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/network/device_error.h"

namespace threefold {
namespace {

/// A machine that takes a fixed time for each batch, some for each item, far more beyond `knee`,
/// and holds `memory` items; counts what it was asked for.
struct Machine {
    double perBatch = 1.0;
    double perItem = 0.1;
    std::size_t knee = SIZE_MAX;
    std::size_t memory = SIZE_MAX;
    std::multiset<std::size_t> asked = {};

    double operator()(std::size_t batch) {
        asked.insert(batch);
        if (batch > memory) throw OutOfDeviceMemory({"GPU 0", "", "out of memory", ""});
        const auto items = static_cast<double>(batch);
        const double beyond = batch > knee ? static_cast<double>(batch - knee) : 0.0;
        return items / (perBatch + perItem * items + 10.0 * perItem * beyond);
    }
};

BatchSizeSearch searchOn(Machine& machine, std::size_t largest) {
    return findBatchSize(largest, [&](std::size_t batch) { return machine(batch); });
}

TEST(BatchSizeSearch, takesTheLargest_whenLargerIsAlwaysFaster) {
    Machine machine{1.0, 1e-6};
    const BatchSizeSearch found = searchOn(machine, 100);
    EXPECT_EQ(found.best, 100U);
    EXPECT_EQ(found.tooLarge, 0U);
    EXPECT_EQ(found.measured.front().batch, 1U);
    EXPECT_EQ(found.measured.back().batch, 100U);
}

TEST(BatchSizeSearch, staysAtOne_whenBatchesBringNothing) {
    Machine machine{0.0, 0.1};
    EXPECT_EQ(searchOn(machine, 1024).best, 1U);
    EXPECT_LE(machine.asked.size(), 4U);
}

TEST(BatchSizeSearch, prefersTheSmallestOfThoseAboutAsFast) {
    Machine machine{0.1, 0.1};
    const BatchSizeSearch found = searchOn(machine, 4096);
    EXPECT_GE(found.best, 16U);
    EXPECT_LE(found.best, 128U);
}

TEST(BatchSizeSearch, findsASizeBetweenThePowersOfTwo) {
    Machine machine{10.0, 0.1, 24};
    EXPECT_EQ(searchOn(machine, 1024).best, 24U);
}

TEST(BatchSizeSearch, isBoundedByMemory_andAsksNothingTwice) {
    for (std::size_t memory = 1; memory < 70; ++memory) {
        Machine machine{1.0, 1e-6, SIZE_MAX, memory};
        const BatchSizeSearch found = searchOn(machine, 64);
        EXPECT_LE(found.best, memory);
        EXPECT_GT(2 * found.best, std::min<std::size_t>(memory, 64));
        EXPECT_EQ(found.tooLarge != 0, memory < 64);
        for (const std::size_t batch : machine.asked) EXPECT_EQ(machine.asked.count(batch), 1U);
    }
}

TEST(BatchSizeSearch, measuresOneSize_whenThereIsOne) {
    Machine machine;
    EXPECT_EQ(searchOn(machine, 1).best, 1U);
    EXPECT_EQ(machine.asked.size(), 1U);
}

TEST(BatchSizeSearch, passesFailuresOn) {
    Machine machine{1.0, 0.1, SIZE_MAX, 0};
    EXPECT_THROW(searchOn(machine, 8), OutOfDeviceMemory);
    EXPECT_THROW(findBatchSize(8, [](std::size_t) -> double { throw Cancelled(); }), Cancelled);
    EXPECT_THROW(findBatchSize(8, [](std::size_t) { return 0.0; }), InputError);
    EXPECT_THROW(findBatchSize(0, [](std::size_t) { return 1.0; }), InputError);
}

}  // namespace
}  // namespace threefold
