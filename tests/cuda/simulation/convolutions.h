#pragma once

#include <span>
#include <vector>

#include "engine/compute/aligned_buffer.h"
#include "engine/model/model.h"
#include "engine/network/pooling.h"
#include "tests/cuda/simulation/arithmetic.h"

namespace threefold::cuda::simulation {

/// The maps that one stage pools from.
struct Maps {
    std::vector<AlignedBuffer<float>> values;
    std::vector<FeatureMap> maps;  ///< into `values`, in the order of the taps
};

/// Computes METHOD.md §4 in the arithmetic with which cuda/library/cnn.h runs cuDNN. `stage` is 1
/// or 2; `images` (view, 224, 224, 3) come from preprocess(). Throws ModelError.
Maps convolve(const Model& model, int stage, std::span<const float> images, std::size_t views,
              const Arithmetic& arithmetic);

}  // namespace threefold::cuda::simulation
