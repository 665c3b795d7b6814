#include "cuda/library/cnn.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cuda/library/layout.h"
#include "engine/model/architecture.h"
#include "engine/network/weights.h"
#include "engine/views/network_input.h"

namespace threefold::cuda::library {
namespace {

ConvolutionShape shapeOf(std::size_t layer, int side, int images, Precision precision) {
    const ConvolutionSpec& spec = kCnnLayers[layer];
    return {images,
            side,
            layer == 0 ? kImageChannels : spec.in,
            spec.out,
            spec.kernel,
            spec.stride,
            widePrecision(precision)};
}

/// Where a layer's filters and bias lie among the packed weights.
struct Places {
    std::array<std::size_t, 2> filter{};  ///< by FilterForm
    std::size_t bias = 0;

    std::size_t of(FilterForm form) const { return filter[form == FilterForm::asIs ? 0 : 1]; }
};

/// Offsets within the packed weights, the same for packing and reading.
std::vector<Places> placesOf(const CnnPart& part, Precision precision, std::size_t& bytes) {
    const std::size_t width = bytesOf(storageOf(precision));
    std::vector<Places> places;
    Partition partition;
    int side = kImageSize;
    for (std::size_t layer = 0; layer < part.layers; ++layer) {
        const ConvolutionShape shape = shapeOf(layer, side, 1, precision);
        Places& place = places.emplace_back();
        place.filter[0] = partition.reserve(filterValues(shape, FilterForm::asIs) * width);
        place.filter[1] = place.filter[0];
        if (filterGeometry(shape, FilterForm::widened) != filterGeometry(shape, FilterForm::asIs)) {
            place.filter[1] = partition.reserve(filterValues(shape, FilterForm::widened) * width);
        }
        place.bias = partition.reserve(static_cast<std::size_t>(shape.out) * width);
        side = shape.outputSide();
    }
    bytes = partition.bytes();
    return places;
}

}  // namespace

CnnPart stage1Cnn() {
    return {"stage1.cnn", kCnnLayers.size(), kStage1FirstTap, kCnnTaps.size()};
}

CnnPart stage2Cnn() {
    return {"stage2.cnn", kStage2Layers, 0, kStage2Taps};
}

std::vector<std::byte> packCnn(const Model& model, const CnnPart& part, Precision precision) {
    const Element element = storageOf(precision);
    std::size_t total = 0;
    const std::vector<Places> places = placesOf(part, precision, total);
    Packer packer(total);
    int side = kImageSize;
    for (std::size_t layer = 0; layer < part.layers; ++layer) {
        const ConvolutionSpec& spec = kCnnLayers[layer];
        const ConvolutionShape shape = shapeOf(layer, side, 1, precision);
        const std::string name = fmt::format("{}.conv{}", part.prefix, layer + 1);
        const auto outputs = static_cast<std::size_t>(spec.out);
        const std::vector<float> filter =
            weightValues(model, name + ".weight",
                         outputs * static_cast<std::size_t>(spec.in * spec.kernel * spec.kernel));
        for (const FilterForm form : {FilterForm::asIs, FilterForm::widened}) {
            packer.put(places[layer].of(form), packFilter(filter, spec.in, shape, form), element);
        }
        packer.put(places[layer].bias, weightValues(model, name + ".bias", outputs), element);
        side = shape.outputSide();
    }
    return packer.release();
}

Cnn::Cnn(Context& context, const CnnPart& part, Precision precision, int images)
    : context_(&context), element_(storageOf(precision)) {
    std::size_t weightBytes = 0;
    const std::vector<Places> places = placesOf(part, precision, weightBytes);
    Partition partition;
    std::size_t largestBetween = 0;
    std::size_t largestScratch = 0;
    int side = kImageSize;
    for (std::size_t layer = 0; layer < part.layers; ++layer) {
        const ConvolutionShape shape = shapeOf(layer, side, images, precision);
        // Layers of one shape share a plan, which may have been compiled.
        const auto same = std::find_if(layers_.begin(), layers_.end(), [&](const Layer& earlier) {
            return earlier.convolution.shape() == shape;
        });
        Layer made{same != layers_.end() ? same->convolution : Convolution(context, shape)};
        made.filter = places[layer].of(made.convolution.form());
        made.bias = places[layer].bias;
        for (std::size_t tap = part.firstTap; tap < part.lastTap; ++tap) {
            if (static_cast<std::size_t>(kCnnTaps[tap]) == layer + 1) made.kept = true;
        }
        const std::size_t bytes = shape.outputValues() * bytesOf(element_);
        if (made.kept) {
            made.output = partition.reserve(bytes);
        } else {
            largestBetween = std::max(largestBetween, bytes);
        }
        largestScratch = std::max(largestScratch, made.convolution.workspaceBytes());
        layers_.push_back(std::move(made));
        side = shape.outputSide();
    }
    // Neither of two layers in a row writes where the other one reads.
    const std::array<std::size_t, 2> between = {partition.reserve(largestBetween),
                                                partition.reserve(largestBetween)};
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
        if (!layers_[layer].kept) layers_[layer].output = between[layer % 2];
    }
    scratch_ = partition.reserve(largestScratch);
    workspaceBytes_ = partition.bytes();
}

std::vector<DeviceMap> Cnn::maps(const std::byte* workspace) const {
    std::vector<DeviceMap> maps;
    for (const Layer& layer : layers_) {
        if (!layer.kept) continue;
        const ConvolutionShape& shape = layer.convolution.shape();
        maps.push_back({workspace + layer.output, shape.outputSide(), shape.out});
    }
    return maps;
}

void Cnn::enqueue(Stream stream, const void* images, const std::byte* weights, std::byte* workspace,
                  const StepHook& step) const {
    const void* from = images;
    for (const Layer& layer : layers_) {
        const ConvolutionShape& shape = layer.convolution.shape();
        void* to = workspace + layer.output;
        step({shape.name(), shape.bytes(), shape.flop()}, [&] {
            layer.convolution.enqueue(
                *context_, stream,
                {from, weights + layer.filter, weights + layer.bias, to, workspace + scratch_});
        });
        from = to;
    }
}

}  // namespace threefold::cuda::library
