#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/error.h"
#include "engine/pipeline/fit_from_hull.h"
#include "engine/pipeline/reconstruct_sample.h"

namespace threefold {

/// The third stage of one sample: the refined mesh, or the photographs' hull, fitted to them.
struct SampleFit {
    FitRequest asked;        ///< as fitRequestFor() settled it
    std::vector<int> views;  ///< of the photographs
    std::shared_ptr<const std::vector<MaskedView>> photographs = {};  ///< the same, as read
    std::optional<FitResult> result = {};                             ///< none: see `problem`
    std::optional<PhotographSurface> surface = {};  ///< where the fitted mesh is made of one
    std::optional<ErrorReport> problem = {};        ///< why there is no fit
};

/// A sample after its third stage.
struct FittedSample {
    LoadedSample loaded;
    Reconstruction reconstruction;
    std::optional<SampleFit> fit = {};  ///< none: not asked for
};

struct SampleFitOptions {
    std::optional<FitRequest> views = {};  ///< settled by fitRequestFor(); none: no third stage
    int threads = 0;                       ///< 0: all that the process may use
    std::stop_token cancel = {};
    /// Of the photographs; empty: loadMaskedViews().
    std::function<std::shared_ptr<const std::vector<MaskedView>>(const std::vector<int>& views)>
        read = {};
    /// As FitOptions::progress.
    std::function<void(const Points& vertices, double done)> progress = {};
    SurfaceProgress surfaceProgress = {};  ///< of fitFromHull()
};

/// Fits the reconstruction to the sample's photographs where `options.views` asks for it. Where
/// none of them can be read, SampleFit::problem gives the reason. `device`: computes the fit;
/// null: the processor. Throws Cancelled, and DeviceError.
FittedSample fitSample(ReconstructedSample made, const SampleFitOptions& options,
                       MeshOperations* device = nullptr);

}  // namespace threefold
