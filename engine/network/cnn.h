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

/// The convolutions of one stage (METHOD.md §4) and the memory of their maps. The caller's
/// ThreadLimit bounds the threads per layer, of which up to 16 are used, or 64: the result is the
/// same with any number. One thread at a time.
class Cnn {
  public:
    /// The first `layers` of CNN18 with the weights "{prefix}.conv1.weight" …; maps are kept for
    /// the taps in [firstTap, lastTap), all in `precision`: float32, or bfloat16. Throws
    /// ModelError, DeviceError.
    Cnn(const Model& model, const std::string& prefix, std::size_t layers, std::size_t firstTap,
        std::size_t lastTap, Precision precision = Precision::float32);

    /// `images` (view, 224, 224, 3) as preprocess() makes them; polls `cancel` between layers and
    /// throws Cancelled. The maps are valid until the next run.
    std::vector<FeatureMap> run(const float* images, std::size_t views,
                                const std::stop_token& cancel,
                                const std::function<void(float done)>& progress);

  private:
    /// Everything that depends on the number of views.
    struct Plan {
        std::size_t views = 0;
        std::vector<onednn::Convolution> layers;
        AlignedBuffer<std::uint16_t> images;                   ///< in bfloat16, if that is used
        std::vector<AlignedBuffer<std::byte>> taps;            ///< one for each tap that is kept
        std::array<AlignedBuffer<std::byte>, 2> intermediate;  ///< outputs of the other layers
    };
    Plan makePlan(std::size_t views) const;

    /// Index into Plan::taps of the map taken after layer `layer` (from 0), if it is kept.
    std::optional<std::size_t> tapAfter(std::size_t layer) const;

    std::size_t firstTap_;
    std::size_t lastTap_;
    Precision precision_;
    std::vector<onednn::Convolution> packed_;  ///< holds the weights that all plans share
    Plan plan_;                                ///< for the number of views last run
};

}  // namespace threefold
