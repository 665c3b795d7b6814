#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "engine/structure_from_motion/sparse_object.h"

namespace threefold::structure_from_motion {

/// Object of a model whose world is upright.
struct UprightObject {
    std::optional<SparseObject> object = {};
    /// Points of the plane from which the up direction was taken; 0: taken from the cameras, which
    /// were assumed level.
    std::size_t supportPointCount = 0;
};

/// Turns a model upright (by the plane that the object stands on, where the points show one, else
/// as if the cameras were level), puts the object's centre above the origin, its foot at z = 0, and
/// the cameras at `meanCameraDistance` (> 0) from the object, on average. `folder`: of the
/// photographs, for errors. Throws InputError: no up direction follows from the cameras.
UprightObject makeUpright(SparseModel& model, double meanCameraDistance,
                          const std::filesystem::path& folder);

}  // namespace threefold::structure_from_motion
