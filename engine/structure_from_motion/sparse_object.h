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

/// Bounds the object that all cameras look at, near `centre`, by the points that lie in nine of ten
/// photographs: leaves out the level plane that most of them lie in, if there is one (a table), and
/// what does not hang together with the points near `centre`. The model's z is up. None: fewer than
/// 30 points are left.
std::optional<SparseObject> sparseObject(const SparseModel& model, glm::dvec3 centre);

}  // namespace threefold::structure_from_motion
