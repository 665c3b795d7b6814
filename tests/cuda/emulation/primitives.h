#pragma once

#include <cstdint>

#include "cuda/runtime/stream.h"

/// Kernels that use each feature of cuda/portable. They are compiled as plain C++ to test the
/// emulator, and by nvcc for every architecture, so that the same tests can run on a device. All
/// pointers are device memory.
namespace threefold::cuda::primitives {

enum class Product { half, bfloat16, tfloat32, int8 };

/// K of the product: the number of values in a row of A or a column of B.
int depthOf(Product product);

/// Computes `count` products, each on one warp: d (16, 8) += a (16, K) · b (8, K)ᵀ. The values of d
/// are float, or int32 for Product::int8. Each row of A and column of B is 8 words of packed
/// values.
void launchProducts(Stream stream, Product product, const std::uint32_t* a, const std::uint32_t* b,
                    void* d, int count);

/// Loads four matrices (8, 8) of 16-bit values on one warp; out (32, 4): each lane's registers.
void launchLoadMatrix(Stream stream, const std::uint16_t* in, std::uint32_t* out);

/// Transposes a matrix (8, 8) of 16-bit values in the registers of one warp.
void launchTransposeMatrix(Stream stream, const std::uint32_t* in, std::uint32_t* out);

/// Result of each conversion of a float.
struct Converted {
    std::uint16_t half;
    std::uint16_t bfloat16;
    std::uint32_t tfloat32;
    std::uint32_t halfPair;      ///< value in the low half, its negative in the high half
    std::uint32_t bfloat16Pair;  ///< packed like halfPair
    std::int32_t int8;
    std::uint32_t halfFinite;  ///< packed like halfPair, but saturated at the largest finite value
    float root;                ///< fast square root of the magnitude
};
void launchConvert(Stream stream, const float* in, Converted* out, int count);

/// Converts all 65536 bit patterns of half and bfloat16 to float.
void launchWiden(Stream stream, float* half, float* bfloat16);

/// Reduces 128 values per block of 128 threads: out (blocks, 4) = sum, maximum (float), number of
/// values above 0, index within the block of the first such value, or -1 if there is none. Uses
/// shuffles, votes and a barrier.
struct Summary {
    float sum;
    float largest;
    std::int32_t positive;
    std::int32_t firstPositive;
};
void launchSummarize(Stream stream, const float* in, Summary* out, int blocks);

/// Shuffles the lane numbers of one warp. out (64): what every lane reads from lane 5, then what it
/// reads from the lane whose number is its own xor 9.
void launchShuffles(Stream stream, int* out);

/// Counts how often each of 16 values occurs, with atomics in shared and global memory.
void launchHistogram(Stream stream, const int* in, int count, unsigned* out);

/// Launches cooperatively: in each of `rounds` rounds, every block adds the values of all blocks to
/// its own, modulo 1009. in (blocks); out (blocks); work (2, blocks).
void launchRounds(Stream stream, int blocks, int rounds, const int* in, int* work, int* out);

/// Computes out (m, n) = a (m, k) · b (k, n). a and b hold bits of Half, out holds floats. Tiles of
/// 32 × 32 × 32 are double-buffered by asynchronous copies. k and n are multiples of 8.
void launchTiledProduct(Stream stream, const std::uint16_t* a, const std::uint16_t* b, float* out,
                        int m, int n, int k);

}  // namespace threefold::cuda::primitives
