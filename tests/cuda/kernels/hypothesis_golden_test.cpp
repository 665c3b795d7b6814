#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/model/architecture.h"
#include "engine/network/cnn.h"
#include "engine/views/network_input.h"
#include "tests/cuda/kernels/hypothesis_scene.h"
#include "tests/engine/network/golden_case.h"

namespace threefold::cuda::test {
namespace {

using threefold::test::asPoints;
using threefold::test::atSamplerGap;
using threefold::test::GoldenCase;
using threefold::test::goldenCases;
using threefold::test::goldenInput;
using threefold::test::goldenModel;

// Golden files have scores for every fourth vertex.
constexpr std::size_t kScoreStep = 4;
constexpr std::size_t kVertices = 4;

/// Four vertices of a golden case, and the feature maps of its images, which the engine computes.
/// The golden file has scores of these vertices, and they lie away from the sampler's
/// discontinuities (atSamplerGap()).
struct GoldenScene {
    HypothesisScene scene;
    std::vector<std::size_t> vertices;
};

GoldenScene sceneOf(const GoldenCase& golden, const Model& model, std::size_t block) {
    GoldenScene result;
    const NetworkInput input = goldenInput(golden);
    result.scene.projections = projectionsFrom(input.cameras);
    constexpr std::size_t kPixels = std::size_t{kInputSide} * kInputSide * 3;
    std::vector<float> images(input.images.size() * kPixels);
    for (std::size_t view = 0; view < input.images.size(); ++view) {
        preprocess(input.images[view], std::span(images).subspan(view * kPixels, kPixels));
    }
    Cnn cnn(model, "stage2.cnn", kStage2LayerCount, 0, kStage2TapCount);
    const std::vector<FeatureMap> maps =
        cnn.run(images.data(), input.images.size(), {}, [](float) {});
    for (std::size_t tap = 0; tap < maps.size(); ++tap) {
        const std::size_t count =
            input.images.size() * maps[tap].side * maps[tap].side * maps[tap].channels;
        const auto* const values = std::get<const float*>(maps[tap].values);
        result.scene.maps[tap].assign(values, values + count);
    }
    const Points mesh = asPoints(golden.values(block == 0 ? "coarse" : "refined_1"));
    const std::vector<bool> gap = atSamplerGap(golden, mesh);
    Points& points = result.scene.points.emplace_back();
    for (std::size_t vertex = 60 * kScoreStep; points.size() < kVertices;
         vertex += 120 * kScoreStep) {
        if (gap.at(vertex)) continue;
        points.push_back(mesh[vertex]);
        result.vertices.push_back(vertex);
    }
    return result;
}

struct Tolerance {
    Precision precision;
    double scores;
    double moved;
};

class HypothesisBlockGolden : public testing::TestWithParam<std::size_t> {};

// In float32 the tolerance of vertices is below that of the engine's own golden test, 1e-5. The
// tolerances of the other precisions are the rounding errors that were measured on these maps.
TEST_P(HypothesisBlockGolden, givesTheScoresAndVerticesOfTheReference) {
    const GoldenCase& golden = goldenCases()[GetParam()];
    const std::shared_ptr<const Model> model = goldenModel(golden);
    const std::size_t block = GetParam() % kPublishedHypothesisBlocks;
    const GoldenScene chosen = sceneOf(golden, *model, block);
    const std::vector<float> scores = golden.values(block == 0 ? "score_1" : "score_2");
    const Points refined = asPoints(golden.values(block == 0 ? "refined_1" : "refined_2"));
    const std::size_t hypotheses = model->templateMesh.hypothesisOffsets.size();
    QuantisationRanges ranges;
    for (const Tolerance& tolerance :
         {Tolerance{Precision::float32, 2e-5, 5e-7}, Tolerance{Precision::tfloat32, 2e-3, 4e-5},
          Tolerance{Precision::float16, 2e-3, 5e-5}, Tolerance{Precision::bfloat16, 1e-2, 3e-4},
          Tolerance{Precision::int8, 8e-2, 1e-3}}) {
        const HypothesisOutput output = runHypothesisKernel(
            chosen.scene, *model, block, tolerance.precision, limitsOf(90), ranges);
        if (tolerance.precision == Precision::float16) ranges = output.ranges;
        double worstScore = 0;
        double worstMoved = 0;
        for (std::size_t i = 0; i < chosen.vertices.size(); ++i) {
            const std::size_t vertex = chosen.vertices[i];
            for (std::size_t k = 0; k < hypotheses; ++k) {
                const float expected = scores[vertex / kScoreStep * hypotheses + k];
                worstScore = std::max(
                    worstScore,
                    std::abs(double{output.scores[i * hypotheses + k]} - double{expected}));
            }
            const glm::vec3 moved(output.moved[3 * i], output.moved[3 * i + 1],
                                  output.moved[3 * i + 2]);
            worstMoved = std::max(worstMoved, double{glm::distance(moved, refined[vertex])});
        }
        const std::string name(precisionName(tolerance.precision));
        RecordProperty(name + "_scores", fmt::format("{:.1e}", worstScore));
        RecordProperty(name + "_moved", fmt::format("{:.1e}", worstMoved));
        EXPECT_LE(worstScore, tolerance.scores) << name;
        EXPECT_LE(worstMoved, tolerance.moved) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(, HypothesisBlockGolden,
                         testing::Range<std::size_t>(0, goldenCases().size()),
                         [](const auto& test) { return goldenCases()[test.param].name; });

}  // namespace
}  // namespace threefold::cuda::test
