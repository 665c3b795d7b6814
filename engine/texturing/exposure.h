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
struct Exposure {
    glm::vec3 gain{1.0F};
    glm::vec3 offset{0.0F};

    glm::vec3 operator()(glm::vec3 colour) const { return gain * colour + offset; }
};

/// The colour as the exposure of its view corrects it; unchanged if `exposures` is empty.
inline glm::vec3 corrected(std::span<const Exposure> exposures, std::size_t view,
                           glm::vec3 colour) {
    return exposures.empty() ? colour : exposures[view](colour);
}

/// Summary such as "exposure evened: gains 0.78 to 1.24, offsets −3 to 4"; omits offsets if none is
/// further than 2 % of 255 from 0, and is empty if no gain is further than 2 % from 1 either.
std::string exposureNote(std::span<const Exposure> exposures);

namespace texturing {

class MeshVisibility;

/// Estimates exposure and white balance of each view from patches of the surface that several views
/// show clearly. For each channel, view i shows a patch of colour x as a_i x + b_i; a, b and x are
/// fitted by least squares with Huber's weights (gains between photographs: Brown & Lowe 2007,
/// section 6; with offsets: Kim & Pollefeys 2008). Gain is 1 / a, offset −b / a. Over views that
/// share a surface, directly or through others, gains have the geometric mean 1 and offsets the
/// mean 0, which keeps the overall brightness; before this normalisation, a is within 0.4 to 2.5
/// and b within −40 to 40. Pixels near 0 and 255 do not count. Views that share no surface with
/// others stay unchanged, as do groups whose differences would hardly shrink. The result does not
/// depend on the number of threads. Throws Cancelled.
std::vector<Exposure> evenExposures(const Mesh& mesh, std::span<const MeshVisibility> views,
                                    int threads, const std::stop_token& cancel);

}  // namespace texturing

}  // namespace threefold
