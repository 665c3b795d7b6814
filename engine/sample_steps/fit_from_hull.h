#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/hull/visual_hull.h"
#include "engine/mesh.h"
#include "engine/mesh_operations/mesh_operations.h"
#include "engine/network/reconstruction.h"
#include "engine/sample_steps/fit_reconstruction.h"
#include "engine/sample_steps/fit_request.h"
#include "engine/stereo/depth_surface.h"

namespace threefold {

/// Depth maps of a fit's photographs, and whether the fit used them. If so, PhotoFit::mesh is the
/// mesh moved to the depths.
struct DepthResult {
    std::string problem = {};        ///< why the depths are not used; empty: they are
    double sureFraction = 0;         ///< DepthSurface::sureFraction
    double strongFraction = 0;       ///< DepthSurface::strongFraction
    std::vector<ViewDepthMap> maps;  ///< DepthSurface::maps, with the sample's view numbers
    std::vector<StepTime> times;     ///< DepthSurface::times
    double milliseconds = 0;
};

/// A mesh fitted from the photographs' hull, with the results of its steps. Meshes are in the
/// reference view's space.
struct HullFit {
    Mesh hull;                              ///< the visual hull before it was moved to the depths
    std::optional<DepthResult> depth = {};  ///< nullopt: not computed

    /// Whether depths moved the hull to the fitted mesh.
    bool depthUsed() const { return depth && depth->problem.empty(); }
};

/// The hull of a fit, and the choice between it and the network's mesh.
struct HullFitResult {
    std::optional<HullFit> hullFit = {};  ///< nullopt: the network's mesh stays
    /// Sentence that names the surface that FitSource::automatic chose, with the reason; empty
    /// without a choice.
    std::string choiceReason = {};
};

/// Result of fitFromHull(): a mesh fitted to photographs, with the results of all its steps.
struct PhotoFit {
    Mesh mesh;                            ///< in the reference view's space
    FitResult result;                     ///< its vertices are those of `mesh`
    std::vector<std::string> notes = {};  ///< remarks of all steps, a sentence each
    HullFitResult hullResult = {};        ///< empty: no hull was computed
};

/// The origin of a fitted mesh: network, hull or depth.
FitSource sourceOf(const std::optional<HullFit>& fit);

/// Progress callbacks of fitFromHull(). Each may be empty and must return quickly.
struct HullFitProgress {
    std::function<void()> onHull = {};                  ///< computation of the hull begins
    std::function<void(double fraction)> onDepth = {};  ///< DepthOptions::progress
    /// DepthOptions::onMap, by view number.
    std::function<void(const ViewDepthMap& depths)> onMap = {};
};

/// Input of fitFromHull(): photographs of a sample and options. The referenced objects must outlive
/// it.
struct HullFitInput {
    /// The reference view's camera: the fitted mesh is in its space.
    const Camera& referenceCamera;
    std::span<const MaskedView> photographs;
    FitSource source;
    bool useDepth;  ///< mayUseDepth()
    /// `vertices`: approximate number for the hull; 0: kDefaultHullVertices.
    const SurfaceFitOptions& options;
    MeshOperations* operations = nullptr;  ///< computes fits; null: the processor
    HullFitProgress progress = {};
};

/// Replaces the network's fitted mesh by the photographs' visual hull, of any topology, depending
/// on `input.source` (METHOD.md §7b). `networkFit`: result of fitReconstruction() for
/// `reconstruction` and `input.photographs`.
///
/// - hull: with the hollows of the fitted mesh. hullWithoutHollows: without.
/// - depth: like hull, then moved to where the photographs agree (depthSurface()).
/// - automatic: network, unless at least kMinViewsForHull photographs were used and the hull of two
///   thirds of the photographs overlaps the masks of the other third no more than 0.02 worse than
///   the network's mesh; then like depth with `input.useDepth`, else like hull.
/// - network: keeps the network's fitted mesh.
///
/// If the hull cannot be computed, the network's fitted mesh stays, and a note says why. Throws as
/// fitReconstruction() does.
PhotoFit fitFromHull(const HullFitInput& input, const Reconstruction& reconstruction,
                     MeshFit networkFit);

}  // namespace threefold
