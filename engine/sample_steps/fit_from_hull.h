#pragma once

#include <functional>
#include <span>

#include "engine/hull/visual_hull.h"
#include "engine/mesh_operations/mesh_operations.h"
#include "engine/network/reconstruction.h"
#include "engine/sample_steps/fit_request.h"
#include "engine/sample_steps/fitted_mesh.h"

namespace threefold {

/// Progress callbacks of fitFromHull(). Each may be empty and must return quickly.
struct HullFitProgress {
    std::function<void()> onHull = {};                  ///< computation of the hull begins
    std::function<void(double fraction)> onDepth = {};  ///< DepthOptions::progress
    /// DepthOptions::onMap, by view number.
    std::function<void(const ViewDepthMap& depths)> onMap = {};
};

/// Loaded photographs of a sample, and how to fit to them. The referenced objects must outlive it.
struct PhotoFitInput {
    const Sample& sample;  ///< for mayUseDepth()
    const ResolvedFit& fit;
    const Camera& referenceCamera;  ///< the reference view's camera: meshes are in its space
    std::span<const MaskedView> photographs;
    /// Threads, cancel and progress; `photometric` follows from `fit`.
    const FitOptions& options;
    MeshOperations* operations = nullptr;  ///< computes fits; null: the processor
    HullFitProgress hullProgress = {};

    /// `options`, with `photometric`.
    FitOptions fitOptions() const;
};

/// Replaces the network's fitted mesh by the photographs' visual hull, of any topology, depending
/// on the source of `input.fit` (METHOD.md §7b). `networkFit`: result of fitReconstruction() for
/// `reconstruction` and `input.photographs`.
///
/// - hull: with the hollows of the fitted mesh. hullWithoutHollows: without.
/// - depth: like hull, then moved to where the photographs agree (depthSurface()).
/// - automatic: network, unless at least kMinViewsForHull photographs were used and the hull of two
///   thirds of the photographs overlaps the masks of the other third no more than 0.02 worse than
///   the network's mesh; then like depth if mayUseDepth(), else like hull.
/// - network: keeps the network's fitted mesh.
///
/// If the hull cannot be computed, the network's fitted mesh stays, and a note says why. Throws as
/// fitReconstruction() does.
FittedMesh fitFromHull(const PhotoFitInput& input, const Reconstruction& reconstruction,
                       FittedMesh networkFit);

}  // namespace threefold
