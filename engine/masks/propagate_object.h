#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/sample/sample.h"

namespace threefold {

/// Where the object is in one photograph, in its pixels: (0, 0) is the upper left corner.
struct ObjectHint {
    std::filesystem::path photograph;
    glm::dvec2 point{0.0};                  ///< on the object
    std::optional<glm::dvec2> extent = {};  ///< of a box around the object; `point` is its middle
};

/// Mask of a photograph, from a hint in another one.
struct PropagatedMask {
    int view = 0;
    std::filesystem::path photograph;
    std::optional<Image> mask = {};  ///< white on the object, of the photograph's size
    std::string problem = {};        ///< why there is no mask; empty: there is one
};

/// Cuts one object out of all photographs of a sample, which is located as by findSample(), by a
/// hint in one of them: first out of that photograph, then out of the others, by the angle from
/// those that are done. The visual cones of the masks so far bound the object in the next
/// photograph, and the colours of the nearest two are learnt (cutOutWithSeeds()). Masks that
/// contradict the others are cut out again (repairMasks()). Existing masks are not used, except to
/// find the object's distance. Writes nothing. The hinted photograph comes first. Throws
/// InputError: the photograph is not one of the sample's, or has no usable camera; the hint lies
/// outside of that photograph; no object was found there. Throws as findSample(), and Cancelled.
std::vector<PropagatedMask> propagateObject(const std::filesystem::path& location,
                                            const ObjectHint& hint, const std::stop_token& cancel);

}  // namespace threefold
