#include "engine/sample/posed_photos/json_camera_values.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <fmt/core.h>
#include <glm/geometric.hpp>

namespace threefold {

int PerViewValues::pixels(const char* key) const {
    const std::optional<double> value = number(key);
    if (!value) return 0;
    if (*value != std::floor(*value) || *value <= 0 || *value > std::numeric_limits<int>::max())
        objectWith(key).fail(key, fmt::format("{:g} is not a number of pixels", *value));
    return static_cast<int>(*value);
}

PoseMatrix readPoseMatrix(const JsonObject& object, const char* key) {
    const std::vector<std::vector<double>> rows = object.matrix(key, 3, 4, 4);
    PoseMatrix pose{};
    pose[3][3] = 1;
    for (std::size_t row = 0; row < rows.size(); ++row)
        std::ranges::copy(rows[row], pose[row].begin());
    return pose;
}

ObjectPlacement readPlacement(const JsonObject& root) {
    ObjectPlacement place;
    place.centre = root.optionalVector("object_centre");
    place.size = root.optionalNumber("object_size");
    place.up = root.optionalVector("up");
    if (place.size && *place.size <= 0) root.fail("object_size", "is not above zero");
    if (place.up && glm::length(*place.up) == 0) root.fail("up", "has no direction");
    return place;
}

}  // namespace threefold
