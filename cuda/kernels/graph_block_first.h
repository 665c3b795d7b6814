#pragma once

#include "cuda/kernels/graph_block_state.h"

/// First layer of a graph block, from wide inputs to 192 channels: steps 0 (product) and 1
/// (Laplacian).
namespace threefold::cuda::graph {

/// Layout of each buffer of the ring: 64 rows of 128 bytes of inputs, then a chunk of weights.
inline constexpr int kFirstRowBytes = kFirstRowTile * kChunkBytes;
inline constexpr int kFirstBufferBytes = kFirstRowBytes + kWeightChunkBytes;

/// Byte offset of a 16-byte unit, swizzled by its row so that neither writing rows nor reading
/// columns causes bank conflicts.
__device__ __forceinline__ int swizzledUnit(int row, int unit) {
    return row * kChunkBytes + (unit ^ (row & 7)) * 16;
}

/// Source rows of one thread's copies: 16 bytes of every chunk of some rows of a tile.
class FirstRows {
    static constexpr int kUnits = kFirstRowBytes / 16 / kGraphThreads;

  public:
    __device__ __forceinline__ FirstRows(const GraphBlockState& state, int firstRow) {
        const std::size_t rowBytes = static_cast<std::size_t>(state.chunks) * kChunkBytes;
        for (int k = 0; k < kUnits; ++k) {
            const int row = firstRow + rowAt(k);
            valid_[k] = row < state.rows;
            source_[k] = static_cast<const std::byte*>(state.arguments.inputs) +
                         (valid_[k] ? callersRow(state, row) * rowBytes + unit() * 16 : 0);
        }
    }

    __device__ __forceinline__ void copy(std::byte* buffer, int chunk) const {
        for (int k = 0; k < kUnits; ++k)
            copyAsync<16>(buffer + swizzledUnit(rowAt(k), unit()),
                          source_[k] + (valid_[k] ? chunk * kChunkBytes : 0), valid_[k]);
    }

  private:
    __device__ static int rowAt(int k) {
        return (static_cast<int>(threadIdx.x) + k * kGraphThreads) / 8;
    }
    __device__ static int unit() { return static_cast<int>(threadIdx.x) % 8; }

    const std::byte* source_[kUnits];
    bool valid_[kUnits];
};

__device__ __forceinline__ void copyFirstBuffer(const GraphBlockState& state, const FirstRows& rows,
                                                int columnTile, int chunk, std::byte* buffer) {
    rows.copy(buffer, chunk);
    copyChunk(buffer + kFirstRowBytes, state.arguments.weights + state.layout.first +
                                           columnTile * state.layout.firstTileBytes +
                                           static_cast<std::size_t>(chunk) * kWeightChunkBytes);
}

/// Computes the first layer's product with [W0 | W1] into the splits' partial sums.
template <class FirstTile>
__device__ __forceinline__ void firstProduct(const GraphBlockState& state) {
    auto* const ring = sharedMemory<std::byte>();
    const int splits = state.shape.splits;
    const int perSplit = (state.chunks + splits - 1) / splits;
    for (auto tile = static_cast<int>(blockIdx.x); tile < state.shape.firstTiles;
         tile += static_cast<int>(gridDim.x)) {
        const int columnTile = tile % kFirstColumnTiles;
        const int split = tile / kFirstColumnTiles % splits;
        const int firstRow = tile / kFirstColumnTiles / splits * kFirstRowTile;
        const int begin = split * perSplit;
        const int end = min(begin + perSplit, state.chunks);
        const FirstRows rows(state, firstRow);
        const auto fetch = [&](int chunk) {
            if (chunk < end)
                copyFirstBuffer(state, rows, columnTile, chunk,
                                ring + chunk % kFirstRingBuffers * kFirstBufferBytes);
            commitCopyGroup();
        };
        FirstTile sums;
        for (int i = 0; i < kFirstRingBuffers - 1; ++i) fetch(begin + i);
        for (int chunk = begin; chunk < end; ++chunk) {
            waitCopyGroups<kFirstRingBuffers - 2>();
            __syncthreads();  // the chunk has arrived and the previous one is no longer read
            fetch(chunk + kFirstRingBuffers - 1);
            const std::byte* buffer = ring + chunk % kFirstRingBuffers * kFirstBufferBytes;
            sums.add([&](int row, int unit) { return buffer + swizzledUnit(row, unit); },
                     buffer + kFirstRowBytes);
        }
        waitCopyGroups<0>();
        __syncthreads();
        for (int pair = 0; pair < FirstTile::kPairs; ++pair) {
            const int row = firstRow + FirstTile::rowOf(pair);
            if (row >= state.rows) continue;
            const float2 sum = sums.sum(pair);
            storePair(state.partialSums +
                          (static_cast<std::size_t>(split) * state.rows + row) * kJoinedColumns +
                          columnTile * kTileColumns + FirstTile::columnOf(pair),
                      sum.x, sum.y);
        }
    }
}

/// Adds one part of a pair of columns; callers add parts in ascending order.
__device__ __forceinline__ void addPart(float2& sum, const float* from) {
    const float2 part = loadPair(from);
    sum.x += part.x;
    sum.y += part.y;
}

/// Computes the first layer's activation from the splits' partial sums: the identity's product, the
/// Laplacian over the neighbours' products, bias and ReLU.
__device__ __forceinline__ void joinFirst(const GraphBlockState& state) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const std::size_t partStride = static_cast<std::size_t>(state.rows) * kJoinedColumns;
    const auto warps = static_cast<int>(gridDim.x) * kGraphWarps;
    for (int index = warpOfGrid(); index < state.rows * kColumnTiles; index += warps) {
        const int row = index / kColumnTiles;
        const int column = index % kColumnTiles * kTileColumns + 2 * lane;
        const Neighbourhood neighbours(state, row);
        const float* identity =
            state.partialSums + static_cast<std::size_t>(row) * kJoinedColumns + column;
        const auto laplacianAt = [&](int other) {
            return state.partialSums + static_cast<std::size_t>(other) * kJoinedColumns +
                   kGraphWidth + column;
        };
        float2 sum = {0.0F, 0.0F};
        float2 ellRows[kEllWidth] = {};
        for (int split = 0; split < state.shape.splits; ++split) {
            addPart(sum, identity + split * partStride);
            for (int k = 0; k < kEllWidth; ++k)
                addPart(ellRows[k], laplacianAt(neighbours.row(k)) + split * partStride);
        }
        const float2 bias = loadPair(biasOf(state, 0) + column);
        sum.x += bias.x;
        sum.y += bias.y;
        for (int k = 0; k < kEllWidth; ++k) {
            sum.x = fmaf(neighbours.value(k), ellRows[k].x, sum.x);
            sum.y = fmaf(neighbours.value(k), ellRows[k].y, sum.y);
        }
        neighbours.forEachOverflow([&](int other, float value) {
            float2 y = {0.0F, 0.0F};
            for (int split = 0; split < state.shape.splits; ++split)
                addPart(y, laplacianAt(other) + split * partStride);
            sum.x = fmaf(value, y.x, sum.x);
            sum.y = fmaf(value, y.y, sum.y);
        });
        storePair(activationOf(state, 0) + static_cast<std::size_t>(row) * kGraphWidth + column,
                  max(sum.x, 0.0F), max(sum.y, 0.0F));
    }
}

}  // namespace threefold::cuda::graph
