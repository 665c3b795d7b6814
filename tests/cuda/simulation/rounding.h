#pragma once

#include <span>

#include "tests/cuda/simulation/arithmetic.h"

/// A device's arithmetic on the processor, at full size: every value that the kernels store or
/// multiply with is rounded as they do it, and stays float32 here. What is simulated is rounding
/// alone; sums are float32's, in the processor's order.
namespace threefold::cuda::simulation {

/// cutTfloat32 drops the bits behind tfloat32's: what tensor cores do with operands that nobody
/// rounded.
enum class Format { float32, tfloat32, cutTfloat32, bfloat16, float16 };

/// To a format once, or in two parts: the value and what its rounding leaves, rounded too. The two
/// products with the parts are worth one with their sum, which float32 holds exactly.
struct Rounding {
    Format format = Format::float32;
    bool twoParts = false;
};

float rounded(float value, Rounding rounding);
void roundAll(std::span<float> values, Rounding rounding);

/// What lies in memory between the steps, and what enters a product of our kernels or of NVIDIA's
/// libraries (cuda/kernels/element.h): of 8 bit, outside of the hypothesis blocks' inner products.
Format storedFormat(Precision precision);
Format operandFormat(Precision precision);
Format libraryOperandFormat(Precision precision, LibraryOperands operands);

}  // namespace threefold::cuda::simulation
