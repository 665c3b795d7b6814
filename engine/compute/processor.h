#pragma once

#include <string>
#include <vector>

namespace threefold {

/// "AMD EPYC 9B45", as the processor names itself; "processor" where it does not.
std::string processorName();

/// Instruction sets that matter here and are there: "avx2", "fma", "avx512f", "avx512_bf16", ….
std::vector<std::string> processorFeatures();

/// True where the processor multiplies bfloat16 natively (AVX-512 BF16).
bool cpuHasBfloat16();

}  // namespace threefold
