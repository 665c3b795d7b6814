#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/fitting/fit_mesh.h"
#include "engine/mesh.h"
#include "engine/sample_steps/fit_source.h"
#include "engine/stereo/depth_surface.h"

namespace threefold {

/// Depth maps of a fit's photographs, and whether the fit used them. If so, FittedMesh::mesh is the
/// mesh moved to the depths.
struct DepthResult {
    std::string problem = {};        ///< why the depths are not used; empty: they are
    double sureFraction = 0;         ///< DepthSurface::sureFraction
    double strongFraction = 0;       ///< DepthSurface::strongFraction
    std::vector<ViewDepthMap> maps;  ///< DepthSurface::maps, with the sample's view numbers
    std::vector<StepTime> times;     ///< DepthSurface::times
    double milliseconds = 0;
};

/// The part of a fit that began with the photographs' hull.
struct HullFit {
    Mesh hull;  ///< before depths moved it; in the reference view's space
    std::optional<DepthResult> depth = {};  ///< nullopt: not computed

    /// Whether depths moved the hull to the fitted mesh.
    bool depthUsed() const { return depth && depth->problem.empty(); }
};

/// A mesh fitted to photographs, with the results of its fit: the result of fitReconstruction(),
/// of fitFromHull() and of fitToPhotos().
struct FittedMesh {
    Mesh mesh;         ///< in the reference view's space; its vertices are `result.vertices`
    FitResult result;  ///< of all photographs
    std::vector<std::string> notes = {};  ///< remarks of all steps, a sentence each
    std::optional<HullFit> hullFit = {};  ///< nullopt: the mesh is the network's, fitted
    /// Sentence that names the surface that FitSource::automatic chose, with the reason; empty
    /// without a choice.
    std::string choiceReason = {};
};

/// The origin of a fitted mesh: network, hull or depth.
inline FitSource sourceOf(const std::optional<HullFit>& hullFit) {
    if (!hullFit) return FitSource::network;
    return hullFit->depthUsed() ? FitSource::depth : FitSource::hull;
}

}  // namespace threefold
