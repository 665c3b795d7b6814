#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/hull/hollows.h"
#include "engine/mesh.h"
#include "engine/silhouettes/silhouette_field.h"

namespace threefold::hull {

/// Silhouettes of views; none is null.
using Silhouettes = std::vector<const SilhouetteField*>;

/// A hull and its agreement with each silhouette, as fractions of pixels.
struct CandidateHull {
    Mesh mesh;                       ///< world space
    std::size_t toleratedCount = 0;  ///< as CarvingOptions::toleratedCount
    std::vector<double> overlap;     ///< intersection over union of mask and mesh; 0 without faces
    std::vector<double> uncovered;   ///< fraction of the mask that the mesh leaves uncovered
    std::optional<double> baseHeight = {};  ///< world y; nullopt: no view sees the hull

    double maxUncovered() const;
    double meanOverlap() const;
};

/// Options of carveHull().
struct CarvingOptions {
    std::size_t vertexCount = 0;            ///< desired number of vertices, met approximately
    std::size_t toleratedCount = 0;         ///< silhouettes that a point may lie outside of
    std::optional<double> baseHeight = {};  ///< nullopt: estimated by hull::baseHeight()
    const Hollows* hollows = nullptr;       ///< hollows to carve; null: none
    float surfaceThickness = 0;             ///< argument of Hollows::depth(), object units
    int threads = 1;
    std::stop_token cancel = {};
};

/// Carves the hull of `silhouettes` (at least one, and more than toleratedCount) and measures its
/// agreement with `compared`, at least one. The result does not depend on the number of threads.
/// Throws Cancelled.
CandidateHull carveHull(const Silhouettes& silhouettes, const Silhouettes& compared,
                        const CarvingOptions& options);

}  // namespace threefold::hull
