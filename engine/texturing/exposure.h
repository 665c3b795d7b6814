#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold {

/// Colour correction that makes a photograph comparable with the others: gain · colour + offset,
/// for each channel, 0…255.
struct ExposureCorrection {
    glm::vec3 gain{1.0F};
    glm::vec3 offset{0.0F};

    glm::vec3 operator()(glm::vec3 colour) const { return gain * colour + offset; }
};

/// The colour after the correction of its view; unchanged if `exposures` is empty.
inline glm::vec3 corrected(std::span<const ExposureCorrection> exposures, std::size_t view,
                           glm::vec3 colour) {
    return exposures.empty() ? colour : exposures[view](colour);
}

/// Summary such as "exposure evened: gains 0.78 to 1.24, offsets −3 to 4"; omits offsets if none is
/// further than 2 % of 255 from 0, and is empty if no gain is further than 2 % from 1 either.
std::string exposureNote(std::span<const ExposureCorrection> exposures);

namespace texturing {

class MeshVisibility;

/// Estimates a correction of exposure and white balance for each view, in the order of `views`,
/// from patches of the surface that several views show clearly. Over views that share a surface,
/// directly or through others, gains have the geometric mean 1 and offsets the mean 0, which keeps
/// the overall brightness; before this normalisation, gains are within 0.4 to 2.5. Views that share
/// no surface with others, and groups whose differences would hardly shrink, stay unchanged. The
/// result does not depend on the number of threads. Throws Cancelled.
std::vector<ExposureCorrection> estimateExposures(const Mesh& mesh,
                                                  std::span<const MeshVisibility> views,
                                                  int threads, const std::stop_token& cancel);

}  // namespace texturing

}  // namespace threefold
