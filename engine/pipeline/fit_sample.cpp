#include "engine/pipeline/fit_sample.h"

#include <utility>

#include "engine/formats/pictures/photograph.h"
#include "engine/network/device_error.h"
#include "engine/pipeline/fit_reconstruction.h"
#include "engine/pipeline/masked_views.h"

namespace threefold {

FittedSample fitSample(ReconstructedSample made, const SampleFitOptions& options,
                       MeshOperations* device) {
    FittedSample fitted{std::move(made.loaded), std::move(made.reconstruction)};
    const Sample& sample = *fitted.loaded.sample;
    const std::optional<FitRequest> asked =
        options.views ? fitRequestFor(sample, *options.views) : std::nullopt;
    if (!asked) return fitted;
    SampleFit& fit = fitted.fit.emplace(SampleFit{*asked, {}});
    try {
        fit.views = viewsToFit(sample, fitted.loaded.views, *asked);
        fit.photographs = options.read
                              ? options.read(fit.views)
                              : std::make_shared<const std::vector<MaskedView>>(loadMaskedViews(
                                    sample, fit.views, readViewPhotograph, options.cancel,
                                    needsPhotographs(sample, *asked)));
        FitOptions how;
        how.cancel = options.cancel;
        how.colour = asked->colour;
        how.threads = options.threads;
        how.vertices = asked->vertices;
        how.progress = options.progress;
        const Camera& space = fitted.loaded.input.cameras.front();
        fit.result = fitReconstruction(fitted.reconstruction, space, *fit.photographs, how, device);
        fit.surface = fitFromHull(fitted.reconstruction, space, *fit.photographs, asked->from, how,
                                  device, *fit.result, options.surfaceProgress);
    } catch (const DeviceError&) {
        throw;
    } catch (const Error& error) {
        fit.problem = error.report();
    }
    return fitted;
}

}  // namespace threefold
