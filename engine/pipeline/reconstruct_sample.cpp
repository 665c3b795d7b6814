#include "engine/pipeline/reconstruct_sample.h"

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>

#include "engine/formats/pictures/photograph.h"
#include "engine/network/device_error.h"
#include "engine/pipeline/hull_sample.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

/// Stores an error about the truth in the job and continues without a truth, unless truths are
/// strict.
template <class Step>
void tryTruth(SampleJob& job, const RouteOptions& options, const Step& step) {
    try {
        step();
    } catch (const DeviceError&) {
        throw;
    } catch (const Error& error) {
        if (options.strictTruth) throw;
        job.truth = {};
        job.truthProblem = error.report();
    }
}

/// The views' masks. Those of views that were resampled for the network are finer than its
/// pictures; one that cannot be read, which the network's pictures could, has none.
std::vector<FitView> photographsOf(const SampleJob& job, const RouteOptions& options) {
    const std::vector<FitView> none;
    const std::vector<FitView>& fitted = job.fitPhotographs ? *job.fitPhotographs : none;
    std::vector<FitView> views;
    std::vector<int> missing;
    for (std::size_t i = 0; i < job.views.size(); ++i) {
        FitView view{job.views[i], job.input.cameras[i], std::nullopt};
        const auto known = std::ranges::find(fitted, view.view, &FitView::view);
        const auto index = static_cast<std::size_t>(view.view);
        if (!job.sample->photos && isAsTrained(job.sample->cameraRows[index]))
            view.mask = foregroundOf(job.input.images[i]);
        else if (known != fitted.end())
            view.mask = known->mask;
        else
            missing.push_back(view.view);
        views.push_back(std::move(view));
    }
    if (missing.empty()) return views;
    try {
        for (FitView& each : loadFitViews(*job.sample, missing, readViewPhotograph, options.cancel))
            std::ranges::find(views, each.view, &FitView::view)->mask = std::move(each.mask);
    } catch (const Error&) {
        // None of them: their silhouettes are not measured.
    }
    return views;
}

std::vector<MeshComparison> comparisonsOf(const SampleJob& job, const Reconstruction& meshes,
                                          const RouteOptions& options) {
    std::vector<MeshComparison> comparisons;
    for (const ScoreOptions& scoring : options.scoring)
        comparisons.push_back(compareMeshes(meshes, PreparedTruth(shapeOf(job.truth), scoring)));
    return comparisons;
}

/// What the device has no room for, the processor searches.
NearestFunction nearestOn(Backend* device) {
    if (device == nullptr) return {};
    return [device](std::span<const CloudPair> pairs) {
        try {
            return device->nearest(pairs);
        } catch (const OutOfDeviceMemory&) {
            return nearestBothWays(pairs);
        }
    };
}

void searchOnDevice(Backend& device, std::span<ComparedClouds* const> compared) {
    std::vector<CloudPair> pairs;
    for (const ComparedClouds* each : compared) pairs.push_back(each->clouds);
    NearestBatch found = device.nearest(pairs);
    for (std::size_t i = 0; i < compared.size(); ++i)
        compared[i]->nearest = std::move(found.pairs[i]);
}

void matchOnDevice(Backend& device, std::span<ComparedClouds* const> compared,
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

}  // namespace

void readTruth(SampleJob& job, const RouteOptions& options) {
    if (!options.truthRequired && job.sample->groundTruth.empty()) return;
    tryTruth(job, options, [&] {
        job.truth = loadGroundTruth(*job.sample, job.views.front());
        if (options.truthPoints > 0) keepPoints(job.truth, options.truthPoints);
    });
}

void readSample(SampleJob& job, const RouteOptions& options) {
    readTruth(job, options);
    const Sample& sample = *job.sample;
    job.begun = std::chrono::steady_clock::now();
    const Stopwatch watch;
    job.input = loadViews(sample, job.views, options.read);
    job.loadMilliseconds = watch.milliseconds();
}

void fitSample(SampleJob& job, const RouteOptions& options, Backend* backend) {
    const Sample& sample = *job.sample;
    if (options.fit) job.fitAsked = fitViewsFor(sample, *options.fit);
    if (!job.fitAsked) return;
    try {
        job.fitViews = viewsToFit(sample, job.views, *job.fitAsked);
        job.fitPhotographs = options.fitRead
                                 ? options.fitRead(job.fitViews)
                                 : std::make_shared<const std::vector<FitView>>(loadFitViews(
                                       sample, job.fitViews, readViewPhotograph, options.cancel,
                                       needsPhotographs(sample, *job.fitAsked)));
        FitOptions fit;
        fit.cancel = options.cancel;
        fit.colour = job.fitAsked->colour;
        fit.threads = options.fitThreads;
        fit.vertices = job.fitAsked->vertices;
        fit.progress = options.fitProgress;
        job.fit = fitReconstruction(job.reconstruction, job.input.cameras.front(),
                                    *job.fitPhotographs, fit, backend);
        job.surface =
            fitFromHull(job.reconstruction, job.input.cameras.front(), *job.fitPhotographs,
                        job.fitAsked->from, fit, backend, *job.fit, options.surfaceProgress);
    } catch (const DeviceError&) {
        throw;
    } catch (const Error& error) {
        job.fitProblem = error.report();
    }
}

void compareOnDevice(Backend& device, std::span<SampleJob> jobs,
                     std::span<const Reconstruction> meshes, const RouteOptions& options,
                     const std::stop_token& cancel) {
    const Stopwatch watch;
    std::vector<ComparedClouds*> compared;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        SampleJob& job = jobs[i];
        job.comparisons.clear();
        if (job.truth.points.empty()) continue;
        try {
            job.comparisons = comparisonsOf(job, meshes[i], options);
        } catch (const InputError&) {
            continue;  // measureSample() says so
        }
        for (MeshComparison& each : job.comparisons)
            compared.insert(compared.end(), {&each.coarse, &each.refined});
    }
    try {
        searchOnDevice(device, compared);
        matchOnDevice(device, compared, cancel);
    } catch (const InputError&) {
    } catch (const OutOfDeviceMemory&) {
    }
    const double each = watch.milliseconds() / static_cast<double>(jobs.size());
    for (SampleJob& job : jobs) job.record.times.metrics = each;
}

void measureSample(SampleJob& job, const RouteOptions& options, Backend* device) {
    if (!job.truth.points.empty()) {
        tryTruth(job, options, [&] {
            if (options.scoring.empty())
                job.evaluation = evaluate(job.reconstruction, job.truth, kTau, nearestOn(device));
            if (job.comparisons.empty())
                job.comparisons = comparisonsOf(job, job.reconstruction, options);
            for (const MeshComparison& comparison : job.comparisons)
                job.record.scores.push_back(scorePair(job.reconstruction, comparison));
        });
    }
    if (options.silhouettes)
        job.record.silhouettes = silhouettesOf(job.reconstruction, job.input.cameras.front(),
                                               photographsOf(job, options));
}

void finishSample(SampleJob& job, const RouteOptions& options, PartClock& clock) {
    SampleRecord& record = job.record;
    if (options.fit && fitViewsFor(*job.sample, *options.fit)) {
        const auto step = clock.step(PipelinePart::fit);
        fitSample(job, options);
        record.times.fit = step.milliseconds();
        if (job.fitProblem)
            record.fitNote = fmt::format("not fitted: {}", Error(*job.fitProblem).what());
        else if (!job.fit->notes.empty())
            record.fitNote = fmt::format("{}", fmt::join(job.fit->notes, "; "));
        if (!job.reconstruction.fitted.empty()) {
            RecordSurface& made = record.surface.emplace();
            made.from = surfaceName(surfaceFrom(job.surface));
            if (job.surface && job.surface->depth) {
                made.sure = job.surface->depth->sure;
                made.depth = job.surface->depth->milliseconds;
            }
        }
    }
    const auto step = clock.step(PipelinePart::measure);
    measureSample(job, options);
    record.times.metrics += step.milliseconds();
}

void reconstructSample(Backend& backend, SampleJob& job, const RouteOptions& options) {
    readSample(job, options);
    RunOptions run;
    run.cancel = options.cancel;
    run.progress = options.progress;
    if (options.coarse) run.coarse = [&](const auto& soFar) { options.coarse(job, soFar); };
    job.reconstruction = backend.reconstruct(job.input, run);
    if (options.cancel.stop_requested()) throw Cancelled();
    Reconstruction& made = job.reconstruction;
    made.begun = job.begun;
    made.timings.insert(made.timings.begin(), {Stage::load, job.loadMilliseconds});
    fitSample(job, options, &backend);
    measureSample(job, options, &backend);
}

}  // namespace threefold
