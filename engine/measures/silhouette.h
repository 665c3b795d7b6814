#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "engine/measures/by_mesh.h"
#include "engine/views/mask.h"

namespace threefold {

/// Distance between two outlines, in pixels of their masks, between pixel centres. An outline pixel
/// is inside, and at least one of its four neighbours is outside. The image's border is no part of
/// an outline.
struct OutlineDistance {
    double mean = 0;       ///< mean of the two one-sided mean distances
    double hausdorff = 0;  ///< Hausdorff distance: the maximum distance to the other outline
};

/// Agreement of two silhouettes.
struct SilhouetteScore {
    double overlap = 0;  ///< intersection over union, 0…1; 1 if both are empty
    /// nullopt if a mask has no outline: it is empty or fills the image.
    std::optional<OutlineDistance> outlineDistance;
};

/// Compares two masks symmetrically. Pixels unknown in either mask do not count. Throws InputError
/// if sizes differ.
SilhouetteScore compareMasks(const Mask& one, const Mask& other);
/// Computes only SilhouetteScore::overlap, which is much faster.
double maskOverlap(const Mask& one, const Mask& other);

/// Fraction of the mask's pixels that a rendered mesh leaves uncovered, 0…1; 0 for an empty mask.
/// Pixels unknown in either mask do not count. Throws InputError if sizes differ.
double uncoveredFraction(const Mask& mask, const Mask& rendered);

/// Scores of a sample's silhouettes against one input photograph. Needs no truth.
struct ViewSilhouetteScores {
    int view = 0;
    /// Scores by mesh, in pixels of the photograph; empty if the photograph's foreground is unknown
    /// (foregroundOf()).
    ByMesh<SilhouetteScore> meshes = {};
};

/// Means over the views that have a score.
struct SilhouetteMeans {
    std::size_t viewCount = 0;  ///< views with a score
    double overlap = 0;         ///< intersection over union, 0…1
    /// Mean outline distance in pixels of the photographs; nullopt if no view has a distance.
    std::optional<double> outlineDistance;
};
/// Means of one mesh; nullopt if no view has a score. Views without an outline distance count for
/// the overlap only.
std::optional<SilhouetteMeans> meansOf(std::span<const ViewSilhouetteScores> views,
                                       std::string_view mesh);

/// Means of each mesh over the photographs; empty if no view has a score.
struct MeansByMesh : ByMesh<SilhouetteMeans> {
    /// Whether stage 2 made the mesh worse: the refined overlap is smaller than the coarse.
    bool regressed() const { return result().overlap < first().overlap; }
};
MeansByMesh meansOf(std::span<const ViewSilhouetteScores> views);

}  // namespace threefold
