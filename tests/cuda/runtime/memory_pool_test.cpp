#include "cuda/runtime/memory_pool.h"

#include <cstring>
#include <map>
#include <random>
#include <span>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/cuda/runtime/fake_device.h"

namespace threefold::cuda {
namespace {

using test::FakeDevice;

Stream first() {
    return FakeDevice::stream(1);
}

Stream second() {
    return FakeDevice::stream(2);
}

TEST(BlockBytes, wastesAtMostAFifth_fromTheSmallestBlockOn) {
    EXPECT_EQ(blockBytes(0), 512U);
    EXPECT_EQ(blockBytes(1), 512U);
    std::size_t last = 0;
    for (std::size_t bytes = 512; bytes < 300'000; bytes += 7) {
        const std::size_t block = blockBytes(bytes);
        ASSERT_GE(block, bytes);
        ASSERT_GE(block, last);
        ASSERT_LE(5 * (block - bytes), block);
        ASSERT_EQ(blockBytes(block), block);
        last = block;
    }
    EXPECT_EQ(blockBytes(std::size_t{1} << 40), std::size_t{1} << 40);
    EXPECT_THROW(blockBytes(SIZE_MAX), std::logic_error);
}

TEST(MemoryPool, reusesABlockAtOnce_onTheSameStream) {
    FakeDevice device;
    MemoryPool pool(device, MemoryKind::device);
    PooledMemory memory = pool.allocate(1000, first());
    const std::byte* address = memory.data();
    EXPECT_EQ(memory.size(), 1000U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(address) % 256, 0U);
    device.submit(first());
    memory.reset();
    EXPECT_FALSE(memory);
    EXPECT_EQ(pool.allocate(1010, first()).data(), address);
    EXPECT_EQ(pool.counters().reusedCount, 1U);
    EXPECT_EQ(pool.counters().allocations, 1U);
}

TEST(MemoryPool, reusesABlockOnAnotherStream_onlyAfterItsEvent) {
    FakeDevice device;
    MemoryPool pool(device, MemoryKind::device);
    PooledMemory memory = pool.allocate(1000, first());
    const std::byte* address = memory.data();
    device.submit(first());
    memory.reset();
    EXPECT_NE(pool.allocate(1000, second()).data(), address);
    device.submit(first());  // work submitted after the release must not delay the reuse
    device.finishOne(first());
    const PooledMemory one = pool.allocate(1000, second());
    const PooledMemory two = pool.allocate(1000, second());
    EXPECT_TRUE(one.data() == address || two.data() == address);
}

TEST(MemoryPool, reusesABlockAtOnce_onlyOnTheStreamThatUsedItLast) {
    FakeDevice device;
    MemoryPool pool(device, MemoryKind::device);
    PooledMemory memory = pool.allocate(1000, first());
    const std::byte* address = memory.data();
    memory.setLastStream(second());
    device.submit(second());
    memory.reset();
    const PooledMemory other = pool.allocate(1000, first());
    EXPECT_NE(other.data(), address);
    EXPECT_EQ(pool.allocate(1000, second()).data(), address);
}

TEST(MemoryPool, reusesPinnedMemory_onlyAfterItsCopy) {
    FakeDevice device;
    MemoryPool pool(device, MemoryKind::pinned);
    PooledMemory memory = pool.allocate(1000, first());
    const std::byte* address = memory.data();
    device.submit(first());
    memory.reset();
    EXPECT_NE(pool.allocate(1000, first()).data(), address);
    device.finish(first());
    const PooledMemory one = pool.allocate(1000, first());
    const PooledMemory two = pool.allocate(1000, first());
    EXPECT_TRUE(one.data() == address || two.data() == address);
    EXPECT_EQ(device.waits(), 0);
}

TEST(MemoryPool, waitsForAPinnedBlockInsteadOfMakingOne_whenSealed) {
    FakeDevice device;
    MemoryPool pool(device, MemoryKind::pinned);
    PooledMemory memory = pool.allocate(1000, first());
    pool.setSealed(true);
    for (int turn = 1; turn <= 5; ++turn) {
        device.submit(first());
        memory.reset();
        memory = pool.allocate(1000, first());
        EXPECT_EQ(device.waits(), turn);
        EXPECT_EQ(device.finished(first()), device.submitted(first()));
    }
    EXPECT_EQ(pool.counters().allocations, 1U);
    EXPECT_EQ(pool.counters().lateAllocationCount, 0U);
}

TEST(MemoryPool, countsAndLogsAnAllocation_whenSealed) {
    FakeDevice device;
    std::vector<std::string> lines;
    MemoryPool pool(device, MemoryKind::device, [&](LogLevel level, std::string_view line) {
        EXPECT_EQ(level, LogLevel::warning);
        lines.emplace_back(line);
        // The callback may call the pool.
        EXPECT_EQ(pool.counters().lateAllocationCount, lines.size());
    });
    const PooledMemory early = pool.allocate(1000, first());
    EXPECT_FALSE(pool.sealed());
    pool.setSealed(true);
    EXPECT_TRUE(pool.sealed());
    const PooledMemory late = pool.allocate(1000, first());
    EXPECT_TRUE(late);
    EXPECT_EQ(pool.counters().lateAllocationCount, 1U);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("1024 bytes"), std::string::npos);
    pool.setSealed(false);
    const PooledMemory again = pool.allocate(1000, first());
    EXPECT_EQ(pool.counters().lateAllocationCount, 1U);
}

TEST(MemoryPool, trimsIdleBlocksAndRetries_whenTheDeviceIsFull) {
    FakeDevice device(4096);
    MemoryPool pool(device, MemoryKind::device);
    pool.allocate(2048, first()).reset();
    PooledMemory busy = pool.allocate(1024, first());
    device.submit(second());
    busy.setLastStream(second());
    busy.reset();  // still in use by the other stream
    const PooledMemory large = pool.allocate(4096, first());
    EXPECT_TRUE(large);
    EXPECT_EQ(device.synchronisations(), 1);
    EXPECT_EQ(pool.counters().bytesHeld, 4096U);
    EXPECT_EQ(pool.counters().freedCount, 2U);
}

TEST(MemoryPool, throwsAndStaysUsable_whenTheDeviceStaysFull) {
    FakeDevice device(4096);
    MemoryPool pool(device, MemoryKind::device);
    const PooledMemory kept = pool.allocate(2048, first());
    try {
        pool.allocate(4096, first());
        FAIL();
    } catch (const OutOfDeviceMemory& error) {
        EXPECT_EQ(error.requestedBytes(), 4096U);
        EXPECT_EQ(error.freeBytes(), 2048U);
    }
    EXPECT_EQ(device.liveEvents(), 1U);
    EXPECT_EQ(pool.counters().bytesInUse, 2048U);
    EXPECT_TRUE(pool.allocate(2048, first()));
}

TEST(MemoryPool, freesAllIdleBlocks_whenTrimmed) {
    for (const MemoryKind kind : {MemoryKind::device, MemoryKind::pinned}) {
        FakeDevice device;
        MemoryPool pool(device, kind);
        const PooledMemory kept = pool.allocate(700, first());
        PooledMemory gone = pool.allocate(5000, first());
        device.submit(first());
        gone.reset();
        EXPECT_EQ(pool.trim(), 5120U);
        EXPECT_EQ(pool.trim(), 0U);
        EXPECT_EQ(pool.counters().bytesHeld, 768U);
        EXPECT_EQ(pool.counters().peakHeld, 768U + 5120U);
        EXPECT_EQ(device.waits(), kind == MemoryKind::pinned ? 1 : 0);
    }
}

TEST(MemoryPool, endsQuietly_whenTheDeviceIsLost) {
    for (const MemoryKind kind : {MemoryKind::device, MemoryKind::pinned}) {
        FakeDevice device;
        MemoryPool pool(device, kind);
        pool.allocate(700, first()).reset();
        PooledMemory memory = pool.allocate(5000, first());
        device.lose();
        EXPECT_THROW(pool.allocate(9000, first()), DeviceLost);
        memory.reset();
        EXPECT_EQ(pool.counters().bytesInUse, 0U);
    }
}

TEST(PooledMemory, isReturnedOnce_whenMoved) {
    FakeDevice device;
    MemoryPool pool(device, MemoryKind::device);
    PooledMemory one = pool.allocate(100, first());
    PooledMemory two = std::move(one);
    EXPECT_EQ(pool.counters().bytesInUse, 512U);
    one = pool.allocate(100, first());
    EXPECT_EQ(pool.counters().bytesInUse, 1024U);
    one = std::move(two);
    EXPECT_EQ(pool.counters().bytesInUse, 512U);
    one.reset();
    one.reset();
    EXPECT_EQ(pool.counters().bytesInUse, 0U);
}

/// Invariants of random operations: a block has one owner, is not reused while a stream still works
/// on it, and the counters are consistent.
class PoolModel : public testing::TestWithParam<MemoryKind> {};

TEST_P(PoolModel, keepsItsInvariants_inThousandsOfRandomOperations) {
    struct Loan {
        PooledMemory memory;
        std::byte pattern;
    };
    struct Return {
        Stream stream;
        std::uint64_t at;
    };
    for (unsigned seed = 0; seed < 8; ++seed) {
        FakeDevice device(200'000);
        MemoryPool pool(device, GetParam());
        std::mt19937 random(seed);
        const auto below = [&](std::size_t limit) {
            return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
        };
        const auto anyStream = [&] { return FakeDevice::stream(1 + below(3)); };
        std::vector<Loan> loans;
        std::map<const std::byte*, Return> returned;
        std::uint64_t requests = 0;
        std::size_t peak = 0;
        const auto giveBack = [&](std::size_t index) {
            Loan& loan = loans[index];
            for (const std::byte value : std::span(loan.memory.data(), loan.memory.size()))
                ASSERT_EQ(value, loan.pattern);
            Stream stream = loan.memory.stream();
            returned[loan.memory.data()] = {stream, device.submitted(stream)};
            std::swap(loan, loans.back());
            loans.pop_back();
        };
        for (int step = 0; step < 4000; ++step) {
            switch (below(9)) {
                case 0:
                case 1:
                case 2: {
                    Stream stream = anyStream();
                    const std::size_t bytes = below(20) == 0 ? below(60'000) : below(3000);
                    if (below(50) == 0) device.failAllocations(0, 1 + static_cast<int>(below(2)));
                    const std::uint64_t made = pool.counters().allocations;
                    PooledMemory memory;
                    try {
                        memory = pool.allocate(bytes, stream);
                    } catch (const OutOfDeviceMemory&) {
                        break;
                    }
                    ++requests;
                    if (pool.counters().allocations == made) {
                        const Return last = returned.at(memory.data());
                        const bool ordered =
                            GetParam() == MemoryKind::device && last.stream == stream;
                        ASSERT_TRUE(ordered || device.finished(last.stream) >= last.at);
                    }
                    const auto pattern = static_cast<std::byte>(below(256));
                    std::fill_n(memory.data(), bytes, pattern);
                    loans.push_back({std::move(memory), pattern});
                    break;
                }
                case 3:
                case 4:
                    if (!loans.empty()) giveBack(below(loans.size()));
                    break;
                case 5:
                    if (!loans.empty())
                        loans[below(loans.size())].memory.setLastStream(anyStream());
                    break;
                case 6:
                    device.submit(anyStream());
                    break;
                case 7:
                    device.finishOne(anyStream());
                    break;
                default:
                    if (below(30) == 0) pool.trim();
                    if (below(30) == 0) pool.setSealed(!pool.sealed());
            }
            std::size_t inUse = 0;
            for (const Loan& loan : loans) inUse += blockBytes(loan.memory.size());
            peak = std::max(peak, inUse);
            const PoolCounters counters = pool.counters();
            ASSERT_EQ(counters.bytesInUse, inUse);
            ASSERT_EQ(counters.peakInUse, peak);
            ASSERT_GE(counters.bytesHeld, inUse);
            // A block that the pool has freed stays allocated on the device until its stream has
            // finished the operations that were submitted before.
            ASSERT_LE(counters.bytesHeld, device.heldBytes());
            ASSERT_EQ(counters.reusedCount + counters.allocations, requests);
            ASSERT_EQ(device.liveEvents(), counters.allocations - counters.freedCount);
        }
        EXPECT_GT(pool.counters().reusedCount, 100U);
        EXPECT_GT(pool.counters().freedCount, 10U);
        while (!loans.empty()) giveBack(0);
        device.synchronise();
        pool.trim();
        EXPECT_EQ(device.heldBytes(), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(BothKinds, PoolModel,
                         testing::Values(MemoryKind::device, MemoryKind::pinned),
                         [](const auto& each) {
                             return each.param == MemoryKind::device ? "device" : "pinned";
                         });

}  // namespace
}  // namespace threefold::cuda
