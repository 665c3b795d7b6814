#pragma once

#include <optional>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "engine/board/outline.h"

namespace threefold::board {

/// The object's bounding box along the world's axes.
struct ObjectBox {
    glm::dvec3 low{0.0};
    glm::dvec3 high{0.0};

    glm::dvec3 centre() const { return (low + high) / 2.0; }
    double diagonal() const { return glm::length(high - low); }
};

/// Between two bounds for each of its sides: the outlines' hull, which holds the object, and the
/// nearest that the object can end, since each ray through its outline meets it somewhere in the
/// hull. With `standing` it stands on z = 0, and the hull ends there. An outline at its picture's
/// border says nothing about what lies outside. None: fewer than two outlines, or they do not meet.
std::optional<ObjectBox> objectBox(const std::vector<Outline>& outlines, bool standing);

}  // namespace threefold::board
