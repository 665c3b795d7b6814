#include "engine/sample_steps/fit_sample.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/devices/device_error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/masks/contradicting_masks.h"
#include "engine/masks/masked_views.h"
#include "engine/sample_steps/fit_reconstruction.h"

namespace threefold {

PhotoFit fitToPhotos(const PhotoFitInput& input, const Reconstruction& reconstruction) {
    const std::vector<MaskedView>& photographs = *input.views.views;
    SurfaceFitOptions options{.fit = input.options, .vertices = input.fit.vertices};
    options.fit.photometric = input.fit.photometric;
    PhotoFit fit = fitFromHull({.referenceCamera = input.referenceCamera,
                                .photographs = photographs,
                                .source = input.fit.source,
                                .useDepth = mayUseDepth(input.sample, input.fit.source),
                                .options = options,
                                .operations = input.operations,
                                .progress = input.hullProgress},
                               reconstruction,
                               fitReconstruction(reconstruction, input.referenceCamera, photographs,
                                                 options, input.operations));
    std::ranges::copy(input.views.notes, std::back_inserter(fit.notes));
    return fit;
}

FittedSample fitSample(ReconstructedSample reconstructed, const ResolvedFit& resolved,
                       const SampleFitOptions& options, MeshOperations* operations) {
    FittedSample fitted{std::move(reconstructed.loaded), std::move(reconstructed.reconstruction)};
    const Sample& sample = *fitted.loaded.sample;
    SampleFit& fit = fitted.fit.emplace(SampleFit{resolved, {}});
    try {
        fit.views = viewsToFit(sample, fitted.loaded.views, resolved.views);
        fit.photographs = options.readPhotos
                              ? options.readPhotos(fit.views)
                              : std::make_shared<const std::vector<MaskedView>>(loadMaskedViews(
                                    sample, fit.views, readViewPhoto, options.cancel,
                                    needsPhotographs(sample, resolved)));
        const RepairedViews loaded =
            withRepairedMasks(sample, std::move(fit.photographs), options.threads, options.cancel);
        fit.photographs = loaded.views;
        FitOptions fitOptions;
        fitOptions.cancel = options.cancel;
        fitOptions.threads = options.threads;
        fitOptions.progress = options.progress;
        PhotoFit photoFit = fitToPhotos({.sample = sample,
                                         .fit = resolved,
                                         .referenceCamera = fitted.loaded.input.cameras.front(),
                                         .views = loaded,
                                         .options = fitOptions,
                                         .operations = operations,
                                         .hullProgress = options.hullProgress},
                                        fitted.reconstruction.network);
        fitted.reconstruction.fitted = std::move(photoFit.mesh);
        fit.result = std::move(photoFit.result);
        fit.notes = std::move(photoFit.notes);
        fit.hullResult = std::move(photoFit.hullResult);
    } catch (const DeviceError&) {
        throw;
    } catch (const Error& error) {
        fit.problem = error.report();
    }
    return fitted;
}

FittedSample fitIfRequested(ReconstructedSample reconstructed,
                            const std::optional<FitRequest>& request,
                            const SampleFitOptions& options, MeshOperations* operations) {
    const Sample& sample = *reconstructed.loaded.sample;
    const std::optional<ResolvedFit> resolved =
        request ? resolveFit(sample, *request) : std::nullopt;
    if (resolved) return fitSample(std::move(reconstructed), *resolved, options, operations);
    return {std::move(reconstructed.loaded), std::move(reconstructed.reconstruction)};
}

}  // namespace threefold
