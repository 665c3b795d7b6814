#pragma once

#include "cuda/kernels/graph_block.h"
#include "cuda/kernels/graph_block_layout.h"
#include "cuda/kernels/graph_block_shape.h"
#include "cuda/kernels/graph_tile.h"

/// State shared by all steps of a graph block.
namespace threefold::cuda::graph {

inline constexpr int kGraphWarps = kGraphThreads / 32;
inline constexpr int kJoinedColumns = 2 * kGraphWidth;

/// A launch of graph blocks: arguments, layout and buffers of all steps.
struct GraphBlockState {
    GraphBlockArguments arguments;
    GraphBlockLayout layout;
    GraphBlockShape shape;
    int rows;    ///< rows of all meshes
    int chunks;  ///< chunks of an input row
    int firstStep;
    int endStep;         ///< one past the last step
    float* partialSums;  ///< (splits, rows, 2 · kGraphWidth)
    float* activations;  ///< three buffers of (rows, kGraphWidth)
};

/// Output of any layer but the last, float32 in every precision. Three buffers rotate.
__device__ __forceinline__ float* activationOf(const GraphBlockState& state, int layer) {
    return state.activations + static_cast<std::size_t>(layer % 3) * state.rows * kGraphWidth;
}

__device__ __forceinline__ const float* biasOf(const GraphBlockState& state, int layer) {
    return reinterpret_cast<const float*>(state.arguments.weights + state.layout.bias) +
           layer * kGraphWidth;
}

/// Row in the caller's vertex order, for inputs and results. The kernel's own rows are in the order
/// of patchOrder().
__device__ __forceinline__ std::size_t callersRow(const GraphBlockState& state, int row) {
    const int position = row % state.arguments.vertices;
    return static_cast<std::size_t>(row - position) +
           reinterpret_cast<const std::uint32_t*>(state.arguments.weights +
                                                  state.layout.order)[position];
}

/// Copies a chunk of packed weights: all threads, two vectors each.
__device__ __forceinline__ void copyChunk(std::byte* shared, const std::byte* global) {
    for (int i = static_cast<int>(threadIdx.x); i < kWeightChunkBytes / 16; i += kGraphThreads)
        copyAsync<16>(shared + i * 16, global + i * 16);
}

/// Non-zeros of a Laplacian row, in global memory. The table is read at once, so that all its
/// neighbours can be loaded together; overflow entries, rare in templates, are read one by one.
class Neighbourhood {
  public:
    __device__ __forceinline__ Neighbourhood(const GraphBlockState& state, int row) {
        const int vertex = row % state.arguments.vertices;
        firstRow_ = row - vertex;
        const auto* table =
            reinterpret_cast<const uint4*>(state.arguments.weights + state.layout.ell) +
            static_cast<std::size_t>(vertex) * kPairCount;
        for (int i = 0; i < kPairCount; ++i) pairs_[i] = table[i];
        const LaplacianRow laplacianRow = reinterpret_cast<const LaplacianRow*>(
            state.arguments.weights + state.layout.laplacianRows)[vertex];
        overflowCount_ = max(static_cast<int>(laplacianRow.count) - kEllWidth, 0);
        overflow_ =
            reinterpret_cast<const Neighbour*>(state.arguments.weights + state.layout.overflow) +
            laplacianRow.overflow;
    }

    /// Row, among all meshes' rows, of the table's k-th neighbour, k < kEllWidth.
    __device__ __forceinline__ int row(int k) const {
        return firstRow_ + static_cast<int>(k % 2 == 0 ? pairs_[k / 2].x : pairs_[k / 2].z);
    }
    __device__ __forceinline__ float value(int k) const {
        return detail::floatOf(k % 2 == 0 ? pairs_[k / 2].y : pairs_[k / 2].w);
    }

    /// Calls use(row, value) for each overflow entry.
    template <class Use>
    __device__ __forceinline__ void forEachOverflow(Use use) const {
        for (int k = 0; k < overflowCount_; ++k)
            use(firstRow_ + static_cast<int>(overflow_[k].index), overflow_[k].value);
    }

  private:
    static constexpr int kPairCount = kEllWidth / 2;
    uint4 pairs_[kPairCount];
    int firstRow_;
    int overflowCount_;
    const Neighbour* overflow_;
};

/// Index of this warp in the grid. Warps with consecutive indices are in different thread blocks,
/// so that even few rows occupy every multiprocessor.
__device__ __forceinline__ int warpOfGrid() {
    return static_cast<int>(threadIdx.x / 32 * gridDim.x + blockIdx.x);
}

}  // namespace threefold::cuda::graph
