#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/masks/contradicting_masks.h"
#include "engine/sample_steps/fit_from_hull.h"
#include "engine/sample_steps/fitted_reconstruction.h"
#include "engine/sample_steps/reconstruct_sample.h"

namespace threefold {

/// Fit of one sample, the third stage: the network's mesh, or the hull, fitted to photographs.
struct SampleFit {
    ResolvedFit resolved = {};    ///< the request, resolved for this sample
    std::vector<int> views = {};  ///< numbers of the photographs
    std::shared_ptr<const std::vector<MaskedView>> photographs = {};  ///< one per entry of `views`
    std::optional<FitResult> result = {};                             ///< nullopt: see `problem`
    std::vector<std::string> notes = {};                              ///< FittedMesh::notes
    std::optional<HullFit> hullFit = {};                              ///< FittedMesh::hullFit
    std::string choiceReason = {};                                    ///< FittedMesh::choiceReason
    std::optional<ErrorReport> problem = {};                          ///< why there is no fit
};

/// Fits `reconstruction` to loaded photographs: fitReconstruction(), then fitFromHull(). Throws the
/// exceptions of these two functions.
FittedMesh fitToPhotos(const PhotoFitInput& input, const Reconstruction& reconstruction);

/// A sample after its third stage.
struct FittedSample {
    LoadedSample loaded = {};
    FittedReconstruction reconstruction = {};
    std::optional<SampleFit> fit = {};  ///< nullopt: not requested
};

/// Options of fitSample().
struct SampleFitOptions {
    int threads = 0;  ///< 0: as many as the process may use
    std::stop_token cancel = {};
    /// Reads the photographs; empty: loadMaskedViews().
    std::function<std::shared_ptr<const std::vector<MaskedView>>(const std::vector<int>& views)>
        readPhotos = {};
    /// FitOptions::progress.
    std::function<void(const Points& vertices, double fraction)> progress = {};
    HullFitProgress hullProgress = {};  ///< callbacks of fitFromHull()
};

/// Fits the reconstruction to the sample's photographs. `resolved`: resolveFit() for this sample.
/// If the fit fails, SampleFit::problem gives the reason. `operations`: computes the fit; null: the
/// processor. Throws Cancelled, and DeviceError.
FittedSample fitSample(ReconstructedSample reconstructed, const ResolvedFit& resolved,
                       const SampleFitOptions& options, MeshOperations* operations = nullptr);
/// fitSample() with the result of resolveFit() for `request`; without a fit if that result is
/// nullopt.
FittedSample fitIfRequested(ReconstructedSample reconstructed,
                            const std::optional<FitRequest>& request,
                            const SampleFitOptions& options, MeshOperations* operations = nullptr);

}  // namespace threefold
