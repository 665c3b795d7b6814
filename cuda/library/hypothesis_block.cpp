#include "cuda/library/hypothesis_block.h"

#include <algorithm>
#include <array>
#include <span>

#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/pooling.h"
#include "cuda/library/block_layers.h"
#include "engine/model/architecture.h"
#include "engine/model/expected_weights.h"
#include "engine/network/weight_matrices.h"

namespace threefold::cuda::library {
namespace {

constexpr int kFeatureWidth = static_cast<int>(paddedWidth(kStage2FeatureWidth, 8));

/// Row pitch of the Laplacian, aligned for vector loads.
int laplacianPitch(int hypotheses) {
    return static_cast<int>(paddedWidth(static_cast<std::size_t>(hypotheses), 4));
}

/// Byte offsets within the packed weights, for packing and reading.
struct WeightOffsets {
    std::array<LayerOffsets, kLocalConvolutionCount>
        layers;                        ///< weights of the last layer: (2, 192) float32
    std::size_t coordinates = 0;       ///< (3, 2 · 192): the first layer's rows for x, y, z
    std::size_t offsets = 0;           ///< (hypotheses, 3)
    std::size_t laplacian = 0;         ///< dense, without row padding
    std::size_t pitchedLaplacian = 0;  ///< dense, with laplacianPitch()
    std::size_t bytes = 0;
};

WeightOffsets makeWeightOffsets(ElementType element, int hypotheses) {
    const auto count = static_cast<std::size_t>(hypotheses);
    WeightOffsets weightOffsets;
    MemoryLayout memoryLayout;
    for (std::size_t layer = 0; layer + 1 < kLocalConvolutionCount; ++layer) {
        const auto inner = layer == 0 ? static_cast<std::size_t>(kFeatureWidth) : kHiddenWidth;
        weightOffsets.layers[layer] = reserveHiddenLayer(memoryLayout, inner, element);
    }
    weightOffsets.layers.back().weights = memoryLayout.addBytes(kBothSupports * sizeof(float));
    weightOffsets.layers.back().bias = memoryLayout.addBytes(sizeof(float));
    weightOffsets.coordinates =
        memoryLayout.addBytes(std::size_t{3} * kBothSupports * sizeof(float));
    weightOffsets.offsets = memoryLayout.addBytes(count * 3 * sizeof(float));
    weightOffsets.laplacian = memoryLayout.addBytes(count * count * sizeof(float));
    weightOffsets.pitchedLaplacian = memoryLayout.addBytes(
        count * static_cast<std::size_t>(laplacianPitch(hypotheses)) * sizeof(float));
    weightOffsets.bytes = memoryLayout.bytes();
    return weightOffsets;
}

std::vector<float> dense(const SparseMatrix& matrix, std::size_t pitch) {
    std::vector<float> values(matrix.rows() * pitch, 0.0F);
    for (std::size_t row = 0; row < matrix.rows(); ++row)
        for (std::uint32_t k = matrix.rowOffsets[row]; k < matrix.rowOffsets[row + 1]; ++k)
            values[row * pitch + matrix.columns[k]] += matrix.values[k];
    return values;
}

std::size_t bytesForVertex(ElementType element, int hypotheses) {
    const std::size_t row =
        (kFeatureWidth + 2 * kHiddenWidth) * elementBytes(element) + kBothSupports * sizeof(float);
    return row * static_cast<std::size_t>(hypotheses);
}

/// Left half of sums += L · right half, for each vertex.
ProductShape laplacianShape(int vertices, int hypotheses) {
    const std::int64_t stride = static_cast<std::int64_t>(hypotheses) * kBothSupports;
    return {.rows = hypotheses,
            .inner = hypotheses,
            .columns = kHidden,
            .precision = Precision::float32,
            .accumulate = true,
            .xPitch = laplacianPitch(hypotheses),
            .wPitch = kBothSupports,
            .yPitch = kBothSupports,
            .count = vertices,
            .wBatchStride = stride,
            .yBatchStride = stride};
}

}  // namespace

Chunks chunksOf(int vertices, std::size_t bytesForOne, std::size_t bytes) {
    const std::size_t maxVertices = std::clamp<std::size_t>(
        bytes / bytesForOne, 1, static_cast<std::size_t>(std::max(vertices, 1)));
    const int perChunk = static_cast<int>(maxVertices);
    const int count = (vertices + perChunk - 1) / perChunk;
    if (count == 0) return {};
    return {(vertices + count - 1) / count, count};
}

std::vector<std::byte> packHypothesisWeights(const Model& model, std::size_t block,
                                             Precision precision) {
    const ElementType element = storageOf(precision);
    const auto hypotheses = static_cast<int>(model.templateMesh.hypothesisOffsets.size());
    const WeightOffsets weightOffsets = makeWeightOffsets(element, hypotheses);
    Packer packer(weightOffsets.bytes);
    const auto layerName = [block](std::size_t layer) {
        return localConvolutionName(block, layer);
    };
    packHiddenLayers(model, layerName, kStage2FeatureWidth, kFeatureWidth, weightOffsets.layers,
                     weightOffsets.coordinates, element, packer);
    constexpr std::size_t kLast = kLocalConvolutionCount - 1;
    packer.put(weightOffsets.layers[kLast].bias,
               weightValues(model, layerName(kLast) + ".bias", 1));
    packer.put(weightOffsets.layers[kLast].weights,
               stackedSupports(model, layerName(kLast), kHiddenWidth, 1));
    static_assert(sizeof(glm::vec3) == 3 * sizeof(float));
    packer.put(weightOffsets.offsets,
               std::as_bytes(std::span(model.templateMesh.hypothesisOffsets)));
    const SparseMatrix& laplacian = model.templateMesh.hypothesisLaplacian;
    packer.put(weightOffsets.laplacian, dense(laplacian, laplacian.rows()));
    packer.put(weightOffsets.pitchedLaplacian,
               dense(laplacian, static_cast<std::size_t>(laplacianPitch(hypotheses))));
    return packer.release();
}

HypothesisBlock::HypothesisBlock(Context& context, const Model& model, Precision precision,
                                 int batch, int views, std::size_t activationBytes)
    : context_(&context),
      element_(storageOf(precision)),
      batch_(batch),
      views_(views),
      vertices_(static_cast<int>(model.templateMesh.levels.back().vertexCount)),
      hypotheses_(static_cast<int>(model.templateMesh.hypothesisOffsets.size())),
      chunks_(chunksOf(vertices_, bytesForVertex(element_, hypotheses_), activationBytes)),
      first_(context, layerProduct(chunks_.vertices * hypotheses_, kFeatureWidth, precision)),
      inner_(context, layerProduct(chunks_.vertices * hypotheses_, kHidden, precision)),
      laplacian_(context, laplacianShape(chunks_.vertices, hypotheses_)) {
    const auto rows = static_cast<std::size_t>(chunks_.vertices * hypotheses_);
    MemoryLayout memoryLayout;
    features_ = memoryLayout.addBytes(rows * kFeatureWidth * elementBytes(element_));
    sums_ = memoryLayout.addBytes(rows * kBothSupports * sizeof(float));
    oddOutputs_ = memoryLayout.addBytes(rows * kHiddenWidth * elementBytes(element_));
    evenOutputs_ = memoryLayout.addBytes(rows * kHiddenWidth * elementBytes(element_));
    scratch_ = memoryLayout.addBytes(
        std::max({first_.workspaceBytes(), inner_.workspaceBytes(), laplacian_.workspaceBytes()}));
    workspaceBytes_ = memoryLayout.bytes();
}

PoolingArguments HypothesisBlock::poolingOf(const HypothesisArguments& arguments, std::byte* base,
                                            Chunk chunk) const {
    PoolingArguments pooling;
    pooling.points = arguments.points + 3 * firstVertexOf(chunk);
    pooling.pointCount = chunk.count;
    pooling.offsets = floatsAt(arguments.weights, makeWeightOffsets(element_, hypotheses_).offsets);
    pooling.offsetCount = hypotheses_;
    pooling.transforms = arguments.transforms + static_cast<std::ptrdiff_t>(chunk.mesh) * views_;
    pooling.views = views_;
    pooling.mapCount = static_cast<int>(kStage2TapCount);
    pooling.element = element_;
    for (std::size_t i = 0; i < kStage2TapCount; ++i) {
        DeviceMap map = arguments.maps[i];
        const std::size_t values = static_cast<std::size_t>(map.side * map.side) *
                                   static_cast<std::size_t>(map.channels * views_);
        map.values = static_cast<const std::byte*>(map.values) +
                     static_cast<std::size_t>(chunk.mesh) * values * elementBytes(element_);
        pooling.maps[i] = map;
    }
    pooling.out = base + features_;
    pooling.pitch = kFeatureWidth;
    return pooling;
}

MoveVerticesArguments HypothesisBlock::moveOf(const HypothesisArguments& arguments,
                                              const void* hidden, Chunk chunk) const {
    const WeightOffsets weightOffsets = makeWeightOffsets(element_, hypotheses_);
    const std::byte* weights = arguments.weights;
    const std::int64_t firstVertex = firstVertexOf(chunk);
    return {.hidden = hidden,
            .element = element_,
            .width = kHidden,
            .vertices = chunk.count,
            .hypotheses = hypotheses_,
            .weights = floatsAt(weights, weightOffsets.layers.back().weights),
            .bias = floatsAt(weights, weightOffsets.layers.back().bias),
            .laplacian = floatsAt(weights, weightOffsets.laplacian),
            .offsets = floatsAt(weights, weightOffsets.offsets),
            .points = arguments.points + 3 * firstVertex,
            .moved = arguments.moved + 3 * firstVertex,
            .scores = arguments.scores == nullptr ? nullptr
                                                  : arguments.scores + firstVertex * hypotheses_};
}

void HypothesisBlock::enqueueChunk(Stream stream, const HypothesisArguments& arguments,
                                   std::byte* base, Chunk chunk, const OperationHook& hook) const {
    const WeightOffsets weightOffsets = makeWeightOffsets(element_, hypotheses_);
    const std::byte* weights = arguments.weights;
    auto* sums = reinterpret_cast<float*>(base + sums_);
    const std::int64_t rows = static_cast<std::int64_t>(chunk.count) * hypotheses_;

    const PoolingArguments pooling = poolingOf(arguments, base, chunk);
    hook({"pooling", pooling.bytes()}, [&] { launchPooling(stream, pooling); });

    // Products take whole chunks: missing rows of the last chunk are computed from undefined values
    // and never read.
    const void* x = pooling.out;
    for (std::size_t layer = 0; layer + 1 < kLocalConvolutionCount; ++layer) {
        const LayerOffsets& layerOffsets = weightOffsets.layers[layer];
        enqueueLayerProduct(
            layer, layer == 0 ? first_ : inner_, *context_, stream,
            {.x = x, .w = weights + layerOffsets.weights, .y = sums, .workspace = base + scratch_},
            hook);
        if (layer == 0)
            hook(layerOperation(layer, "coordinates", 2.0 * rows * kBothSupports * sizeof(float)),
                 [&] {
                     launchAddCoordinates(stream,
                                          {.points = pooling.points,
                                           .offsets = pooling.offsets,
                                           .offsetCount = hypotheses_,
                                           .weights = floatsAt(weights, weightOffsets.coordinates),
                                           .rows = rows,
                                           .width = kBothSupports,
                                           .sums = sums});
                 });
        const ProductShape& laplacian = laplacian_.shape();
        hook(layerOperation(layer, "Laplacian", laplacian.bytes(), laplacian.flop()), [&] {
            laplacian_.enqueue(*context_, stream,
                               {.x = weights + weightOffsets.pitchedLaplacian,
                                .w = sums + kHidden,
                                .y = sums,
                                .workspace = base + scratch_});
        });
        // x3 adds x1 and overwrites x1; x5 adds x3 and overwrites x3.
        const bool isOddOutput = layer % 2 == 0;
        void* out = base + (isOddOutput ? oddOutputs_ : evenOutputs_);
        const bool residual = isOddOutput && layer > 0;
        enqueueLayerEpilogue(layer, stream,
                             {.sums = sums,
                              .bias = floatsAt(weights, layerOffsets.bias),
                              .residual = residual ? out : nullptr,
                              .rows = rows,
                              .element = element_,
                              .out = out},
                             hook);
        x = out;
    }
    hook({"move", hiddenBytes(rows, element_)},
         [&] { launchMoveVertices(stream, moveOf(arguments, x, chunk)); });
}

void HypothesisBlock::enqueue(Stream stream, const HypothesisArguments& arguments,
                              std::byte* workspace, const OperationHook& hook) const {
    for (int mesh = 0; mesh < batch_; ++mesh)
        for (int begin = 0; begin < vertices_; begin += chunks_.vertices)
            enqueueChunk(stream, arguments, workspace,
                         {mesh, begin, std::min(chunks_.vertices, vertices_ - begin)}, hook);
}

}  // namespace threefold::cuda::library
