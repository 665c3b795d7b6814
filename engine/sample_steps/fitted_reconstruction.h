#pragma once

#include <optional>
#include <utility>

#include "engine/mesh.h"
#include "engine/network/reconstruction.h"

namespace threefold {

/// The network's meshes of a sample, with the mesh of the third stage. All meshes are in the space
/// of the first chosen view.
struct FittedReconstruction {
    Reconstruction network;
    /// The network's result, or a hull in its place, fitted to photographs; nullopt: no fit was
    /// requested, or the fit failed.
    std::optional<Mesh> fitted = {};

    FittedReconstruction() = default;
    /// Implicit, as a reconstruction without a fit is measured and shown like one with a fit.
    FittedReconstruction(Reconstruction unfitted, std::optional<Mesh> fittedMesh = {})
        : network(std::move(unfitted)), fitted(std::move(fittedMesh)) {}
};

}  // namespace threefold
