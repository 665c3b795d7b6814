#pragma once

#include <cstddef>

#include "cuda/kernels/device_limits.h"
#include "cuda/kernels/graph_block_layout.h"

namespace threefold::cuda {

/// Division of a graph block's work. Depends only on the device's limits, the precision and the
/// number of rows, so that the same device gives the same bits.
struct GraphBlockShape {
    int rowTile = 0;      ///< rows of a hidden layer's tile: 16, 32 or 64; 0: does not fit
    int ringStages = 0;   ///< chunks of a hidden layer's weights in flight
    int splits = 1;       ///< parts that the first layer's long sums are split into
    int firstTiles = 0;   ///< tiles of the first layer, all parts
    int hiddenTiles = 0;  ///< tiles of a hidden layer
    int blocks = 0;       ///< thread blocks of a cooperative launch
    std::size_t sharedBytes = 0;
};

inline constexpr int kFirstRowTile = 64;
inline constexpr int kMaxSplits = 8;

/// Chooses the smallest rowTile for which a hidden layer has at most one tile per multiprocessor,
/// since latency limits the layers of small levels; if there is none, the largest that fits.
GraphBlockShape graphBlockShape(const DeviceLimits& limits, Precision precision, int rows);

/// Shared memory of a hidden layer, in this order.
struct GraphSharedLayout {
    std::size_t weights;        ///< a ring of weight chunks
    std::size_t rows;           ///< [x | L x] of the tile (kLowPartOffset)
    std::size_t ell;            ///< the rows' Neighbour tables
    std::size_t laplacianRows;  ///< LaplacianRow of each row
    std::size_t meshFirstRows;  ///< int for each row: the row of its mesh's first vertex
    std::size_t bytes;          ///< total
};
/// Bytes of a row: 16 more than a multiple of 128, to avoid bank conflicts.
inline constexpr std::size_t kGraphRowPitch = std::size_t{2} * kGraphWidth * sizeof(float) + 16;

/// Desired number of weight chunks in flight: for 16-bit values all chunks of a column tile.
/// graphBlockShape() falls back to kFewStages if shared memory is short.
inline constexpr int kWholeLayerStages = 6;
inline constexpr int kFewStages = 4;
constexpr int graphRingStages(std::size_t valueBytes) {
    return valueBytes == 2 ? kWholeLayerStages : kFewStages;
}
inline constexpr int kFirstRingBuffers = 4;

constexpr GraphSharedLayout graphSharedLayout(int ringStages, int rowTile) {
    const auto rows = static_cast<std::size_t>(rowTile);
    GraphSharedLayout layout{};
    layout.weights = 0;
    layout.rows = static_cast<std::size_t>(ringStages) * kWeightChunkBytes;
    layout.ell = layout.rows + rows * kGraphRowPitch;
    layout.laplacianRows = layout.ell + rows * kEllWidth * sizeof(Neighbour);
    layout.meshFirstRows = layout.laplacianRows + rows * sizeof(LaplacianRow);
    layout.bytes = layout.meshFirstRows + rows * sizeof(int);
    return layout;
}

}  // namespace threefold::cuda
