#include "engine/sample_steps/measure_sample.h"

#include <algorithm>
#include <utility>

#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/masks/masked_views.h"
#include "engine/views/foreground.h"

namespace threefold {
namespace {

/// The views with their masks. Views that were resampled for the network have masks finer than the
/// network's pictures; a view that cannot be read again has no mask.
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
        for (MaskedView& view : loadMaskedViews(*loaded.sample, missing, readViewPhoto, cancel))
            std::ranges::find(views, view.view, &MaskedView::view)->mask = std::move(view.mask);
    } catch (const Error&) {
        // None of the missing views could be read: their silhouettes are not measured.
    }
    return views;
}

SampleComparisons comparisonsOf(const GroundTruth& truth, const Reconstruction& meshes,
                                const std::vector<ScoreOptions>& protocols) {
    SampleComparisons comparisons;
    for (const ScoreOptions& options : protocols)
        comparisons.push_back(
            prepareComparison(meshes, PreparedTruth(scoredShapeOf(truth), options)));
    return comparisons;
}

/// Nearest-neighbour search on the device, or on the processor if the device has too little memory.
NearestFunction nearestOn(MeshOperations* operations) {
    if (operations == nullptr) return {};
    return [operations](std::span<const CloudPair> pairs) {
        try {
            return operations->nearestNeighbours(pairs);
        } catch (const OutOfDeviceMemory&) {
            return bidirectionalNeighbours(pairs);
        }
    };
}

void searchOnDevice(MeshOperations& operations, std::span<MeshComparison* const> compared) {
    std::vector<CloudPair> pairs;
    for (const MeshComparison* each : compared) pairs.push_back(each->clouds.clouds);
    NeighbourResults results = operations.nearestNeighbours(pairs);
    for (std::size_t i = 0; i < compared.size(); ++i)
        compared[i]->device.nearest = std::move(results.pairs[i]);
}

void matchOnDevice(MeshOperations& operations, std::span<MeshComparison* const> compared,
                   const std::stop_token& cancel) {
    // A few pairs per call keep a device busy, and `cancel` is polled between calls.
    constexpr std::size_t kPairsPerCall = 8;
    std::vector<MeshComparison*> remaining(compared.begin(), compared.end());
    std::erase_if(remaining,
                  [](const MeshComparison* each) { return !each->clouds.needsSinkhorn; });
    for (std::size_t first = 0; first < remaining.size(); first += kPairsPerCall) {
        if (cancel.stop_requested()) throw Cancelled();
        const std::span chunk =
            std::span(remaining).subspan(first, std::min(kPairsPerCall, remaining.size() - first));
        std::vector<CloudPair> pairs;
        for (const MeshComparison* each : chunk) pairs.push_back(each->clouds.clouds);
        const TransportResults results = operations.earthMoversDistances(pairs, {});
        for (std::size_t i = 0; i < chunk.size(); ++i)
            chunk[i]->device.earthMovers = results.pairs[i];
    }
}

/// The parts of a MeasuredSample that need its truth.
struct TruthMeasures {
    std::optional<Evaluation> evaluation = {};
    std::vector<SampleScores> scores = {};
    SurfaceDistanceSummaries distances = {};
};

TruthMeasures compareWithTruth(const FittedReconstruction& reconstruction, const GroundTruth& truth,
                               const MeasureOptions& options, MeshOperations* operations,
                               SampleComparisons comparisons) {
    TruthMeasures measures;
    if (options.evaluation)
        measures.evaluation =
            evaluateByPublishedProtocol(reconstruction, truth, kTau, nearestOn(operations));
    if (comparisons.empty())
        comparisons = comparisonsOf(truth, reconstruction.network, options.protocols);
    for (const MeshComparisons& comparison : comparisons)
        measures.scores.push_back(sampleScores(reconstruction, comparison));
    if (options.surfaceDistances) measures.distances = surfaceDistancesOf(reconstruction, truth);
    return measures;
}

}  // namespace

std::vector<SampleComparisons> compareOnDevice(MeshOperations& operations,
                                               std::span<const GroundTruth* const> truths,
                                               std::span<const Reconstruction> meshes,
                                               const std::vector<ScoreOptions>& protocols,
                                               const std::stop_token& cancel) {
    std::vector<SampleComparisons> comparisons(truths.size());
    std::vector<MeshComparison*> compared;
    for (std::size_t i = 0; i < truths.size(); ++i) {
        if (truths[i]->points.empty()) continue;
        try {
            comparisons[i] = comparisonsOf(*truths[i], meshes[i], protocols);
        } catch (const InputError&) {
            continue;  // measureSample() reports the error
        }
        for (MeshComparisons& each : comparisons[i])
            for (auto& [name, mesh] : each.meshes.entries()) compared.push_back(&mesh);
    }
    try {
        searchOnDevice(operations, compared);
        matchOnDevice(operations, compared, cancel);
    } catch (const InputError&) {
        // measureSample() computes the comparisons that the device has skipped.
    } catch (const OutOfDeviceMemory&) {
    }
    return comparisons;
}

MeasuredSample measureSample(FittedSample fitted, const MeasureOptions& options,
                             MeshOperations* operations, SampleComparisons comparisons) {
    MeasuredSample measured{std::move(fitted.loaded), std::move(fitted.reconstruction),
                            std::move(fitted.fit)};
    if (!measured.loaded.truth.points.empty()) {
        try {
            TruthMeasures measures =
                compareWithTruth(measured.reconstruction, measured.loaded.truth, options,
                                 operations, std::move(comparisons));
            measured.evaluation = std::move(measures.evaluation);
            measured.scores = std::move(measures.scores);
            measured.distances = std::move(measures.distances);
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
                          photographsOf(measured, options.cancel), options.threads, options.cancel);
    return measured;
}

}  // namespace threefold
