#include "cuda/backend/network_memory.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/runtime/memory_layout.h"
#include "engine/model/architecture.h"
#include "tests/cuda/runtime/fake_device.h"

namespace threefold::cuda {
namespace {

NetworkMemorySizes someSizes() {
    NetworkMemorySizes sizes;
    sizes.batch = 2;
    sizes.elementBytes = 2;
    sizes.levels = {{5, 8}, {7, 6}};
    sizes.inputBytes = 1000;
    sizes.imageBytes = 300;
    sizes.cnn1Bytes = 700;
    sizes.cnn2Bytes = 500;
    sizes.graphBytes = 400;
    return sizes;
}

TEST(NetworkMemory, ordersResultsByLevels_thenBlocks_thenScores) {
    test::FakeDevice device;
    MemoryPool pool(device, MemoryKind::device);
    NetworkMemorySizes sizes = someSizes();
    sizes.scoresPerVertex = 4;
    const NetworkMemory memory(sizes, pool, test::FakeDevice::stream(1));
    EXPECT_EQ(memory.levels[0].result, 0U);
    EXPECT_EQ(memory.levels[1].result, 30U);
    EXPECT_EQ(memory.refinedOffsets[0], 72U);
    EXPECT_EQ(memory.refinedOffsets[1], 114U);
    EXPECT_EQ(memory.scoreOffsets[0], 156U);
    EXPECT_EQ(memory.scoreOffsets[1], 212U);
    EXPECT_EQ(memory.resultFloats, 268U);
}

TEST(NetworkMemory, hasNeitherScoresNorProbedFeatures_unlessRequested) {
    test::FakeDevice device;
    MemoryPool pool(device, MemoryKind::device);
    const NetworkMemory memory(someSizes(), pool, test::FakeDevice::stream(1));
    EXPECT_EQ(memory.resultFloats, 156U);
    EXPECT_EQ(memory.probedFeatures, nullptr);
    NetworkMemorySizes probed = someSizes();
    probed.probedFeatureBytes = 64;
    EXPECT_NE(NetworkMemory(probed, pool, test::FakeDevice::stream(1)).probedFeatures, nullptr);
}

TEST(NetworkMemory, givesEachBufferItsOwnBytes) {
    test::FakeDevice device;
    MemoryPool pool(device, MemoryKind::device);
    const NetworkMemorySizes sizes = someSizes();
    const NetworkMemory memory(sizes, pool, test::FakeDevice::stream(1));
    using Part = std::pair<const void*, std::size_t>;
    std::vector<Part> parts = {
        {memory.inputs, sizes.inputBytes},
        {memory.images, sizes.imageBytes},
        {memory.workspace1, sizes.cnn1Bytes},
        {memory.workspace2, sizes.cnn2Bytes},
        {memory.graphWorkspace, sizes.graphBytes},
        // The inputs are sized for the larger of the two levels.
        {memory.levels[0].inputs, std::size_t{2} * 7 * 6 * 2},
        {memory.results, memory.resultFloats * sizeof(float)},
    };
    EXPECT_EQ(memory.levels[1].inputs, memory.levels[0].inputs);
    for (const NetworkMemory::Level& level : memory.levels) {
        const std::size_t rows = 2 * static_cast<std::size_t>(level.vertices);
        parts.emplace_back(level.points, rows * 3 * sizeof(float));
        parts.emplace_back(level.hidden, rows * kHiddenWidth * 2);
        parts.emplace_back(level.hiddenBelow, rows * kHiddenWidth * 2);
    }
    std::ranges::sort(parts);
    const std::byte* end = memory.memory.data();
    for (const auto& [begin, bytes] : parts) {
        const auto* const first = static_cast<const std::byte*>(begin);
        EXPECT_GE(first, end);
        end = first + alignUp(bytes);
    }
    EXPECT_LE(end, memory.memory.data() + memory.bytes());
}

}  // namespace
}  // namespace threefold::cuda
