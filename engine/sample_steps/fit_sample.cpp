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

ViewsFit fitToPhotos(const ViewsFitInput& request, Reconstruction& reconstruction) {
    const std::vector<MaskedView>& photographs = *request.views.views;
    SurfaceFitOptions options{request.options};
    options.photometric = request.fit.photometric;
    options.vertices = request.fit.vertices;
    ViewsFit fit{fitReconstruction(reconstruction, request.referenceCamera, photographs, options,
                                   request.device)};
    fit.hullResult = fitFromHull({.referenceCamera = request.referenceCamera,
                                  .photographs = photographs,
                                  .source = request.fit.source,
                                  .useDepth = mayUseDepth(request.sample, request.fit.source),
                                  .options = options,
                                  .device = request.device,
                                  .progress = request.hullProgress},
                                 reconstruction, fit.result);
    std::ranges::copy(request.views.notes, std::back_inserter(fit.result.notes));
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
        ViewsFit photosFit = fitToPhotos({.sample = sample,
                                          .fit = *request,
                                          .referenceCamera = fitted.loaded.input.cameras.front(),
                                          .views = loaded,
                                          .options = fitOptions,
                                          .device = device,
                                          .hullProgress = options.hullProgress},
                                         fitted.reconstruction);
        fit.result = std::move(photosFit.result);
        fit.hullResult = std::move(photosFit.hullResult);
    } catch (const DeviceError&) {
        throw;
    } catch (const Error& error) {
        fit.problem = error.report();
    }
    return fitted;
}

}  // namespace threefold
