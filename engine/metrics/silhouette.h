#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "engine/mesh.h"
#include "engine/metrics/by_mesh.h"
#include "engine/views/camera.h"
#include "engine/views/foreground.h"

namespace threefold {

/// The pixels whose centres a mesh covers in the view of `to`; its vertices are in the space of
/// `from` (Camera{}: the world). The image shows all of the 224×224 projection (METHOD.md §2),
/// width and height each for itself, as preprocess() resizes it. Throws InputError: no faces, a
/// face without its vertices, coordinates that are not finite, a size that cannot be drawn.
Mask maskOf(const Points& vertices, const Faces& faces, const Camera& from, const Camera& to,
            int width, int height);

/// Distance between two outlines, in pixels of their masks, measured between pixel centres. Outline
/// pixels are inside and have a neighbour to the side, above or below that is outside. Where an
/// object leaves the image it has no outline.
struct OutlineDistance {
    double mean = 0;  ///< mean of the two one-sided mean distances
    double most = 0;  ///< Hausdorff distance: the largest distance to the other outline
};

struct SilhouetteScore {
    double overlap = 0;  ///< intersection over union, 0…1; 1 where both are empty
    /// None where one of them has no outline: an empty mask, or one that fills the image.
    std::optional<OutlineDistance> distance;
};

/// Symmetric. What either does not know counts in neither. Throws InputError: sizes differ.
SilhouetteScore compareMasks(const Mask& one, const Mask& other);
/// SilhouetteScore::overlap alone, which takes a small part of the time.
double maskOverlap(const Mask& one, const Mask& other);

/// Silhouettes of a sample's meshes compared with one input photograph. Needs no truth.
struct ViewSilhouettes {
    int view = 0;
    /// At the photograph's size. None where its foreground is unknown (foregroundOf()).
    ByMesh<SilhouetteScore> meshes = {};
};

/// Means over the views that have a score.
struct SilhouetteMeans {
    std::size_t views = 0;  ///< number of views with a score
    double overlap = 0;     ///< intersection over union, 0…1
    /// Between the outlines, in pixels of the photographs; none where no view has one.
    std::optional<double> distance;
};
/// Means of one mesh. None where no view has a score; views whose outlines have no distance count
/// for the overlap alone.
std::optional<SilhouetteMeans> meansOf(std::span<const ViewSilhouettes> views,
                                       std::string_view mesh);

/// Means of each mesh over the same photographs; empty where no view has a score.
struct MeansByMesh : ByMesh<SilhouetteMeans> {
    /// Whether the network's second stage made the mesh worse: its overlap is smaller.
    bool regressed() const { return result().overlap < first().overlap; }
};
MeansByMesh meansOf(std::span<const ViewSilhouettes> views);

}  // namespace threefold
