#include "cuda/library/graph_block.h"

#include <algorithm>
#include <span>
#include <string>

#include <fmt/format.h>

#include "cuda/kernels/elementwise.h"
#include "cuda/library/layout.h"
#include "engine/model/architecture.h"
#include "engine/network/weights.h"

namespace threefold::cuda::library {
namespace {

constexpr int kWidth = static_cast<int>(kHiddenWidth);
constexpr int kBeside = 2 * kWidth;  ///< x W0 | x W1
constexpr int kLastColumns = 6;      ///< two supports of three coordinates

bool hasResidual(std::size_t layer) {
    return layer % 2 == 0 && layer >= 2 && layer <= 12;
}

std::size_t inputValues(std::size_t level) {
    return kStage1Features + (level == 0 ? 0 : kHiddenWidth);
}

/// Where everything lies among the packed weights: the one order for whoever writes or reads them.
struct Places {
    struct Layer {
        std::size_t weights = 0;
        std::size_t bias = 0;
    };
    std::vector<Layer> layers;    ///< the last one's weights are (192, 6) of float32
    std::size_t coordinates = 0;  ///< (3, 2 · 192): the first layer's rows for x, y, z
    std::size_t rowStart = 0;
    std::size_t column = 0;
    std::size_t value = 0;
    std::size_t bytes = 0;
};

Places placesOf(std::size_t level, Element element, std::size_t vertices, std::size_t nonZeros) {
    Places places;
    Partition partition;
    const std::size_t layers = kGraphBlockLengths[level];
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const bool last = layer + 1 == layers;
        const auto inner =
            layer == 0 ? static_cast<std::size_t>(graphInputWidth(level)) : kHiddenWidth;
        Places::Layer& place = places.layers.emplace_back();
        place.weights = partition.take(last ? kHiddenWidth * kLastColumns * sizeof(float)
                                            : inner * kBeside * bytesOf(element));
        place.bias = partition.take((last ? 3 : kHiddenWidth) * sizeof(float));
    }
    places.coordinates = partition.take(std::size_t{3} * kBeside * sizeof(float));
    places.rowStart = partition.take((vertices + 1) * sizeof(std::uint32_t));
    places.column = partition.take(nonZeros * sizeof(std::uint32_t));
    places.value = partition.take(nonZeros * sizeof(float));
    places.bytes = partition.bytes();
    return places;
}

/// (192, 6): for each channel three weights of W0, then three of W1.
std::vector<float> lastWeights(const Model& model, const std::string& name) {
    std::vector<float> joined(kHiddenWidth * kLastColumns);
    for (std::size_t support = 0; support < kSupports; ++support) {
        const std::vector<float> w =
            weightValues(model, fmt::format("{}.weights.{}", name, support), kHiddenWidth * 3);
        for (std::size_t i = 0; i < w.size(); ++i) {
            joined[i / 3 * kLastColumns + support * 3 + i % 3] = w[i];
        }
    }
    return joined;
}

ProductShape productShape(int rows, int inner, Precision precision) {
    return {.rows = rows,
            .inner = inner,
            .columns = kBeside,
            .precision = withoutEightBit(precision),
            .float32Output = true};
}

const float* floatsAt(const std::byte* base, std::size_t place) {
    return reinterpret_cast<const float*>(base + place);
}

}  // namespace

int graphInputWidth(std::size_t level) {
    return static_cast<int>(paddedWidth(inputValues(level), 8));
}

std::vector<std::byte> packGraphWeights(const Model& model, std::size_t level,
                                        Precision precision) {
    const Element element = storageOf(precision);
    const SparseMatrix& laplacian = model.mesh.levels[level].laplacian;
    const Places places = placesOf(level, element, laplacian.rows(), laplacian.value.size());
    std::vector<std::byte> bytes(places.bytes);
    const auto put = [&bytes](std::size_t place, std::span<const std::byte> part) {
        std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(place));
    };
    const auto putFloats = [&put](std::size_t place, const std::vector<float>& values) {
        put(place, std::as_bytes(std::span(values)));
    };

    const std::size_t last = places.layers.size() - 1;
    for (std::size_t layer = 0; layer <= last; ++layer) {
        const std::string name = fmt::format("stage1.gcn{}_layers.{}", level + 1, layer);
        const Places::Layer& place = places.layers[layer];
        putFloats(place.bias,
                  weightValues(model, name + ".bias", layer == last ? 3 : kHiddenWidth));
        if (layer == last) {
            putFloats(place.weights, lastWeights(model, name));
            continue;
        }
        std::vector<float> weights =
            layer == 0 ? supportsBeside(model, name, inputValues(level), kHiddenWidth,
                                        static_cast<std::size_t>(graphInputWidth(level)))
                       : supportsBeside(model, name, kHiddenWidth, kHiddenWidth, kHiddenWidth);
        if (layer == 0) {
            const auto coordinates = std::span(weights).first(std::size_t{3} * kBeside);
            put(places.coordinates, std::as_bytes(coordinates));
            std::fill(coordinates.begin(), coordinates.end(), 0.0F);
        }
        put(place.weights, toElement(weights, element));
    }
    put(places.rowStart, std::as_bytes(std::span(laplacian.rowStart)));
    put(places.column, std::as_bytes(std::span(laplacian.column)));
    put(places.value, std::as_bytes(std::span(laplacian.value)));
    return bytes;
}

GraphBlock::GraphBlock(Context& context, const Model& model, std::size_t level, Precision precision,
                       int batch)
    : context_(&context),
      level_(level),
      element_(storageOf(precision)),
      batch_(batch),
      vertices_(static_cast<int>(model.mesh.levels[level].vertexCount)),
      nonZeros_(model.mesh.levels[level].laplacian.value.size()),
      laplacian_(context, model.mesh.levels[level].laplacian, batch, kWidth, kBeside),
      first_(context, productShape(batch * vertices_, graphInputWidth(level), precision)),
      others_(context, productShape(batch * vertices_, kWidth, precision)) {
    const std::size_t rows = static_cast<std::size_t>(batch) * static_cast<std::size_t>(vertices_);
    Partition partition;
    sums_ = partition.take(rows * kBeside * sizeof(float));
    activation_ = partition.take(rows * kHiddenWidth * bytesOf(element_));
    scratch_ = partition.take(
        std::max({laplacian_.workspaceBytes(), first_.workspaceBytes(), others_.workspaceBytes()}));
    workspaceBytes_ = partition.bytes();
}

void GraphBlock::enqueue(Stream stream, const GraphBlockArguments& arguments,
                         const StepTap& tap) const {
    const Places places =
        placesOf(level_, element_, static_cast<std::size_t>(vertices_), nonZeros_);
    const std::byte* weights = arguments.weights;
    auto* sums = reinterpret_cast<float*>(arguments.workspace + sums_);
    std::byte* scratch = arguments.workspace + scratch_;
    const std::int64_t rows = static_cast<std::int64_t>(batch_) * vertices_;
    const std::size_t lastHidden = places.layers.size() - 2;

    // What an even layer is averaged with lies where it is written itself, so two buffers do; the
    // last hidden layer's is the caller's.
    const auto outputOf = [&](std::size_t layer) -> void* {
        return layer % 2 == lastHidden % 2 ? arguments.hidden : arguments.workspace + activation_;
    };

    const void* x = arguments.inputs;
    for (std::size_t layer = 0; layer <= lastHidden; ++layer) {
        const Places::Layer& place = places.layers[layer];
        (layer == 0 ? first_ : others_)
            .enqueue(*context_, stream,
                     {.x = x, .w = weights + place.weights, .y = sums, .workspace = scratch});
        if (layer == 0) {
            launchAddCoordinates(stream, {.points = arguments.points,
                                          .weights = floatsAt(weights, places.coordinates),
                                          .rows = rows,
                                          .width = kBeside,
                                          .sums = sums});
        }
        laplacian_.enqueue(*context_, stream, sums + kWidth, sums, scratch);
        void* out = outputOf(layer);
        launchLayerEpilogue(stream, {.sums = sums,
                                     .sumsPitch = kBeside,
                                     .bias = floatsAt(weights, place.bias),
                                     .before = hasResidual(layer) ? out : nullptr,
                                     .share = hasResidual(layer) ? 0.5F : 1.0F,
                                     .rows = rows,
                                     .width = kWidth,
                                     .element = element_,
                                     .out = out});
        if (tap) {
            const std::string name = fmt::format("layer {}", layer);
            tap({name, out, element_, 0, static_cast<std::size_t>(rows), kHiddenWidth,
                 kHiddenWidth});
        }
        x = out;
    }
    launchGraphOutput(
        stream, {.hidden = x,
                 .element = element_,
                 .width = kWidth,
                 .batch = batch_,
                 .vertices = vertices_,
                 .rowStart = reinterpret_cast<const std::uint32_t*>(weights + places.rowStart),
                 .column = reinterpret_cast<const std::uint32_t*>(weights + places.column),
                 .value = floatsAt(weights, places.value),
                 .weights = floatsAt(weights, places.layers.back().weights),
                 .bias = floatsAt(weights, places.layers.back().bias),
                 .points = arguments.pointsOut});
}

}  // namespace threefold::cuda::library
