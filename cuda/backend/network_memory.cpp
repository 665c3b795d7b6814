#include "cuda/backend/network_memory.h"

#include <algorithm>

#include "cuda/runtime/memory_layout.h"
#include "engine/model/architecture.h"

namespace threefold::cuda {

NetworkMemory::NetworkMemory(const NetworkMemorySizes& sizes, MemoryPool& pool, Stream stream) {
    const auto addResult = [this](std::size_t floats) {
        const std::size_t offset = resultFloats;
        resultFloats += floats;
        return offset;
    };
    std::size_t maxGraphInputBytes = 0;
    for (const NetworkMemorySizes::Level& size : sizes.levels) {
        const std::size_t rows = sizes.batch * static_cast<std::size_t>(size.vertices);
        maxGraphInputBytes = std::max(
            maxGraphInputBytes, rows * static_cast<std::size_t>(size.pitch) * sizes.elementBytes);
        Level& level = levels.emplace_back();
        level.vertices = size.vertices;
        level.pitch = size.pitch;
        level.result = addResult(rows * 3);
    }
    const std::size_t lastRows = sizes.batch * static_cast<std::size_t>(levels.back().vertices);
    for (std::size_t& refined : refinedOffsets) refined = addResult(lastRows * 3);
    if (sizes.scoresPerVertex > 0)
        for (std::size_t& scores : scoreOffsets)
            scores = addResult(lastRows * sizes.scoresPerVertex);

    memory = pool.allocateParts(stream, [&](MemoryLayout& parts) {
        inputs = parts.add<std::byte>(sizes.inputBytes);
        images = parts.add<std::byte>(sizes.imageBytes);
        workspace1 = parts.add<std::byte>(sizes.cnn1Bytes);
        workspace2 = parts.add<std::byte>(sizes.cnn2Bytes);
        graphWorkspace = parts.add<std::byte>(sizes.graphBytes);
        blockWorkspace = parts.add<std::byte>(sizes.blockBytes);
        void* graphInputs = parts.add<std::byte>(maxGraphInputBytes);
        for (Level& level : levels) {
            const std::size_t rows = sizes.batch * static_cast<std::size_t>(level.vertices);
            level.inputs = graphInputs;
            level.points = parts.add<float>(rows * 3);
            level.hidden = parts.add<std::byte>(rows * kHiddenWidth * sizes.elementBytes);
            level.hiddenBelow = parts.add<std::byte>(rows * kHiddenWidth * sizes.elementBytes);
        }
        results = parts.add<float>(resultFloats);
        if (sizes.probedFeatureBytes > 0)
            probedFeatures = parts.add<std::byte>(sizes.probedFeatureBytes);
    });
}

}  // namespace threefold::cuda
