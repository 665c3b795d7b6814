#pragma once

#include <string>
#include <vector>

namespace threefold {

/// The processor's model name, such as "AMD EPYC 9B45"; "processor" if it has none.
std::string processorName();

/// Relevant instruction sets that the processor has: "avx2", "fma", "avx512f", "avx512_bf16", ….
std::vector<std::string> processorFeatures();

/// Whether the processor multiplies bfloat16 natively (AVX-512 BF16).
bool processorHasBfloat16();

/// Whether the processor multiplies 8-bit integers without saturating pairs of products (AVX-512
/// VNNI).
bool processorHasVnni();

/// Whether the processor runs code for AVX2 with FMA, or for AVX-512 (F, BW, VL, DQ). False unless
/// the program is built for x86-64.
bool processorHasAvx2();
bool processorHasAvx512();

}  // namespace threefold
