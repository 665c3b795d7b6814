#pragma once

#include <optional>
#include <span>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample/posed_photos/object_cells.h"

namespace threefold {

struct MaskedPhoto {
    const Photo* photo = nullptr;
    ObjectCells mask;
};

/// A box whose sides are along the rows of `axes`.
struct HullBox {
    glm::dvec3 centre{0.0};
    double diagonal = 0;
};

/// The box around the points that no photograph shows outside its mask, looked for on a grid of 80³
/// points in a cube of `half` to each side of `centre`. A photograph whose mask
/// touches its border says nothing of points outside of it. It contains the object's own and, seen
/// from eight sides, is larger by a tenth at most. None where no point is left, or they reach the
/// cube's border: the photographs do not bound the object.
std::optional<HullBox> visualHullBox(std::span<const MaskedPhoto> photos, glm::dvec3 centre,
                                     double half, const glm::dmat3& axes);

}  // namespace threefold
