#pragma once

#include <span>

#include "tests/cuda/simulation/arithmetic.h"

/// A device's arithmetic on the processor, at full size: every value that the kernels store or
/// multiply is rounded as by the kernels, and kept as float32. Only rounding is simulated; sums are
/// float32, in the processor's order.
namespace threefold::cuda::simulation {

/// truncatedTfloat32 truncates to tfloat32, as tensor cores do with operands that were not rounded.
enum class Format { float32, tfloat32, truncatedTfloat32, bfloat16, float16 };

/// Rounds once to a format, or splits into two parts: the rounded value, and its rounded remainder.
/// The sum of the parts is exact in float32, so one product with this sum simulates the two
/// products with the parts.
struct Rounding {
    Format format = Format::float32;
    bool twoParts = false;
};

float rounded(float value, Rounding rounding);
void roundAll(std::span<float> values, Rounding rounding);

/// Formats of values stored between the steps, and of operands of products in our kernels or
/// NVIDIA's libraries (cuda/kernels/element.h). With 8 bit, the inner products of the hypothesis
/// blocks have other operands.
Format storedFormat(Precision precision);
Format operandFormat(Precision precision);
Format libraryOperandFormat(Precision precision, LibraryOperands operands);

}  // namespace threefold::cuda::simulation
