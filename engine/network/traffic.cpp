#include "engine/model/architecture.h"
#include "engine/network/roofline.h"
#include "engine/views/camera.h"

namespace threefold {
namespace {

constexpr double kPointBytes = 3 * sizeof(float);

double convolutionWeights(std::size_t layers) {
    double sum = 0;
    for (std::size_t i = 0; i < layers; ++i) {
        const ConvolutionSpec& spec = kCnnLayers[i];
        sum += static_cast<double>(spec.in) * spec.out * spec.kernel * spec.kernel + spec.out;
    }
    return sum;
}

/// Values of the maps of taps [first, last), one view.
double mapValues(std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t tap = first; tap < last; ++tap) {
        const int side = kImageSize >> tap;
        sum += static_cast<double>(side) * side * static_cast<double>(tapChannels(tap));
    }
    return sum;
}

double imageValues() {
    return 3.0 * kImageSize * kImageSize;
}

double graphBytes(const Model& model, std::size_t level, std::size_t views, double valueBytes) {
    const auto vertices = static_cast<double>(model.mesh.levels[level].vertexCount);
    const auto width = static_cast<double>(kHiddenWidth);
    const double input = static_cast<double>(kStage1Features + (level > 0 ? kHiddenWidth : 0));
    const auto hiddenLayers = static_cast<double>(kGraphBlockLengths[level] - 2);
    const double weights = 2 * width * (input + hiddenLayers * width + 3);
    const bool last = level + 1 == kGraphBlockLengths.size();
    const double hidden = vertices * width * ((level > 0 ? 1 : 0) + (last ? 0 : 1));
    const double maps = mapValues(kStage1FirstTap, kCnnTaps.size()) * static_cast<double>(views);
    return (weights + hidden + maps) * valueBytes + 2 * vertices * kPointBytes;
}

double hypothesisBytes(const Model& model, std::size_t views, double valueBytes) {
    const auto vertices = static_cast<double>(model.mesh.levels.back().vertexCount);
    const auto width = static_cast<double>(kHiddenWidth);
    const auto middle = static_cast<double>(kLocalConvolutions - 2);
    const double weights = 2 * width * (static_cast<double>(kStage2Features) + middle * width + 1);
    const double maps = mapValues(0, kStage2Taps) * static_cast<double>(views);
    return (weights + maps) * valueBytes + 2 * vertices * kPointBytes;
}

}  // namespace

double leastBytes(const Model& model, Stage stage, std::size_t views, std::size_t bytesPerValue) {
    const auto value = static_cast<double>(bytesPerValue);
    const auto count = static_cast<double>(views);
    constexpr double kPixelBytes = 4;
    switch (stage) {
        case Stage::preprocess:
            return count * kImageSize * kImageSize * kPixelBytes + count * imageValues() * value;
        case Stage::cnn1:
            return value * (convolutionWeights(kCnnLayers.size()) +
                            count * (imageValues() + mapValues(kStage1FirstTap, kCnnTaps.size())));
        case Stage::cnn2:
            return value * (convolutionWeights(kStage2Layers) +
                            count * (imageValues() + mapValues(0, kStage2Taps)));
        case Stage::graph1:
            return graphBytes(model, 0, views, value);
        case Stage::graph2:
            return graphBytes(model, 1, views, value);
        case Stage::graph3:
            return graphBytes(model, 2, views, value);
        case Stage::block1:
        case Stage::block2:
            return hypothesisBytes(model, views, value);
        case Stage::load:
            return 0;
    }
    return 0;
}

}  // namespace threefold
