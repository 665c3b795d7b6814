#pragma once

#include <cstdint>

#include "cuda/runtime/stream.h"

/// Kernels that use each thing of cuda/portable once. Compiled as plain C++ to test the emulator,
/// and by nvcc for every architecture, so that the same tests can run on a device. All pointers are
/// memory of the device.
namespace threefold::cuda::primitives {

enum class Product { half, bfloat16, tfloat32, int8 };

/// Values of a row of A or a column of B: the K of the product.
int depthOf(Product product);

/// `count` products of one warp each: d (16, 8) += a (16, K) · b (8, K)ᵀ, float or int32. Rows of A
/// and columns of B are 8 words of packed values.
void launchProducts(Stream stream, Product product, const std::uint32_t* a, const std::uint32_t* b,
                    void* d, int count);

/// One warp loads four matrices (8, 8) of 16 bits; out (32, 4): what each lane got.
void launchLoadMatrix(Stream stream, const std::uint16_t* in, std::uint32_t* out);

/// One warp transposes a matrix (8, 8) of 16 bits in its registers.
void launchTransposeMatrix(Stream stream, const std::uint32_t* in, std::uint32_t* out);

/// Result of each conversion of a float.
struct Converted {
    std::uint16_t half;
    std::uint16_t bfloat16;
    std::uint32_t tfloat32;
    std::uint32_t halfPair;      ///< the value, and its negative above
    std::uint32_t bfloat16Pair;  ///< the same
    std::int32_t int8;
    std::uint32_t halfFinite;  ///< as halfPair, without infinities
    float root;                ///< fast, of the magnitude
};
void launchConvert(Stream stream, const float* in, Converted* out, int count);

/// The values of all 65536 patterns of half and bfloat16.
void launchWiden(Stream stream, float* half, float* bfloat16);

/// Per block of 128 threads and as many values: out (blocks, 4) = sum, largest (float), how many
/// are above 0, the first index above 0 or -1. Shuffles, votes, a barrier.
struct Summary {
    float sum;
    float largest;
    std::int32_t positive;
    std::int32_t firstPositive;
};
void launchSummarize(Stream stream, const float* in, Summary* out, int blocks);

/// out (64): each lane's value of shuffles of its number: from lane 5, and xor 9; one warp.
void launchShuffles(Stream stream, int* out);

/// How often each of 16 values occurs; atomics in shared and global memory.
void launchHistogram(Stream stream, const int* in, int count, unsigned* out);

/// Cooperative: `rounds` times every block adds what all blocks had. out (blocks); work (2,
/// blocks).
void launchRounds(Stream stream, int blocks, int rounds, const int* in, int* work, int* out);

/// out (m, n) float = a (m, k) · b (k, n), Half bits; tiles of 32 × 32 × 32, double-buffered by
/// asynchronous copies, k and n multiples of 8.
void launchTiledProduct(Stream stream, const std::uint16_t* a, const std::uint16_t* b, float* out,
                        int m, int n, int k);

}  // namespace threefold::cuda::primitives
