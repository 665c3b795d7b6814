#include "tests/cuda/simulation/network.h"

#include <utility>

#include <fmt/format.h>

#include "engine/network/graph_block.h"
#include "engine/views/network_input.h"
#include "tests/cuda/simulation/graph_block.h"
#include "tests/cuda/simulation/rounding.h"

namespace threefold::cuda::simulation {
namespace {

std::vector<float> flat(const Points& points) {
    std::vector<float> values;
    for (const glm::vec3 p : points) values.insert(values.end(), {p.x, p.y, p.z});
    return values;
}

const simd::NetworkKernels& kernels() {
    return *simd::runnableNetworkKernels().front();
}

}  // namespace

Network::Network(std::shared_ptr<const Model> model, const NetworkInput& input)
    : model_(std::move(model)), projections_(projectionsFrom(input.cameras)) {
    requireValidInput(input);
    constexpr std::size_t kPixels = std::size_t{kInputSide} * kInputSide * 3;
    images_.resize(input.images.size() * kPixels);
    for (std::size_t view = 0; view < input.images.size(); ++view) {
        preprocess(input.images[view], std::span(images_).subspan(view * kPixels, kPixels));
    }
}

Outcome Network::run(const Arithmetic& arithmetic, const Calibration& calibration) {
    Outcome outcome;
    noteMaps(arithmetic, outcome);
    const Stage1& first = stage1(arithmetic);
    outcome.levels = first.levels;
    outcome.coarse = first.coarse;
    auto [refined1, refined] = stage2(arithmetic, first.coarse, calibration, nullptr);
    outcome.refined1 = std::move(refined1);
    outcome.refined = std::move(refined);
    return outcome;
}

void Network::calibrate(Calibration& calibration) {
    const Arithmetic arithmetic = Arithmetic::of(Precision::float16);
    stage2(arithmetic, stage1(arithmetic).coarse, {}, &calibration);
}

const Maps& Network::mapsOf(int stage, const Arithmetic& arithmetic) {
    const auto key = std::tuple(stage, stage == 1 ? arithmetic.cnn1 : arithmetic.cnn2,
                                arithmetic.order, arithmetic.operands);
    if (!maps_.contains(key)) {
        maps_[key] = convolve(*model_, stage, images_, projections_.size(), arithmetic);
    }
    return maps_.at(key);
}

const Network::Stage1& Network::stage1(const Arithmetic& arithmetic) {
    const auto key = std::tuple(arithmetic.cnn1, arithmetic.graph, arithmetic.kernels,
                                arithmetic.order, arithmetic.operands);
    if (stage1_.contains(key)) return stage1_.at(key);

    const FeaturePooling pooling(projections_, mapsOf(1, arithmetic).maps, model_->sampler,
                                 kernels());
    Stage1 result;
    Points points = model_->templateMesh.vertices;
    std::vector<float> hidden;
    const std::size_t levels = model_->templateMesh.levels.size();
    for (std::size_t index = 0; index < levels; ++index) {
        GraphOutput output = graphBlock(*model_, index, arithmetic, points, hidden, pooling);
        if (index + 1 == levels) {
            result.levels["coarse"] = flat(output.points);
            result.coarse = std::move(output.points);
            break;
        }
        const TemplateLevel& level = model_->templateMesh.levels[index];
        points = threefold::GraphBlock::unpool(output.points, level);
        hidden = unpoolHidden(output.hidden, level, arithmetic.graph);
        const std::string name = fmt::format("level{}", index + 1);
        result.levels[name] = flat(output.points);
        result.levels[name + "_unpooled"] = flat(points);
        result.levels[name + "_hidden"] = std::move(output.hidden);
    }
    return stage1_[key] = std::move(result);
}

std::array<Points, kPublishedHypothesisBlocks> Network::stage2(const Arithmetic& arithmetic,
                                                               const Points& coarse,
                                                               const Calibration& calibration,
                                                               Calibration* seen) {
    // Stage 2 always samples each view's own maps bilinearly, whatever the sampler of stage 1.
    const FeaturePooling pooling(projections_, mapsOf(2, arithmetic).maps,
                                 SamplerKind::bilinearPerView, kernels());
    std::array<Points, kPublishedHypothesisBlocks> moved;
    for (std::size_t block = 0; block < kPublishedHypothesisBlocks; ++block) {
        moved[block] = hypothesisBlock(*model_, block, arithmetic, calibration[block],
                                       block == 0 ? coarse : moved[block - 1], pooling,
                                       seen == nullptr ? nullptr : &(*seen)[block]);
    }
    return moved;
}

void Network::noteMaps(const Arithmetic& arithmetic, Outcome& outcome) {
    std::vector<float>& image = outcome.maps["image"];
    image = images_;
    roundAll(image, {storedFormat(arithmetic.cnn1)});
    for (const int stage : {1, 2}) {
        const Maps& maps = mapsOf(stage, arithmetic);
        for (std::size_t i = 0; i < maps.maps.size(); ++i) {
            const std::span<const float> values = maps.values[i].span();
            outcome.maps[fmt::format("stage{}_map_{}", stage, maps.maps[i].channels)].assign(
                values.begin(), values.end());
        }
    }
    const FeaturePooling pooling(projections_, mapsOf(1, arithmetic).maps, model_->sampler,
                                 kernels());
    std::vector<float>& features = outcome.maps["stage1_features_1"];
    features.resize(model_->templateMesh.vertices.size() * pooling.width());
    for (std::size_t i = 0; i < model_->templateMesh.vertices.size(); ++i) {
        pooling.pool(model_->templateMesh.vertices[i], features.data() + i * pooling.width());
    }
    roundAll(features, {storedFormat(arithmetic.graph)});
}

}  // namespace threefold::cuda::simulation
