#include "tests/cuda/simulation/convolutions.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "engine/model/architecture.h"
#include "engine/network/onednn.h"
#include "engine/network/weight_matrices.h"
#include "tests/cuda/simulation/product.h"
#include "tests/cuda/simulation/rounding.h"

namespace threefold::cuda::simulation {
namespace {

AlignedBuffer<float> copyOf(std::span<const float> values) {
    AlignedBuffer<float> copy(values.size());
    std::copy(values.begin(), values.end(), copy.data());
    return copy;
}

/// Reverses the channels of every pixel if sums go backward.
void orderChannels(std::span<float> values, std::size_t channels, SumOrder order) {
    for (std::size_t i = 0; i < values.size(); i += channels) {
        reverseIfBackward(values.subspan(i, channels), order);
    }
}

/// Reverses the input channels of `filters` (out, in, taps) if sums go backward.
void orderFilters(std::span<float> filters, std::size_t inputs, std::size_t taps, SumOrder order) {
    if (order == SumOrder::forward) return;
    for (std::size_t filter = 0; filter < filters.size(); filter += inputs * taps) {
        for (std::size_t i = 0; i < inputs / 2; ++i) {
            float* first = filters.data() + filter + i * taps;
            float* last = filters.data() + filter + (inputs - 1 - i) * taps;
            std::swap_ranges(first, first + taps, last);
        }
    }
}

bool isPooled(std::size_t layer, int stage) {
    const auto* tap = std::find(kCnnTaps.begin(), kCnnTaps.end(), static_cast<int>(layer) + 1);
    const std::ptrdiff_t first = stage == 1 ? kStage1FirstTap : 0;
    return tap != kCnnTaps.end() && tap - kCnnTaps.begin() >= first;
}

}  // namespace

Maps convolve(const Model& model, int stage, std::span<const float> images, std::size_t views,
              const Arithmetic& arithmetic) {
    const Precision precision = stage == 1 ? arithmetic.cnn1 : arithmetic.cnn2;
    const Rounding stored{storedFormat(precision)};
    const Rounding operand{libraryOperandFormat(precision, arithmetic.operands)};
    const SumOrder order = arithmetic.order;
    const std::size_t layers = stage == 1 ? kCnnLayers.size() : kStage2LayerCount;
    Maps result;
    AlignedBuffer<float> x = copyOf(images);
    roundAll(x.span(), stored);
    int side = kInputSide;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const ConvolutionSpec& spec = kCnnLayers[layer];
        const std::string name = fmt::format("stage{}.cnn.conv{}", stage, layer + 1);
        const auto inputs = static_cast<std::size_t>(spec.inChannels);
        const auto outputs = static_cast<std::size_t>(spec.outChannels);
        const auto kernel = static_cast<std::size_t>(spec.kernelSize);
        const std::size_t taps = kernel * kernel;
        std::vector<float> filter = weightValues(model, name + ".weight", outputs * inputs * taps);
        std::vector<float> bias = weightValues(model, name + ".bias", outputs);

        roundAll(filter, stored);
        roundAll(filter, operand);
        roundAll(bias, stored);
        roundAll(x.span(), operand);
        orderChannels(x.span(), inputs, order);
        orderFilters(filter, inputs, taps, order);
        // Sums, bias and ReLU are computed in float32.
        const onednn::Convolution convolution(spec, side, views, Precision::float32, filter, bias);
        AlignedBuffer<float> y(convolution.outputCount());
        convolution.run(x.data(), y.data());
        roundAll(y.span(), stored);

        side = convolution.outputSide();
        if (isPooled(layer, stage)) {
            result.values.push_back(copyOf(y.span()));
            result.maps.push_back(
                {result.values.back().data(), static_cast<std::size_t>(side), outputs});
        }
        x = std::move(y);
    }
    return result;
}

}  // namespace threefold::cuda::simulation
