#include "engine/pipeline/measure_sample.h"

#include <algorithm>
#include <utility>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/network/device_error.h"
#include "engine/pipeline/masked_views.h"

namespace threefold {
namespace {

/// The views' masks. Those of views that were resampled for the network are finer than its
/// pictures; one that cannot be read, which the network's pictures could, has none.
std::vector<MaskedView> photographsOf(const MeasuredSample& measured,
                                      const std::stop_token& cancel) {
    const LoadedSample& loaded = measured.loaded;
    const std::vector<MaskedView> none;
    const bool hasFit = measured.fit && measured.fit->photographs;
    const std::vector<MaskedView>& fitted = hasFit ? *measured.fit->photographs : none;
    std::vector<MaskedView> views;
    std::vector<int> missing;
    for (std::size_t i = 0; i < loaded.views.size(); ++i) {
        MaskedView view{loaded.views[i], loaded.input.cameras[i], std::nullopt};
        const auto known = std::ranges::find(fitted, view.view, &MaskedView::view);
        const auto index = static_cast<std::size_t>(view.view);
        if (!loaded.sample->photos && isAsTrained(loaded.sample->cameraRows[index]))
            view.mask = foregroundOf(loaded.input.images[i]);
        else if (known != fitted.end())
            view.mask = known->mask;
        else
            missing.push_back(view.view);
        views.push_back(std::move(view));
    }
    if (missing.empty()) return views;
    try {
        for (MaskedView& each :
             loadMaskedViews(*loaded.sample, missing, readViewPhotograph, cancel))
            std::ranges::find(views, each.view, &MaskedView::view)->mask = std::move(each.mask);
    } catch (const Error&) {
        // None of them: their silhouettes are not measured.
    }
    return views;
}

SampleComparisons comparisonsOf(const GroundTruth& truth, const Reconstruction& meshes,
                                const std::vector<ScoreOptions>& scoring) {
    SampleComparisons comparisons;
    for (const ScoreOptions& each : scoring)
        comparisons.push_back(compareMeshes(meshes, PreparedTruth(shapeOf(truth), each)));
    return comparisons;
}

/// Searches on the device; on the processor where the device has too little memory.
NearestFunction nearestOn(MeshOperations* device) {
    if (device == nullptr) return {};
    return [device](std::span<const CloudPair> pairs) {
        try {
            return device->nearest(pairs);
        } catch (const OutOfDeviceMemory&) {
            return nearestBothWays(pairs);
        }
    };
}

void searchOnDevice(MeshOperations& device, std::span<ComparedClouds* const> compared) {
    std::vector<CloudPair> pairs;
    for (const ComparedClouds* each : compared) pairs.push_back(each->clouds);
    NearestBatch found = device.nearest(pairs);
    for (std::size_t i = 0; i < compared.size(); ++i)
        compared[i]->nearest = std::move(found.pairs[i]);
}

void matchOnDevice(MeshOperations& device, std::span<ComparedClouds* const> compared,
                   const std::stop_token& cancel) {
    // A few at once fill a device, and it hears of a cancel in between.
    constexpr std::size_t kAtOnce = 8;
    std::vector<ComparedClouds*> left(compared.begin(), compared.end());
    std::erase_if(left, [](const ComparedClouds* each) { return !each->approximates; });
    for (std::size_t first = 0; first < left.size(); first += kAtOnce) {
        if (cancel.stop_requested()) throw Cancelled();
        const std::span some =
            std::span(left).subspan(first, std::min(kAtOnce, left.size() - first));
        std::vector<CloudPair> pairs;
        for (const ComparedClouds* each : some) pairs.push_back(each->clouds);
        const MatchingBatch found = device.match(pairs, {});
        for (std::size_t i = 0; i < some.size(); ++i) some[i]->matching = found.pairs[i];
    }
}

/// Fills in `evaluation` and `scores`.
void compareWithTruth(MeasuredSample& measured, const MeasureOptions& options,
                      MeshOperations* device, SampleComparisons comparisons) {
    const GroundTruth& truth = measured.loaded.truth;
    if (options.scoring.empty())
        measured.evaluation = evaluate(measured.reconstruction, truth, kTau, nearestOn(device));
    if (comparisons.empty())
        comparisons = comparisonsOf(truth, measured.reconstruction, options.scoring);
    for (const MeshComparison& comparison : comparisons)
        measured.scores.push_back(sampleScores(measured.reconstruction, comparison));
}

}  // namespace

std::vector<SampleComparisons> compareOnDevice(MeshOperations& device,
                                               std::span<const GroundTruth* const> truths,
                                               std::span<const Reconstruction> meshes,
                                               const std::vector<ScoreOptions>& scoring,
                                               const std::stop_token& cancel) {
    std::vector<SampleComparisons> made(truths.size());
    std::vector<ComparedClouds*> compared;
    for (std::size_t i = 0; i < truths.size(); ++i) {
        if (truths[i]->points.empty()) continue;
        try {
            made[i] = comparisonsOf(*truths[i], meshes[i], scoring);
        } catch (const InputError&) {
            continue;  // measureSample() says so
        }
        for (MeshComparison& each : made[i])
            for (auto& [mesh, clouds] : each.meshes.entries()) compared.push_back(&clouds);
    }
    try {
        searchOnDevice(device, compared);
        matchOnDevice(device, compared, cancel);
    } catch (const InputError&) {
    } catch (const OutOfDeviceMemory&) {
    }
    return made;
}

MeasuredSample measureSample(FittedSample fitted, const MeasureOptions& options,
                             MeshOperations* device, SampleComparisons comparisons) {
    MeasuredSample measured{std::move(fitted.loaded), std::move(fitted.reconstruction),
                            std::move(fitted.fit)};
    if (!measured.loaded.truth.points.empty()) {
        try {
            compareWithTruth(measured, options, device, std::move(comparisons));
        } catch (const DeviceError&) {
            throw;
        } catch (const Error& error) {
            if (options.strictTruth) throw;
            measured.loaded.truth = {};
            measured.loaded.truthProblem = error.report();
        }
    }
    if (options.silhouettes)
        measured.silhouettes =
            silhouettesOf(measured.reconstruction, measured.loaded.input.cameras.front(),
                          photographsOf(measured, options.cancel));
    return measured;
}

}  // namespace threefold
