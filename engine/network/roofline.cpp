#include "engine/network/roofline.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/model/architecture.h"
#include "engine/network/onednn.h"
#include "engine/profile/stopwatch.h"
#include "engine/views/camera.h"

namespace threefold {
namespace {

constexpr double kPointBytes = 3 * sizeof(float);
constexpr double kWidth = kHiddenWidth;
constexpr double kImageValues = 3.0 * kInputSide * kInputSide;

struct Work {
    double flop = 0;   ///< multiply-adds × 2
    double bytes = 0;  ///< minimum traffic
};

/// Number of map values of taps [first, last), for one view.
double mapValues(std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t tap = first; tap < last; ++tap) {
        const int side = kInputSide >> tap;
        sum += static_cast<double>(side) * side * static_cast<double>(tapChannels(tap));
    }
    return sum;
}

Work convolutionWork(std::size_t layers, double maps, double views, double valueBytes) {
    double weights = 0;
    double flop = 0;
    int side = kInputSide;
    for (std::size_t i = 0; i < layers; ++i) {
        const ConvolutionSpec& spec = kCnnLayers[i];
        const double kernelWeights = static_cast<double>(spec.inChannels) * spec.outChannels *
                                     spec.kernelSize * spec.kernelSize;
        side /= spec.stride;
        flop += 2.0 * side * side * kernelWeights;
        weights += kernelWeights + spec.outChannels;
    }
    return {flop * views, valueBytes * (weights + views * (kImageValues + maps))};
}

/// Each level reads all maps and writes one row of features per vertex.
Work projectionWork(const Model& model, double maps, double valueBytes) {
    double bytes = 0;
    for (const TemplateLevel& level : model.templateMesh.levels) {
        const auto vertices = static_cast<double>(level.vertexCount);
        bytes += (maps + vertices * kStage1FeatureWidth) * valueBytes + vertices * kPointBytes;
    }
    return {0, bytes};
}

Work graphWork(const Model& model, std::size_t level, double valueBytes) {
    const TemplateLevel& mesh = model.templateMesh.levels[level];
    const auto vertices = static_cast<double>(mesh.vertexCount);
    const auto nonZeros = static_cast<double>(mesh.laplacian.values.size());
    const double input = static_cast<double>(graphInputWidth(level));
    const auto hiddenLayers = static_cast<double>(kGraphBlockLayerCounts[level] - 2);
    const double weights = 2 * kWidth * (input + hiddenLayers * kWidth + 3);
    const double laplacians = nonZeros * (kWidth * (hiddenLayers + 1) + 3);
    const bool last = level + 1 == kGraphBlockLayerCounts.size();
    const double hidden = vertices * kWidth * ((level > 0 ? 1 : 0) + (last ? 0 : 1));
    return {
        2 * (vertices * weights + laplacians),
        (weights + hidden + vertices * kStage1FeatureWidth) * valueBytes + vertices * kPointBytes};
}

Work hypothesisWork(const Model& model, double maps, double valueBytes) {
    const auto vertices = static_cast<double>(model.templateMesh.levels.back().vertexCount);
    const auto hypotheses = static_cast<double>(model.templateMesh.hypothesisOffsets.size());
    const auto nonZeros = static_cast<double>(model.templateMesh.hypothesisLaplacian.values.size());
    const auto middle = static_cast<double>(kLocalConvolutionCount - 2);
    const double weights =
        2 * kWidth * (static_cast<double>(kStage2FeatureWidth) + middle * kWidth + 1);
    const double laplacians = vertices * nonZeros * (kWidth * (middle + 1) + 1);
    return {2 * (vertices * hypotheses * weights + laplacians),
            (weights + maps) * valueBytes + 2 * vertices * kPointBytes};
}

Work workOf(const Model& model, RunStep step, std::size_t viewCount, double valueBytes) {
    constexpr double kPixelBytes = 4;
    const auto views = static_cast<double>(viewCount);
    const double maps1 = mapValues(kStage1FirstTap, kCnnTaps.size());
    const double maps2 = mapValues(0, kStage2TapCount);
    switch (step) {
        case RunStep::load:
            return {};
        case RunStep::preprocess:
            return {0, views * kInputSide * kInputSide * kPixelBytes +
                           views * kImageValues * valueBytes};
        case RunStep::cnn1:
            return convolutionWork(kCnnLayers.size(), maps1, views, valueBytes);
        case RunStep::cnn2:
            return convolutionWork(kStage2LayerCount, maps2, views, valueBytes);
        case RunStep::project1:
            return projectionWork(model, maps1 * views, valueBytes);
        case RunStep::graph1:
            return graphWork(model, 0, valueBytes);
        case RunStep::graph2:
            return graphWork(model, 1, valueBytes);
        case RunStep::graph3:
            return graphWork(model, 2, valueBytes);
        // The hypothesis blocks do this pooling, so the maps are counted with the blocks.
        case RunStep::project2:
            return {};
        default:
            return hypothesisWork(model, maps2 * views, valueBytes);
    }
}

}  // namespace

double measureGflopPerSecond(int threads, int repeats) {
    const onednn::ThreadLimit limit(threads);
    std::vector<double> seconds = onednn::productSeconds(
        {kProductRows, kProductInner, kProductColumns}, std::max(repeats, 1));
    std::ranges::sort(seconds);
    const double flop = 2.0 * kProductRows * kProductInner * kProductColumns;
    return flop / seconds[seconds.size() / 2] * 1e-9;
}

double measureBlockGflopPerSecond(Precision precision) {
    constexpr onednn::Product::Shape kShape{688, kProductInner, kProductColumns};
    constexpr int kTimes = 5;
    std::vector<float> weights(kShape.inner * kShape.columns);
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = 0.1F * static_cast<float>(i % 7) - 0.3F;
    const onednn::Product product(kShape, precision, weights, {}, true);
    const std::vector<float> x(kShape.rows * kShape.inner);  // zeros in every precision
    std::vector<float> y(kShape.rows * kShape.columns);
    std::vector<std::byte> scratch(product.scratchBytes());
    product.run(x.data(), y.data(), scratch.data());
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < kTimes; ++i) {
        const Stopwatch watch;
        product.run(x.data(), y.data(), scratch.data());
        best = std::min(best, watch.milliseconds());
    }
    return 2e-6 * static_cast<double>(kShape.rows * weights.size()) / best;
}

double minimumFlop(const Model& model, RunStep step, std::size_t views) {
    return workOf(model, step, views, 0).flop;
}

double minimumTrafficBytes(const Model& model, RunStep step, std::size_t views,
                           std::size_t bytesPerValue) {
    return workOf(model, step, views, static_cast<double>(bytesPerValue)).bytes;
}

}  // namespace threefold
