#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/fitting/fit_mesh.h"
#include "engine/mesh.h"
#include "engine/mesh_operations/mesh_operations.h"
#include "engine/network/reconstruction.h"
#include "engine/views/camera.h"

namespace threefold {

/// Options of fitReconstruction().
struct SurfaceFitOptions {
    FitOptions fit = {};
    /// Vertices of the fitted mesh. 0: as many as the refined mesh has, kDefaultHullVertices for a
    /// hull.
    std::size_t vertices = 0;
};

/// A mesh fitted to photographs, with the record of its fit.
struct MeshFit {
    Mesh mesh;         ///< in the reference view's space; its vertices are `result.vertices`
    FitResult result;  ///< of all photographs
    std::vector<std::string> notes = {};  ///< why the fit was discarded, a sentence
};

/// Fits the network's result. While the mesh has less than half of `options.vertices`, each face is
/// split in four and the fit continues, without calls of the progress function. A fit that agrees
/// less with the photographs' outlines than before, in overlap or distance, is discarded: the
/// fitted mesh is the network's result, and a note says so. `referenceCamera`: the reference view's
/// camera. `operations`: computes the fit; null: the processor. Throws as MeshOperations::fit()
/// does.
MeshFit fitReconstruction(const Reconstruction& reconstruction, const Camera& referenceCamera,
                          std::span<const MaskedView> views, const SurfaceFitOptions& options,
                          MeshOperations* operations = nullptr);

/// Joins the agreements of two successive fits: `before` from `first` and `after` from `later`, for
/// the views that both have, in the order of `first`.
std::vector<FitAgreement> joinedAgreements(std::span<const FitAgreement> first,
                                           std::span<const FitAgreement> later);

/// The views that the fit used (FitResult::agreements).
std::vector<MaskedView> fittedViews(std::span<const MaskedView> views, const FitResult& fit);

}  // namespace threefold
