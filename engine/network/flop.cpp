#include "engine/model/architecture.h"
#include "engine/network/roofline.h"
#include "engine/views/camera.h"

namespace threefold {
namespace {

double convolutionFlop(std::size_t layers, std::size_t views) {
    double sum = 0;
    int side = kImageSize;
    for (std::size_t i = 0; i < layers; ++i) {
        const ConvolutionSpec& spec = kCnnLayers[i];
        side /= spec.stride;
        sum += 2.0 * side * side * spec.in * spec.out * spec.kernel * spec.kernel;
    }
    return sum * static_cast<double>(views);
}

double graphFlop(const Model& model, std::size_t level) {
    const TemplateLevel& mesh = model.mesh.levels[level];
    const auto vertices = static_cast<double>(mesh.vertexCount);
    const auto nonZeros = static_cast<double>(mesh.laplacian.value.size());
    const double input = static_cast<double>(kStage1Features + (level > 0 ? kHiddenWidth : 0));
    const auto width = static_cast<double>(kHiddenWidth);
    const auto hiddenLayers = static_cast<double>(kGraphBlockLengths[level] - 2);
    const double products = input * 2 * width + hiddenLayers * width * 2 * width + width * 6;
    const double laplacians = nonZeros * (width * (hiddenLayers + 1) + 3);
    return 2 * (vertices * products + laplacians);
}

double hypothesisFlop(const Model& model) {
    const auto rows =
        static_cast<double>(model.mesh.levels.back().vertexCount * model.mesh.hypotheses.size());
    const auto nonZeros = static_cast<double>(model.mesh.levels.back().vertexCount *
                                              model.mesh.hypothesisLaplacian.value.size());
    const auto width = static_cast<double>(kHiddenWidth);
    const auto middle = static_cast<double>(kLocalConvolutions - 2);
    const double products =
        static_cast<double>(kStage2Features) * 2 * width + middle * width * 2 * width + 2 * width;
    return 2 * (rows * products + nonZeros * (width * (middle + 1) + 1));
}

}  // namespace

double multiplyAddFlop(const Model& model, Stage stage, std::size_t views) {
    switch (stage) {
        case Stage::cnn1:
            return convolutionFlop(kCnnLayers.size(), views);
        case Stage::cnn2:
            return convolutionFlop(kStage2Layers, views);
        case Stage::graph1:
            return graphFlop(model, 0);
        case Stage::graph2:
            return graphFlop(model, 1);
        case Stage::graph3:
            return graphFlop(model, 2);
        case Stage::block1:
        case Stage::block2:
            return hypothesisFlop(model);
        case Stage::load:
        case Stage::preprocess:
            return 0;
    }
    return 0;
}

}  // namespace threefold
