#include "tests/cuda/emulation/primitives.h"

#include "cuda/portable/kernel.h"

namespace threefold::cuda::primitives {
namespace {

constexpr unsigned kAllLanes = 0xffffffffU;

template <Product product, class Sum>
__global__ void multiply(const std::uint32_t* a, const std::uint32_t* b, Sum* d) {
    const int lane = static_cast<int>(threadIdx.x);
    const int group = lane / 4;
    const int inGroup = lane % 4;
    a += blockIdx.x * 16 * 8;
    b += blockIdx.x * 8 * 8;
    d += blockIdx.x * 16 * 8;
    const std::uint32_t left[4] = {a[group * 8 + inGroup], a[(group + 8) * 8 + inGroup],
                                   a[group * 8 + inGroup + 4], a[(group + 8) * 8 + inGroup + 4]};
    const std::uint32_t right[2] = {b[group * 8 + inGroup], b[group * 8 + inGroup + 4]};
    Sum sums[4];
    for (int i = 0; i < 4; ++i) sums[i] = d[(group + 8 * (i / 2)) * 8 + 2 * inGroup + i % 2];
    if constexpr (product == Product::half) mma<Half>(sums, left, right);
    if constexpr (product == Product::bfloat16) mma<Bfloat16>(sums, left, right);
    if constexpr (product == Product::tfloat32) mmaTf32(sums, left, right);
    if constexpr (product == Product::int8) mmaInt8(sums, left, right);
    for (int i = 0; i < 4; ++i) d[(group + 8 * (i / 2)) * 8 + 2 * inGroup + i % 2] = sums[i];
}

__global__ void loadRows(const std::uint16_t* in, std::uint32_t* out) {
    auto* const rows = sharedMemory<std::uint16_t>();
    const int lane = static_cast<int>(threadIdx.x);
    for (int i = lane; i < 4 * 64; i += 32) rows[i] = in[i];
    __syncthreads();
    std::uint32_t registers[4];
    ldmatrix(registers, rows + lane * 8);
    for (int m = 0; m < 4; ++m) out[lane * 4 + m] = registers[m];
}

__global__ void transpose(const std::uint32_t* in, std::uint32_t* out) {
    out[threadIdx.x] = movmatrix(in[threadIdx.x]);
}

__global__ void convert(const float* in, Converted* out, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    const float x = in[i];
    out[i] = {fromFloat<Half>(x).bits, fromFloat<Bfloat16>(x).bits, toTf32(x),
              packPair<Half>(x, -x),   packPair<Bfloat16>(x, -x),   toInt8(x),
              packFinite<Half>(x, -x), fastSqrt(fabsf(x))};
}

__global__ void widen(float* half, float* bfloat16) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    half[i] = toFloat(Half{static_cast<std::uint16_t>(i)});
    bfloat16[i] = toFloat(Bfloat16{static_cast<std::uint16_t>(i)});
}

__global__ void summarize(const float* in, Summary* out) {
    auto* const perWarp = sharedMemory<Summary>();
    const int thread = static_cast<int>(threadIdx.x);
    const float x = in[blockIdx.x * blockDim.x + threadIdx.x];
    Summary mine{x, x, 0, -1};
    for (int by = 16; by > 0; by /= 2) {
        mine.sum += __shfl_xor_sync(kAllLanes, mine.sum, by);
        mine.largest = max(mine.largest, __shfl_xor_sync(kAllLanes, mine.largest, by));
    }
    const unsigned above = __ballot_sync(kAllLanes, x > 0.0F);
    mine.positive = __popc(above);
    mine.firstPositive = above == 0 ? -1 : thread / 32 * 32 + __ffs(static_cast<int>(above)) - 1;
    if (thread % 32 == 0) perWarp[thread / 32] = mine;
    __syncthreads();
    if (thread != 0) return;
    for (int warp = 1; warp < static_cast<int>(blockDim.x) / 32; ++warp) {
        const Summary& other = perWarp[warp];
        mine.sum += other.sum;
        mine.largest = max(mine.largest, other.largest);
        mine.positive += other.positive;
        if (mine.firstPositive < 0) mine.firstPositive = other.firstPositive;
    }
    out[blockIdx.x] = mine;
}

__global__ void shuffles(int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    out[lane] = __shfl_sync(kAllLanes, lane, 5);
    out[32 + lane] = __shfl_xor_sync(kAllLanes, lane, 9);
}

__global__ void histogram(const int* in, int count, unsigned* out) {
    auto* const bins = sharedMemory<unsigned>();
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) atomicAdd(&bins[in[i]], 1U);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

__global__ void addRounds(int rounds, const int* in, int* work, int* out) {
    const unsigned blocks = gridDim.x;
    int mine = in[blockIdx.x];
    for (int round = 0; round < rounds; ++round) {
        // Rounds alternate between two rows, so that one barrier a round is enough.
        int* const row = work + (round % 2) * static_cast<int>(blocks);
        if (threadIdx.x == 0) row[blockIdx.x] = mine;
        gridBarrier();
        for (unsigned block = 0; block < blocks; ++block) mine = (mine + row[block]) % 1009;
    }
    if (threadIdx.x == 0) out[blockIdx.x] = mine;
}

constexpr int kTile = 32;
constexpr int kPitch = kTile + 8;  // values; keeps the rows of a matrix in different banks
constexpr int kTileBytes = kTile * kPitch * 2;

/// Copies 32 × 32 values to shared memory; values outside of (rows, columns) become zeros. Each of
/// 128 threads copies 8 values.
__device__ void copyTile(std::uint16_t* to, const std::uint16_t* from, int row, int column,
                         int rows, int columns) {
    const int r = static_cast<int>(threadIdx.x) / 4;
    const int c = static_cast<int>(threadIdx.x) % 4 * 8;
    const bool inside = row + r < rows && column + c < columns;
    copyAsync<16>(to + r * kPitch + c, inside ? from + (row + r) * columns + column + c : from,
                  inside);
}

/// Four warps compute 16 × 16 values of the tile each.
__global__ void __launch_bounds__(128)
    tiledProduct(const std::uint16_t* a, const std::uint16_t* b, float* out, int m, int n, int k) {
    const int row = static_cast<int>(blockIdx.y) * kTile;
    const int column = static_cast<int>(blockIdx.x) * kTile;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warpRow = static_cast<int>(threadIdx.x) / 64 * 16;
    const int warpColumn = static_cast<int>(threadIdx.x) / 32 % 2 * 16;
    const int tiles = (k + kTile - 1) / kTile;
    const auto left = [](int tile) {
        return sharedMemory<std::uint16_t>(static_cast<std::size_t>(tile % 2 * 2 * kTileBytes));
    };
    const auto right = [](int tile) {
        return sharedMemory<std::uint16_t>(
            static_cast<std::size_t>((tile % 2 * 2 + 1) * kTileBytes));
    };
    float sums[2][4] = {};
    copyTile(left(0), a, row, 0, m, k);
    copyTile(right(0), b, 0, column, k, n);
    commitCopyGroup();
    for (int tile = 0; tile < tiles; ++tile) {
        if (tile + 1 < tiles) {
            copyTile(left(tile + 1), a, row, (tile + 1) * kTile, m, k);
            copyTile(right(tile + 1), b, (tile + 1) * kTile, column, k, n);
        }
        commitCopyGroup();
        waitCopyGroups<1>();
        __syncthreads();
        for (int step = 0; step < kTile; step += 16) {
            std::uint32_t rows[4];
            ldmatrix(rows, left(tile) + (warpRow + lane % 16) * kPitch + step + lane / 16 * 8);
            const std::uint16_t* columns =
                right(tile) + (step + lane % 4 * 2) * kPitch + warpColumn + lane / 4;
            const auto pairAt = [&](int inner, int outer) {
                const std::uint16_t* from = columns + inner * kPitch + outer;
                return from[0] | static_cast<std::uint32_t>(from[kPitch]) << 16;
            };
            const std::uint32_t first[2] = {pairAt(0, 0), pairAt(8, 0)};
            const std::uint32_t second[2] = {pairAt(0, 8), pairAt(8, 8)};
            mma<Half>(sums[0], rows, first);
            mma<Half>(sums[1], rows, second);
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i) {
        const int r = row + warpRow + lane / 4 + i % 4 / 2 * 8;
        const int c = column + warpColumn + i / 4 * 8 + lane % 4 * 2 + i % 2;
        if (r < m && c < n) out[r * n + c] = sums[i / 4][i % 4];
    }
}

dim3 blocksOf(int count, int perBlock) {
    return {static_cast<unsigned>((count + perBlock - 1) / perBlock)};
}

}  // namespace

int depthOf(Product product) {
    switch (product) {
        case Product::half:
        case Product::bfloat16:
            return 16;
        case Product::tfloat32:
            return 8;
        default:
            return 32;
    }
}

void launchProducts(Stream stream, Product product, const std::uint32_t* a, const std::uint32_t* b,
                    void* d, int count) {
    const LaunchShape shape{blocksOf(count, 1), dim3(32)};
    auto* const sums = static_cast<float*>(d);
    switch (product) {
        case Product::half:
            return launch(multiply<Product::half, float>, shape, stream, a, b, sums);
        case Product::bfloat16:
            return launch(multiply<Product::bfloat16, float>, shape, stream, a, b, sums);
        case Product::tfloat32:
            return launch(multiply<Product::tfloat32, float>, shape, stream, a, b, sums);
        case Product::int8:
            return launch(multiply<Product::int8, int>, shape, stream, a, b, static_cast<int*>(d));
    }
}

void launchLoadMatrix(Stream stream, const std::uint16_t* in, std::uint32_t* out) {
    launch(loadRows, {dim3(1), dim3(32), 4 * 128}, stream, in, out);
}

void launchTransposeMatrix(Stream stream, const std::uint32_t* in, std::uint32_t* out) {
    launch(transpose, {dim3(1), dim3(32)}, stream, in, out);
}

void launchConvert(Stream stream, const float* in, Converted* out, int count) {
    launch(convert, {blocksOf(count, 128), dim3(128)}, stream, in, out, count);
}

void launchWiden(Stream stream, float* half, float* bfloat16) {
    launch(widen, {dim3(256), dim3(256)}, stream, half, bfloat16);
}

void launchSummarize(Stream stream, const float* in, Summary* out, int blocks) {
    launch(summarize, {blocksOf(blocks, 1), dim3(128), 4 * sizeof(Summary)}, stream, in, out);
}

void launchShuffles(Stream stream, int* out) {
    launch(shuffles, {dim3(1), dim3(32)}, stream, out);
}

void launchHistogram(Stream stream, const int* in, int count, unsigned* out) {
    launch(histogram, {blocksOf(count, 64), dim3(64), 16 * sizeof(unsigned)}, stream, in, count,
           out);
}

void launchRounds(Stream stream, int blocks, int rounds, const int* in, int* work, int* out) {
    launch(addRounds, {blocksOf(blocks, 1), dim3(64), 0, true}, stream, rounds, in, work, out);
}

void launchTiledProduct(Stream stream, const std::uint16_t* a, const std::uint16_t* b, float* out,
                        int m, int n, int k) {
    const dim3 tiles(static_cast<unsigned>((n + kTile - 1) / kTile),
                     static_cast<unsigned>((m + kTile - 1) / kTile));
    launch(tiledProduct, {tiles, dim3(128), 4 * kTileBytes}, stream, a, b, out, m, n, k);
}

}  // namespace threefold::cuda::primitives
