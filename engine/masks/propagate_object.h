#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/sample/sample.h"
#include "engine/work_progress.h"

namespace threefold {

/// Position of the object in one photograph, in the photograph's pixels: (0, 0) is the upper left
/// corner.
struct ObjectHint {
    std::filesystem::path photograph;
    glm::dvec2 point{0.0};                  ///< on the object
    std::optional<glm::dvec2> extent = {};  ///< of a box around the object, centred on `point`
};

/// Mask of a photograph, from a hint in this or another photograph.
struct PropagatedMask {
    int view = 0;
    std::filesystem::path photograph;
    std::optional<Image> mask = {};  ///< white on the object, of the photograph's size
    std::string problem = {};        ///< why there is no mask; empty: there is one
};

/// Cuts one object out of all photographs of a sample (found by findSample()), given a hint in one
/// photograph. Begins with the hinted photograph, which is also the first result; each next one is
/// the photograph whose camera direction is closest to that of a photograph with a mask. The visual
/// cones of the masks so far bound the object in the next photograph; the colours of object and
/// background are learnt from the two nearest photographs (cutOutWithSeeds()). At the end, masks
/// that contradict the others are cut out again (repairMasks()). Existing masks serve only to find
/// the object's distance. Writes no file. Calls `onProgress` on the calling thread, after each
/// photograph, whether it could be cut out or not. Throws InputError if the hinted photograph is
/// not one of the sample's or has no usable camera, if the hint lies outside of the photograph, or
/// if no object was found there; as findSample() does; and Cancelled.
std::vector<PropagatedMask> propagateObject(const std::filesystem::path& location,
                                            const ObjectHint& hint, const std::stop_token& cancel,
                                            const WorkProgress& onProgress = {});

}  // namespace threefold
