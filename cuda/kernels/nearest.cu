// One pass over the distance matrix serves both directions. A block takes a tile: 512 rows (points
// of `first`, four per thread, in registers) by up to 512 columns (points of `second`, in shared
// memory). A distance costs six operations and two minima; the index of the nearest point is found
// afterwards, by recomputing the few candidate distances. Tiles combine by atomicMin in one 64-bit
// key per point, {distance, index}: the smallest key is the nearest point with the lowest index, in
// any order of blocks. The last block of a row or column of tiles writes the results and restores
// the workspace.
#include "cuda/kernels/nearest.h"

#include <algorithm>
#include <string>

#include "cuda/portable/kernel.h"
#include "engine/error.h"

namespace threefold::cuda {
namespace {

using Key = unsigned long long;

constexpr unsigned kThreads = 128;
constexpr unsigned kRowsPerThread = 4;
constexpr unsigned kRows = kThreads * kRowsPerThread;
constexpr unsigned kRowsPerWarp = 32 * kRowsPerThread;
constexpr unsigned kWarps = kThreads / 32;
/// Columns between two updates of a row's minimum.
constexpr unsigned kChunk = 8;
constexpr unsigned kMaxColumns = 512;
/// Eight warps per multiprocessor hide each other's latency; more would only add keys.
constexpr unsigned kBlocksPerMultiprocessor = 2;
constexpr unsigned kMaxGridRows = 65535;

constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr unsigned kInfinityBits = 0x7F800000;
constexpr Key kNoKey = ~Key{0};
/// Initial value of counters: every byte 0xFF, so that one memset initialises the whole workspace.
constexpr unsigned kNotStarted = 0xFFFFFFFF;

struct Workspace {
    Key* firstKeys;         // (Σ n_i)
    Key* secondKeys;        // (Σ m_i)
    unsigned* rowsDone;     // (pairs, row tiles)
    unsigned* columnsDone;  // (pairs, column tiles)
};

THREEFOLD_HOST_DEVICE unsigned tileCount(unsigned points, unsigned tile) {
    return points == 0 ? 1 : (points - 1) / tile + 1;
}

/// Key {distance, index}. Bits of non-negative floats are ordered like the floats.
__device__ __forceinline__ Key makeKey(unsigned distanceBits, unsigned index) {
    return distanceBits < kInfinityBits ? (Key{distanceBits} << 32) | index : kNoKey;
}

__device__ __forceinline__ unsigned warpMinimum(unsigned value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_min_sync(kAllLanes, value);
#else
    for (int distance = 16; distance > 0; distance /= 2)
        value = min(value, __shfl_xor_sync(kAllLanes, value, distance));
    return value;
#endif
}

/// Decodes the combined keys into results and clears the keys.
__device__ __forceinline__ void writeResults(Key* keys, float* distance, std::uint32_t* index,
                                             unsigned count) {
    for (unsigned i = threadIdx.x; i < count; i += kThreads) {
        const Key key = atomicExch(&keys[i], kNoKey);
        const bool found = key != kNoKey;
        distance[i] = __uint_as_float(found ? static_cast<unsigned>(key >> 32) : kInfinityBits);
        index[i] = found ? static_cast<unsigned>(key) : kNoPoint;
    }
}

/// Part of a pair's distance matrix, for one block. Rows and columns count within their clouds.
struct Tile {
    unsigned rowBegin, columnBegin;
    unsigned rowCount, columnCount;  // without padding
};

/// Columns of a tile in shared memory.
struct TileColumns {
    unsigned stride;   // columns of a full tile
    float *x, *y, *z;  // (stride), NaN where padded
    Key* keys;         // (warps, stride): nearest row of each warp
    unsigned* isLast;  // (2): whether the block is the last of its row and of its column of tiles
};

/// Consecutive rows of a thread, with the smallest distance of each so far and the first column of
/// the chunk that has this distance.
struct ThreadRows {
    float x[kRowsPerThread], y[kRowsPerThread], z[kRowsPerThread];
    float nearest[kRowsPerThread];
    unsigned nearestChunk[kRowsPerThread];
};

/// Smallest distance of a lane's column to the rows of its warp.
struct ColumnMinimum {
    unsigned bits;   // of the distance
    unsigned lanes;  // mask of the lanes with a row at this distance
};

__device__ __forceinline__ TileColumns sharedColumns(unsigned stride) {
    TileColumns columns;
    columns.stride = stride;
    columns.x = sharedMemory<float>();
    columns.y = columns.x + stride;
    columns.z = columns.y + stride;
    columns.keys = sharedMemory<Key>(3 * stride * sizeof(float));
    columns.isLast =
        sharedMemory<unsigned>(3 * stride * sizeof(float) + kWarps * stride * sizeof(Key));
    return columns;
}

/// Loads the tile's columns. `second`: points of the tile's columns.
__device__ __forceinline__ void loadColumns(const TileColumns& columns, const float* second,
                                            unsigned columnCount) {
    const float nan = __uint_as_float(0x7FC00000);
    for (unsigned i = threadIdx.x; i < 3 * columns.stride; i += kThreads) {
        const unsigned column = i / 3;
        columns.x[(i - 3 * column) * columns.stride + column] =
            column < columnCount ? second[i] : nan;
    }
}

/// Loads a thread's rows. `first`: points of the tile's rows; `threadRow`: first row of the thread
/// in the tile.
__device__ __forceinline__ void loadRows(ThreadRows& rows, const float* first, unsigned threadRow,
                                         unsigned rowCount) {
    const float nan = __uint_as_float(0x7FC00000);
#pragma unroll
    for (unsigned r = 0; r < kRowsPerThread; ++r) {
        const unsigned row = threadRow + r;
        rows.x[r] = row < rowCount ? first[3 * row] : nan;
        rows.y[r] = row < rowCount ? first[3 * row + 1] : nan;
        rows.z[r] = row < rowCount ? first[3 * row + 2] : nan;
        rows.nearest[r] = __uint_as_float(kInfinityBits);
        rows.nearestChunk[r] = 0;
    }
}

/// Compares a warp's rows with the 32 columns from `group` on: updates the rows' smallest
/// distances, and returns the smallest distance of column `group + lane`.
__device__ __forceinline__ ColumnMinimum compareGroup(ThreadRows& rows, const TileColumns& columns,
                                                      unsigned group, unsigned lane) {
    ColumnMinimum minimum = {0, 0};
#pragma unroll 1
    for (unsigned chunk = 0; chunk < 32; chunk += kChunk) {
        float chunkMinimum[kRowsPerThread] = {};
#pragma unroll
        for (unsigned c = 0; c < kChunk; c += 4) {
            const unsigned column = group + chunk + c;
            const float4 bx = *reinterpret_cast<const float4*>(columns.x + column);
            const float4 by = *reinterpret_cast<const float4*>(columns.y + column);
            const float4 bz = *reinterpret_cast<const float4*>(columns.z + column);
            const float px[4] = {bx.x, bx.y, bx.z, bx.w};
            const float py[4] = {by.x, by.y, by.z, by.w};
            const float pz[4] = {bz.x, bz.y, bz.z, bz.w};
#pragma unroll
            for (unsigned k = 0; k < 4; ++k) {
                float d[kRowsPerThread];
#pragma unroll
                for (unsigned r = 0; r < kRowsPerThread; ++r) {
                    d[r] = squaredDistance(rows.x[r], rows.y[r], rows.z[r], px[k], py[k], pz[k]);
                    chunkMinimum[r] = c + k == 0 ? d[r] : fminf(chunkMinimum[r], d[r]);
                }
                const float laneMinimum = fminf(fminf(d[0], d[1]), fminf(d[2], d[3]));
                const unsigned laneBits = __float_as_uint(laneMinimum);
                const unsigned warpBits = warpMinimum(laneBits);
                const unsigned holders = __ballot_sync(kAllLanes, laneBits == warpBits);
                if (lane == chunk + c + k) {
                    minimum.bits = warpBits;
                    minimum.lanes = holders;
                }
            }
        }
#pragma unroll
        for (unsigned r = 0; r < kRowsPerThread; ++r)
            if (chunkMinimum[r] < rows.nearest[r]) {
                rows.nearest[r] = chunkMinimum[r];
                rows.nearestChunk[r] = group + chunk;
            }
    }
    return minimum;
}

/// Returns the first of the warp's rows whose distance to a column is `minimum`, counted from the
/// warp's first row.
__device__ __forceinline__ unsigned nearestRow(const ThreadRows& rows, const TileColumns& columns,
                                               const ColumnMinimum& minimum, unsigned column) {
    // A lane's rows follow each other, so the lowest lane holds the lowest index.
    const int holder = __ffs(static_cast<int>(minimum.lanes)) - 1;
    unsigned row = 0;
#pragma unroll
    for (int r = kRowsPerThread - 1; r >= 0; --r) {
        const float d = squaredDistance(__shfl_sync(kAllLanes, rows.x[r], holder),
                                        __shfl_sync(kAllLanes, rows.y[r], holder),
                                        __shfl_sync(kAllLanes, rows.z[r], holder),
                                        columns.x[column], columns.y[column], columns.z[column]);
        if (__float_as_uint(d) == minimum.bits) row = static_cast<unsigned>(r);
    }
    return row + static_cast<unsigned>(holder) * kRowsPerThread;
}

/// Combines the nearest columns of a thread's rows with the nearest columns in other tiles. `keys`:
/// one key for each of the thread's rows.
__device__ __forceinline__ void publishRows(const ThreadRows& rows, const TileColumns& columns,
                                            unsigned columnBegin, Key* keys) {
#pragma unroll
    for (unsigned r = 0; r < kRowsPerThread; ++r) {
        unsigned column = rows.nearestChunk[r];
        for (int c = kChunk - 1; c >= 0; --c) {
            const unsigned candidate = rows.nearestChunk[r] + static_cast<unsigned>(c);
            const float d = squaredDistance(rows.x[r], rows.y[r], rows.z[r], columns.x[candidate],
                                            columns.y[candidate], columns.z[candidate]);
            if (d == rows.nearest[r]) column = candidate;
        }
        const Key key = makeKey(__float_as_uint(rows.nearest[r]), columnBegin + column);
        if (key != kNoKey) atomicMin(&keys[r], key);
    }
}

/// Combines the nearest rows of all warps, then combines the result with other tiles' rows. `keys`:
/// one key for each of the tile's columns.
__device__ __forceinline__ void publishColumns(const TileColumns& columns, unsigned columnCount,
                                               unsigned busyWarps, Key* keys) {
    for (unsigned column = threadIdx.x; column < columnCount; column += kThreads) {
        Key key = kNoKey;
        for (unsigned w = 0; w < busyWarps; ++w) {
            const Key other = columns.keys[w * columns.stride + column];
            if (other < key) key = other;
        }
        if (key != kNoKey) atomicMin(&keys[column], key);
    }
}

/// Finds the nearest points within one tile per block. Padding rows and columns beyond a cloud's
/// end are NaN, which no minimum takes.
__global__ void __launch_bounds__(kThreads)
    nearestKernel(PackedCloudPairs clouds, NearestOutput output, Workspace workspace,
                  unsigned columnsInTile, unsigned maxRowTiles, unsigned maxColumnTiles) {
    const unsigned pair = blockIdx.z;
    const unsigned firstBegin = clouds.firstOffsets[pair];
    const unsigned secondBegin = clouds.secondOffsets[pair];
    const unsigned firstCount = clouds.firstOffsets[pair + 1] - firstBegin;
    const unsigned secondCount = clouds.secondOffsets[pair + 1] - secondBegin;
    const unsigned rowTiles = tileCount(firstCount, kRows);
    const unsigned columnTiles = tileCount(secondCount, columnsInTile);
    if (blockIdx.y >= rowTiles || blockIdx.x >= columnTiles) return;

    Tile tile;
    tile.rowBegin = blockIdx.y * kRows;
    tile.columnBegin = blockIdx.x * columnsInTile;
    tile.rowCount = min(kRows, firstCount - tile.rowBegin);
    tile.columnCount = min(columnsInTile, secondCount - tile.columnBegin);
    // Index among the points of all pairs' first clouds.
    const unsigned rowsStart = firstBegin + tile.rowBegin;
    const unsigned columnsStart = secondBegin + tile.columnBegin;
    const unsigned lane = threadIdx.x % 32;
    const unsigned warp = threadIdx.x / 32;
    const unsigned threadRow = threadIdx.x * kRowsPerThread;

    const TileColumns columns = sharedColumns(columnsInTile);
    loadColumns(columns, clouds.second + std::size_t{3} * columnsStart, tile.columnCount);
    ThreadRows rows;
    loadRows(rows, clouds.first + std::size_t{3} * rowsStart, threadRow, tile.rowCount);
    __syncthreads();

    const unsigned busyWarps = (tile.rowCount + kRowsPerWarp - 1) / kRowsPerWarp;
    if (warp < busyWarps) {
        for (unsigned group = 0; group < tile.columnCount; group += 32) {
            const ColumnMinimum minimum = compareGroup(rows, columns, group, lane);
            const unsigned column = group + lane;
            const unsigned row =
                tile.rowBegin + warp * kRowsPerWarp + nearestRow(rows, columns, minimum, column);
            columns.keys[warp * columns.stride + column] = makeKey(minimum.bits, row);
        }
        publishRows(rows, columns, tile.columnBegin, &workspace.firstKeys[rowsStart + threadRow]);
    }
    __syncthreads();
    publishColumns(columns, tile.columnCount, busyWarps, &workspace.secondKeys[columnsStart]);

    // This block's keys are visible before it is counted; the block counted last sees all blocks'
    // keys.
    __threadfence();
    __syncthreads();
    unsigned* rowsDone = &workspace.rowsDone[pair * maxRowTiles + blockIdx.y];
    unsigned* columnsDone = &workspace.columnsDone[pair * maxColumnTiles + blockIdx.x];
    if (threadIdx.x == 0) {
        columns.isLast[0] = atomicAdd(rowsDone, 1u) + 2 == columnTiles;
        columns.isLast[1] = atomicAdd(columnsDone, 1u) + 2 == rowTiles;
        __threadfence();
    }
    __syncthreads();
    if (columns.isLast[0]) {
        writeResults(workspace.firstKeys + rowsStart, output.firstDistance + rowsStart,
                     output.firstIndex + rowsStart, tile.rowCount);
        if (threadIdx.x == 0) *rowsDone = kNotStarted;
    }
    if (columns.isLast[1]) {
        writeResults(workspace.secondKeys + columnsStart, output.secondDistance + columnsStart,
                     output.secondIndex + columnsStart, tile.columnCount);
        if (threadIdx.x == 0) *columnsDone = kNotStarted;
    }
}

/// Columns per tile: as many as still give every multiprocessor kBlocksPerMultiprocessor blocks.
unsigned columnsPerTile(const DeviceLimits& limits, const PackedCloudPairs& clouds) {
    const auto blocks =
        kBlocksPerMultiprocessor * static_cast<unsigned>(std::max(limits.multiprocessors, 1));
    const std::size_t rowTiles =
        std::size_t{tileCount(clouds.maxFirstCount, kRows)} * static_cast<unsigned>(clouds.pairs);
    const auto columnTiles = static_cast<unsigned>(std::max<std::size_t>(blocks / rowTiles, 1));
    const unsigned columns = tileCount(tileCount(clouds.maxSecondCount, 1), columnTiles * 32) * 32;
    return std::min(columns, kMaxColumns);
}

}  // namespace

std::size_t nearestWorkspaceBytes(const PackedCloudPairs& clouds) {
    const std::size_t keys = std::size_t{clouds.firstPointCount} + clouds.secondPointCount;
    const std::size_t tiles =
        std::size_t{tileCount(clouds.maxFirstCount, kRows)} + tileCount(clouds.maxSecondCount, 32);
    return keys * sizeof(Key) + static_cast<unsigned>(clouds.pairs) * tiles * sizeof(unsigned);
}

void launchNearest(Stream stream, const DeviceLimits& limits, const PackedCloudPairs& clouds,
                   const NearestOutput& output, std::byte* workspace) {
    if (clouds.pairs <= 0) return;
    const unsigned rowTiles = tileCount(clouds.maxFirstCount, kRows);
    if (rowTiles > kMaxGridRows)
        throw InputError({"points", "nearest neighbours",
                          "a cloud has " + std::to_string(clouds.maxFirstCount) +
                              " points, and the GPU takes " + std::to_string(kMaxGridRows * kRows),
                          "Use the processor, or fewer points."});
    const unsigned columns = columnsPerTile(limits, clouds);
    const unsigned columnTiles = tileCount(clouds.maxSecondCount, columns);
    const auto pairs = static_cast<unsigned>(clouds.pairs);

    Workspace buffers = {};
    buffers.firstKeys = reinterpret_cast<Key*>(workspace);
    buffers.secondKeys = buffers.firstKeys + clouds.firstPointCount;
    buffers.rowsDone = reinterpret_cast<unsigned*>(buffers.secondKeys + clouds.secondPointCount);
    buffers.columnsDone = buffers.rowsDone + std::size_t{pairs} * rowTiles;

    LaunchShape shape;
    shape.block = dim3(kThreads);
    shape.sharedBytes = columns * (3 * sizeof(float) + kWarps * sizeof(Key)) + 2 * sizeof(unsigned);
    constexpr unsigned maxPairs = 65535;  // limit of a grid's third dimension
    for (unsigned begin = 0; begin < pairs; begin += maxPairs) {
        PackedCloudPairs batch = clouds;
        batch.firstOffsets += begin;
        batch.secondOffsets += begin;
        shape.grid = dim3(columnTiles, rowTiles, std::min(pairs - begin, maxPairs));
        launch(nearestKernel, shape, stream, batch, output, buffers, columns, rowTiles,
               columnTiles);
    }
}

}  // namespace threefold::cuda
