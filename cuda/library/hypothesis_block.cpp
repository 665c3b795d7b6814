#include "cuda/library/hypothesis_block.h"

#include <algorithm>
#include <array>
#include <span>

#include "cuda/kernels/elementwise.h"
#include "cuda/kernels/pooling.h"
#include "cuda/library/block_layers.h"
#include "engine/model/architecture.h"
#include "engine/model/weights.h"
#include "engine/network/weights.h"

namespace threefold::cuda::library {
namespace {

constexpr int kFeatureWidth = static_cast<int>(paddedWidth(kStage2Features, 8));

/// Rows of the Laplacian begin where vector loads may.
int laplacianPitch(int hypotheses) {
    return static_cast<int>(paddedWidth(static_cast<std::size_t>(hypotheses), 4));
}

/// Offsets within the packed weights, the same for packing and reading.
struct Places {
    std::array<LayerPlace, kLocalConvolutions>
        layers;                        ///< the last one's weights: (2, 192) of float32
    std::size_t coordinates = 0;       ///< (3, 2 · 192): the first layer's rows for x, y, z
    std::size_t offsets = 0;           ///< (hypotheses, 3)
    std::size_t laplacian = 0;         ///< dense, rows following each other
    std::size_t pitchedLaplacian = 0;  ///< dense, with laplacianPitch()
    std::size_t bytes = 0;
};

Places placesOf(Element element, int hypotheses) {
    const auto count = static_cast<std::size_t>(hypotheses);
    Places places;
    Partition partition;
    for (std::size_t layer = 0; layer + 1 < kLocalConvolutions; ++layer) {
        const auto inner = layer == 0 ? static_cast<std::size_t>(kFeatureWidth) : kHiddenWidth;
        places.layers[layer] = reserveHiddenLayer(partition, inner, element);
    }
    places.layers.back().weights = partition.reserve(kBeside * sizeof(float));
    places.layers.back().bias = partition.reserve(sizeof(float));
    places.coordinates = partition.reserve(std::size_t{3} * kBeside * sizeof(float));
    places.offsets = partition.reserve(count * 3 * sizeof(float));
    places.laplacian = partition.reserve(count * count * sizeof(float));
    places.pitchedLaplacian = partition.reserve(
        count * static_cast<std::size_t>(laplacianPitch(hypotheses)) * sizeof(float));
    places.bytes = partition.bytes();
    return places;
}

std::vector<float> dense(const SparseMatrix& matrix, std::size_t pitch) {
    std::vector<float> values(matrix.rows() * pitch, 0.0F);
    for (std::size_t row = 0; row < matrix.rows(); ++row)
        for (std::uint32_t k = matrix.rowStart[row]; k < matrix.rowStart[row + 1]; ++k)
            values[row * pitch + matrix.column[k]] += matrix.value[k];
    return values;
}

std::size_t bytesForVertex(Element element, int hypotheses) {
    const std::size_t row =
        (kFeatureWidth + 2 * kHiddenWidth) * bytesOf(element) + kBeside * sizeof(float);
    return row * static_cast<std::size_t>(hypotheses);
}

/// sums' left half += L · its right half, for each vertex.
ProductShape laplacianShape(int vertices, int hypotheses) {
    const std::int64_t distance = static_cast<std::int64_t>(hypotheses) * kBeside;
    return {.rows = hypotheses,
            .inner = hypotheses,
            .columns = kWidth,
            .precision = Precision::float32,
            .accumulate = true,
            .xPitch = laplacianPitch(hypotheses),
            .wPitch = kBeside,
            .yPitch = kBeside,
            .count = vertices,
            .wDistance = distance,
            .yDistance = distance};
}

}  // namespace

Chunks chunksOf(int vertices, std::size_t bytesForOne, std::size_t bytes) {
    const std::size_t most = std::clamp<std::size_t>(
        bytes / bytesForOne, 1, static_cast<std::size_t>(std::max(vertices, 1)));
    const int together = static_cast<int>(most);
    const int count = (vertices + together - 1) / together;
    if (count == 0) return {};
    return {(vertices + count - 1) / count, count};
}

std::vector<std::byte> packHypothesisWeights(const Model& model, std::size_t block,
                                             Precision precision) {
    const Element element = storageOf(precision);
    const auto hypotheses = static_cast<int>(model.mesh.hypotheses.size());
    const Places places = placesOf(element, hypotheses);
    Packer packer(places.bytes);
    const auto nameOf = [block](std::size_t layer) { return localConvolutionName(block, layer); };
    packHiddenLayers(model, nameOf, kStage2Features, kFeatureWidth, places.layers,
                     places.coordinates, element, packer);
    constexpr std::size_t kLast = kLocalConvolutions - 1;
    packer.put(places.layers[kLast].bias, weightValues(model, nameOf(kLast) + ".bias", 1));
    packer.put(places.layers[kLast].weights,
               supportsStacked(model, nameOf(kLast), kHiddenWidth, 1));
    static_assert(sizeof(glm::vec3) == 3 * sizeof(float));
    packer.put(places.offsets, std::as_bytes(std::span(model.mesh.hypotheses)));
    const SparseMatrix& laplacian = model.mesh.hypothesisLaplacian;
    packer.put(places.laplacian, dense(laplacian, laplacian.rows()));
    packer.put(places.pitchedLaplacian,
               dense(laplacian, static_cast<std::size_t>(laplacianPitch(hypotheses))));
    return packer.release();
}

HypothesisBlock::HypothesisBlock(Context& context, const Model& model, Precision precision,
                                 int batch, int views, std::size_t activationBytes)
    : context_(&context),
      element_(storageOf(precision)),
      batch_(batch),
      views_(views),
      vertices_(static_cast<int>(model.mesh.levels.back().vertexCount)),
      hypotheses_(static_cast<int>(model.mesh.hypotheses.size())),
      chunks_(chunksOf(vertices_, bytesForVertex(element_, hypotheses_), activationBytes)),
      first_(context, layerProduct(chunks_.vertices * hypotheses_, kFeatureWidth, precision)),
      others_(context, layerProduct(chunks_.vertices * hypotheses_, kWidth, precision)),
      laplacian_(context, laplacianShape(chunks_.vertices, hypotheses_)) {
    const auto rows = static_cast<std::size_t>(chunks_.vertices * hypotheses_);
    Partition partition;
    features_ = partition.reserve(rows * kFeatureWidth * bytesOf(element_));
    sums_ = partition.reserve(rows * kBeside * sizeof(float));
    kept_ = partition.reserve(rows * kHiddenWidth * bytesOf(element_));
    passing_ = partition.reserve(rows * kHiddenWidth * bytesOf(element_));
    scratch_ = partition.reserve(
        std::max({first_.workspaceBytes(), others_.workspaceBytes(), laplacian_.workspaceBytes()}));
    workspaceBytes_ = partition.bytes();
}

void HypothesisBlock::enqueueChunk(Stream stream, const HypothesisArguments& arguments,
                                   std::byte* base, int mesh, int begin, int count,
                                   const StepHook& step) const {
    const Places places = placesOf(element_, hypotheses_);
    const std::byte* weights = arguments.weights;
    auto* sums = reinterpret_cast<float*>(base + sums_);
    const std::int64_t firstVertex = static_cast<std::int64_t>(mesh) * vertices_ + begin;
    const float* points = arguments.points + 3 * firstVertex;
    const float* offsets = floatsAt(weights, places.offsets);
    const std::int64_t rows = static_cast<std::int64_t>(count) * hypotheses_;

    PoolingArguments pooling;
    pooling.points = points;
    pooling.pointCount = count;
    pooling.offsets = offsets;
    pooling.offsetCount = hypotheses_;
    pooling.transforms = arguments.transforms + static_cast<std::ptrdiff_t>(mesh) * views_;
    pooling.views = views_;
    pooling.mapCount = static_cast<int>(kStage2Taps);
    pooling.element = element_;
    for (std::size_t i = 0; i < kStage2Taps; ++i) {
        DeviceMap map = arguments.maps[i];
        const std::size_t values = static_cast<std::size_t>(map.side * map.side) *
                                   static_cast<std::size_t>(map.channels * views_);
        map.values = static_cast<const std::byte*>(map.values) +
                     static_cast<std::size_t>(mesh) * values * bytesOf(element_);
        pooling.maps[i] = map;
    }
    pooling.out = base + features_;
    pooling.pitch = kFeatureWidth;
    step({"pooling", pooling.bytes()}, [&] { launchPooling(stream, pooling); });

    // Products take whole chunks: the last one's missing rows are computed from undefined values
    // and never read.
    const void* x = pooling.out;
    for (std::size_t layer = 0; layer + 1 < kLocalConvolutions; ++layer) {
        const LayerPlace& place = places.layers[layer];
        const Product& product = layer == 0 ? first_ : others_;
        step(layerStep(layer, "product", product.shape().bytes(), product.shape().flop()), [&] {
            product.enqueue(
                *context_, stream,
                {.x = x, .w = weights + place.weights, .y = sums, .workspace = base + scratch_});
        });
        if (layer == 0)
            step(layerStep(layer, "coordinates", 2.0 * rows * kBeside * sizeof(float)), [&] {
                launchAddCoordinates(stream, {.points = points,
                                              .offsets = offsets,
                                              .offsetCount = hypotheses_,
                                              .weights = floatsAt(weights, places.coordinates),
                                              .rows = rows,
                                              .width = kBeside,
                                              .sums = sums});
            });
        const ProductShape& laplacian = laplacian_.shape();
        step(layerStep(layer, "Laplacian", laplacian.bytes(), laplacian.flop()), [&] {
            laplacian_.enqueue(*context_, stream,
                               {.x = weights + places.pitchedLaplacian,
                                .w = sums + kWidth,
                                .y = sums,
                                .workspace = base + scratch_});
        });
        // x3 and x5 take up x1 and x3, and their places.
        const bool keeps = layer % 2 == 0;
        void* out = base + (keeps ? kept_ : passing_);
        const bool residual = keeps && layer > 0;
        step(layerStep(layer, "epilogue", epilogueBytes(rows, element_, residual)), [&] {
            launchLayerEpilogue(stream, {.sums = sums,
                                         .sumsPitch = kBeside,
                                         .bias = floatsAt(weights, place.bias),
                                         .before = residual ? out : nullptr,
                                         .rows = rows,
                                         .width = kWidth,
                                         .element = element_,
                                         .out = out});
        });
        x = out;
    }
    step({"move", hiddenBytes(rows, element_)}, [&] {
        launchMove(stream, {.hidden = x,
                            .element = element_,
                            .width = kWidth,
                            .vertices = count,
                            .hypotheses = hypotheses_,
                            .weights = floatsAt(weights, places.layers.back().weights),
                            .bias = floatsAt(weights, places.layers.back().bias),
                            .laplacian = floatsAt(weights, places.laplacian),
                            .offsets = offsets,
                            .points = points,
                            .moved = arguments.moved + 3 * firstVertex,
                            .scores = arguments.scores == nullptr
                                          ? nullptr
                                          : arguments.scores + firstVertex * hypotheses_});
    });
}

void HypothesisBlock::enqueue(Stream stream, const HypothesisArguments& arguments,
                              std::byte* workspace, const StepHook& step) const {
    for (int mesh = 0; mesh < batch_; ++mesh)
        for (int begin = 0; begin < vertices_; begin += chunks_.vertices)
            enqueueChunk(stream, arguments, workspace, mesh, begin,
                         std::min(chunks_.vertices, vertices_ - begin), step);
}

}  // namespace threefold::cuda::library
