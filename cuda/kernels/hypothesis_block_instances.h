#pragma once

#include "cuda/kernels/hypothesis_block.h"

namespace threefold::cuda::hypothesis {

/// Launches a block of `vertices` vertices: one of those in kShapes of hypothesis_block.cpp.
template <Precision precision, int vertices>
void launchBlock(Stream stream, const HypothesisArguments& arguments);

}  // namespace threefold::cuda::hypothesis
