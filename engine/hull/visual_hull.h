#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/mesh.h"
#include "engine/views/left_out_view.h"
#include "engine/views/masked_view.h"

namespace threefold {

/// Vertices of a hull: default and minimum.
inline constexpr std::size_t kDefaultHullVertices = 10'000;
inline constexpr std::size_t kMinHullVertices = 100;

/// Options of visualHull().
struct HullOptions {
    /// Desired number of vertices, at least kMinHullVertices. The mesh has this number within 10 %,
    /// unless parts need more vertices to keep their topology.
    std::size_t vertexCount = kDefaultHullVertices;
    std::stop_token cancel;
    int threads = 0;  ///< 0: all available
    /// A mesh of the object in world space, with faces, or null. Its hollows (hull::Hollows) are
    /// carved out of the hull, unless the overlap with the masks suffers.
    const Mesh* meshWithHollows = nullptr;
};

/// Result of visualHull().
struct HullResult {
    Mesh mesh;  ///< world space; closed, oriented, 2-manifold, of any genus
    /// The mesh before hollows were carved; empty if HullOptions::meshWithHollows is null.
    Mesh meshWithoutHollows;
    std::vector<LeftOutView> leftOut;
    /// A sentence for each mask that holds more than the object, and one if the hollows contradict
    /// the masks and were not carved.
    std::vector<std::string> notes;
    /// Maximum number of silhouettes that a point of the mesh lies outside of.
    std::size_t toleratedCount = 0;
    /// Height of the base, world y (hull::baseHeight()); nullopt: no view sees the hull.
    std::optional<double> baseHeight;
    double milliseconds = 0;
};

/// Computes the visual hull: the largest shape within ±0.6 of the origin that lies in all
/// silhouettes (METHOD.md §7b). The result does not depend on the number of threads.
/// - Leaves out views whose mask is unknown, empty or full; views whose mask lacks a part of the
///   object (findContradictingSilhouettes()); and views that contradict the hull of the others.
/// - Where the remaining masks contradict each other, points may lie outside of as many silhouettes
///   as needed, up to one in eight.
/// - A mask that touches the picture's border says nothing about the outside of the picture.
/// - The part below the estimated base of the object is cut off (hull::baseHeight()).
/// - Pieces below 0.0003 of the largest piece's volume are dropped.
///
/// Throws InputError for fewer than two usable masks, a mask that is not square, an empty hull, a
/// camera with a value that is not finite or a zoom of 0 or less, or options with fewer than 100
/// vertices; Cancelled, soon after the request.
HullResult visualHull(std::span<const MaskedView> views, const HullOptions& options);

}  // namespace threefold
