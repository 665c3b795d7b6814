#include "cuda/kernels/graph_block_shape.h"

#include <algorithm>

#include "cuda/kernels/graph_block.h"

namespace threefold::cuda {
namespace {

std::size_t sharedBytesOf(int ringStages, int rowTile) {
    constexpr std::size_t kFirstRing =
        std::size_t{kFirstRingStages} * (kWeightChunkBytes + kFirstRowTile * kChunkBytes);
    return std::max(graphSharedLayout(ringStages, rowTile).bytes, kFirstRing);
}

int tilesOf(int rows, int rowTile) {
    return (rows + rowTile - 1) / rowTile;
}

}  // namespace

GraphBlockShape graphBlockShape(const DeviceLimits& limits, Precision precision, int rows) {
    const auto fits = [&](int ringStages, int rowTile) {
        return sharedBytesOf(ringStages, rowTile) <= limits.sharedBytesPerBlock;
    };
    GraphBlockShape shape;
    shape.ringStages = graphRingStages(bytesOf(storageOf(precision)));
    if (!fits(shape.ringStages, 16)) shape.ringStages = kFewStages;
    for (const int rowTile : {16, 32, 64}) {
        if (!fits(shape.ringStages, rowTile)) break;
        shape.rowTile = rowTile;
        shape.sharedBytes = sharedBytesOf(shape.ringStages, rowTile);
        shape.hiddenTiles = tilesOf(rows, rowTile) * kColumnTiles;
        if (shape.hiddenTiles <= limits.multiprocessors) break;
    }
    const int whole = tilesOf(rows, kFirstRowTile) * kFirstColumnTiles;
    shape.splits = std::clamp(limits.multiprocessors / std::max(whole, 1), 1, kMostSplits);
    shape.firstTiles = whole * shape.splits;
    shape.blocks = std::min(std::max(shape.hiddenTiles, shape.firstTiles),
                            std::max(limits.multiprocessors, 1));
    return shape;
}

bool graphBlockFits(const DeviceLimits& limits, Precision precision) {
    return limits.computeCapability >= leastCapability(widePrecision(precision)) &&
           graphBlockShape(limits, precision, 1).rowTile != 0;
}

}  // namespace threefold::cuda
