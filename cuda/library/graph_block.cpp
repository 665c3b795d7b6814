#include "cuda/library/graph_block.h"

#include <algorithm>
#include <span>
#include <string>

#include "cuda/kernels/elementwise.h"
#include "cuda/library/block_layers.h"
#include "engine/model/architecture.h"
#include "engine/model/expected_weights.h"
#include "engine/network/weight_matrices.h"

namespace threefold::cuda::library {
namespace {

constexpr int kLastColumns = 6;  ///< W0 and W1, three coordinates each

/// Byte offsets within the packed weights, for packing and reading.
struct WeightOffsets {
    std::vector<LayerOffsets> layers;  ///< weights of the last layer: (192, 6) float32
    std::size_t coordinates = 0;       ///< (3, 2 · 192): the first layer's rows for x, y, z
    std::size_t rowOffsets = 0;
    std::size_t column = 0;
    std::size_t value = 0;
    std::size_t bytes = 0;
};

WeightOffsets weightOffsets(std::size_t level, ElementType element, std::size_t vertices,
                            std::size_t nonZeros) {
    WeightOffsets offsets;
    MemoryLayout memoryLayout;
    for (std::size_t layer = 0; layer + 1 < kGraphBlockLayerCounts[level]; ++layer) {
        const auto inner =
            layer == 0 ? static_cast<std::size_t>(paddedGraphInputWidth(level)) : kHiddenWidth;
        offsets.layers.push_back(reserveHiddenLayer(memoryLayout, inner, element));
    }
    LayerOffsets& last = offsets.layers.emplace_back();
    last.weights = memoryLayout.addBytes(kHiddenWidth * kLastColumns * sizeof(float));
    last.bias = memoryLayout.addBytes(3 * sizeof(float));
    offsets.coordinates = memoryLayout.addBytes(std::size_t{3} * kBothSupports * sizeof(float));
    offsets.rowOffsets = memoryLayout.addBytes((vertices + 1) * sizeof(std::uint32_t));
    offsets.column = memoryLayout.addBytes(nonZeros * sizeof(std::uint32_t));
    offsets.value = memoryLayout.addBytes(nonZeros * sizeof(float));
    offsets.bytes = memoryLayout.bytes();
    return offsets;
}

}  // namespace

int paddedGraphInputWidth(std::size_t level) {
    return static_cast<int>(paddedWidth(graphInputWidth(level), 8));
}

std::vector<std::byte> packGraphWeights(const Model& model, std::size_t level,
                                        Precision precision) {
    const ElementType element = storageOf(precision);
    const SparseMatrix& laplacian = model.templateMesh.levels[level].laplacian;
    const WeightOffsets offsets =
        weightOffsets(level, element, laplacian.rows(), laplacian.values.size());
    Packer packer(offsets.bytes);
    const auto layerName = [level](std::size_t layer) { return graphLayerName(level, layer); };
    packHiddenLayers(model, layerName, graphInputWidth(level),
                     static_cast<std::size_t>(paddedGraphInputWidth(level)), offsets.layers,
                     offsets.coordinates, element, packer);
    const std::size_t last = offsets.layers.size() - 1;
    packer.put(offsets.layers[last].bias, weightValues(model, layerName(last) + ".bias", 3));
    packer.put(offsets.layers[last].weights,
               supportsSideBySide(model, layerName(last), kHiddenWidth, 3, kHiddenWidth));
    packer.put(offsets.rowOffsets, std::as_bytes(std::span(laplacian.rowOffsets)));
    packer.put(offsets.column, std::as_bytes(std::span(laplacian.columns)));
    packer.put(offsets.value, laplacian.values);
    return packer.release();
}

GraphBlock::GraphBlock(Context& context, const Model& model, std::size_t level, Precision precision,
                       int batch)
    : context_(&context),
      level_(level),
      element_(storageOf(precision)),
      batch_(batch),
      vertices_(static_cast<int>(model.templateMesh.levels[level].vertexCount)),
      nonZeros_(model.templateMesh.levels[level].laplacian.values.size()),
      laplacian_(context, model.templateMesh.levels[level].laplacian, batch, kHidden,
                 kBothSupports),
      first_(context, layerProduct(batch * vertices_, paddedGraphInputWidth(level), precision)),
      inner_(context, layerProduct(batch * vertices_, kHidden, precision)) {
    const std::size_t rows = static_cast<std::size_t>(batch) * static_cast<std::size_t>(vertices_);
    MemoryLayout memoryLayout;
    sums_ = memoryLayout.addBytes(rows * kBothSupports * sizeof(float));
    activation_ = memoryLayout.addBytes(rows * kHiddenWidth * elementBytes(element_));
    scratch_ = memoryLayout.addBytes(
        std::max({laplacian_.workspaceBytes(), first_.workspaceBytes(), inner_.workspaceBytes()}));
    workspaceBytes_ = memoryLayout.bytes();
}

void GraphBlock::enqueue(Stream stream, const GraphBlockArguments& arguments, const float* pooledAt,
                         const OperationHook& hook) const {
    const WeightOffsets offsets =
        weightOffsets(level_, element_, static_cast<std::size_t>(vertices_), nonZeros_);
    const std::byte* weights = arguments.weights;
    auto* sums = reinterpret_cast<float*>(arguments.workspace + sums_);
    std::byte* scratch = arguments.workspace + scratch_;
    const std::int64_t rows = static_cast<std::int64_t>(batch_) * vertices_;
    const std::size_t lastHidden = offsets.layers.size() - 2;

    // An even layer overwrites the residual that it is averaged with, so two buffers suffice; the
    // last hidden layer writes to the caller's buffer.
    const auto layerOutput = [&](std::size_t layer) -> void* {
        return layer % 2 == lastHidden % 2 ? arguments.hidden : arguments.workspace + activation_;
    };

    const void* x = arguments.inputs;
    const double sumBytes = 1.0 * rows * kBothSupports * sizeof(float);
    for (std::size_t layer = 0; layer <= lastHidden; ++layer) {
        const LayerOffsets& layerOffsets = offsets.layers[layer];
        enqueueLayerProduct(
            layer, layer == 0 ? first_ : inner_, *context_, stream,
            {.x = x, .w = weights + layerOffsets.weights, .y = sums, .workspace = scratch}, hook);
        if (layer == 0)
            hook(layerOperation(layer, "coordinates", 2 * sumBytes), [&] {
                launchAddCoordinates(stream, {.points = pooledAt,
                                              .weights = floatsAt(weights, offsets.coordinates),
                                              .rows = rows,
                                              .width = kBothSupports,
                                              .sums = sums});
            });
        hook(layerOperation(layer, "Laplacian", 1.5 * sumBytes,
                            2.0 * batch_ * static_cast<double>(nonZeros_) * kHidden),
             [&] { laplacian_.enqueue(*context_, stream, sums + kHidden, sums, scratch); });
        void* out = layerOutput(layer);
        enqueueLayerEpilogue(layer, stream,
                             {.sums = sums,
                              .bias = floatsAt(weights, layerOffsets.bias),
                              .residual = hasResidual(layer) ? out : nullptr,
                              .scale = hasResidual(layer) ? 0.5F : 1.0F,
                              .rows = rows,
                              .element = element_,
                              .out = out},
                             hook);
        x = out;
    }
    enqueueOutput(stream, arguments, x, hook);
}

void GraphBlock::enqueueOutput(Stream stream, const GraphBlockArguments& arguments,
                               const void* hidden, const OperationHook& hook) const {
    const WeightOffsets offsets =
        weightOffsets(level_, element_, static_cast<std::size_t>(vertices_), nonZeros_);
    const std::byte* weights = arguments.weights;
    const std::int64_t rows = static_cast<std::int64_t>(batch_) * vertices_;
    hook(layerOperation(offsets.layers.size() - 1, "output", hiddenBytes(rows, element_)), [&] {
        launchGraphOutput(
            stream,
            {.hidden = hidden,
             .element = element_,
             .width = kHidden,
             .batch = batch_,
             .vertices = vertices_,
             .rowOffsets = reinterpret_cast<const std::uint32_t*>(weights + offsets.rowOffsets),
             .columns = reinterpret_cast<const std::uint32_t*>(weights + offsets.column),
             .values = floatsAt(weights, offsets.value),
             .weights = floatsAt(weights, offsets.layers.back().weights),
             .bias = floatsAt(weights, offsets.layers.back().bias),
             .points = arguments.points});
    });
}

}  // namespace threefold::cuda::library
