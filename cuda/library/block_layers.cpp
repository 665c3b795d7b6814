#include "cuda/library/block_layers.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "engine/network/weight_matrices.h"

namespace threefold::cuda::library {

ProductShape layerProduct(int rows, int inner, Precision precision) {
    return {.rows = rows,
            .inner = inner,
            .columns = kBothSupports,
            .precision = precisionOutsideHypothesisBlocks(precision),
            .float32Output = true};
}

LayerOffsets reserveHiddenLayer(MemoryLayout& memoryLayout, std::size_t paddedInner,
                                ElementType element) {
    const std::size_t weights =
        memoryLayout.addBytes(paddedInner * kBothSupports * elementBytes(element));
    return {weights, memoryLayout.addBytes(kHiddenWidth * sizeof(float))};
}

void packHiddenLayers(const Model& model, const std::function<std::string(std::size_t)>& name,
                      std::size_t inner, std::size_t paddedInner,
                      std::span<const LayerOffsets> offsets, std::size_t coordinates,
                      ElementType element, Packer& packer) {
    for (std::size_t layer = 0; layer + 1 < offsets.size(); ++layer) {
        packer.put(offsets[layer].bias, weightValues(model, name(layer) + ".bias", kHiddenWidth));
        std::vector<float> weights =
            supportsSideBySide(model, name(layer), layer == 0 ? inner : kHiddenWidth, kHiddenWidth,
                               layer == 0 ? paddedInner : kHiddenWidth);
        if (layer == 0) {
            const auto coordinateRows = std::span(weights).first(std::size_t{3} * kBothSupports);
            packer.put(coordinates, std::span<const float>(coordinateRows));
            std::fill(coordinateRows.begin(), coordinateRows.end(), 0.0F);
        }
        packer.put(offsets[layer].weights, weights, element);
    }
}

Operation layerOperation(std::size_t layer, std::string_view part, double bytes, double flop) {
    return {fmt::format("layer {} {}", layer, part), bytes, flop};
}

double hiddenBytes(std::int64_t rows, ElementType element) {
    return static_cast<double>(rows) * kHidden * static_cast<double>(elementBytes(element));
}

void enqueueLayerProduct(std::size_t layer, const Product& product, Context& context, Stream stream,
                         const ProductArguments& arguments, const OperationHook& hook) {
    hook(layerOperation(layer, "product", product.shape().bytes(), product.shape().flop()),
         [&] { product.enqueue(context, stream, arguments); });
}

void enqueueLayerEpilogue(std::size_t layer, Stream stream, LayerEpilogueArguments arguments,
                          const OperationHook& hook) {
    arguments.sumsPitch = kBothSupports;
    arguments.width = kHidden;
    const double bytes =
        hiddenBytes(arguments.rows, ElementType::float32) +
        (arguments.residual != nullptr ? 2 : 1) * hiddenBytes(arguments.rows, arguments.element);
    hook(layerOperation(layer, "epilogue", bytes), [&] { launchLayerEpilogue(stream, arguments); });
}

}  // namespace threefold::cuda::library
