#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/kernels/hypothesis_block.h"
#include "engine/network/pooling.h"

namespace threefold::cuda::test {

/// Device limits as the architectures have them.
DeviceLimits limitsOf(int computeCapability);

/// Input of a hypothesis block, on the host.
struct HypothesisScene {
    int batch = 1;
    std::vector<FeatureProjection> projections;  ///< of every batch
    std::vector<float> maps[3];                  ///< (batch · views, side, side, channels)
    std::vector<Points> points;                  ///< of every batch, all of one length

    int views() const { return static_cast<int>(projections.size()); }
};

/// Views around an object that lies near (0, 0, −0.8), maps of 0 to `largest`, and vertices there.
HypothesisScene randomScene(int batch, int vertices, int views, std::uint32_t seed,
                            float largest = 0.5F);

/// Rounds the maps to what they are stored as.
void roundMaps(HypothesisScene& scene, Precision precision);

/// The engine's own pooling of one batch; reads the scene's maps.
FeaturePooling poolingOf(const HypothesisScene& scene, int batch);

/// Output of the kernel.
struct HypothesisOutput {
    std::vector<float> moved;   ///< (batch, vertices, 3)
    std::vector<float> scores;  ///< (batch, vertices, hypotheses)
    QuantisationRanges ranges;  ///< unless 8 bit
};

/// Packs the block of the model and runs the kernel as for a device of these limits.
HypothesisOutput runHypothesisKernel(const HypothesisScene& scene, const Model& model,
                                     std::size_t block, Precision precision,
                                     const DeviceLimits& limits,
                                     const QuantisationRanges& ranges = {});

}  // namespace threefold::cuda::test
