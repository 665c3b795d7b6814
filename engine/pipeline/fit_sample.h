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
    FitViews asked;                                                ///< as fitViewsFor() settled it
    std::vector<int> views;                                        ///< of the photographs
    std::shared_ptr<const std::vector<FitView>> photographs = {};  ///< the same, as read
    std::optional<FitResult> result = {};                          ///< none: see `problem`
    std::optional<PhotographSurface> surface = {};  ///< where the fitted mesh is made of one
    std::optional<ErrorReport> problem = {};        ///< why there is no fit; `refined` stays
};

/// A sample after its third stage.
struct FittedSample {
    LoadedSample loaded;
    Reconstruction reconstruction;
    std::optional<SampleFit> fit = {};  ///< none: not asked for
};

struct SampleFitOptions {
    std::optional<FitViews> views = {};  ///< settled by fitViewsFor(); none: no third stage
    int threads = 0;                     ///< 0: all that the process may use
    std::stop_token cancel = {};
    /// Of the photographs; empty: loadFitViews().
    std::function<std::shared_ptr<const std::vector<FitView>>(const std::vector<int>& views)> read =
        {};
    /// As FitOptions::progress.
    std::function<void(const Points& vertices, double done)> progress = {};
    SurfaceProgress surfaceProgress = {};  ///< of fitFromHull()
};

/// Fits the reconstruction to the sample's photographs where `options.views` asks for it. Where
/// none of them can be read, SampleFit::problem gives the reason. `backend`: computes the fit;
/// null: the processor. Throws Cancelled, and DeviceError.
FittedSample fitSample(ReconstructedSample made, const SampleFitOptions& options,
                       Backend* backend = nullptr);

}  // namespace threefold
