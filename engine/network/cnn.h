#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/compute/aligned_buffer.h"
#include "engine/network/onednn.h"
#include "engine/network/pooling.h"

namespace threefold {

/// The convolutions of one stage (METHOD.md §4), with the memory of their maps. For three views and
/// a caller that may use 64 OpenMP threads or more, 64 threads compute; else the largest power of
/// two that the caller may use, at most 16. The result does not depend on the number of threads.
/// Call from one thread at a time.
class Cnn {
  public:
    /// Makes the first `layerCount` layers of CNN18 with the weights "{prefix}.conv1.weight" …;
    /// run() returns the maps of taps [firstTap, endTap). `precision` of maps and weights: float32
    /// or bfloat16. Throws ModelError, DeviceError.
    Cnn(const Model& model, const std::string& prefix, std::size_t layerCount, std::size_t firstTap,
        std::size_t endTap, Precision precision = Precision::float32);

    /// Computes the taps' maps, valid until the next run. `images`: (view, 224, 224, 3) from
    /// preprocess(). Polls `cancel` between layers and throws Cancelled.
    std::vector<FeatureMap> run(const float* images, std::size_t views,
                                const std::stop_token& cancel,
                                const std::function<void(float fraction)>& progress);

  private:
    /// Everything that depends on the number of views.
    struct Plan {
        std::size_t views = 0;
        std::vector<onednn::Convolution> layers;
        AlignedBuffer<std::uint16_t> images;                   ///< used with bfloat16 only
        std::vector<AlignedBuffer<std::byte>> taps;            ///< one per kept tap
        std::array<AlignedBuffer<std::byte>, 2> intermediate;  ///< outputs of the other layers
    };
    Plan makePlan(std::size_t views) const;

    /// Index into Plan::taps of the output of layer `layer` (from 0); nullopt if that output is not
    /// kept.
    std::optional<std::size_t> tapAfter(std::size_t layer) const;

    std::size_t firstTap_;
    std::size_t endTap_;
    Precision precision_;
    std::vector<onednn::Convolution> packedLayers_;  ///< weights, shared by all plans
    Plan plan_;                                      ///< for the view count of the last run
};

}  // namespace threefold
