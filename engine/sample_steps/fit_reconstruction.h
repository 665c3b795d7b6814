#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/fitting/fit_mesh.h"
#include "engine/mesh_operations/mesh_operations.h"
#include "engine/network/reconstruction.h"
#include "engine/views/camera.h"

namespace threefold {

/// Options of fitReconstruction().
struct SurfaceFitOptions : FitOptions {
    /// Vertices of the fitted mesh. 0: as many as the refined mesh has, kDefaultHullVertices for a
    /// hull.
    std::size_t vertices = 0;
};

/// Fits the network's result and stores it in `reconstruction.fitted`. While the mesh has less than
/// half of `options.vertices`, each face is split in four and the fit continues, without
/// options.progress. A fit that agrees less with the photographs' outlines than before, in overlap
/// or distance, is discarded: the fitted mesh is the network's result, and a note says so.
/// `referenceCamera`: the reference view's camera. `device`: computes the fit; null: the processor.
/// Throws as MeshOperations::fit() does.
FitResult fitReconstruction(Reconstruction& reconstruction, const Camera& referenceCamera,
                            std::span<const MaskedView> views, const SurfaceFitOptions& options,
                            MeshOperations* device = nullptr);

/// The views that the fit used (FitResult::agreements).
std::vector<MaskedView> fittedViews(std::span<const MaskedView> views, const FitResult& fit);

}  // namespace threefold
