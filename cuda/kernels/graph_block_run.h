#pragma once

#include "cuda/kernels/graph_block.h"
#include "cuda/kernels/graph_block_layout.h"
#include "cuda/kernels/graph_block_shape.h"
#include "cuda/kernels/graph_tile.h"

/// State that all steps of a graph block share.
namespace threefold::cuda::graph {

inline constexpr int kGraphWarps = kGraphThreads / 32;
inline constexpr int kJoinedColumns = 2 * kGraphWidth;

struct GraphRun {
    GraphBlockArguments a;
    GraphBlockLayout layout;
    GraphBlockShape shape;
    int rows;    ///< of all meshes
    int chunks;  ///< of an input row
    int firstStep;
    int lastStep;        ///< one past
    float* parts;        ///< (splits, rows, 384)
    float* activations;  ///< three of (rows, 192)
};

/// Output of a layer but the last: float32 whatever the precision. Three buffers take turns.
__device__ __forceinline__ float* activationOf(const GraphRun& run, int layer) {
    return run.activations + static_cast<std::size_t>(layer % 3) * run.rows * kGraphWidth;
}

__device__ __forceinline__ const float* biasOf(const GraphRun& run, int layer) {
    return reinterpret_cast<const float*>(run.a.weights + run.layout.bias) + layer * kGraphWidth;
}

/// Row of a vertex as the caller counts them: of the inputs and the results. The kernel's own rows
/// are in the order of patchOrder().
__device__ __forceinline__ std::size_t callersRow(const GraphRun& run, int row) {
    const int place = row % run.a.vertices;
    return static_cast<std::size_t>(row - place) +
           reinterpret_cast<const std::uint32_t*>(run.a.weights + run.layout.order)[place];
}

/// Copies a chunk of packed weights: all threads, two vectors each.
__device__ __forceinline__ void copyChunk(std::byte* shared, const std::byte* global) {
    for (int i = static_cast<int>(threadIdx.x); i < kWeightChunkBytes / 16; i += kGraphThreads)
        copyAsync<16>(shared + i * 16, global + i * 16);
}

/// A row's non-zeros in global memory. The table is read at once, so that all its neighbours can be
/// loaded together; further ones, which few templates have, are read one by one.
class Neighbourhood {
  public:
    __device__ __forceinline__ Neighbourhood(const GraphRun& run, int row) {
        const int vertex = row % run.a.vertices;
        firstRow_ = row - vertex;
        const auto* table = reinterpret_cast<const uint4*>(run.a.weights + run.layout.near) +
                            static_cast<std::size_t>(vertex) * kPairs;
        for (int i = 0; i < kPairs; ++i) pairs_[i] = table[i];
        const NeighbourCount count =
            reinterpret_cast<const NeighbourCount*>(run.a.weights + run.layout.counts)[vertex];
        further_ = max(static_cast<int>(count.count) - kNearNeighbours, 0);
        overflow_ = reinterpret_cast<const Neighbour*>(run.a.weights + run.layout.overflow) +
                    count.overflow;
    }

    /// Row, among all meshes' rows, of the table's k-th neighbour, k < kNearNeighbours.
    __device__ __forceinline__ int row(int k) const {
        return firstRow_ + static_cast<int>(k % 2 == 0 ? pairs_[k / 2].x : pairs_[k / 2].z);
    }
    __device__ __forceinline__ float value(int k) const {
        return detail::floatOf(k % 2 == 0 ? pairs_[k / 2].y : pairs_[k / 2].w);
    }

    /// `use(row, value)` for those beyond the table.
    template <class Use>
    __device__ __forceinline__ void eachFurther(Use use) const {
        for (int k = 0; k < further_; ++k)
            use(firstRow_ + static_cast<int>(overflow_[k].place), overflow_[k].value);
    }

  private:
    static constexpr int kPairs = kNearNeighbours / 2;
    uint4 pairs_[kPairs];
    int firstRow_;
    int further_;
    const Neighbour* overflow_;
};

/// Number of this warp in the grid. Neighbouring numbers are in different blocks, so that few rows
/// still occupy every multiprocessor.
__device__ __forceinline__ int warpOfGrid() {
    return static_cast<int>(threadIdx.x / 32 * gridDim.x + blockIdx.x);
}

}  // namespace threefold::cuda::graph
