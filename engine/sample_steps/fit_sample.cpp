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

FittedMesh fitToPhotos(const PhotoFitInput& input, const Reconstruction& reconstruction) {
    return fitFromHull(input, reconstruction,
                       fitReconstruction(reconstruction, input.referenceCamera, input.photographs,
                                         input.fitOptions(), input.fit.vertices, input.operations));
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
        RepairedViews loaded =
            withRepairedMasks(sample, std::move(fit.photographs), options.threads, options.cancel);
        fit.photographs = loaded.views;
        FitOptions fitOptions;
        fitOptions.cancel = options.cancel;
        fitOptions.threads = options.threads;
        fitOptions.progress = options.progress;
        FittedMesh fittedMesh = fitToPhotos({.sample = sample,
                                             .fit = resolved,
                                             .referenceCamera = fitted.loaded.input.cameras.front(),
                                             .photographs = *loaded.views,
                                             .options = fitOptions,
                                             .operations = operations,
                                             .hullProgress = options.hullProgress},
                                            fitted.reconstruction.network);
        fitted.reconstruction.fitted = std::move(fittedMesh.mesh);
        fit.result = std::move(fittedMesh.result);
        fit.notes = std::move(fittedMesh.notes);
        std::ranges::move(loaded.notes, std::back_inserter(fit.notes));
        fit.hullFit = std::move(fittedMesh.hullFit);
        fit.choiceReason = std::move(fittedMesh.choiceReason);
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
