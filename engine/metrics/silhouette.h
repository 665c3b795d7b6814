#pragma once

#include <optional>

#include "engine/mesh.h"
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

/// Symmetric in its arguments. Throws InputError where the sizes differ.
SilhouetteScore compareMasks(const Mask& one, const Mask& other);

}  // namespace threefold
