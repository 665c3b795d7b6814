#pragma once

#include <cstddef>

#include "cuda/kernels/graph_block_state.h"
#include "engine/model/architecture.h"

/// Hidden layers of a graph block, 192 channels to 192. Each layer is a step of the kernel
/// (graph_block.cu).
namespace threefold::cuda::graph {

/// threefold::hasResidual() in the device's 32-bit integers.
constexpr bool hasResidual(int layer) {
    return layer % 2 == 0 && layer <= 12;
}
static_assert(
    [] {
        for (int layer = 1; layer <= 13; ++layer)
            if (hasResidual(layer) != threefold::hasResidual(static_cast<std::size_t>(layer)))
                return false;
        return true;
    }(),
    "hidden layers 1 to 13 as in the architecture");

/// Activations are float32 in memory and enter the products in two parts (graph_tile.h).
template <class Tile, int kRows, int kStages>
class HiddenLayers {
    using T = typename Tile::Value;
    static constexpr GraphSharedLayout kShared = graphSharedLayout(kStages, kRows);
    static constexpr int kChunks = 2 * kGraphWidth * static_cast<int>(sizeof(T)) / kChunkBytes;
    static constexpr int kRowVectors = kGraphWidth / 4;

  public:
    __device__ explicit HiddenLayers(const GraphBlockState& state) : state_(state) {}

    /// Starts the copies that this thread block's first tile needs in `layer`. No thread may still
    /// use shared memory.
    __device__ __forceinline__ void fetchFirst(int layer) {
        if (static_cast<int>(blockIdx.x) < state_.shape.hiddenTiles)
            fetch(layer, static_cast<int>(blockIdx.x));
        fetched_ = true;
    }

    __device__ __forceinline__ void computeLayer(int layer, bool fetchNext) {
        if (!fetched_) fetchFirst(layer);
        fetched_ = fetchNext;
        for (auto tile = static_cast<int>(blockIdx.x); tile < state_.shape.hiddenTiles;
             tile += static_cast<int>(gridDim.x)) {
            const int firstRow = tile / kColumnTiles * kRows;
            waitCopyGroups<kStages>();
            __syncthreads();  // the tables have arrived
            gather(activationOf(state_, layer - 1), firstRow);
            const int firstColumn = tile % kColumnTiles * kTileColumns;
            const EpilogueInputs epilogue = loadEpilogue(layer, firstRow, firstColumn);
            Tile sums;
            multiply(sums, layer, tile % kColumnTiles);
            __syncthreads();  // shared memory is free again
            const int next = tile + static_cast<int>(gridDim.x);
            if (next < state_.shape.hiddenTiles) {
                fetch(layer, next);
            } else if (fetchNext) {
                fetch(layer + 1, static_cast<int>(blockIdx.x));
            }
            finish(sums, epilogue, layer, firstRow, firstColumn);
        }
    }

  private:
    __device__ __forceinline__ const std::byte* layerWeights(int layer, int columnTile) const {
        return state_.arguments.weights + state_.layout.hidden +
               static_cast<std::size_t>((layer - 1) * kColumnTiles + columnTile) *
                   state_.layout.layerTileBytes;
    }

    __device__ __forceinline__ void fetch(int layer, int tile) const {
        const int firstRow = tile / kColumnTiles * kRows;
        constexpr int kUnits = kEllWidth * static_cast<int>(sizeof(Neighbour)) / 16;
        for (int i = static_cast<int>(threadIdx.x); i < kRows * kUnits; i += kGraphThreads) {
            const int row = firstRow + i / kUnits;
            const bool valid = row < state_.rows;
            const int vertex = valid ? row % state_.arguments.vertices : 0;
            copyAsync<16>(sharedMemory<std::byte>(kShared.ell) + i * 16,
                          state_.arguments.weights + state_.layout.ell +
                              static_cast<std::size_t>(vertex * kUnits + i % kUnits) * 16,
                          valid);
        }
        const auto thread = static_cast<int>(threadIdx.x);
        if (thread < kRows) {
            const int row = firstRow + thread;
            const bool valid = row < state_.rows;
            const int vertex = valid ? row % state_.arguments.vertices : 0;
            copyAsync<8>(sharedMemory<LaplacianRow>(kShared.laplacianRows) + thread,
                         state_.arguments.weights + state_.layout.laplacianRows +
                             vertex * sizeof(LaplacianRow),
                         valid);
            sharedMemory<int>(kShared.meshFirstRows)[thread] = row - vertex;
        }
        commitCopyGroup();
        for (int chunk = 0; chunk < kStages; ++chunk) {
            copyChunk(sharedMemory<std::byte>(kShared.weights) + chunk * kWeightChunkBytes,
                      layerWeights(layer, tile % kColumnTiles) + chunk * kWeightChunkBytes);
            commitCopyGroup();
        }
    }

    /// Writes [x | L x] of the tile's rows to shared memory; zeros beyond the last row.
    __device__ __forceinline__ void gather(const float* x, int firstRow) const {
        auto* const rows = sharedMemory<std::byte>(kShared.rows);
        const auto* laplacianRows = sharedMemory<LaplacianRow>(kShared.laplacianRows);
        const auto* meshFirstRows = sharedMemory<int>(kShared.meshFirstRows);
        for (int i = static_cast<int>(threadIdx.x); i < kRows * kRowVectors; i += kGraphThreads) {
            const int row = i / kRowVectors;
            const int vector = i % kRowVectors;
            float4 identity = {0.0F, 0.0F, 0.0F, 0.0F};
            float4 sum = identity;
            if (firstRow + row < state_.rows) {
                const float* mesh =
                    x + static_cast<std::size_t>(meshFirstRows[row]) * kGraphWidth + vector * 4;
                identity = loadVector(x + vector * 4, firstRow + row);
                const LaplacianRow laplacianRow = laplacianRows[row];
                const Neighbour* ellTable = sharedMemory<Neighbour>(kShared.ell) + row * kEllWidth;
                // All reads are issued before the first sum, so that their latencies overlap;
                // padding entries have value 0.
                float4 values[kEllWidth];
                for (int k = 0; k < kEllWidth; ++k) values[k] = loadVector(mesh, ellTable[k].index);
                for (int k = 0; k < kEllWidth; ++k) addScaled(sum, values[k], ellTable[k].value);
                const auto* overflow = reinterpret_cast<const Neighbour*>(state_.arguments.weights +
                                                                          state_.layout.overflow) +
                                       laplacianRow.overflow;
                for (int k = kEllWidth; k < static_cast<int>(laplacianRow.count); ++k) {
                    const Neighbour neighbour = overflow[k - kEllWidth];
                    addScaled(sum, loadVector(mesh, neighbour.index), neighbour.value);
                }
            }
            std::byte* target = rows + row * kGraphRowPitch + vector * 4 * sizeof(T);
            storeOperands(target, identity);
            storeOperands(target + kGraphWidth * sizeof(T), sum);
        }
    }

    __device__ static void storeOperands(std::byte* target, const float4& x) {
        if constexpr (sizeof(T) == 4) {
            *reinterpret_cast<float4*>(target) = x;
        } else {
            const uint2 high = {packFinite<T>(x.x, x.y), packFinite<T>(x.z, x.w)};
            *reinterpret_cast<uint2*>(target) = high;
            *reinterpret_cast<uint2*>(target + kLowPartOffset) =
                uint2{packFinite<T>(x.x - lowOf<T>(high.x), x.y - highOf<T>(high.x)),
                      packFinite<T>(x.z - lowOf<T>(high.y), x.w - highOf<T>(high.y))};
        }
    }

    __device__ static float4 loadVector(const float* rows, std::uint32_t row) {
        return *reinterpret_cast<const float4*>(rows + static_cast<std::size_t>(row) * kGraphWidth);
    }

    __device__ static void addScaled(float4& sum, const float4& values, float scale) {
        sum.x = fmaf(scale, values.x, sum.x);
        sum.y = fmaf(scale, values.y, sum.y);
        sum.z = fmaf(scale, values.z, sum.z);
        sum.w = fmaf(scale, values.w, sum.w);
    }

    __device__ __forceinline__ void multiply(Tile& sums, int layer, int columnTile) const {
        auto* const ring = sharedMemory<std::byte>(kShared.weights);
        const std::byte* rows = sharedMemory<std::byte>(kShared.rows);
        const auto add = [&](int chunk) {
            sums.addSplit(
                [&](int row, int unit) {
                    return rows + row * kGraphRowPitch + chunk * kChunkBytes + unit * 16;
                },
                ring + chunk % kStages * kWeightChunkBytes);
        };
        if constexpr (kChunks == kStages) {
            waitCopyGroups<0>();
            __syncthreads();
            for (int chunk = 0; chunk < kChunks; ++chunk) add(chunk);
        } else {
            for (int chunk = 0; chunk < kChunks; ++chunk) {
                waitCopyGroups<kStages - 1>();
                __syncthreads();
                add(chunk);
                __syncthreads();
                if (chunk + kStages < kChunks)
                    copyChunk(
                        ring + chunk % kStages * kWeightChunkBytes,
                        layerWeights(layer, columnTile) + (chunk + kStages) * kWeightChunkBytes);
                commitCopyGroup();
            }
        }
    }

    /// Bias and residual of a thread's sums, loaded while the sums are computed.
    struct EpilogueInputs {
        float2 bias[Tile::kPairs];
        float2 residual[Tile::kPairs];
    };

    __device__ __forceinline__ EpilogueInputs loadEpilogue(int layer, int firstRow,
                                                           int firstColumn) const {
        EpilogueInputs epilogue;
        const float* bias = biasOf(state_, layer) + firstColumn;
        for (int pair = 0; pair < Tile::kPairs; ++pair) {
            epilogue.bias[pair] = loadPair(bias + Tile::columnOf(pair));
            epilogue.residual[pair] = {0.0F, 0.0F};
        }
        if (!hasResidual(layer)) return epilogue;
        const float* residual = activationOf(state_, layer - 2) + firstColumn;
        for (int pair = 0; pair < Tile::kPairs; ++pair) {
            const int row = firstRow + Tile::rowOf(pair);
            if (row >= state_.rows) continue;
            epilogue.residual[pair] = loadPair(
                residual + static_cast<std::size_t>(row) * kGraphWidth + Tile::columnOf(pair));
        }
        return epilogue;
    }

    __device__ __forceinline__ void finish(const Tile& sums, const EpilogueInputs& epilogue,
                                           int layer, int firstRow, int firstColumn) const {
        float* const out = activationOf(state_, layer) + firstColumn;
        // The last hidden layer is also a result: GraphBlockArguments::hidden.
        T* const hidden = layer == state_.arguments.layers - 2
                              ? static_cast<T*>(state_.arguments.hidden) + firstColumn
                              : nullptr;
        for (int pair = 0; pair < Tile::kPairs; ++pair) {
            const int row = firstRow + Tile::rowOf(pair);
            if (row >= state_.rows) continue;
            float2 h = sums.sum(pair);
            h.x = max(h.x + epilogue.bias[pair].x, 0.0F);
            h.y = max(h.y + epilogue.bias[pair].y, 0.0F);
            if (hasResidual(layer)) {
                h.x = 0.5F * (h.x + epilogue.residual[pair].x);
                h.y = 0.5F * (h.y + epilogue.residual[pair].y);
            }
            const int column = Tile::columnOf(pair);
            storePair(out + static_cast<std::size_t>(row) * kGraphWidth + column, h.x, h.y);
            if (hidden != nullptr)
                storePair(hidden + callersRow(state_, row) * kGraphWidth + column, h.x, h.y);
        }
    }

    const GraphBlockState& state_;
    bool fetched_ = false;
};

}  // namespace threefold::cuda::graph
