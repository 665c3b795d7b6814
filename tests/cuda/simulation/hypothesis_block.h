#pragma once

#include "cuda/kernels/hypothesis_block.h"
#include "engine/mesh.h"
#include "engine/model/model.h"
#include "engine/network/pooling.h"
#include "tests/cuda/simulation/arithmetic.h"

namespace threefold::cuda::simulation {

/// METHOD.md §7: block `index` (from 0) in arithmetic.hypotheses; the moved points. `ranges`: what
/// 8 bit is scaled by, else unused. `seen`: null, or becomes the larger of itself and the largest
/// magnitude that entered each convolution (HypothesisArguments::ranges). No value comes near where
/// float16 saturates, so that it is left out. Throws ModelError.
Points hypothesisBlock(const Model& model, std::size_t index, const Arithmetic& arithmetic,
                       const QuantisationRanges& ranges, const Points& points,
                       const FeaturePooling& pooling, QuantisationRanges* seen = nullptr);

}  // namespace threefold::cuda::simulation
