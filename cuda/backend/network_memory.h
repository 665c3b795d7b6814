#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "cuda/runtime/memory_pool.h"
#include "engine/model/run_step.h"

namespace threefold::cuda {

/// Sizes of the buffers of NetworkMemory.
struct NetworkMemorySizes {
    struct Level {
        int vertices = 0;
        int pitch = 0;  ///< values per row of the graph block's inputs
    };

    std::size_t batch = 1;
    std::size_t elementBytes = 4;     ///< bytes of one value of the features
    std::vector<Level> levels;        ///< one for each level, at least one
    std::size_t scoresPerVertex = 0;  ///< 0: scores are not kept
    std::size_t inputBytes = 0;       ///< uploaded tables and pixels of all batch slots
    std::size_t imageBytes = 0;       ///< preprocessed images
    std::size_t cnn1Bytes = 0;        ///< workspace of stage 1's convolutions
    std::size_t cnn2Bytes = 0;        ///< workspace of stage 2's convolutions
    std::size_t graphBytes = 0;       ///< workspace of the graph blocks, the largest of all levels
    /// Workspace of the hypothesis blocks; 0 if they are not computed by cuda/library.
    std::size_t blockBytes = 0;
    std::size_t probedFeatureBytes = 0;  ///< features for probes; 0: none
};

/// Device memory of a DeviceNetwork: one allocation, with pointers to its parts.
struct NetworkMemory {
    struct Level {
        int vertices = 0;
        float* points = nullptr;      ///< (batch, vertices, 3): the graph block's input points
        void* inputs = nullptr;       ///< the graph block's inputs; one buffer for all levels
        int pitch = 0;                ///< values per row of the inputs
        void* hiddenBelow = nullptr;  ///< (batch, vertices, 192), unpooled; unused in levels[0]
        void* hidden = nullptr;       ///< (batch, vertices, 192)
        std::size_t result = 0;       ///< offset into the results, floats
    };

    /// Allocates the memory; its contents are undefined. Throws OutOfDeviceMemory, DeviceError.
    NetworkMemory(const NetworkMemorySizes& sizes, MemoryPool& pool, Stream stream);

    std::size_t bytes() const { return memory.size(); }

    PooledMemory memory;
    std::byte* inputs = nullptr;
    void* images = nullptr;
    std::byte* workspace1 = nullptr;      ///< for stage 1's convolutions; holds their maps
    std::byte* workspace2 = nullptr;      ///< for stage 2's convolutions; holds their maps
    std::byte* graphWorkspace = nullptr;  ///< shared by all levels
    std::byte* blockWorkspace = nullptr;  ///< for hypothesis blocks computed by cuda/library
    void* probedFeatures = nullptr;       ///< null: none
    std::vector<Level> levels;
    /// The results: meshes level by level, then the refined meshes, then the scores if kept; see
    /// the offsets.
    float* results = nullptr;
    std::size_t resultFloats = 0;
    std::array<std::size_t, kPublishedHypothesisBlocks>
        refinedOffsets{};  ///< offsets into the results, floats
    std::array<std::size_t, kPublishedHypothesisBlocks>
        scoreOffsets{};  ///< offsets into the results, floats; only if scores are kept
};

}  // namespace threefold::cuda
