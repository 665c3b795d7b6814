#pragma once

#include <cstddef>

#include "cuda/kernels/device_limits.h"
#include "cuda/kernels/graph_block_layout.h"

namespace threefold::cuda {

/// How the work of a graph block is cut. A function of the device's limits alone, so that the same
/// device gives the same bits.
struct GraphBlockShape {
    int rowTile = 0;      ///< rows of a hidden layer's tile: 16, 32 or 64; 0: does not fit
    int splits = 1;       ///< parts of the first layer's long sums
    int firstTiles = 0;   ///< tiles of the first layer, all parts
    int hiddenTiles = 0;  ///< tiles of a hidden layer
    int blocks = 0;       ///< of a cooperative launch
    std::size_t sharedBytes = 0;
};

inline constexpr int kFirstRowTile = 64;
inline constexpr int kMostSplits = 8;

/// The smallest tiles that still are no more than the device has multiprocessors: the layers of the
/// small levels are bound by latency.
GraphBlockShape graphBlockShape(const DeviceLimits& limits, Precision precision, int rows);

/// What the kernel's shared memory holds in a hidden layer, in this order.
struct GraphSharedLayout {
    std::size_t weights;    ///< a ring of weight chunks
    std::size_t rows;       ///< [x | L x] of the tile
    std::size_t near;       ///< the rows' Neighbour tables
    std::size_t counts;     ///< their NeighbourCount
    std::size_t firstRows;  ///< row of their mesh's first vertex, int
    std::size_t bytes;      ///< all of it
    std::size_t
        rowPitch;  ///< bytes of a row; 16 more than a multiple of 128, against bank conflicts
};

/// Chunks of weights in flight.
constexpr int graphRingStages(std::size_t valueBytes) {
    return valueBytes == 2 ? 6 : 4;
}
inline constexpr int kFirstRingStages = 4;

constexpr GraphSharedLayout graphSharedLayout(std::size_t valueBytes, int rowTile) {
    const auto rows = static_cast<std::size_t>(rowTile);
    GraphSharedLayout layout{};
    layout.rowPitch = 2 * kGraphWidth * valueBytes + 16;
    layout.weights = 0;
    layout.rows = static_cast<std::size_t>(graphRingStages(valueBytes)) * kWeightChunkBytes;
    layout.near = layout.rows + rows * layout.rowPitch;
    layout.counts = layout.near + rows * kNearNeighbours * sizeof(Neighbour);
    layout.firstRows = layout.counts + rows * sizeof(NeighbourCount);
    layout.bytes = layout.firstRows + rows * sizeof(int);
    return layout;
}

}  // namespace threefold::cuda
