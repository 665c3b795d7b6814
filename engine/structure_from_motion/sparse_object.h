#pragma once

#include <cstddef>
#include <optional>

#include <glm/vec3.hpp>

#include "engine/silhouettes/hull_box.h"
#include "engine/structure_from_motion/sparse_model.h"

namespace threefold::structure_from_motion {

/// Plane that an object stands on, such as a table.
struct SupportPlane {
    glm::dvec3 normal;           ///< of length 1
    std::size_t pointCount = 0;  ///< number of its points
};

/// Object of photographs, as far as a sparse model shows it.
struct SparseObject {
    Box3d box;                                 ///< its lower side is the support, if there is one
    std::optional<SupportPlane> support = {};  ///< nullopt: the object stands on no plane
};

/// Bounds the object that all cameras look at, near `centre`. Uses the points that project into at
/// least 90 % of the photographs, occluded or not. Leaves out a plane that is horizontal to 20°,
/// holds at least a sixth of these points, and reaches beyond the object (a table). Leaves out
/// points outside of the largest connected group, too. The model's z axis must point up, to 20°.
/// nullopt: fewer than 30 points are left. Deterministic.
std::optional<SparseObject> sparseObject(const SparseModel& model, glm::dvec3 centre);

}  // namespace threefold::structure_from_motion
