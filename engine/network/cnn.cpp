#include "engine/network/cnn.h"

#include <omp.h>

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/network/weight_matrices.h"

namespace threefold {
namespace {

// Weights are packed for this number of views. Plans for other numbers share the packed weights if
// the layouts agree.
constexpr std::size_t kDefaultViewCount = 3;

// For some thread counts oneDNN splits a layer's sums differently (for three views with AVX-512:
// 22, 32 to 47, 140 and more threads), so results would depend on the count. Results are the same
// with powers of two up to 16, and for the default number of views also with 64. Fewer threads cost
// little time, as the layers are a fifteenth of the work.
constexpr int kManyThreads = 64;
constexpr unsigned kFewThreads = 16;

int layerThreads(std::size_t views) {
    const int threads = omp_get_max_threads();
    if (threads >= kManyThreads && views == kDefaultViewCount) return kManyThreads;
    return static_cast<int>(std::bit_floor(std::min(static_cast<unsigned>(threads), kFewThreads)));
}

constexpr std::size_t kImageValues = std::size_t{kInputSide} * kInputSide * 3;

}  // namespace

Cnn::Cnn(const Model& model, const std::string& prefix, std::size_t layerCount,
         std::size_t firstTap, std::size_t endTap, Precision precision)
    : firstTap_(firstTap), endTap_(endTap), precision_(precision) {
    const onednn::ThreadLimit limit(layerThreads(kDefaultViewCount));
    int side = kInputSide;
    for (std::size_t layer = 0; layer < layerCount; ++layer) {
        const ConvolutionSpec& spec = kCnnLayers[layer];
        const std::string name = fmt::format("{}.conv{}", prefix, layer + 1);
        const auto outputs = static_cast<std::size_t>(spec.outChannels);
        const auto kernelInputs = static_cast<std::size_t>(spec.inChannels) *
                                  static_cast<std::size_t>(spec.kernelSize * spec.kernelSize);
        packedLayers_.emplace_back(spec, side, kDefaultViewCount, precision,
                                   weightValues(model, name + ".weight", outputs * kernelInputs),
                                   weightValues(model, name + ".bias", outputs));
        side = packedLayers_.back().outputSide();
    }
}

std::optional<std::size_t> Cnn::tapAfter(std::size_t layer) const {
    for (std::size_t tap = firstTap_; tap < endTap_; ++tap) {
        if (static_cast<std::size_t>(kCnnTaps[tap]) == layer + 1) return tap - firstTap_;
    }
    return std::nullopt;
}

Cnn::Plan Cnn::makePlan(std::size_t views) const {
    Plan plan;
    plan.views = views;
    const bool isBfloat16 = precision_ == Precision::bfloat16;
    const std::size_t valueBytes = isBfloat16 ? sizeof(std::uint16_t) : sizeof(float);
    if (isBfloat16) plan.images = AlignedBuffer<std::uint16_t>(views * kImageValues);
    std::size_t largest = 0;
    for (std::size_t layer = 0; layer < packedLayers_.size(); ++layer) {
        plan.layers.emplace_back(packedLayers_[layer], views);
        const std::size_t bytes = plan.layers.back().outputCount() * valueBytes;
        if (tapAfter(layer)) {
            plan.taps.emplace_back(bytes);
        } else {
            largest = std::max(largest, bytes);
        }
    }
    for (auto& buffer : plan.intermediate) buffer = AlignedBuffer<std::byte>(largest);
    return plan;
}

std::vector<FeatureMap> Cnn::run(const float* images, std::size_t views,
                                 const std::stop_token& cancel,
                                 const std::function<void(float fraction)>& progress) {
    const onednn::ThreadLimit limit(layerThreads(views));
    if (plan_.views != views) {
        plan_ = {};  // frees the old maps before the new ones are allocated
        plan_ = makePlan(views);
    }
    std::vector<FeatureMap> maps;
    const void* source = images;
    if (precision_ == Precision::bfloat16) {
        // The images have 8 bits per channel, so bfloat16's 8-bit significand loses little.
        simd::runnableNetworkKernels().front()->toBfloat16(images, plan_.images.size(),
                                                           plan_.images.data());
        source = plan_.images.data();
    }
    for (std::size_t layer = 0; layer < plan_.layers.size(); ++layer) {
        if (cancel.stop_requested()) throw Cancelled();
        const onednn::Convolution& convolution = plan_.layers[layer];
        const std::optional<std::size_t> tap = tapAfter(layer);
        std::byte* destination =
            tap ? plan_.taps[*tap].data() : plan_.intermediate[layer % 2].data();
        convolution.run(source, destination);
        if (tap) {
            FeatureMap& map = maps.emplace_back();
            map.side = static_cast<std::size_t>(convolution.outputSide());
            map.channels = static_cast<std::size_t>(kCnnLayers[layer].outChannels);
            if (precision_ == Precision::bfloat16) {
                map.values = reinterpret_cast<const std::uint16_t*>(destination);
            } else {
                map.values = reinterpret_cast<const float*>(destination);
            }
        }
        source = destination;
        progress(static_cast<float>(layer + 1) / static_cast<float>(plan_.layers.size()));
    }
    return maps;
}

}  // namespace threefold
