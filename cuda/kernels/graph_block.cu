#include "cuda/kernels/graph_block.h"

#include <algorithm>

#include "cuda/kernels/graph_block_layout.h"
#include "cuda/kernels/graph_block_shape.h"
#include "cuda/kernels/graph_tile.h"
#include "engine/error.h"

/// A block of graph convolutions as a chain of steps, each on all rows of all meshes:
///   0              y = x [W0 | W1] of the wide first layer, the long sums cut into `splits` parts
///   1              h_0 = ReLU(y0 + L y1 + b)
///   2 … layers−1   h_i = ReLU([x | L x] [W0; W1] + b) and the residual, i = step − 1
///   layers         the last layer: coordinates
/// One cooperative launch takes all of them with a grid barrier between two; without, a launch
/// takes one. Weights and the Laplacian do not depend on the step before: they are fetched before
/// the barrier.
namespace threefold::cuda {
namespace {

constexpr int kWarps = kGraphThreads / 32;
constexpr int kJoinedColumns = 2 * kGraphWidth;

struct GraphRun {
    GraphBlockArguments a;
    GraphBlockLayout layout;
    GraphBlockShape shape;
    int rows;    ///< of all meshes
    int chunks;  ///< of an input row
    int firstStep;
    int lastStep;            ///< one past
    float* parts;            ///< (splits, rows, 384)
    std::byte* activations;  ///< three of (rows, 192)
};

std::size_t partBytes(const GraphBlockShape& shape, int rows) {
    return static_cast<std::size_t>(shape.splits) * rows * kJoinedColumns * sizeof(float);
}

/// Output of a layer. Three take turns; the last but one layer's is what the caller wants.
template <class T>
__device__ __forceinline__ T* activationOf(const GraphRun& run, int layer) {
    if (layer == run.a.layers - 2) return static_cast<T*>(run.a.hidden);
    return reinterpret_cast<T*>(run.activations) +
           static_cast<std::size_t>(layer % 3) * run.rows * kGraphWidth;
}

__device__ __forceinline__ const float* biasOf(const GraphRun& run, int layer) {
    return reinterpret_cast<const float*>(run.a.weights + run.layout.bias) + layer * kGraphWidth;
}

/// Copies a chunk of packed weights: all threads, two vectors each.
__device__ __forceinline__ void copyChunk(std::byte* shared, const std::byte* global) {
    for (int i = static_cast<int>(threadIdx.x); i < kWeightChunkBytes / 16; i += kGraphThreads) {
        copyAsync<16>(shared + i * 16, global + i * 16);
    }
}

// --- The first layer

/// A stage of the ring: 64 rows of 128 bytes of inputs, then a chunk of weights.
constexpr int kFirstRowBytes = kFirstRowTile * kChunkBytes;
constexpr int kFirstStageBytes = kFirstRowBytes + kWeightChunkBytes;

/// Where 16 bytes of a row lie: turned by the row, so that neither writing rows nor reading columns
/// meets a bank twice.
__device__ __forceinline__ int turnedUnit(int row, int unit) {
    return row * kChunkBytes + (unit ^ (row & 7)) * 16;
}

__device__ __forceinline__ void copyFirstStage(const GraphRun& run, int firstRow, int columnTile,
                                               int chunk, std::size_t inputRowBytes,
                                               std::byte* stage) {
    const auto* inputs = static_cast<const std::byte*>(run.a.inputs);
    for (int i = static_cast<int>(threadIdx.x); i < kFirstRowBytes / 16; i += kGraphThreads) {
        const int row = i / 8;
        const int unit = i % 8;
        const bool valid = firstRow + row < run.rows;
        const std::size_t from = valid
                                     ? (firstRow + row) * inputRowBytes +
                                           static_cast<std::size_t>(chunk) * kChunkBytes + unit * 16
                                     : 0;
        copyAsync<16>(stage + turnedUnit(row, unit), inputs + from, valid);
    }
    copyChunk(stage + kFirstRowBytes, run.a.weights + run.layout.first +
                                          columnTile * run.layout.firstTileBytes +
                                          static_cast<std::size_t>(chunk) * kWeightChunkBytes);
}

template <class FirstTile>
__device__ __forceinline__ void firstProduct(const GraphRun& run) {
    constexpr std::size_t kBytes = sizeof(typename FirstTile::Value);
    auto* const ring = sharedMemory<std::byte>();
    const std::size_t inputRowBytes = run.a.inputPitch * kBytes;
    const int splits = run.shape.splits;
    const int perSplit = (run.chunks + splits - 1) / splits;
    for (auto tile = static_cast<int>(blockIdx.x); tile < run.shape.firstTiles;
         tile += static_cast<int>(gridDim.x)) {
        const int columnTile = tile % kFirstColumnTiles;
        const int split = tile / kFirstColumnTiles % splits;
        const int firstRow = tile / kFirstColumnTiles / splits * kFirstRowTile;
        const int begin = split * perSplit;
        const int end = min(begin + perSplit, run.chunks);
        const auto fetch = [&](int chunk) {
            if (chunk < end) {
                copyFirstStage(run, firstRow, columnTile, chunk, inputRowBytes,
                               ring + chunk % kFirstRingStages * kFirstStageBytes);
            }
            commitCopies();
        };
        FirstTile sums;
        for (int i = 0; i < kFirstRingStages - 1; ++i) fetch(begin + i);
        for (int chunk = begin; chunk < end; ++chunk) {
            waitCopies<kFirstRingStages - 2>();
            __syncthreads();  // the chunk is there for all, and all are done with the one before
            fetch(chunk + kFirstRingStages - 1);
            const std::byte* stage = ring + chunk % kFirstRingStages * kFirstStageBytes;
            sums.add([&](int row, int unit) { return stage + turnedUnit(row, unit); },
                     stage + kFirstRowBytes);
        }
        waitCopies<0>();
        __syncthreads();
        for (int pair = 0; pair < FirstTile::kPairs; ++pair) {
            const int row = firstRow + FirstTile::rowOf(pair);
            if (row >= run.rows) continue;
            const float2 sum = sums.sum(pair);
            storePair(run.parts +
                          (static_cast<std::size_t>(split) * run.rows + row) * kJoinedColumns +
                          columnTile * kTileColumns + FirstTile::columnOf(pair),
                      sum.x, sum.y);
        }
    }
}

/// A row's non-zeros, read from global memory: the table at once, so that what they point to can be
/// read together; the rest, which few templates have, one after the other.
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

    /// Row of the k-th of the table among all meshes' rows, k < kNearNeighbours.
    __device__ __forceinline__ int row(int k) const {
        return firstRow_ + static_cast<int>(k % 2 == 0 ? pairs_[k / 2].x : pairs_[k / 2].z);
    }
    __device__ __forceinline__ float value(int k) const {
        return detail::floatOf(k % 2 == 0 ? pairs_[k / 2].y : pairs_[k / 2].w);
    }

    /// `use(row, value)` for those beyond the table.
    template <class Use>
    __device__ __forceinline__ void eachFurther(Use use) const {
        for (int k = 0; k < further_; ++k) {
            use(firstRow_ + static_cast<int>(overflow_[k].vertex), overflow_[k].value);
        }
    }

  private:
    static constexpr int kPairs = kNearNeighbours / 2;
    uint4 pairs_[kPairs];
    int firstRow_;
    int further_;
    const Neighbour* overflow_;
};

/// Warps of the grid, those of one block far apart: few rows still reach every multiprocessor.
__device__ __forceinline__ int warpOfGrid() {
    return static_cast<int>(threadIdx.x / 32 * gridDim.x + blockIdx.x);
}

/// Sums of the first layer's parts, of a pair of columns, in the parts' order.
__device__ __forceinline__ void addPart(float2& sum, const float* from) {
    const float2 part = loadPair(from);
    sum.x += part.x;
    sum.y += part.y;
}

template <class T>
__device__ __forceinline__ void joinFirst(const GraphRun& run) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const std::size_t part = static_cast<std::size_t>(run.rows) * kJoinedColumns;
    const auto warps = static_cast<int>(gridDim.x) * kWarps;
    for (int item = warpOfGrid(); item < run.rows * kColumnTiles; item += warps) {
        const int row = item / kColumnTiles;
        const int column = item % kColumnTiles * kTileColumns + 2 * lane;
        const Neighbourhood around(run, row);
        const float* own = run.parts + static_cast<std::size_t>(row) * kJoinedColumns + column;
        const auto farAt = [&](int other) {
            return run.parts + static_cast<std::size_t>(other) * kJoinedColumns + kGraphWidth +
                   column;
        };
        float2 sum = {0.0F, 0.0F};
        float2 near[kNearNeighbours] = {};
        for (int split = 0; split < run.shape.splits; ++split) {
            addPart(sum, own + split * part);
            for (int k = 0; k < kNearNeighbours; ++k) {
                addPart(near[k], farAt(around.row(k)) + split * part);
            }
        }
        const float2 bias = loadPair(biasOf(run, 0) + column);
        sum.x += bias.x;
        sum.y += bias.y;
        for (int k = 0; k < kNearNeighbours; ++k) {
            sum.x = fmaf(around.value(k), near[k].x, sum.x);
            sum.y = fmaf(around.value(k), near[k].y, sum.y);
        }
        around.eachFurther([&](int other, float value) {
            float2 y = {0.0F, 0.0F};
            for (int split = 0; split < run.shape.splits; ++split) {
                addPart(y, farAt(other) + split * part);
            }
            sum.x = fmaf(value, y.x, sum.x);
            sum.y = fmaf(value, y.y, sum.y);
        });
        storePair(activationOf<T>(run, 0) + static_cast<std::size_t>(row) * kGraphWidth + column,
                  max(sum.x, 0.0F), max(sum.y, 0.0F));
    }
}

// --- Hidden layers

constexpr bool hasResidual(int layer) {
    return layer % 2 == 0 && layer <= 12;
}

template <class Tile, int kRows>
class HiddenLayers {
    using T = typename Tile::Value;
    static constexpr GraphSharedLayout kShared = graphSharedLayout(sizeof(T), kRows);
    static constexpr int kStages = graphRingStages(sizeof(T));
    static constexpr int kChunks = 2 * kGraphWidth * static_cast<int>(sizeof(T)) / kChunkBytes;
    static constexpr int kRowVectors = kGraphWidth / kPerVector<T>;

  public:
    __device__ explicit HiddenLayers(const GraphRun& run) : run_(run) {}

    /// Begins to fetch what the first tile of this block needs in `layer`. Shared memory must be
    /// free, for all threads.
    __device__ __forceinline__ void fetchFirst(int layer) {
        if (static_cast<int>(blockIdx.x) < run_.shape.hiddenTiles) {
            fetch(layer, static_cast<int>(blockIdx.x));
        }
        fetched_ = true;
    }

    __device__ __forceinline__ void layer(int layer, bool fetchNext) {
        if (!fetched_) fetchFirst(layer);
        fetched_ = fetchNext;
        for (auto tile = static_cast<int>(blockIdx.x); tile < run_.shape.hiddenTiles;
             tile += static_cast<int>(gridDim.x)) {
            const int firstRow = tile / kColumnTiles * kRows;
            waitCopies<kStages>();
            __syncthreads();  // the tables are there
            gather(activationOf<T>(run_, layer - 1), firstRow);
            const int firstColumn = tile % kColumnTiles * kTileColumns;
            const Ending ending = endingOf(layer, firstRow, firstColumn);
            Tile sums;
            multiply(sums, layer, tile % kColumnTiles);
            __syncthreads();  // shared memory is free again
            const int next = tile + static_cast<int>(gridDim.x);
            if (next < run_.shape.hiddenTiles) {
                fetch(layer, next);
            } else if (fetchNext) {
                fetch(layer + 1, static_cast<int>(blockIdx.x));
            }
            finish(sums, ending, layer, firstRow, firstColumn);
        }
    }

  private:
    __device__ __forceinline__ const std::byte* weightsOf(int layer, int columnTile) const {
        return run_.a.weights + run_.layout.hidden +
               static_cast<std::size_t>((layer - 1) * kColumnTiles + columnTile) *
                   run_.layout.layerTileBytes;
    }

    __device__ __forceinline__ void fetch(int layer, int tile) const {
        const int firstRow = tile / kColumnTiles * kRows;
        constexpr int kUnits = kNearNeighbours * static_cast<int>(sizeof(Neighbour)) / 16;
        for (int i = static_cast<int>(threadIdx.x); i < kRows * kUnits; i += kGraphThreads) {
            const int row = firstRow + i / kUnits;
            const bool valid = row < run_.rows;
            const int vertex = valid ? row % run_.a.vertices : 0;
            copyAsync<16>(sharedMemory<std::byte>(kShared.near) + i * 16,
                          run_.a.weights + run_.layout.near +
                              static_cast<std::size_t>(vertex * kUnits + i % kUnits) * 16,
                          valid);
        }
        const auto thread = static_cast<int>(threadIdx.x);
        if (thread < kRows) {
            const int row = firstRow + thread;
            const bool valid = row < run_.rows;
            const int vertex = valid ? row % run_.a.vertices : 0;
            copyAsync<8>(sharedMemory<NeighbourCount>(kShared.counts) + thread,
                         run_.a.weights + run_.layout.counts + vertex * sizeof(NeighbourCount),
                         valid);
            sharedMemory<int>(kShared.firstRows)[thread] = row - vertex;
        }
        commitCopies();
        for (int chunk = 0; chunk < kStages; ++chunk) {
            copyChunk(sharedMemory<std::byte>(kShared.weights) + chunk * kWeightChunkBytes,
                      weightsOf(layer, tile % kColumnTiles) + chunk * kWeightChunkBytes);
            commitCopies();
        }
    }

    /// [x | L x] of the tile's rows into shared memory; zeros beyond the last row.
    __device__ __forceinline__ void gather(const T* x, int firstRow) const {
        auto* const rows = sharedMemory<std::byte>(kShared.rows);
        const auto* counts = sharedMemory<NeighbourCount>(kShared.counts);
        const auto* firstRows = sharedMemory<int>(kShared.firstRows);
        for (int i = static_cast<int>(threadIdx.x); i < kRows * kRowVectors; i += kGraphThreads) {
            const int row = i / kRowVectors;
            const int vector = i % kRowVectors;
            uint4 own = {0, 0, 0, 0};
            float sum[kPerVector<T>] = {};
            if (firstRow + row < run_.rows) {
                const T* mesh = x + static_cast<std::size_t>(firstRows[row]) * kGraphWidth +
                                vector * kPerVector<T>;
                own = *reinterpret_cast<const uint4*>(
                    x + static_cast<std::size_t>(firstRow + row) * kGraphWidth +
                    vector * kPerVector<T>);
                const NeighbourCount count = counts[row];
                const Neighbour* near =
                    sharedMemory<Neighbour>(kShared.near) + row * kNearNeighbours;
                // All reads under way together; what fills up the table is worth 0.
                uint4 bits[kNearNeighbours];
                for (int k = 0; k < kNearNeighbours; ++k) bits[k] = vectorOf(mesh, near[k].vertex);
                for (int k = 0; k < kNearNeighbours; ++k) addScaled(sum, bits[k], near[k].value);
                const auto* overflow =
                    reinterpret_cast<const Neighbour*>(run_.a.weights + run_.layout.overflow) +
                    count.overflow;
                for (int k = kNearNeighbours; k < static_cast<int>(count.count); ++k) {
                    const Neighbour neighbour = overflow[k - kNearNeighbours];
                    addScaled(sum, vectorOf(mesh, neighbour.vertex), neighbour.value);
                }
            }
            std::byte* to = rows + row * kShared.rowPitch + vector * 16;
            *reinterpret_cast<uint4*>(to) = own;
            *reinterpret_cast<uint4*>(to + kGraphWidth * sizeof(T)) = packVector<T>(sum);
        }
    }

    __device__ static uint4 vectorOf(const T* mesh, std::uint32_t vertex) {
        return *reinterpret_cast<const uint4*>(mesh +
                                               static_cast<std::size_t>(vertex) * kGraphWidth);
    }

    __device__ static void addScaled(float (&sum)[kPerVector<T>], const uint4& bits, float value) {
        float values[kPerVector<T>];
        unpackVector<T>(bits, values);
        for (int i = 0; i < kPerVector<T>; ++i) sum[i] = fmaf(value, values[i], sum[i]);
    }

    __device__ __forceinline__ void multiply(Tile& sums, int layer, int columnTile) const {
        auto* const ring = sharedMemory<std::byte>(kShared.weights);
        const std::byte* rows = sharedMemory<std::byte>(kShared.rows);
        const auto add = [&](int chunk) {
            sums.add(
                [&](int row, int unit) {
                    return rows + row * kShared.rowPitch + chunk * kChunkBytes + unit * 16;
                },
                ring + chunk % kStages * kWeightChunkBytes);
        };
        if constexpr (kChunks == kStages) {
            waitCopies<0>();
            __syncthreads();
            for (int chunk = 0; chunk < kChunks; ++chunk) add(chunk);
        } else {
            for (int chunk = 0; chunk < kChunks; ++chunk) {
                waitCopies<kStages - 1>();
                __syncthreads();
                add(chunk);
                __syncthreads();
                if (chunk + kStages < kChunks) {
                    copyChunk(ring + chunk % kStages * kWeightChunkBytes,
                              weightsOf(layer, columnTile) + (chunk + kStages) * kWeightChunkBytes);
                }
                commitCopies();
            }
        }
    }

    /// What a thread's sums are added to and averaged with; read while they are computed.
    struct Ending {
        float2 bias[Tile::kPairs];
        float2 before[Tile::kPairs];
    };

    __device__ __forceinline__ Ending endingOf(int layer, int firstRow, int firstColumn) const {
        Ending ending;
        const float* bias = biasOf(run_, layer) + firstColumn;
        for (int pair = 0; pair < Tile::kPairs; ++pair) {
            ending.bias[pair] = loadPair(bias + Tile::columnOf(pair));
            ending.before[pair] = {0.0F, 0.0F};
        }
        if (!hasResidual(layer)) return ending;
        const T* before = activationOf<T>(run_, layer - 2) + firstColumn;
        for (int pair = 0; pair < Tile::kPairs; ++pair) {
            const int row = firstRow + Tile::rowOf(pair);
            if (row >= run_.rows) continue;
            ending.before[pair] = loadPair(before + static_cast<std::size_t>(row) * kGraphWidth +
                                           Tile::columnOf(pair));
        }
        return ending;
    }

    __device__ __forceinline__ void finish(const Tile& sums, const Ending& ending, int layer,
                                           int firstRow, int firstColumn) const {
        T* const out = activationOf<T>(run_, layer) + firstColumn;
        for (int pair = 0; pair < Tile::kPairs; ++pair) {
            const int row = firstRow + Tile::rowOf(pair);
            if (row >= run_.rows) continue;
            float2 h = sums.sum(pair);
            h.x = max(h.x + ending.bias[pair].x, 0.0F);
            h.y = max(h.y + ending.bias[pair].y, 0.0F);
            if (hasResidual(layer)) {
                h.x = 0.5F * (h.x + ending.before[pair].x);
                h.y = 0.5F * (h.y + ending.before[pair].y);
            }
            storePair(out + static_cast<std::size_t>(row) * kGraphWidth + Tile::columnOf(pair), h.x,
                      h.y);
        }
    }

    const GraphRun& run_;
    bool fetched_ = false;
};

// --- The last layer

/// A warp a row: lanes share the 192 columns, three pairs each.
template <class T>
__device__ __forceinline__ void lastLayer(const GraphRun& run) {
    constexpr int kPairs = kGraphWidth / 64;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const T* hidden = activationOf<T>(run, run.a.layers - 2);
    const auto* weights = reinterpret_cast<const float*>(run.a.weights + run.layout.last);
    const float* bias = weights + 6 * kGraphWidth;
    const auto warps = static_cast<int>(gridDim.x) * kWarps;
    for (int row = warpOfGrid(); row < run.rows; row += warps) {
        const auto pairsOf = [&](int of, float2(&pairs)[kPairs]) {
            const T* from = hidden + static_cast<std::size_t>(of) * kGraphWidth + 2 * lane;
            for (int i = 0; i < kPairs; ++i) pairs[i] = loadPair(from + 64 * i);
        };
        const Neighbourhood around(run, row);
        float2 own[kPairs];
        pairsOf(row, own);
        float2 near[kNearNeighbours][kPairs];
        for (int k = 0; k < kNearNeighbours; ++k) pairsOf(around.row(k), near[k]);
        float2 mixed[kPairs] = {};
        const auto mix = [&](const float2(&pairs)[kPairs], float value) {
            for (int i = 0; i < kPairs; ++i) {
                mixed[i].x = fmaf(value, pairs[i].x, mixed[i].x);
                mixed[i].y = fmaf(value, pairs[i].y, mixed[i].y);
            }
        };
        for (int k = 0; k < kNearNeighbours; ++k) mix(near[k], around.value(k));
        around.eachFurther([&](int other, float value) {
            float2 pairs[kPairs];
            pairsOf(other, pairs);
            mix(pairs, value);
        });
        float sum[3] = {};
        for (int axis = 0; axis < 3; ++axis) {
            for (int i = 0; i < kPairs; ++i) {
                const float* column = weights + axis * kGraphWidth + 64 * i + 2 * lane;
                const float2 w0 = loadPair(column);
                const float2 w1 = loadPair(column + 3 * kGraphWidth);
                sum[axis] = fmaf(own[i].x, w0.x, sum[axis]);
                sum[axis] = fmaf(own[i].y, w0.y, sum[axis]);
                sum[axis] = fmaf(mixed[i].x, w1.x, sum[axis]);
                sum[axis] = fmaf(mixed[i].y, w1.y, sum[axis]);
            }
            for (int distance = 16; distance > 0; distance /= 2) {
                sum[axis] += __shfl_xor_sync(0xffffffffU, sum[axis], distance);
            }
            if (lane == 0) {
                run.a.points[static_cast<std::size_t>(row) * 3 + axis] = sum[axis] + bias[axis];
            }
        }
    }
}

/// Tile and FirstTile multiply in the same precision, kRows and 64 rows at a time.
template <class Tile, class FirstTile, int kRows>
__global__ void __launch_bounds__(kGraphThreads, 1) graphBlockKernel(const GraphRun run) {
    using T = typename Tile::Value;
    HiddenLayers<Tile, kRows> hidden(run);
    const auto isHidden = [&](int step) { return step >= 2 && step < run.a.layers; };
    for (int step = run.firstStep; step < run.lastStep; ++step) {
        const bool nextIsHidden = step + 1 < run.lastStep && isHidden(step + 1);
        if (step == 0) {
            firstProduct<FirstTile>(run);
        } else if (step == 1) {
            if (nextIsHidden) hidden.fetchFirst(1);
            joinFirst<T>(run);
        } else if (isHidden(step)) {
            hidden.layer(step - 1, nextIsHidden);
        } else {
            lastLayer<T>(run);
        }
        if (step + 1 < run.lastStep) gridBarrier();
    }
}

/// One launch where all blocks are on the device at once, else one a step, with as many blocks as
/// the step has work for.
template <class Tile, class FirstTile, int kRows>
void launchSteps(Stream stream, const DeviceLimits& limits, GraphRun run) {
    const auto kernel = graphBlockKernel<Tile, FirstTile, kRows>;
    const std::size_t shared = run.shape.sharedBytes;
    const int steps = run.a.layers + 1;
    const int together =
        limits.cooperativeLaunch ? maxCooperativeBlocks(kernel, kGraphThreads, shared) : 0;
    if (together > 0) {
        run.firstStep = 0;
        run.lastStep = steps;
        const auto blocks = static_cast<unsigned>(std::min(together, run.shape.blocks));
        launchCooperative(kernel, {dim3(blocks), dim3(kGraphThreads), shared}, stream, run);
        return;
    }
    for (int step = 0; step < steps; ++step) {
        run.firstStep = step;
        run.lastStep = step + 1;
        int blocks = run.shape.hiddenTiles;
        if (step == 0) blocks = run.shape.firstTiles;
        if (step == 1) blocks = (run.rows * kColumnTiles + kWarps - 1) / kWarps;
        if (step == steps - 1) blocks = (run.rows + kWarps - 1) / kWarps;
        launch(kernel, {dim3(static_cast<unsigned>(blocks)), dim3(kGraphThreads), shared}, stream,
               run);
    }
}

template <template <int> class Tile>
void launchRows(Stream stream, const DeviceLimits& limits, const GraphRun& run) {
    switch (run.shape.rowTile) {
        case 16:
            return launchSteps<Tile<16>, Tile<kFirstRowTile>, 16>(stream, limits, run);
        case 32:
            return launchSteps<Tile<32>, Tile<kFirstRowTile>, 32>(stream, limits, run);
        default:
            return launchSteps<Tile<64>, Tile<kFirstRowTile>, 64>(stream, limits, run);
    }
}

template <int kRows>
using HalfTile = TensorTile<PairOperands<Half>, kRows>;
template <int kRows>
using Bfloat16Tile = TensorTile<PairOperands<Bfloat16>, kRows>;
template <int kRows>
using Tf32Tile = TensorTile<Tf32Operands, kRows>;

}  // namespace

std::size_t graphBlockWorkspace(const DeviceLimits& limits, Precision precision, int batch,
                                int vertices) {
    const int rows = batch * vertices;
    return partBytes(graphBlockShape(limits, precision, rows), rows) +
           std::size_t{3} * rows * kGraphWidth * bytesOf(storageOf(precision));
}

void launchGraphBlock(Stream stream, Precision precision, const DeviceLimits& limits,
                      const GraphBlockArguments& arguments) {
    if (!graphBlockFits(limits, precision)) {
        throw DeviceError({"graph block", "", "this device has too little for its fused kernel",
                           "Use --kernels library."});
    }
    GraphRun run{};
    run.a = arguments;
    run.rows = arguments.batch * arguments.vertices;
    if (run.rows == 0) return;
    run.layout = graphBlockLayout(storageOf(precision), arguments.inputPitch, arguments.layers,
                                  arguments.vertices);
    run.shape = graphBlockShape(limits, precision, run.rows);
    run.chunks =
        arguments.inputPitch * static_cast<int>(bytesOf(storageOf(precision))) / kChunkBytes;
    run.parts = reinterpret_cast<float*>(arguments.workspace);
    run.activations = arguments.workspace + partBytes(run.shape, run.rows);
    switch (precision) {
        case Precision::float32:
            return launchRows<FloatTile>(stream, limits, run);
        case Precision::tfloat32:
            return launchRows<Tf32Tile>(stream, limits, run);
        case Precision::bfloat16:
            return launchRows<Bfloat16Tile>(stream, limits, run);
        default:
            return launchRows<HalfTile>(stream, limits, run);
    }
}

}  // namespace threefold::cuda
