#pragma once

#include <string_view>

namespace threefold {

/// Number format of the matrix products. The processor's back end supports float32, and bfloat16
/// and int8 in stage 2 only (CpuOptions); a GPU's back end supports every format that its
/// device supports.
enum class Precision {
    float32,
    tfloat32,  ///< operands of products rounded to 10 mantissa bits, all else float32
    float16,
    bfloat16,
    int8,  ///< products of hypothesis blocks in int8, all else float16 (CPU: see CpuOptions)
};

inline constexpr Precision kAllPrecisions[] = {Precision::float32, Precision::tfloat32,
                                               Precision::float16, Precision::bfloat16,
                                               Precision::int8};

std::string_view precisionName(Precision precision);  ///< "float32", "tfloat32", "int8", …
/// Converts a name, or a short name ("fp32", "tf32", "fp16", "bf16"), to its precision. Throws
/// UsageError.
Precision precisionFromName(std::string_view name);

}  // namespace threefold
