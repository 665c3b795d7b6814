#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/mesh_operations/mesh_operations.h"
#include "engine/network/reconstruction.h"
#include "engine/sample_steps/fitted_mesh.h"
#include "engine/views/camera.h"

namespace threefold {

/// Fits the network's result. While the mesh has less than half of `vertices`, each face is split
/// in four and the fit continues, without calls of the progress function; 0 `vertices` keep the
/// refined mesh's number. A fit that agrees less with the photographs' outlines than before, in
/// overlap or distance, is discarded: the fitted mesh is the network's result, and a note says so.
/// `referenceCamera`: the reference view's camera. `operations`: computes the fit; null: the
/// processor. Throws as MeshOperations::fit() does.
FittedMesh fitReconstruction(const Reconstruction& reconstruction, const Camera& referenceCamera,
                             std::span<const MaskedView> views, const FitOptions& options,
                             std::size_t vertices = 0, MeshOperations* operations = nullptr);

/// Joins the agreements of two successive fits: `before` from `first` and `after` from `later`, for
/// the views that both have, in the order of `first`.
std::vector<FitAgreement> joinedAgreements(std::span<const FitAgreement> first,
                                           std::span<const FitAgreement> later);

/// The views that the fit used (FitResult::agreements).
std::vector<MaskedView> fittedViews(std::span<const MaskedView> views, const FitResult& fit);

}  // namespace threefold
