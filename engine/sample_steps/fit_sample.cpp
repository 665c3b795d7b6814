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
    SurfaceFitOptions options{input.options};
    options.photometric = input.fit.photometric;
    options.vertices = input.fit.vertices;
    PhotoFit fit = fitFromHull({.referenceCamera = input.referenceCamera,
                                .photographs = photographs,
                                .source = input.fit.source,
                                .useDepth = mayUseDepth(input.sample, input.fit.source),
                                .options = options,
                                .device = input.device,
                                .progress = input.hullProgress},
                               reconstruction,
                               fitReconstruction(reconstruction, input.referenceCamera, photographs,
                                                 options, input.device));
    std::ranges::copy(input.views.notes, std::back_inserter(fit.result.notes));
    return fit;
}

FittedSample fitSample(ReconstructedSample reconstructed, const SampleFitOptions& options,
                       MeshOperations* device) {
    FittedSample fitted{std::move(reconstructed.loaded), std::move(reconstructed.reconstruction)};
    const Sample& sample = *fitted.loaded.sample;
    const std::optional<ResolvedFit> request =
        options.request ? resolveFit(sample, *options.request) : std::nullopt;
    if (!request) return fitted;
    SampleFit& fit = fitted.fit.emplace(SampleFit{*request, {}});
    try {
        fit.views = viewsToFit(sample, fitted.loaded.views, request->views);
        fit.photographs = options.readPhotos
                              ? options.readPhotos(fit.views)
                              : std::make_shared<const std::vector<MaskedView>>(loadMaskedViews(
                                    sample, fit.views, readViewPhoto, options.cancel,
                                    needsPhotographs(sample, *request)));
        const RepairedViews loaded =
            withRepairedMasks(sample, std::move(fit.photographs), options.threads, options.cancel);
        fit.photographs = loaded.views;
        FitOptions fitOptions;
        fitOptions.cancel = options.cancel;
        fitOptions.threads = options.threads;
        fitOptions.progress = options.progress;
        PhotoFit photoFit = fitToPhotos({.sample = sample,
                                         .fit = *request,
                                         .referenceCamera = fitted.loaded.input.cameras.front(),
                                         .views = loaded,
                                         .options = fitOptions,
                                         .device = device,
                                         .hullProgress = options.hullProgress},
                                        fitted.reconstruction);
        fitted.reconstruction.fitted = std::move(photoFit.mesh);
        fit.result = std::move(photoFit.result);
        fit.hullResult = std::move(photoFit.hullResult);
    } catch (const DeviceError&) {
        throw;
    } catch (const Error& error) {
        fit.problem = error.report();
    }
    return fitted;
}

}  // namespace threefold
