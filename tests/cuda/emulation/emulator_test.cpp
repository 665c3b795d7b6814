#include "tests/cuda/emulation/emulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "cuda/portable/kernel.h"
#include "tests/cuda/emulation/same_results.h"
#include "tests/cuda/emulation/sanitizer.h"

namespace threefold::cuda {
namespace {

using emulation::EmulationError;
using emulation::expectSameUnderAllSeeds;
using emulation::forEachSeed;
using emulation::Options;
using emulation::OptionsScope;
using testing::AllOf;
using testing::HasSubstr;

constexpr unsigned kAllLanes = 0xffffffffU;

/// Message of a failing launch; empty if it succeeds.
template <class... Parameters, class... Arguments>
std::string failureOf(void (*kernel)(Parameters...), const LaunchShape& shape,
                      Arguments... arguments) {
    try {
        launch(kernel, shape, nullptr, arguments...);
    } catch (const EmulationError& error) {
        return error.what();
    }
    return {};
}

// --- Order and shared memory

__global__ void writeIndices(int* out) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    out[block * threads + thread] += static_cast<int>(block * threads + thread);
}

TEST(Emulator, runsEveryThreadOnce_whenGridAndBlockHaveThreeDirections) {
    forEachSeed([](std::uint64_t) {
        std::vector<int> out(2 * 3 * 4 * 5 * 3 * 2);
        launch(writeIndices, {dim3(2, 3, 4), dim3(5, 3, 2)}, nullptr, out.data());
        for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<int>(i));
    });
}

template <bool withBarrier>
__global__ void reverse(const int* in, int* out) {
    int* const values = sharedMemory<int>();
    values[threadIdx.x] = in[threadIdx.x];
    if (withBarrier) __syncthreads();
    out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

std::vector<int> reversed(bool withBarrier) {
    std::vector<int> in(100);
    for (int i = 0; i < 100; ++i) in[static_cast<std::size_t>(i)] = i;
    std::vector<int> out(100);
    launch(withBarrier ? reverse<true> : reverse<false>, {dim3(1), dim3(100), 400}, nullptr,
           in.data(), out.data());
    return out;
}

void reverseWithoutBarrier() {
    expectSameUnderAllSeeds([] { return reversed(false); });
}

TEST(Emulator, givesTheSameResultsUnderAllSeeds_whenBarriersAreComplete) {
    const auto out = expectSameUnderAllSeeds([] { return reversed(true); });
    EXPECT_EQ(out.front(), 99);
    EXPECT_EQ(out.back(), 0);
}

TEST(Emulator, showsAMissingBarrier_whenSeedsDiffer) {
    EXPECT_NONFATAL_FAILURE(reverseWithoutBarrier(), "a barrier is missing");
}

/// The first warp passes a value to the second warp without __syncthreads(): only lanes of the same
/// warp wait for each other.
__global__ void passValue(float* out) {
    float* const value = sharedMemory<float>();
    __ballot_sync(kAllLanes, 1);
    if (threadIdx.x == 0) *value = 1.0F;
    __ballot_sync(kAllLanes, 1);
    out[threadIdx.x] = *value;
}

void passValueWithoutBarrier() {
    expectSameUnderAllSeeds([] {
        std::vector<float> out(64);
        launch(passValue, {dim3(1), dim3(64), 4}, nullptr, out.data());
        return out;
    });
}

TEST(Emulator, showsAMissingBarrier_whenOnlyWarpsWait) {
    EXPECT_NONFATAL_FAILURE(passValueWithoutBarrier(), "a barrier is missing");
}

__global__ void readUnwritten(float* out) {
    *out = *sharedMemory<float>(4);
}

TEST(SharedMemory, isNan_whenNotWritten) {
    float out = 0.0F;
    launch(readUnwritten, {dim3(1), dim3(1), 8}, nullptr, &out);
    EXPECT_TRUE(std::isnan(out));
}

__global__ void shareBlockIndex(float* out) {
    float* const mine = sharedMemory<float>();
    if (threadIdx.x == 0) *mine = static_cast<float>(blockIdx.x);
    gridBarrier();
    if (threadIdx.x == 1) out[blockIdx.x] = *mine;
}

TEST(SharedMemory, isSeparateForEachBlock_whenBlocksRunTogether) {
    std::vector<float> out(4);
    launch(shareBlockIndex, {dim3(4), dim3(2), 4, true}, nullptr, out.data());
    EXPECT_THAT(out, testing::ElementsAre(0.0F, 1.0F, 2.0F, 3.0F));
}

__global__ void writeAt(int byte) {
    *sharedMemory<unsigned char>(static_cast<std::size_t>(byte)) = 1;
}

TEST(SharedMemory, endsAtTheLaunchsSize_whenAByteIsWrittenBeyond) {
    launch(writeAt, {dim3(1), dim3(1), 101}, nullptr, 100);
#if THREEFOLD_ADDRESS_SANITIZER
    EXPECT_DEATH(launch(writeAt, {dim3(1), dim3(1), 101}, nullptr, 101), "heap-buffer-overflow");
#else
    EXPECT_THAT(failureOf(writeAt, {dim3(1), dim3(1), 101}, 101),
                HasSubstr("behind its 101 bytes"));
#endif
}

__global__ void readAt(const int* in, int index, int* out) {
    *out = in[index];
}

TEST(GlobalMemory, endsAtItsSize_underTheAddressSanitizer) {
    const std::vector<int> in(3);
    int out = 1;
    launch(readAt, {dim3(1), dim3(1)}, nullptr, in.data(), 2, &out);
    EXPECT_EQ(out, 0);
#if THREEFOLD_ADDRESS_SANITIZER
    EXPECT_DEATH(launch(readAt, {dim3(1), dim3(1)}, nullptr, in.data(), 3, &out),
                 "heap-buffer-overflow");
#else
    GTEST_SKIP() << "built without the address sanitizer";
#endif
}

// --- Asynchronous copies

/// Reads the destinations of two groups of copies while `pending` groups may be unfinished.
template <int pending>
__global__ void copyTwo(const float* in, float* out) {
    float* const values = sharedMemory<float>();
    copyAsync<8>(values, in);
    commitCopyGroup();
    copyAsync<8>(values + 2, in + 2);
    copyAsync<16>(values + 4, in, false);
    commitCopyGroup();
    waitCopyGroups<pending>();
    for (int i = 0; i < 8; ++i) out[i] = values[i];
}

TEST(CopyAsync, leavesPoison_untilItIsWaitedFor) {
    alignas(16) const float in[4] = {1.0F, 2.0F, 3.0F, 4.0F};
    float out[8] = {};
    launch(copyTwo<2>, {dim3(1), dim3(1), 32}, nullptr, &in[0], &out[0]);
    EXPECT_TRUE(std::isnan(out[0]));
    EXPECT_TRUE(std::isnan(out[2]));
    launch(copyTwo<1>, {dim3(1), dim3(1), 32}, nullptr, &in[0], &out[0]);
    EXPECT_EQ(out[0], 1.0F);
    EXPECT_TRUE(std::isnan(out[2]));
    launch(copyTwo<0>, {dim3(1), dim3(1), 32}, nullptr, &in[0], &out[0]);
    EXPECT_EQ(out[0], 1.0F);
    EXPECT_EQ(out[3], 4.0F);
    for (int i = 4; i < 8; ++i) EXPECT_EQ(out[i], 0.0F);
}

__global__ void copyTo(const float* in, int byte) {
    copyAsync<16>(sharedMemory<char>(static_cast<std::size_t>(byte)), in);
}

TEST(CopyAsync, isRefused_whenItDoesNotFitOrIsNotAligned) {
    alignas(16) const float in[8] = {};
    EXPECT_EQ(failureOf(copyTo, {dim3(1), dim3(1), 32}, &in[0], 16), "");
    EXPECT_THAT(failureOf(copyTo, {dim3(1), dim3(1), 32}, &in[0], 32),
                HasSubstr("not all in the block's shared memory"));
    EXPECT_THAT(failureOf(copyTo, {dim3(1), dim3(1), 32}, &in[0], 8), HasSubstr("not aligned"));
    EXPECT_THAT(failureOf(copyTo, {dim3(1), dim3(1), 32}, &in[1], 0), HasSubstr("not aligned"));
}

// --- Deadlocks

__global__ void divergentBarrier() {
    // NOLINTNEXTLINE(bugprone-branch-clone): the test needs two places of the same call
    if (threadIdx.x < 40) {
        __syncthreads();
    } else {
        __syncthreads();
    }
}

TEST(SyncThreads, isAnError_whenThreadsWaitAtDifferentCalls) {
    forEachSeed([](std::uint64_t) {
        EXPECT_THAT(failureOf(divergentBarrier, {dim3(1), dim3(64)}),
                    HasSubstr("wait at different ones"));
    });
}

__global__ void leaveEarly(int* out) {
    if (threadIdx.x >= 10) return;
    int* const values = sharedMemory<int>();
    values[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x != 0) return;
    *out = 0;
    for (int i = 0; i < 10; ++i) *out += values[i];
}

TEST(SyncThreads, joinsRemainingThreads_whenOthersReturned) {
    forEachSeed([](std::uint64_t) {
        int out = 0;
        launch(leaveEarly, {dim3(1), dim3(64), 40}, nullptr, &out);
        EXPECT_EQ(out, 10);
    });
}

__global__ void shuffleSome(unsigned mask, unsigned from) {
    if (threadIdx.x >= from) __shfl_xor_sync(mask, 1, 1);
}

TEST(Shuffle, isAnError_whenALaneOfTheMaskDoesNotArrive) {
    EXPECT_EQ(failureOf(shuffleSome, {dim3(1), dim3(32)}, kAllLanes, 0U), "");
    EXPECT_THAT(failureOf(shuffleSome, {dim3(1), dim3(32)}, kAllLanes, 2U),
                AllOf(HasSubstr("hangs"), HasSubstr("30 wait in __shfl_xor_sync"),
                      HasSubstr("2 have left")));
}

TEST(Shuffle, isAnError_whenTheMaskDoesNotFitTheLanes) {
    EXPECT_THAT(failureOf(shuffleSome, {dim3(1), dim3(32)}, 0xfffffffeU, 0U),
                HasSubstr("does not name the lane itself"));
    EXPECT_THAT(failureOf(shuffleSome, {dim3(1), dim3(48)}, kAllLanes, 0U),
                HasSubstr("lanes that the block does not have"));
}

__global__ void differentOperations() {
    if (threadIdx.x < 16) {
        __shfl_sync(kAllLanes, 1, 0);
    } else {
        __ballot_sync(kAllLanes, 1);
    }
}

TEST(Warp, isAnError_whenLanesDiverge) {
    EXPECT_THAT(failureOf(differentOperations, {dim3(1), dim3(32)}), HasSubstr("wait in"));
}

__global__ void halvesOfWarp(unsigned* out) {
    const unsigned mask = threadIdx.x < 16 ? 0x0000ffffU : 0xffff0000U;
    unsigned sum = threadIdx.x;
    for (int by = 8; by > 0; by /= 2) sum += __shfl_xor_sync(mask, sum, by);
    out[threadIdx.x] = sum;
}

TEST(Shuffle, keepsPartsOfAWarpApart_whenMasksAreDisjoint) {
    const auto out = expectSameUnderAllSeeds([] {
        std::vector<unsigned> sums(32);
        launch(halvesOfWarp, {dim3(1), dim3(32)}, nullptr, sums.data());
        return sums;
    });
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], lane < 16 ? 120U : 376U);
}

__global__ void loadFrom(int byte) {
    std::uint32_t registers[4];
    ldmatrix(registers, sharedMemory<char>(static_cast<std::size_t>(byte)));
}

TEST(LoadMatrix, isAnError_whenARowIsOutsideOrNotAligned) {
    EXPECT_EQ(failureOf(loadFrom, {dim3(1), dim3(32), 64}, 48), "");
    EXPECT_THAT(failureOf(loadFrom, {dim3(1), dim3(32), 64}, 56), HasSubstr("shared memory"));
    EXPECT_THAT(failureOf(loadFrom, {dim3(1), dim3(32), 64}, 40), HasSubstr("not aligned"));
}

// --- Grids

__global__ void waitForGrid(unsigned leaving) {
    if (threadIdx.x < leaving) return;
    gridBarrier();
}

TEST(GridBarrier, isAnError_whenTheLaunchIsOrdinary) {
    EXPECT_THAT(failureOf(waitForGrid, {dim3(2), dim3(32)}, 0U), HasSubstr("not a cooperative"));
}

TEST(GridBarrier, isADeadlock_whenAThreadReturned) {
    EXPECT_NO_THROW(launch(waitForGrid, {dim3(2), dim3(32), 0, true}, nullptr, 0U));
    EXPECT_THROW(launch(waitForGrid, {dim3(2), dim3(32), 0, true}, nullptr, 1U), EmulationError);
}

TEST(Launch, isRefused_whenTheShapeIsImpossible) {
    int out = 0;
    EXPECT_THAT(failureOf(writeIndices, {dim3(0), dim3(32)}, &out), HasSubstr("no blocks"));
    EXPECT_THAT(failureOf(writeIndices, {dim3(1), dim3(0)}, &out), HasSubstr("1 to 1024"));
    EXPECT_THAT(failureOf(writeIndices, {dim3(1), dim3(1025)}, &out), HasSubstr("1 to 1024"));
    EXPECT_THAT(failureOf(writeIndices, {dim3(1, 65536), dim3(1)}, &out), HasSubstr("65535"));
    EXPECT_THAT(failureOf(writeIndices, {dim3(1), dim3(1), 300000}, &out),
                HasSubstr("more shared memory"));
}

TEST(LaunchCooperative, isRefused_whenBlocksDoNotFitTogether) {
    const OptionsScope scope(Options{.seed = 0, .cooperativeBlocks = 3});
    EXPECT_EQ(maxCooperativeBlocks(waitForGrid, 32, 0), 3);
    EXPECT_EQ(maxCooperativeBlocks(waitForGrid, 32, 1 << 20), 0);
    EXPECT_NO_THROW(launch(waitForGrid, {dim3(3), dim3(32), 0, true}, nullptr, 0U));
    EXPECT_THROW(launch(waitForGrid, {dim3(4), dim3(32), 0, true}, nullptr, 0U), EmulationError);
}

// --- Exceptions

/// Counts its living objects.
class Counted {
  public:
    explicit Counted(int& count) : count_(count) { ++count_; }
    ~Counted() { --count_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

  private:
    int& count_;
};

__global__ void throwFromOne(int* alive, unsigned thrower) {
    const Counted counted(*alive);
    if (threadIdx.x == thrower) {
        throw InputError({.subject = "thread", .place = "", .problem = "it throws", .remedy = ""});
    }
    __syncthreads();
}

TEST(Emulator, rethrowsAThreadsException_whenOthersWait) {
    forEachSeed([](std::uint64_t) {
        int alive = 0;
        EXPECT_THROW(launch(throwFromOne, {dim3(3), dim3(64)}, nullptr, &alive, 33U), InputError);
        EXPECT_EQ(alive, 0);
        EXPECT_NO_THROW(launch(throwFromOne, {dim3(3), dim3(64)}, nullptr, &alive, 64U));
        EXPECT_EQ(alive, 0);
    });
}

__global__ void launchAnother(int* out) {
    launch(writeIndices, {dim3(1), dim3(1)}, nullptr, out);
}

TEST(Launch, isRefused_whenAKernelLaunches) {
    int out = 0;
    EXPECT_THAT(failureOf(launchAnother, {dim3(1), dim3(1)}, &out), HasSubstr("cannot launch"));
}

TEST(Emulator, runsOnEveryThreadOfTheSystem_whenSeveralLaunch) {
    std::vector<std::jthread> threads;
    threads.reserve(3);
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([] {
            for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(reversed(true).front(), 99);
        });
    }
}

}  // namespace
}  // namespace threefold::cuda
