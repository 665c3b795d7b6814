#pragma once

#include "cuda/kernels/graph_block_layout.h"
#include "cuda/kernels/vector_access.h"

/// Output tiles of kRows × 64 sums, spread over the registers of a block of 256 threads. Operands
/// of 16 bits and tfloat32 are multiplied by tensor cores, float32 by fused multiply-adds.
///
/// addSplit() multiplies x = high + low, both rounded to the operand's type, by the same weights:
/// nearly the product in float32, for twice the multiplications. 16-bit operands are stored in
/// shared memory already split; tfloat32 operands are split when they are loaded.
namespace threefold::cuda {

inline constexpr int kGraphThreads = 256;

/// Operands of 16 bits for the tensor cores: T = Half or Bfloat16.
template <class T>
struct PairOperands {
    using Value = T;
    __device__ static void prepare(std::uint32_t (&)[4]) {}
    /// `unit`: 16 bytes of the high part.
    __device__ static void loadSplit(const std::byte* unit, std::uint32_t (&high)[4],
                                     std::uint32_t (&low)[4]) {
        ldmatrix(high, unit);
        ldmatrix(low, unit + kLowPartOffset);
    }
    __device__ static void multiply(float (&sum)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
        mma<T>(sum, a, b);
    }
};

/// Operands in tfloat32 for the tensor cores; float32 in memory.
struct Tf32Operands {
    using Value = float;
    __device__ static void prepare(std::uint32_t (&a)[4]) {
        for (std::uint32_t& value : a) value = toTf32(detail::floatOf(value));
    }
    __device__ static void loadSplit(const std::byte* unit, std::uint32_t (&high)[4],
                                     std::uint32_t (&low)[4]) {
        ldmatrix(low, unit);
        for (int i = 0; i < 4; ++i) {
            const float x = detail::floatOf(low[i]);
            high[i] = toTf32(x);
            low[i] = toTf32(x - detail::floatOf(high[i]));
        }
    }
    __device__ static void multiply(float (&sum)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
        mmaTf32(sum, a, b);
    }
};

/// Tile of kRows × 64 sums by tensor cores. kRows / 16 warps cover the rows, 16 each; warps of the
/// same rows split the columns.
template <class Operands, int kRows>
class TensorTile {
    static constexpr int kRowWarps = kRows / 16;
    static constexpr int kColumnWarps = kGraphThreads / 32 / kRowWarps;
    static constexpr int kFragments = kTileColumns / 8 / kColumnWarps;
    // Tiles with few fragments keep several sums per fragment, so that a product does not wait for
    // the previous one.
    static constexpr int kAccumulators = 4 / kFragments;

  public:
    using Value = typename Operands::Value;

    /// Adds the product of the tile's rows and a chunk of the weights, both in shared memory.
    /// `unitAt(row, unit)`: address of the 16-byte unit 0…7 of the row's values in the chunk;
    /// `weights`: the packed chunk.
    template <class UnitAt>
    __device__ __forceinline__ void add(UnitAt unitAt, const std::byte* weights) {
        forEachStep(unitAt, weights, [&](const std::byte* unit, const auto& b, int step) {
            std::uint32_t a[4];
            ldmatrix(a, unit);
            Operands::prepare(a);
            multiply(sums_[step % kAccumulators], a, b);
        });
    }
    /// add() with rows split into high and low parts.
    template <class UnitAt>
    __device__ __forceinline__ void addSplit(UnitAt unitAt, const std::byte* weights) {
        forEachStep(unitAt, weights, [&](const std::byte* unit, const auto& b, int step) {
            std::uint32_t high[4];
            std::uint32_t low[4];
            Operands::loadSplit(unit, high, low);
            multiply(sums_[2 * step % kAccumulators], high, b);
            multiply(sums_[(2 * step + 1) % kAccumulators], low, b);
        });
    }

    /// A thread holds kPairs pairs of sums in neighbouring columns; rowOf() and columnOf() give a
    /// pair's position in the tile.
    static constexpr int kPairs = 2 * kFragments;
    __device__ static int rowOf(int pair) {
        return firstRow() + static_cast<int>(threadIdx.x) % 32 / 4 + pair % 2 * 8;
    }
    __device__ static int columnOf(int pair) {
        return firstColumn() + pair / 2 * 8 + static_cast<int>(threadIdx.x) % 4 * 2;
    }
    __device__ __forceinline__ float2 sum(int pair) const {
        const int f = pair / 2;
        const int i = pair % 2 * 2;
        float2 sum = {sums_[0][f][i], sums_[0][f][i + 1]};
        for (int chain = 1; chain < kAccumulators; ++chain) {
            sum.x += sums_[chain][f][i];
            sum.y += sums_[chain][f][i + 1];
        }
        return sum;
    }

  private:
    using Weights = std::uint32_t[kFragments][2];

    /// Calls use(unit, b, step) for the chunk's four steps of 32 bytes, two in each half. `unit`:
    /// address of the 16 bytes that the lane loads; `b`: weights of the step. The step's
    /// index is 0 or 1 in each half.
    template <class UnitAt, class Use>
    __device__ __forceinline__ void forEachStep(UnitAt unitAt, const std::byte* weights, Use use) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        const std::byte* laneWeights = weights + firstColumn() / 8 * 1024 + lane * 16;
        for (int half = 0; half < 2; ++half) {
            uint4 vectors[kFragments];
            for (int f = 0; f < kFragments; ++f)
                vectors[f] = *reinterpret_cast<const uint4*>(laneWeights + (f * 2 + half) * 512);
            for (int step = 0; step < 2; ++step) {
                Weights b;
                for (int f = 0; f < kFragments; ++f) {
                    b[f][0] = step == 0 ? vectors[f].x : vectors[f].z;
                    b[f][1] = step == 0 ? vectors[f].y : vectors[f].w;
                }
                use(unitAt(firstRow() + lane % 16, half * 4 + step * 2 + lane / 16), b, step);
            }
        }
    }
    __device__ __forceinline__ static void multiply(float (&sums)[kFragments][4],
                                                    const std::uint32_t (&a)[4], const Weights& b) {
        for (int f = 0; f < kFragments; ++f) Operands::multiply(sums[f], a, b[f]);
    }

    __device__ static int firstRow() {
        return static_cast<int>(threadIdx.x) / 32 / kColumnWarps * 16;
    }
    __device__ static int firstColumn() {
        return static_cast<int>(threadIdx.x) / 32 % kColumnWarps * kFragments * 8;
    }

    float sums_[kAccumulators][kFragments][4] = {};
};

/// Tile in float32: a thread has 4 neighbouring columns of every 16th row.
template <int kRows>
class FloatTile {
    static constexpr int kRowsPerThread = kRows / 16;

  public:
    using Value = float;

    template <class UnitAt>
    __device__ __forceinline__ void add(UnitAt unitAt, const std::byte* weights) {
        for (int unit = 0; unit < kChunkBytes / 16; ++unit) {
            float4 b[4];
            for (int i = 0; i < 4; ++i)
                b[i] = *reinterpret_cast<const float4*>(
                    weights + ((unit * 4 + i) * kTileColumns + firstColumn()) * sizeof(float));
            for (int r = 0; r < kRowsPerThread; ++r) {
                const float4 a =
                    *reinterpret_cast<const float4*>(unitAt(firstRow() + 16 * r, unit));
                addOuter(sums_[r], a.x, b[0]);
                addOuter(sums_[r], a.y, b[1]);
                addOuter(sums_[r], a.z, b[2]);
                addOuter(sums_[r], a.w, b[3]);
            }
        }
    }

    template <class UnitAt>
    __device__ __forceinline__ void addSplit(UnitAt unitAt, const std::byte* weights) {
        add(unitAt, weights);
    }

    static constexpr int kPairs = 2 * kRowsPerThread;
    __device__ static int rowOf(int pair) { return firstRow() + pair / 2 * 16; }
    __device__ static int columnOf(int pair) { return firstColumn() + pair % 2 * 2; }
    __device__ __forceinline__ float2 sum(int pair) const {
        const int i = pair % 2 * 2;
        return {sums_[pair / 2][i], sums_[pair / 2][i + 1]};
    }

  private:
    __device__ static int firstRow() { return static_cast<int>(threadIdx.x) / 16; }
    __device__ static int firstColumn() { return static_cast<int>(threadIdx.x) % 16 * 4; }
    __device__ static void addOuter(float (&sum)[4], float a, const float4& b) {
        sum[0] = fmaf(a, b.x, sum[0]);
        sum[1] = fmaf(a, b.y, sum[1]);
        sum[2] = fmaf(a, b.z, sum[2]);
        sum[3] = fmaf(a, b.w, sum[3]);
    }

    float sums_[kRowsPerThread][4] = {};
};

}  // namespace threefold::cuda
