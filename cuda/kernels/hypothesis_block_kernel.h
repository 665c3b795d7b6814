#pragma once

#include "cuda/kernels/hypothesis_block_features.h"
#include "cuda/kernels/hypothesis_block_product.h"

/// The hypothesis block, METHOD.md §7 (Pixel2Mesh++, Wen et al. 2019), in one kernel.
///
/// A block of threads takes Groups · PerWarp vertices of 48 rows each: 43 hypotheses and five idle
/// rows. That is 12 % more products, but no vertices share a tile, so one set of nine Laplacian
/// tiles serves all (two of them empty with a good row order). The four warps of a group split the
/// 192 columns, 48 each.
///
/// Limits, for four vertices in float16 (Groups = PerWarp = 2, eight warps):
/// - Registers: a warp holds 96 × 48 sums, 144 a lane. x W0 + L (x W1) takes two passes over x with
///   the same sums: first x W1, which is multiplied by L in registers, then x W0, which is added.
///   So L x never exists, and x W0 and x W1 never exist at once.
/// - Shared memory: a fragment of x is loaded once for six products of 16 × 8 × 16. x1 and x3
///   share one buffer, x2 and x4 another, so that a layer never reads the buffer that it writes:
///   one barrier per layer. The features need less memory than both buffers.
/// - L2: weights go straight from L2 into the lanes that multiply with them, in packed order, one
///   16-byte load for two fragments, two steps ahead. Every byte is read by Groups warps of a
///   block, at about the same time: the second warp finds the byte in the L1 cache. x5 never leaves
///   the registers: both dot products of the last layer are taken there in float32.
///
/// 8 bit: the first convolution stays float16. Inputs of the other four are rounded to steps of
/// (quantisation range / 255), W0 and W1 to a step for each column. Activations are never negative,
/// so they are stored from -128 on and the sums begin with 128 · Σ weights. L · x W1 + bias is
/// converted to the units of x W0's sums, to which the second pass adds.
///
/// cuda/BENCHMARKS.md lists the registers and shared memory of each instance. Only int8 <2, 2>
/// spills, 8 to 48 bytes.
namespace threefold::cuda::hypothesis {

/// Tracks the largest magnitude per lane for ranges[convolution]; disabled if `ranges` is null.
class RangeRecorder {
  public:
    __device__ __forceinline__ RangeRecorder(float* ranges, int convolution)
        : range_(ranges == nullptr ? nullptr : reinterpret_cast<unsigned*>(ranges + convolution)) {}

    __device__ __forceinline__ bool isEnabled() const { return range_ != nullptr; }
    __device__ __forceinline__ void add(float x) { largest_ = fmaxf(largest_, fabsf(x)); }

    /// Merges the warp's maximum into the range; all lanes take part. Bits of non-negative floats
    /// are ordered like the floats.
    __device__ __forceinline__ void publish(int lane) {
        if (!isEnabled()) return;
        for (int stride = 16; stride > 0; stride /= 2)
            largest_ = fmaxf(largest_, __shfl_xor_sync(0xffffffffU, largest_, stride));
        if (lane == 0) atomicMax(range_, detail::bitsOf(largest_));
    }

  private:
    unsigned* range_;
    float largest_ = 0.0F;
};

/// Position of a lane and its warp in the thread block.
struct WarpPosition {
    int lane;
    int group;    ///< lane / 4: group of four lanes
    int inGroup;  ///< lane % 4
    int columnWarp;
    int firstRow;     ///< first row of the warp in the thread block
    int firstColumn;  ///< first column of the warp, of 192
};

/// sums = x W0 + L (x W1) + bias for the warp's rows and columns: W0 and W1 are `weights`, L is
/// `laplacian`, the bias is in `header`.
template <class Operand, class LaplacianOperand, int Tiles, class Weights>
__device__ __forceinline__ void convolve(Sums<float, Tiles>& sums, Weights& weights,
                                         const std::byte* x, std::size_t pitch, int steps,
                                         const std::byte* laplacian, const PackedHeader& header,
                                         int convolution, const WarpPosition& position) {
    const std::byte* rows = x + position.firstRow * pitch;
    const std::uint32_t tiles = __ldg(&header.tiles);
    const float* bias = header.bias[convolution] + position.firstColumn;
    if constexpr (sizeof(Operand) == 1) {
        using Sum = SumOf<Operand>;
        Sum units[Tiles][kWarpTiles][4];
        // Calls body(sum, unit, outputScale, zeroPointSum) for every sum, column by column, so that
        // few scales are in registers at a time.
        const auto forEachSum = [&](int support, const auto& body) {
#pragma unroll
            for (int n = 0; n < kWarpTiles; ++n) {
#pragma unroll
                for (int odd = 0; odd < 2; ++odd) {
                    const int column = position.firstColumn + 8 * n + 2 * position.inGroup + odd;
                    const float outputScale =
                        __ldg(&header.outputScale[convolution - 1][support][column]);
                    const int zeroPointSum =
                        __ldg(&header.zeroPointSum[convolution - 1][support][column]);
#pragma unroll
                    for (int m = 0; m < Tiles; ++m) {
                        body(sums[m][n][odd], units[m][n][odd], outputScale, zeroPointSum);
                        body(sums[m][n][2 + odd], units[m][n][2 + odd], outputScale, zeroPointSum);
                    }
                }
            }
        };
        const auto fromUnits = [](float& sum, Sum& unit, float outputScale, int) {
            sum = static_cast<float>(unit) * outputScale;
        };
        forEachSum(0, [](float&, Sum& unit, float, int zeroPointSum) {
            unit = static_cast<Sum>(zeroPointSum);
        });
        multiply<Operand, Tiles>(units, weights, rows, pitch, steps, position.lane);
        forEachSum(0, fromUnits);
        applyLaplacian<LaplacianOperand, Tiles>(sums, laplacian, tiles, bias, position.lane);
        forEachSum(1, [](float& sum, Sum& unit, float outputScale, int zeroPointSum) {
            const float inUnits = sum * __fdiv_rn(1.0F, outputScale);
            // Clamped to 1e9, so that int32 cannot overflow when products are added.
            unit = __float2int_rn(fminf(fmaxf(inUnits, -1e9F), 1e9F)) + zeroPointSum;
        });
        multiply<Operand, Tiles>(units, weights, rows, pitch, steps, position.lane);
        forEachSum(1, fromUnits);
    } else {
#pragma unroll
        for (int m = 0; m < Tiles; ++m) {
#pragma unroll
            for (int n = 0; n < kWarpTiles; ++n) {
#pragma unroll
                for (int i = 0; i < 4; ++i) sums[m][n][i] = 0.0F;
            }
        }
        multiply<Operand, Tiles>(sums, weights, rows, pitch, steps, position.lane);
        applyLaplacian<LaplacianOperand, Tiles>(sums, laplacian, tiles, bias, position.lane);
        multiply<Operand, Tiles>(sums, weights, rows, pitch, steps, position.lane);
    }
}

template <class Storage>
__device__ __forceinline__ float2 loadPairAt(const std::byte* source) {
    return loadPair(reinterpret_cast<const Storage*>(source));
}

/// Stores two values as storePair() does, but float16 saturates instead of giving infinity.
template <class Storage>
__device__ __forceinline__ void storeFinitePair(std::byte* target, float low, float high) {
    if constexpr (sizeof(Storage) == 4) {
        *reinterpret_cast<float2*>(target) = make_float2(low, high);
    } else {
        *reinterpret_cast<std::uint32_t*>(target) = packFinite<Storage>(low, high);
    }
}

/// Stores two non-negative values, rounded to 8-bit units.
__device__ __forceinline__ void storeRounded(std::byte* target, float low, float high,
                                             float inverseScale) {
    const int first = __float2int_rn(fminf(low * inverseScale, 255.0F)) - 128;
    const int second = __float2int_rn(fminf(high * inverseScale, 255.0F)) - 128;
    *reinterpret_cast<std::uint16_t*>(target) =
        static_cast<std::uint16_t>(packInt8(first, second, 0, 0));
}

/// Calls body(row, m, upper) for each of the lane's rows in the block. The lane holds the row's
/// sums of two neighbouring columns per n: sums[m][n][2 · upper] and sums[m][n][2 · upper + 1].
template <int Tiles, class Body>
__device__ __forceinline__ void forEachRow(const WarpPosition& position, const Body& body) {
#pragma unroll
    for (int m = 0; m < Tiles; ++m) {
#pragma unroll
        for (int upper = 0; upper < 2; ++upper)
            body(position.firstRow + m * kTile + position.group + 8 * upper, m, upper);
    }
}

/// Applies ReLU, then adds `residual` (x1 or x3, or null for none).
template <class Storage, int Tiles>
__device__ __forceinline__ void activate(Sums<float, Tiles>& sums, const std::byte* residual,
                                         std::size_t pitch, const WarpPosition& position) {
    forEachRow<Tiles>(position, [&](int row, int m, int upper) {
#pragma unroll
        for (int n = 0; n < kWarpTiles; ++n) {
            float* pair = &sums[m][n][2 * upper];
            pair[0] = fmaxf(pair[0], 0.0F);
            pair[1] = fmaxf(pair[1], 0.0F);
            if (residual != nullptr) {
                const int column = position.firstColumn + 8 * n + 2 * position.inGroup;
                const float2 before =
                    loadPairAt<Storage>(residual + row * pitch + column * sizeof(Storage));
                pair[0] += before.x;
                pair[1] += before.y;
            }
        }
    });
}

/// Whether the row belongs to a hypothesis of a vertex in the range.
__device__ __forceinline__ bool isUsed(const PackedHeader& header, VertexRange vertexRange,
                                       int row) {
    const int vertex = row / kVertexRows;
    const int vertexRow = row - vertex * kVertexRows;
    return vertex < vertexRange.count &&
           (__ldg(&header.usedRows[vertexRow / 32]) >> vertexRow % 32 & 1U) != 0;
}

template <int Tiles>
__device__ __forceinline__ void recordRange(const Sums<float, Tiles>& sums, float* ranges,
                                            int convolution, const PackedHeader& header,
                                            VertexRange vertexRange, const WarpPosition& position) {
    RangeRecorder range(ranges, convolution);
    if (!range.isEnabled()) return;
    // In each word bits 0 and 8 are the lane's rows of one tile, bits 16 and 24 its rows of the
    // next tile.
    const std::uint32_t used[2] = {__ldg(&header.usedRows[0]) >> position.group,
                                   __ldg(&header.usedRows[1]) >> position.group};
    const int vertices = vertexRange.count - position.firstRow / kVertexRows;
#pragma unroll
    for (int m = 0; m < Tiles; ++m) {
        const int tile = m % kVertexTiles;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const bool counts = m / kVertexTiles < vertices &&
                                (used[tile / 2] >> (tile % 2 * 16 + i / 2 * 8) & 1U) != 0;
#pragma unroll
            for (int n = 0; n < kWarpTiles; ++n) range.add(counts ? sums[m][n][i] : 0.0F);
        }
    }
    range.publish(position.lane);
}

/// Computes scores and the moved vertex from the products with W0 and W1 of the last layer. One
/// warp per vertex; a lane has rows `lane` and `lane` + 32.
__device__ __forceinline__ void moveVertex(const HypothesisArguments& arguments,
                                           const PackedHeader& header, const float2* partial,
                                           int partialStride, int global, int lane) {
    float identityPart[2] = {};
    float laplacianPart[2] = {};
    int order[2] = {-1, -1};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const int row = lane + 32 * i;
        if (row < kVertexRows) {
#pragma unroll
            for (int warp = 0; warp < kColumnWarps; ++warp) {
                const float2 partialSum = partial[warp * partialStride + row];
                identityPart[i] += partialSum.x;
                laplacianPart[i] += partialSum.y;
            }
            order[i] = __ldg(&header.order[row]);
        }
    }
    float score[2] = {identityPart[0] + __ldg(&header.lastBias),
                      identityPart[1] + __ldg(&header.lastBias)};
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int columns = half == 0 ? 32 : kVertexRows - 32;
#pragma unroll 4
        for (int c = 0; c < columns; ++c) {
            const float x = __shfl_sync(0xffffffffU, laplacianPart[half], c);
            const float* column = header.laplacian[32 * half + c];
            score[0] = fmaf(__ldg(column + lane), x, score[0]);
            if (lane < kVertexRows - 32) score[1] = fmaf(__ldg(column + lane + 32), x, score[1]);
        }
    }
    float highest = 0.0F;  // a lower bound: all scores have passed a ReLU
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        score[i] = order[i] >= 0 ? fmaxf(score[i], 0.0F) : 0.0F;
        highest = fmaxf(highest, score[i]);
    }
    const auto sumOfLanes = [](float x) {
        for (int stride = 16; stride > 0; stride /= 2) x += __shfl_xor_sync(0xffffffffU, x, stride);
        return x;
    };
    for (int stride = 16; stride > 0; stride /= 2)
        highest = fmaxf(highest, __shfl_xor_sync(0xffffffffU, highest, stride));
#pragma unroll
    for (int i = 0; i < 2; ++i) score[i] = order[i] >= 0 ? expf(score[i] - highest) : 0.0F;
    const float sum = sumOfLanes(score[0] + score[1]);
    float step[3] = {};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        if (order[i] < 0) continue;
        score[i] = score[i] / sum;
        for (int axis = 0; axis < 3; ++axis)
            step[axis] = fmaf(score[i], __ldg(&header.offset[lane + 32 * i][axis]), step[axis]);
        if (arguments.scores != nullptr)
            arguments.scores[static_cast<std::size_t>(global) * header.hypotheses + order[i]] =
                score[i];
    }
    for (float& component : step) component = sumOfLanes(component);
    if (lane < 3) {
        const float component = lane == 0 ? step[0] : (lane == 1 ? step[1] : step[2]);
        arguments.moved[3 * global + lane] = arguments.points[3 * global + lane] + component;
    }
}

template <Precision precision, int Groups, int PerWarp>
__global__ void __launch_bounds__(Groups* kColumnWarps * 32, 1)
    hypothesisBlockKernel(HypothesisArguments arguments) {
    using Types = TypesFor<precision>;
    using Storage = typename Types::Storage;
    using Layout = PackedLayout<Types>;
    constexpr int kVertices = Groups * PerWarp;
    constexpr int kRows = kVertices * kVertexRows;
    constexpr int kTiles = PerWarp * kVertexTiles;
    constexpr int kThreads = Groups * kColumnWarps * 32;
    using Shared = SharedLayout<Types, kVertices>;

    const auto& header = *reinterpret_cast<const PackedHeader*>(arguments.weights);
    const int thread = static_cast<int>(threadIdx.x);
    const int warp = thread / 32;
    const int lane = thread % 32;
    const WarpPosition position{lane,
                                lane / 4,
                                lane % 4,
                                warp % kColumnWarps,
                                warp / kColumnWarps * PerWarp * kVertexRows,
                                warp % kColumnWarps * kWarpColumns};
    const int first = static_cast<int>(blockIdx.x) * kVertices;
    const VertexRange vertexRange{first,
                                  min(kVertices, arguments.batch * arguments.vertices - first)};

    auto* features = sharedMemory<std::byte>();
    auto* oddActivations = sharedMemory<std::byte>();
    auto* evenActivations = sharedMemory<std::byte>(Shared::evenActivations);
    auto* laplacian = sharedMemory<std::byte>(Shared::laplacian);
    auto* partial = sharedMemory<float2>(Shared::partial);

    for (int i = thread; i < static_cast<int>(Layout::laplacianBytes / 16); i += kThreads)
        reinterpret_cast<uint4*>(laplacian)[i] =
            __ldg(reinterpret_cast<const uint4*>(arguments.weights + Layout::laplacian) + i);
    writeFeatures<Types, kRows, kThreads>(arguments, header, vertexRange,
                                          sharedMemory<FixedPixel>(Shared::pixels), features,
                                          Shared::featurePitch);
    __syncthreads();

    if (arguments.ranges != nullptr) {
        RangeRecorder range(arguments.ranges, 0);
        for (int row = warp; row < kRows; row += kThreads / 32) {
            if (!isUsed(header, vertexRange, row)) continue;
            const std::byte* source = features + row * Shared::featurePitch;
            for (int index = lane; index < (kPooled + 4) / 2; index += 32) {
                const float2 values = loadPairAt<Storage>(source + 2 * index * sizeof(Storage));
                range.add(values.x);
                range.add(values.y);
            }
        }
        range.publish(lane);
    }

    WeightsOf<typename Types::Inner> weights(arguments.weights + Layout::weights,
                                             position.columnWarp, lane);
    Sums<float, kTiles> sums;
    convolve<typename Types::First, typename Types::LaplacianOperand, kTiles>(
        sums, weights, features, Shared::featurePitch, Layout::firstSteps, laplacian, header, 0,
        position);
    __syncthreads();  // x1 overwrites the features

    // Input of the next product: `evenActivations` after a convolution of odd index (from 0), else
    // `oddActivations`, or in 8 bit `oddQuantised`.
    auto* oddQuantised = sharedMemory<std::byte>(Shared::oddQuantised);
#pragma unroll 1
    for (int convolution = 0;; ++convolution) {
        const bool odd = convolution % 2 != 0;
        activate<Storage, kTiles>(sums, !odd && convolution > 0 ? oddActivations : nullptr,
                                  Shared::activationPitch, position);
        recordRange<kTiles>(sums, arguments.ranges, convolution + 1, header, vertexRange, position);
        if (convolution + 1 == kHiddenConvolutions) break;
        const float inverseScale =
            Types::eightBit ? __ldg(&header.inverseScale[convolution]) : 1.0F;
        forEachRow<kTiles>(position, [&](int row, int m, int upper) {
#pragma unroll
            for (int n = 0; n < kWarpTiles; ++n) {
                const int column = position.firstColumn + 8 * n + 2 * position.inGroup;
                const float low = sums[m][n][2 * upper];
                const float high = sums[m][n][2 * upper + 1];
                if constexpr (Types::eightBit) {
                    std::byte* target =
                        (odd ? evenActivations : oddQuantised) + row * Shared::innerPitch + column;
                    storeRounded(target, low, high, inverseScale);
                    if (!odd)
                        storeFinitePair<Storage>(oddActivations + row * Shared::activationPitch +
                                                     column * sizeof(Storage),
                                                 low, high);
                } else {
                    storeFinitePair<Storage>((odd ? evenActivations : oddActivations) +
                                                 row * Shared::activationPitch +
                                                 column * sizeof(Storage),
                                             low, high);
                }
            }
        });
        __syncthreads();
        convolve<typename Types::Inner, typename Types::LaplacianOperand, kTiles>(
            sums, weights, odd ? evenActivations : oddQuantised, Shared::innerPitch,
            Layout::innerSteps, laplacian, header, convolution + 1, position);
    }

    // The last layer has one column: two dot products a row, over the warp's columns here.
    float last[2][kWarpTiles][2];
#pragma unroll
    for (int support = 0; support < 2; ++support) {
#pragma unroll
        for (int n = 0; n < kWarpTiles; ++n) {
            const float2 values = __ldg(reinterpret_cast<const float2*>(
                header.last[support] + position.firstColumn + 8 * n + 2 * position.inGroup));
            last[support][n][0] = values.x;
            last[support][n][1] = values.y;
        }
    }
    forEachRow<kTiles>(position, [&](int row, int m, int upper) {
        float dot[2] = {};
#pragma unroll
        for (int support = 0; support < 2; ++support) {
#pragma unroll
            for (int n = 0; n < kWarpTiles; ++n) {
                dot[support] = fmaf(sums[m][n][2 * upper], last[support][n][0], dot[support]);
                dot[support] = fmaf(sums[m][n][2 * upper + 1], last[support][n][1], dot[support]);
            }
            dot[support] += __shfl_xor_sync(0xffffffffU, dot[support], 1);
            dot[support] += __shfl_xor_sync(0xffffffffU, dot[support], 2);
        }
        if (position.inGroup == 0)
            partial[position.columnWarp * kRows + row] = make_float2(dot[0], dot[1]);
    });
    __syncthreads();

    for (int vertex = warp; vertex < vertexRange.count; vertex += kThreads / 32)
        moveVertex(arguments, header, partial + vertex * kVertexRows, kRows, first + vertex, lane);
}

template <Precision precision, int vertices>
void launchBlock(Stream stream, const HypothesisArguments& arguments) {
    constexpr int kGroups = vertices > 1 ? 2 : 1;
    const int count = arguments.batch * arguments.vertices;
    launch(&hypothesisBlockKernel<precision, kGroups, vertices / kGroups>,
           {dim3(static_cast<unsigned>((count + vertices - 1) / vertices)),
            dim3(kGroups * kColumnWarps * 32), SharedLayout<TypesFor<precision>, vertices>::bytes},
           stream, arguments);
}

// Instances for the precision of the including source.
#define THREEFOLD_INSTANCE(precision, vertices) \
    template void launchBlock<Precision::precision, vertices>(Stream, const HypothesisArguments&);
THREEFOLD_INSTANCES(THREEFOLD_INSTANCE)

}  // namespace threefold::cuda::hypothesis
