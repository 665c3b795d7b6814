#pragma once

#include <span>

#include "engine/fitting/fit_mesh.h"
#include "engine/network/mesh_operations.h"
#include "engine/network/reconstruction.h"
#include "engine/views/camera.h"

namespace threefold {

/// Fits the refined mesh and stores it in `reconstruction.fitted`; all else stays. While it
/// has less than half of `options.vertices`, each face is split in four and the mesh fitted on:
/// `fittedFaces` are then its own, and options.progress has ended. A fit with which the
/// photographs' outlines agree less than before, in overlap or distance, is not taken: the fitted
/// mesh is the refined one, and a note says so. `space`: the reference view's camera. `device`:
/// computes the fit; null: the processor. Throws as MeshOperations::fit().
FitResult fitReconstruction(Reconstruction& reconstruction, const Camera& space,
                            std::span<const MaskedView> views, const FitOptions& options,
                            MeshOperations* device = nullptr);

}  // namespace threefold
