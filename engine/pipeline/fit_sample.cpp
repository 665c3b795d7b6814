#include "engine/pipeline/fit_sample.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/devices/device_error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/pipeline/doubtful_masks.h"
#include "engine/pipeline/fit_reconstruction.h"
#include "engine/pipeline/masked_views.h"

namespace threefold {

FittedSample fitSample(ReconstructedSample reconstructed, const SampleFitOptions& options,
                       MeshOperations* device) {
    FittedSample fitted{std::move(reconstructed.loaded), std::move(reconstructed.reconstruction)};
    const Sample& sample = *fitted.loaded.sample;
    const std::optional<ResolvedFit> request =
        options.request ? resolveFit(sample, *options.request) : std::nullopt;
    if (!request) return fitted;
    SampleFit& fit = fitted.fit.emplace(SampleFit{*request, {}});
    try {
        fit.views = viewsToFit(sample, fitted.loaded.views, *request);
        fit.photographs = options.read
                              ? options.read(fit.views)
                              : std::make_shared<const std::vector<MaskedView>>(loadMaskedViews(
                                    sample, fit.views, readViewPhotograph, options.cancel,
                                    needsPhotographs(sample, *request)));
        LoadedViews loadedViews =
            withRepairedMasks(sample, std::move(fit.photographs), options.threads, options.cancel);
        fit.photographs = std::move(loadedViews.views);
        SurfaceFitOptions fitOptions;
        fitOptions.cancel = options.cancel;
        fitOptions.photometric = request->colour;
        fitOptions.threads = options.threads;
        fitOptions.vertices = request->vertices;
        fitOptions.progress = options.progress;
        const Camera& space = fitted.loaded.input.cameras.front();
        fit.result =
            fitReconstruction(fitted.reconstruction, space, *fit.photographs, fitOptions, device);
        SurfaceOutcome outcome = fitFromHull({.space = space,
                                              .photographs = *fit.photographs,
                                              .surface = request->surface,
                                              .useDepth = mayUseDepth(sample, request->surface),
                                              .options = fitOptions,
                                              .device = device,
                                              .progress = options.surfaceProgress},
                                             fitted.reconstruction, *fit.result);
        std::ranges::move(loadedViews.notes, std::back_inserter(fit.result->notes));
        fit.surface = std::move(outcome.surface);
        fit.choice = std::move(outcome.choice);
    } catch (const DeviceError&) {
        throw;
    } catch (const Error& error) {
        fit.problem = error.report();
    }
    return fitted;
}

}  // namespace threefold
