#include "cuda/library/block_layers.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "engine/network/weights.h"

namespace threefold::cuda::library {

ProductShape layerProduct(int rows, int inner, Precision precision) {
    return {.rows = rows,
            .inner = inner,
            .columns = kBeside,
            .precision = widePrecision(precision),
            .float32Output = true};
}

LayerPlace reserveHiddenLayer(Partition& partition, std::size_t paddedInner, Element element) {
    const std::size_t weights = partition.reserve(paddedInner * kBeside * bytesOf(element));
    return {weights, partition.reserve(kHiddenWidth * sizeof(float))};
}

void packHiddenLayer(const Model& model, const std::string& name, std::size_t inner,
                     std::size_t paddedInner, const LayerPlace& place, Element element,
                     Packer& packer) {
    packer.put(place.bias, weightValues(model, name + ".bias", kHiddenWidth));
    packer.put(place.weights, supportsBeside(model, name, inner, kHiddenWidth, paddedInner),
               element);
}

void packFirstLayer(const Model& model, const std::string& name, std::size_t inner,
                    std::size_t paddedInner, const LayerPlace& place, std::size_t coordinates,
                    Element element, Packer& packer) {
    packer.put(place.bias, weightValues(model, name + ".bias", kHiddenWidth));
    std::vector<float> weights = supportsBeside(model, name, inner, kHiddenWidth, paddedInner);
    const auto ofCoordinates = std::span(weights).first(std::size_t{3} * kBeside);
    packer.put(coordinates, std::span<const float>(ofCoordinates));
    std::fill(ofCoordinates.begin(), ofCoordinates.end(), 0.0F);
    packer.put(place.weights, weights, element);
}

Step layerStep(std::size_t layer, std::string_view part, double bytes, double flop) {
    return {fmt::format("layer {} {}", layer, part), bytes, flop};
}

double hiddenBytes(std::int64_t rows, Element element) {
    return static_cast<double>(rows) * kWidth * static_cast<double>(bytesOf(element));
}

double epilogueBytes(std::int64_t rows, Element element, bool residual) {
    return hiddenBytes(rows, Element::float32) + (residual ? 2 : 1) * hiddenBytes(rows, element);
}

}  // namespace threefold::cuda::library
