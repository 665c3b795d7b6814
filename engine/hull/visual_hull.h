#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/mesh.h"
#include "engine/views/masked_view.h"

namespace threefold {

inline constexpr std::size_t kHullVertices = 10'000;
inline constexpr std::size_t kFewestHullVertices = 100;

struct HullOptions {
    std::size_t vertices = kHullVertices;  ///< at least kFewestHullVertices; kept within 10 %
    std::stop_token cancel;
    int threads = 0;  ///< 0: all that the process may use
    /// A mesh of the object in world space, with faces, or null: hull::Hollows takes away from the
    /// hull what lies before it, unless that costs some of the overlap with the masks.
    const Mesh* inner = nullptr;
};

struct HullResult {
    Mesh mesh;                       ///< world space; closed, oriented, 2-manifold, of any genus
    std::vector<int> leftOut;        ///< views that the mesh does not follow, by their numbers
    std::vector<std::string> notes;  ///< a line on each of these: "view 3: empty mask"
    std::size_t tolerated = 0;       ///< silhouettes that a point of the mesh may lie outside of
    double milliseconds = 0;
};

/// The views' visual hull: the largest shape within ±0.6 of the origin that lies in all silhouettes
/// (METHOD.md §7b). Where masks contradict each other, points may lie outside of as many as it
/// takes, up to one in eight. A mask that touches the picture's border says nothing about what lies
/// beyond it. Masks that are unknown, empty or full are left out, as is one that contradicts the
/// hull of the others. Pieces below 0.0003 of the largest piece's volume are dropped. The result
/// is the same with any number of threads.
///
/// Throws InputError: fewer than two usable masks, one that is not square, nothing left to carve, a
/// camera that is not finite or without zoom, fewer than 100 vertices; Cancelled, within 100 ms of
/// the request.
HullResult visualHull(std::span<const MaskedView> views, const HullOptions& options);

}  // namespace threefold
