#pragma once

#include <functional>
#include <stop_token>

#include "engine/network/backend.h"
#include "engine/network/reconstruction.h"
#include "engine/sample_steps/load_sample.h"

namespace threefold {

/// A sample with the network's meshes.
struct ReconstructedSample {
    LoadedSample loaded;
    Reconstruction reconstruction;
};

/// Options of reconstructSample().
struct ReconstructOptions {
    std::stop_token cancel = {};
    ProgressFunction progress = {};
    /// BatchOptions::onCoarseMesh, with the sample.
    std::function<void(const LoadedSample& loaded, const Reconstruction& partial)> onCoarseMesh =
        {};
};

/// Runs the network. The reconstruction's timings begin with `load`. Throws Cancelled, and as
/// Backend::reconstruct() does.
ReconstructedSample reconstructSample(Backend& backend, LoadedSample loaded,
                                      const ReconstructOptions& options = {});

}  // namespace threefold
