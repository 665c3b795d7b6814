#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cuda/kernels/split_coordinates.h"
#include "cuda/portable/half.h"
#include "cuda/runtime/memory_layout.h"
#include "engine/model/architecture.h"
#include "engine/network/precision.h"

// Instances of the kernel: a precision and the number of vertices of a thread block, the largest
// number first.
#define THREEFOLD_HYPOTHESIS_float32(of) of(float32, 2) of(float32, 1)
#define THREEFOLD_HYPOTHESIS_tfloat32(of) of(tfloat32, 2) of(tfloat32, 1)
#define THREEFOLD_HYPOTHESIS_float16(of) of(float16, 4) of(float16, 2) of(float16, 1)
#define THREEFOLD_HYPOTHESIS_bfloat16(of) of(bfloat16, 4) of(bfloat16, 2)
#define THREEFOLD_HYPOTHESIS_int8(of) of(int8, 4) of(int8, 2)

/// Layout of the hypothesis block's packed weights and shared memory, for the packer (host) and the
/// kernel.
namespace threefold::cuda::hypothesis {

// A vertex's hypotheses take 48 rows: three tiles of 16, so that the Laplacian is the same nine
// 16 × 16 tiles for every vertex. For a row without a hypothesis, the row and the column of the
// Laplacian are zero.
inline constexpr int kTile = 16;
inline constexpr int kVertexTiles = 3;
inline constexpr int kVertexRows = kTile * kVertexTiles;

inline constexpr int kWidth = static_cast<int>(kHiddenWidth);
inline constexpr int kMapChannels = 112;                 // channels of all three maps
inline constexpr int kPooled = 3 * kMapChannels;         // maximum, mean, deviation
inline constexpr int kFeatureColumns = kPooled + kTile;  // the last tile holds the coordinates
/// Number of kExtraProducts that fit beside the coordinates in a tile.
inline constexpr int kExtraProductsInTile = (kTile - 3) / 3;
inline constexpr int kHiddenConvolutions = static_cast<int>(kLocalConvolutionCount) - 1;
inline constexpr int kMaxViews = 8;

// A warp computes 48 columns of its rows; four warps compute all 192.
inline constexpr int kColumnWarps = 4;
inline constexpr int kWarpColumns = kWidth / kColumnWarps;
inline constexpr int kWarpTiles = kWarpColumns / 8;

// Whatever the operand, a step of a product takes 32 bytes of every row. A step's weights for 48
// columns are 1536 bytes, three 16-byte loads a lane.
inline constexpr int kStepBytes = 32;
inline constexpr int kStepVectors =
    kWarpColumns * kStepBytes / 16;  // 16-byte vectors of a column warp

/// 8-bit operand of a product. Unlike the types of cuda/portable/half.h, never the element type of
/// a tensor.
struct Int8 {
    std::int8_t value;
};

/// Types of a precision. Storage: maps, features, residuals (x1, x3). First, Inner: operands of the
/// products of the first convolution and of the other four. LaplacianOperand: operands of the
/// product with the Laplacian.
template <class StorageType, class FirstType, class InnerType, class LaplacianOperandType>
struct TypesOf {
    using Storage = StorageType;
    using First = FirstType;
    using Inner = InnerType;
    using LaplacianOperand = LaplacianOperandType;
    static constexpr bool eightBit = sizeof(InnerType) == 1;
};
template <Precision>
struct TypesFor;
template <>
struct TypesFor<Precision::float32> : TypesOf<float, float, float, float> {};
template <>
struct TypesFor<Precision::tfloat32> : TypesOf<float, Tfloat32, Tfloat32, Tfloat32> {};
template <>
struct TypesFor<Precision::float16> : TypesOf<Half, Half, Half, Half> {};
template <>
struct TypesFor<Precision::bfloat16> : TypesOf<Bfloat16, Bfloat16, Bfloat16, Bfloat16> {};
template <>
struct TypesFor<Precision::int8> : TypesOf<Half, Half, Int8, Half> {};

/// Calls `body` with TypesFor<precision>.
template <class Body>
decltype(auto) withTypes(Precision precision, const Body& body) {
    switch (precision) {
        case Precision::float32:
            return body(TypesFor<Precision::float32>{});
        case Precision::tfloat32:
            return body(TypesFor<Precision::tfloat32>{});
        case Precision::bfloat16:
            return body(TypesFor<Precision::bfloat16>{});
        case Precision::int8:
            return body(TypesFor<Precision::int8>{});
        default:
            return body(TypesFor<Precision::float16>{});
    }
}

template <class Operand>
constexpr int stepsOf(int columns) {
    return columns * static_cast<int>(sizeof(Operand)) / kStepBytes;
}

/// Start of the packed weights. Rows are in the kernel's order.
struct PackedHeader {
    std::int32_t hypotheses;
    std::uint32_t tiles;        ///< bit 3 m + k: tile (m, k) of the Laplacian is not empty
    std::uint32_t usedRows[2];  ///< bit r: row r is a hypothesis
    float lastBias;
    float inverseScale[4];  ///< 8 bit: 1 / quantisation step of the inputs of convolutions 2 to 5
    alignas(16) std::int32_t order[kVertexRows];            ///< row → hypothesis, or -1
    alignas(16) float offset[kVertexRows][4];               ///< x, y, z, 0
    alignas(16) float laplacian[kVertexRows][kVertexRows];  ///< [c][r]: transposed
    alignas(16) float bias[kHiddenConvolutions][kWidth];
    alignas(16) float last[2][kWidth];  ///< W0 and W1 of the last convolution
    // 8 bit, convolutions 2 to 5, [W1, W0]: scale of the int32 sums, and their initial value, which
    // cancels the zero point -128 of the inputs.
    alignas(16) float outputScale[4][2][kWidth];
    alignas(16) std::int32_t zeroPointSum[4][2][kWidth];
};

/// Layout of the packed weights behind the header: fragments of the Laplacian in the order of lanes
/// (float32: the header's matrix once more), then the weights as one stream (convolution, W1 then
/// W0, step, column warp, vector). The kernel reads two steps ahead, so two unused steps follow the
/// last step.
template <class Types>
struct PackedLayout {
    static constexpr std::size_t laplacianBytes =
        kVertexRows * kVertexRows * sizeof(typename Types::LaplacianOperand);
    static constexpr std::size_t laplacian = alignUp(sizeof(PackedHeader));
    static constexpr std::size_t weights = laplacian + alignUp(laplacianBytes);
    static constexpr int firstSteps = stepsOf<typename Types::First>(kFeatureColumns);
    static constexpr int innerSteps = stepsOf<typename Types::Inner>(kWidth);
    static constexpr std::size_t stepBytes = std::size_t{kColumnWarps} * kStepVectors * 16;
    static constexpr std::size_t steps =
        2 * (firstSteps + (kHiddenConvolutions - 1) * innerSteps) + 2;
    static constexpr std::size_t bytes = weights + steps * stepBytes;
    static_assert(firstSteps % 2 == 0 && innerSteps % 2 == 0,
                  "steps come in pairs: the kernel's ring of weights has two slots");
};

/// Shared memory of a thread block of `vertices` vertices. Pitches are odd multiples of 16 bytes:
/// eight rows of 16 bytes lie in different banks.
template <class Types, int vertices>
struct SharedLayout {
    static constexpr std::size_t rows = std::size_t{vertices} * kVertexRows;
    static constexpr std::size_t storage = sizeof(typename Types::Storage);
    static constexpr std::size_t featurePitch = kFeatureColumns * storage + 16;
    static constexpr std::size_t activationPitch = kWidth * storage + 16;
    static constexpr std::size_t innerPitch = kWidth * sizeof(typename Types::Inner) + 16;

    // First phase: the features, then the pixels at which they are sampled.
    static constexpr std::size_t pixels = rows * featurePitch;
    static constexpr std::size_t gatherBytes = pixels + rows * kMaxViews * 8;
    // Second phase, in the same memory: odd activations (x1, x3: residuals), in 8 bit also
    // their rounded copy, then even activations (x2, x4).
    static constexpr std::size_t oddQuantised = Types::eightBit ? rows * activationPitch : 0;
    static constexpr std::size_t evenActivations =
        rows * activationPitch + (Types::eightBit ? rows * innerPitch : 0);
    static constexpr std::size_t hiddenBytes = evenActivations + rows * innerPitch;

    static constexpr std::size_t laplacian = std::max(gatherBytes, hiddenBytes);
    static constexpr std::size_t afterLaplacian = laplacian + PackedLayout<Types>::laplacianBytes;
    static constexpr std::size_t partialBytes = kColumnWarps * rows * 2 * sizeof(float);
    // 8 bit: the rounded copy of x3 is no longer needed when the last products are written.
    static constexpr std::size_t partial = Types::eightBit ? oddQuantised : afterLaplacian;
    static constexpr std::size_t bytes = afterLaplacian + (Types::eightBit ? 0 : partialBytes);
};

}  // namespace threefold::cuda::hypothesis
