#include "engine/network/cnn.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/network/weights.h"

namespace threefold {
namespace {

// Weights are packed for this many views. Plans for other numbers of views share them where the
// layout agrees.
constexpr std::size_t kUsualViews = 3;

}  // namespace

Cnn::Cnn(const Model& model, const std::string& prefix, std::size_t layers, std::size_t firstTap,
         std::size_t lastTap)
    : firstTap_(firstTap), lastTap_(lastTap) {
    int side = kImageSize;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const ConvolutionSpec& spec = kCnnLayers[layer];
        const std::string name = fmt::format("{}.conv{}", prefix, layer + 1);
        const auto outputs = static_cast<std::size_t>(spec.out);
        const auto taps =
            static_cast<std::size_t>(spec.in) * static_cast<std::size_t>(spec.kernel * spec.kernel);
        packed_.emplace_back(spec, side, kUsualViews,
                             weightValues(model, name + ".weight", outputs * taps),
                             weightValues(model, name + ".bias", outputs));
        side = packed_.back().outputSide();
    }
}

std::optional<std::size_t> Cnn::tapAfter(std::size_t layer) const {
    for (std::size_t tap = firstTap_; tap < lastTap_; ++tap) {
        if (static_cast<std::size_t>(kCnnTaps[tap]) == layer + 1) return tap - firstTap_;
    }
    return std::nullopt;
}

Cnn::Plan Cnn::makePlan(std::size_t views) const {
    Plan plan;
    plan.views = views;
    std::size_t largest = 0;
    for (std::size_t layer = 0; layer < packed_.size(); ++layer) {
        plan.layers.emplace_back(packed_[layer], views);
        const std::size_t count = plan.layers.back().outputCount();
        if (tapAfter(layer)) {
            plan.taps.emplace_back(count);
        } else {
            largest = std::max(largest, count);
        }
    }
    for (AlignedBuffer<float>& buffer : plan.intermediate) buffer = AlignedBuffer<float>(largest);
    return plan;
}

std::vector<FeatureMap> Cnn::run(const float* images, std::size_t views,
                                 const std::stop_token& cancel,
                                 const std::function<void(float done)>& progress) {
    if (plan_.views != views) {
        plan_ = {};  // frees the old maps before the new ones are allocated
        plan_ = makePlan(views);
    }
    std::vector<FeatureMap> maps;
    const float* from = images;
    for (std::size_t layer = 0; layer < plan_.layers.size(); ++layer) {
        if (cancel.stop_requested()) throw Cancelled();
        const onednn::Convolution& convolution = plan_.layers[layer];
        const std::optional<std::size_t> tap = tapAfter(layer);
        float* to = tap ? plan_.taps[*tap].data() : plan_.intermediate[layer % 2].data();
        convolution.run(from, to);
        if (tap) {
            maps.push_back({to, static_cast<std::size_t>(convolution.outputSide()),
                            static_cast<std::size_t>(kCnnLayers[layer].out)});
        }
        from = to;
        progress(static_cast<float>(layer + 1) / static_cast<float>(plan_.layers.size()));
    }
    return maps;
}

}  // namespace threefold
