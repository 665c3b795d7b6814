#pragma once

#include "cuda/kernels/hypothesis_block_layout.h"
#include "cuda/portable/kernel.h"

/// Matrix products of the hypothesis block. A warp keeps `Tiles` × 6 tiles of 16 × 8 sums in
/// registers, in the lane layout of cuda/portable/mma.h: with g = lane / 4, t = lane % 4,
/// sums[m][n][i] is row 16 m + g + 8 (i / 2), column 8 n + 2 t + i % 2.
namespace threefold::cuda::hypothesis {

template <class Sum, int Tiles>
using Sums = Sum[Tiles][kWarpTiles][4];

/// Streams the weights of a column warp in order of use. Two steps are always in flight from the L2
/// cache to registers, across the ends of products and layers.
class WeightStream {
  public:
    __device__ __forceinline__ WeightStream(const std::byte* weights, int columnWarp, int lane)
        : next_(reinterpret_cast<const uint4*>(weights) + columnWarp * kStepVectors + lane) {
        load(0);
        load(1);
    }

    /// B fragments of tiles 2 j and 2 j + 1 of the step in ring slot `slot`.
    __device__ __forceinline__ const uint4& pair(int slot, int j) const { return ring_[slot][j]; }

    /// Loads the step after the next into `slot`, whose step is no longer needed.
    __device__ __forceinline__ void load(int slot) {
#pragma unroll
        for (int j = 0; j < kWarpTiles / 2; ++j) ring_[slot][j] = __ldg(next_ + j * 32);
        next_ += kColumnWarps * kStepVectors;
    }

  private:
    const uint4* next_;
    uint4 ring_[2][kWarpTiles / 2];
};

/// Weights for float32, loaded on use. All eight groups of four lanes read the same weights.
class PlainWeights {
  public:
    __device__ __forceinline__ PlainWeights(const std::byte* weights, int columnWarp, int lane)
        : next_(reinterpret_cast<const uint4*>(weights) + columnWarp * kStepVectors + lane % 4) {}

    /// Weights of row k of the step, columns 2 t and 2 t + 1 of tiles 2 j and 2 j + 1.
    __device__ __forceinline__ uint4 pair(int k, int j) const {
        return __ldg(next_ + (k * (kWarpTiles / 2) + j) * 4);
    }
    __device__ __forceinline__ void advance() { next_ += kColumnWarps * kStepVectors; }

  private:
    const uint4* next_;
};

template <class Operand>
using WeightsOf = std::conditional_t<std::is_same_v<Operand, float>, PlainWeights, WeightStream>;
template <class Operand>
using SumOf = std::conditional_t<std::is_same_v<Operand, Int8>, int, float>;

template <class Operand>
__device__ __forceinline__ void multiplyTile(SumOf<Operand> (&d)[4], const std::uint32_t (&a)[4],
                                             const std::uint32_t (&b)[2]) {
    if constexpr (std::is_same_v<Operand, Tfloat32>) {
        mmaTf32(d, a, b);
    } else if constexpr (std::is_same_v<Operand, Int8>) {
        mmaInt8(d, a, b);
    } else {
        mma<Operand>(d, a, b);
    }
}

/// sums += A · B. `a`: the first of the warp's rows in shared memory, `pitch` bytes each, of which
/// the first `steps` · 32 are multiplied. While a tile is multiplied the next tile is loaded; after
/// the last tile the first tile of the last step is loaded again, since memory beyond the buffer
/// may be written meanwhile.
template <class Operand, int Tiles>
__device__ __forceinline__ void multiply(Sums<SumOf<Operand>, Tiles>& sums, WeightStream& weights,
                                         const std::byte* a, std::size_t pitch, int steps,
                                         int lane) {
    const std::byte* rows = a + (lane % 16) * pitch + (lane / 16) * 16;
    std::uint32_t tile[2][4];
    ldmatrix(tile[0], rows);
#pragma unroll 1
    for (int step = 0; step < steps; step += 2) {
#pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
            const std::byte* next = rows + (slot == 0 || step + 2 < steps ? kStepBytes : 0);
#pragma unroll
            for (int m = 0; m < Tiles; ++m) {
                const int current = (slot * Tiles + m) % 2;
                ldmatrix(tile[1 - current], m + 1 < Tiles ? rows + (m + 1) * kTile * pitch : next);
                if constexpr (std::is_same_v<Operand, Tfloat32>) {
#pragma unroll
                    for (std::uint32_t& bits : tile[current]) bits = toTf32(detail::floatOf(bits));
                }
#pragma unroll
                for (int j = 0; j < kWarpTiles / 2; ++j) {
                    const uint4& pair = weights.pair(slot, j);
                    const std::uint32_t even[2] = {pair.x, pair.y};
                    const std::uint32_t odd[2] = {pair.z, pair.w};
                    multiplyTile<Operand>(sums[m][2 * j], tile[current], even);
                    multiplyTile<Operand>(sums[m][2 * j + 1], tile[current], odd);
                }
            }
            weights.load(slot);
            rows = next;
        }
    }
}

/// sums += A · B in float32, by fused multiply-adds from the first column to the last.
template <class Operand, int Tiles>
__device__ __forceinline__ void multiply(Sums<float, Tiles>& sums, PlainWeights& weights,
                                         const std::byte* a, std::size_t pitch, int steps,
                                         int lane) {
    const std::byte* rows = a + (lane / 4) * pitch;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float lhs[Tiles][2][4];
#pragma unroll
            for (int m = 0; m < Tiles; ++m) {
#pragma unroll
                for (int upper = 0; upper < 2; ++upper) {
                    const float4 packed = *reinterpret_cast<const float4*>(
                        rows + (m * kTile + upper * 8) * pitch + half * 16);
                    lhs[m][upper][0] = packed.x;
                    lhs[m][upper][1] = packed.y;
                    lhs[m][upper][2] = packed.z;
                    lhs[m][upper][3] = packed.w;
                }
            }
#pragma unroll
            for (int k = 0; k < 4; ++k) {
#pragma unroll
                for (int j = 0; j < kWarpTiles / 2; ++j) {
                    const uint4 pair = weights.pair(half * 4 + k, j);
                    const float rhs[2][2] = {{detail::floatOf(pair.x), detail::floatOf(pair.y)},
                                             {detail::floatOf(pair.z), detail::floatOf(pair.w)}};
#pragma unroll
                    for (int m = 0; m < Tiles; ++m) {
#pragma unroll
                        for (int i = 0; i < 8; ++i) {
                            float& sum = sums[m][2 * j + i / 4][i % 4];
                            sum = fmaf(lhs[m][i / 2 % 2][k], rhs[i / 4][i % 2], sum);
                        }
                    }
                }
            }
        }
        weights.advance();
        rows += kStepBytes;
    }
}

/// sums ← L · sums + bias for every vertex of the warp. L combines rows of one vertex only, all of
/// which the warp has, so that nothing leaves the registers. `laplacian`: fragments of L in shared
/// memory; `tiles`: bit mask of the non-empty fragments; `bias`: bias of the warp's columns.
template <class LaplacianOperand, int Tiles>
__device__ __forceinline__ void applyLaplacian(Sums<float, Tiles>& sums, const std::byte* laplacian,
                                               std::uint32_t tiles, const float* bias, int lane) {
    static_assert(Tiles % kVertexTiles == 0);
    const int group = lane / 4;
    const int laneInGroup = lane % 4;
    const auto biasAt = [&](int n) {
        return __ldg(reinterpret_cast<const float2*>(bias + 8 * n + 2 * laneInGroup));
    };
#pragma unroll
    for (int base = 0; base < Tiles; base += kVertexTiles) {
        if constexpr (std::is_same_v<LaplacianOperand, float>) {
            float input[kVertexTiles][kWarpTiles][4];
#pragma unroll
            for (int n = 0; n < kWarpTiles; ++n) {
                const float2 biasPair = biasAt(n);
#pragma unroll
                for (int m = 0; m < kVertexTiles; ++m) {
#pragma unroll
                    for (int i = 0; i < 4; ++i) {
                        input[m][n][i] = sums[base + m][n][i];
                        sums[base + m][n][i] = i % 2 == 0 ? biasPair.x : biasPair.y;
                    }
                }
            }
            const auto* matrix = reinterpret_cast<const float*>(laplacian);
#pragma unroll
            for (int k = 0; k < kVertexTiles * 2; ++k) {  // eight columns of L
#pragma unroll 1
                for (int c = 0; c < 8; ++c) {
                    float value[kVertexTiles][2];
#pragma unroll
                    for (int m = 0; m < kVertexTiles; ++m) {
                        const float* column = matrix + (k * 8 + c) * kVertexRows + m * kTile;
                        value[m][0] = column[group];
                        value[m][1] = column[group + 8];
                    }
#pragma unroll
                    for (int n = 0; n < kWarpTiles; ++n) {
#pragma unroll
                        for (int odd = 0; odd < 2; ++odd) {
                            const float x = __shfl_sync(
                                0xffffffffU, input[k / 2][n][k % 2 * 2 + odd], c * 4 + laneInGroup);
#pragma unroll
                            for (int m = 0; m < kVertexTiles; ++m) {
                                float* target = sums[base + m][n];
                                target[odd] = fmaf(value[m][0], x, target[odd]);
                                target[2 + odd] = fmaf(value[m][1], x, target[2 + odd]);
                            }
                        }
                    }
                }
            }
        } else {
            // The sums become the right operand B, whose rows the product sums over.
            constexpr int kDepth = kStepBytes / static_cast<int>(sizeof(LaplacianOperand));
            constexpr int kSteps = kVertexRows / kDepth;
            std::uint32_t factor[kSteps][kWarpTiles][2];
#pragma unroll
            for (int n = 0; n < kWarpTiles; ++n) {
                const float2 biasPair = biasAt(n);
#pragma unroll
                for (int m = 0; m < kVertexTiles; ++m) {
                    float* fragment = sums[base + m][n];
                    if constexpr (std::is_same_v<LaplacianOperand, Tfloat32>) {
#pragma unroll
                        for (int half = 0; half < 2; ++half) {
#pragma unroll
                            for (int upper = 0; upper < 2; ++upper) {
                                const int source = (laneInGroup + 4 * upper) * 4 + group / 2;
                                const float even =
                                    __shfl_sync(0xffffffffU, fragment[2 * half], source);
                                const float odd =
                                    __shfl_sync(0xffffffffU, fragment[2 * half + 1], source);
                                factor[2 * m + half][n][upper] =
                                    toTf32(group % 2 == 0 ? even : odd);
                            }
                        }
                    } else {
                        factor[m][n][0] =
                            movmatrix(packFinite<LaplacianOperand>(fragment[0], fragment[1]));
                        factor[m][n][1] =
                            movmatrix(packFinite<LaplacianOperand>(fragment[2], fragment[3]));
                    }
#pragma unroll
                    for (int i = 0; i < 4; ++i) fragment[i] = i % 2 == 0 ? biasPair.x : biasPair.y;
                }
            }
            const auto* fragments = reinterpret_cast<const uint4*>(laplacian) + lane;
#pragma unroll
            for (int m = 0; m < kVertexTiles; ++m) {
#pragma unroll
                for (int k = 0; k < kSteps; ++k) {
                    const int tile = m * kVertexTiles + k * kVertexTiles / kSteps;
                    if ((tiles >> tile & 1U) != 0) {
                        const uint4 packed = fragments[(m * kSteps + k) * 32];
                        const std::uint32_t a[4] = {packed.x, packed.y, packed.z, packed.w};
#pragma unroll
                        for (int n = 0; n < kWarpTiles; ++n)
                            multiplyTile<LaplacianOperand>(sums[base + m][n], a, factor[k][n]);
                    }
                }
            }
        }
    }
}

}  // namespace threefold::cuda::hypothesis
