#pragma once

#include <string>
#include <vector>

namespace threefold {

/// The processor's model name, such as "AMD EPYC 9B45"; "processor" if it has none.
std::string processorName();

/// Relevant instruction sets that the processor has: "avx2", "fma", "avx512f", "avx512_bf16", ….
std::vector<std::string> processorFeatures();

/// True where the processor multiplies bfloat16 natively (AVX-512 BF16).
bool cpuHasBfloat16();

/// True where the processor multiplies 8-bit integers without saturating pairs of products (AVX-512
/// VNNI).
bool cpuHasVnni();

/// Whether the processor runs code for AVX2 with FMA, or for AVX-512 (F, BW, VL, DQ). False unless
/// the program is built for x86-64.
bool cpuHasAvx2();
bool cpuHasAvx512();

}  // namespace threefold
