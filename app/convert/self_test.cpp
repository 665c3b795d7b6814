#include "app/convert/self_test.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "engine/resources.h"
#include "engine/sample/bundled_samples.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/sample_steps/evaluate.h"
#include "engine/text.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

/// F(2τ), in percent, below which a result does not resemble its object.
constexpr double kPlausible = 30;
/// Percentage points of F(τ) by which the other sampler must be better to count as correct.
constexpr double kClearlyBetter = 2;

/// Mean movement below which a block counts as doing nothing, object units.
constexpr double kStill = 1e-5;

double meanDistance(const Points& before, const Points& after) {
    double sum = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        sum += static_cast<double>(glm::distance(before[i], after[i]));
    return sum / static_cast<double>(before.size());
}

void addMovements(BlockMovements& movements, const Reconstruction& meshes, double weight) {
    const auto blocks = std::ranges::find(meshes.stages, RunStep::block1,
                                          [](const StageMesh& each) { return each.stage.step; });
    movements.resize(static_cast<std::size_t>(meshes.stages.end() - blocks));
    for (std::size_t block = 0; block < movements.size(); ++block) {
        const StageMesh* const mesh = &blocks[static_cast<std::ptrdiff_t>(block)];
        movements[block] += weight * meanDistance((mesh - 1)->vertices, mesh->vertices);
    }
}

/// First `count` bundled samples. Throws IoError.
std::vector<std::filesystem::path> firstSamples(std::size_t count) {
    auto bundled = bundledSamples();
    bundled.resize(std::min(bundled.size(), count));
    if (bundled.empty())
        throw IoError({bundledSamplesFolder().string(), "", "holds no sample to test with",
                       "Install Threefold anew, or set THREEFOLD_RESOURCES to its data."});
    return bundled;
}

SelfTestResult runWith(const Model& model, SamplerKind sampler,
                       const std::vector<std::filesystem::path>& samples) {
    auto changed = std::make_shared<Model>(model);
    changed->sampler = sampler;
    const std::unique_ptr<Backend> backend = makeCpuBackend(std::move(changed));
    SelfTestResult result;
    result.sampler = sampler;
    const double weight = 1.0 / static_cast<double>(samples.size());
    for (const auto& folder : samples) {
        const Sample sample = findSample(folder);
        const Reconstruction meshes =
            backend->reconstruct(loadViews(sample, kPublishedViews), BatchOptions{});
        const Evaluation evaluation =
            evaluateByPublishedProtocol(meshes, loadGroundTruth(sample, kPublishedViews.front()));
        const ChamferAndFScores& coarse = evaluation.first().measures;
        const ChamferAndFScores& refined = evaluation.result().measures;
        result.chamferCoarse += weight * coarse.chamfer;
        result.chamferRefined += weight * refined.chamfer;
        result.fTauCoarse += weight * coarse.atTau().fScore;
        result.fTauRefined += weight * refined.atTau().fScore;
        result.fTwoTauRefined += weight * refined.atTwoTau().fScore;
        addMovements(result.movements, meshes, weight);
    }
    return result;
}

}  // namespace

BlockMovements blockMovements(std::shared_ptr<const Model> model) {
    const Sample sample = findSample(firstSamples(1).front());
    BlockMovements movements = {};
    addMovements(movements,
                 makeCpuBackend(std::move(model))
                     ->reconstruct(loadViews(sample, kPublishedViews), BatchOptions{}),
                 1);
    return movements;
}

std::vector<std::string> movementText(const BlockMovements& movements) {
    if (movements.empty()) return {};
    std::string text = fmt::format("block 1 moves vertices by {:.5f}", movements[0]);
    for (std::size_t block = 1; block < movements.size(); ++block)
        text += fmt::format(", block {} by {:.5f}", block + 1, movements[block]);
    std::vector<std::string> lines = {text + " object units"};
    for (std::size_t block = 0; block < movements.size(); ++block)
        if (movements[block] < kStill)
            lines.push_back(fmt::format(
                "block {} moves nothing: its hypothesis \"stay\" has all the weight", block + 1));
    return lines;
}

std::vector<SelfTestResult> runSelfTest(const std::shared_ptr<const Model>& model,
                                        std::size_t samples) {
    const std::vector<std::filesystem::path> bundled = firstSamples(samples);
    const SamplerKind other = model->sampler == SamplerKind::bilinearPerView
                                  ? SamplerKind::nearestInFirstView
                                  : SamplerKind::bilinearPerView;
    std::vector<SelfTestResult> results;
    for (const SamplerKind kind : {model->sampler, other}) {
        try {
            results.push_back(runWith(*model, kind, bundled));
        } catch (const InputError&) {
            // Meshes whose coordinates are not finite get F-scores of 0.
            results.push_back({kind, INFINITY, INFINITY, 0, 0, 0, {}});
        }
    }
    return results;
}

SelfTestVerdict judgeSelfTest(const std::vector<SelfTestResult>& results) {
    const SelfTestResult& own = results.at(0);
    const SelfTestResult& other = results.at(1);
    if (std::max(own.fTwoTauRefined, other.fTwoTauRefined) < kPlausible)
        return SelfTestVerdict::implausible;
    const bool otherAlone = own.fTwoTauRefined < kPlausible;
    return otherAlone || other.fTauRefined > own.fTauRefined + kClearlyBetter
               ? SelfTestVerdict::otherSampler
               : SelfTestVerdict::plausible;
}

std::string selfTestText(const std::vector<SelfTestResult>& results) {
    TextTable table("lrrrrr");
    table.add(
        {"sampler", "CD coarse", "CD refined", "F(τ) coarse", "F(τ) refined", "F(2τ) refined"});
    for (const SelfTestResult& result : results)
        table.add({std::string(samplerName(result.sampler)),
                   fmt::format("{:.2f}", 1e4 * result.chamferCoarse),
                   fmt::format("{:.2f}", 1e4 * result.chamferRefined),
                   fmt::format("{:.2f} %", result.fTauCoarse),
                   fmt::format("{:.2f} %", result.fTauRefined),
                   fmt::format("{:.2f} %", result.fTwoTauRefined)});
    std::string text =
        "self-test: means over bundled samples, processor, float32, published protocol, τ = "
        "1e-4; CD in 10⁻⁴ object units²\n" +
        table.text("  ");
    for (const std::string& line : movementText(results[0].movements)) text += "  " + line + '\n';
    switch (judgeSelfTest(results)) {
        case SelfTestVerdict::plausible:
            return text + fmt::format(
                              "  plausible: these weights reconstruct, and {} is no worse "
                              "than the other sampler\n",
                              samplerName(results[0].sampler));
        case SelfTestVerdict::otherSampler:
            return text + fmt::format(
                              "  wrong sampler: {} is clearly better. Convert with "
                              "--sampler {}\n",
                              samplerName(results[1].sampler), samplerName(results[1].sampler));
        case SelfTestVerdict::implausible:
            break;
    }
    return text +
           "  not plausible: under neither sampler is the refined mesh near the object. The "
           "weights are not trained, not of this method, or in another order\n";
}

}  // namespace threefold
