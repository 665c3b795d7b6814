#pragma once

#include "cuda/kernels/hypothesis_block.h"
#include "engine/mesh.h"
#include "engine/model/model.h"
#include "engine/network/pooling.h"
#include "tests/cuda/simulation/arithmetic.h"

namespace threefold::cuda::simulation {

/// Computes hypothesis block `index` (from 0; METHOD.md §7) in the precision arithmetic.hypotheses;
/// returns the moved points. Only 8 bit uses `ranges`, for its scales. `seen`, unless null, is
/// raised to the largest magnitudes that entered each convolution (HypothesisArguments::ranges).
/// Float16 saturation is not simulated, since no value comes near the limit. Throws ModelError.
Points hypothesisBlock(const Model& model, std::size_t index, const Arithmetic& arithmetic,
                       const QuantisationRanges& ranges, const Points& points,
                       const FeaturePooling& pooling, QuantisationRanges* seen = nullptr);

}  // namespace threefold::cuda::simulation
