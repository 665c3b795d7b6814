#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/kernels/hypothesis_block.h"
#include "engine/network/pooling.h"

namespace threefold::cuda::test {

/// Limits of a typical device of the compute capability.
DeviceLimits limitsOf(int computeCapability);

/// Input of a hypothesis block, in host memory.
struct HypothesisScene {
    int batch = 1;
    std::vector<FeatureProjection> projections;  ///< of the views, which all samples share
    std::vector<float> maps[3];                  ///< (batch · views, side, side, channels)
    std::vector<Points> points;                  ///< vertices, equally many in each sample

    int views() const { return static_cast<int>(projections.size()); }
};

/// Random scene: views around an object near (0, 0, −0.8), maps with values from 0 to `largest`,
/// and vertices on the object.
HypothesisScene randomScene(int batch, int vertices, int views, std::uint32_t seed,
                            float largest = 0.5F);

/// Rounds the maps to the storage type of `precision`.
void roundMaps(HypothesisScene& scene, Precision precision);

/// The engine's own pooling of sample `batch`; the result keeps pointers to the scene's maps.
FeaturePooling poolingOf(const HypothesisScene& scene, int batch);

/// Output of the kernel.
struct HypothesisOutput {
    std::vector<float> moved;   ///< (batch, vertices, 3)
    std::vector<float> scores;  ///< (batch, vertices, hypotheses)
    QuantisationRanges ranges;  ///< measured by the kernel, except in 8 bit
};

/// Packs a block of the model, and runs the kernel with the shape for a device of these limits.
HypothesisOutput runHypothesisKernel(const HypothesisScene& scene, const Model& model,
                                     std::size_t block, Precision precision,
                                     const DeviceLimits& limits,
                                     const QuantisationRanges& ranges = {});

}  // namespace threefold::cuda::test
