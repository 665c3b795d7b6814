#include "engine/pipeline/reconstruct_sample.h"

#include "engine/pipeline/silhouettes.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

/// Stores an error about the truth in the work and continues without a truth, unless truths are
/// strict.
template <class Step>
void tryTruth(SampleWork& work, const RouteOptions& options, const Step& step) {
    try {
        step();
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        if (options.strictTruth) throw;
        work.truth = {};
        work.truthProblem = error.report();
    }
}

void compareWithTruth(SampleWork& work, const RouteOptions& options) {
    if (options.scoring.empty()) {
        work.evaluation = evaluate(work.reconstruction, work.truth);
        return;
    }
    for (const ScoreOptions& scoring : options.scoring) {
        const PreparedTruth truth(shapeOf(work.truth), scoring);
        work.scores.push_back(scorePair(work.reconstruction, truth));
    }
}

}  // namespace

Sample findSample(const SampleRequest& request) {
    Sample sample =
        findSample(request.location, request.imageRoot, request.truthRoot, request.object);
    applyTruthSpace(request.truthSpace, sample);
    return sample;
}

void readTruth(SampleWork& work, const RouteOptions& options) {
    if (!options.truthRequired && work.sample->groundTruth.empty()) return;
    tryTruth(work, options,
             [&] { work.truth = loadGroundTruth(*work.sample, work.views.front()); });
}

void readSample(SampleWork& work, const RouteOptions& options) {
    readTruth(work, options);
    const Sample& sample = *work.sample;
    work.begun = std::chrono::steady_clock::now();
    const Stopwatch watch;
    work.input =
        options.read ? loadViews(sample, work.views, options.read) : loadViews(sample, work.views);
    work.loadMilliseconds = watch.milliseconds();
}

void fitSample(SampleWork& work, const RouteOptions& options, Backend* backend) {
    if (!options.fit) return;
    const auto step = options.step ? options.step("fit") : nullptr;
    try {
        const Sample& sample = *work.sample;
        work.fitViews = viewsToFit(sample, work.views, *options.fit);
        const std::vector<FitView> views = loadFitViews(
            sample, work.fitViews, [](const auto& file) { return readImage(file); }, options.cancel,
            options.fit->colour);
        FitOptions fit;
        fit.cancel = options.cancel;
        fit.colour = options.fit->colour;
        fit.threads = options.fitThreads;
        fit.progress = options.fitProgress;
        work.fit =
            fitReconstruction(work.reconstruction, work.input.cameras.front(), views, fit, backend);
    } catch (const Cancelled&) {
        throw;
    } catch (const DeviceError&) {
        throw;
    } catch (const Error& error) {
        work.fitProblem = error.report();
    }
}

void measureSample(SampleWork& work, const RouteOptions& options) {
    const auto begin = [&](std::string_view step) {
        return options.step ? options.step(step) : nullptr;
    };
    if (!work.truth.points.empty()) {
        const auto step = begin("measure");
        tryTruth(work, options, [&] { compareWithTruth(work, options); });
    }
    if (options.silhouettes) {
        const auto step = begin("silhouettes");
        work.silhouettes = silhouettesOf(work.reconstruction, work.input, work.views);
    }
}

void reconstructSample(Backend& backend, SampleWork& work, const RouteOptions& options) {
    readSample(work, options);
    RunOptions run;
    run.cancel = options.cancel;
    run.progress = options.progress;
    if (options.coarse) run.coarse = [&](const auto& soFar) { options.coarse(work, soFar); };
    work.reconstruction = backend.reconstruct(work.input, run);
    if (options.computed) options.computed();
    if (options.cancel.stop_requested()) throw Cancelled();
    Reconstruction& made = work.reconstruction;
    made.begun = work.begun;
    made.timings.insert(made.timings.begin(), {Stage::load, work.loadMilliseconds});
    fitSample(work, options, &backend);
    measureSample(work, options);
}

}  // namespace threefold
