#pragma once

#include <optional>

#include <glm/vec3.hpp>

#include "engine/silhouettes/hull_box.h"
#include "engine/structure_from_motion/sparse_model.h"

namespace threefold::structure_from_motion {

/// Object of photographs, as far as a sparse model shows it.
struct SparseObject {
    ObjectBox box;
    bool stands = false;  ///< the object stands on a plane, which is the box's lower side
};

/// Bounds the object near `centre` that all cameras look at, by the points that nine of ten
/// photographs show. A horizontal plane that holds most of these points (a table) is left out, as
/// are points that are not connected to those near `centre`. The model's z axis must point up.
/// None: fewer than 30 points are left.
std::optional<SparseObject> sparseObject(const SparseModel& model, glm::dvec3 centre);

}  // namespace threefold::structure_from_motion
