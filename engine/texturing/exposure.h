#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold {

/// What makes a photograph's colours comparable with those of the others: gain · colour + offset,
/// of each channel of 0…255.
struct Exposure {
    glm::vec3 gain{1.0F};
    glm::vec3 offset{0.0F};

    glm::vec3 operator()(glm::vec3 colour) const { return gain * colour + offset; }
};

/// "exposure evened: gains 0.78 to 1.24"; empty where no gain is further than 2 % from 1.
std::string exposureNote(std::span<const Exposure> exposures);

namespace texturing {

class SeenMesh;

/// Exposure and white balance of each view, by patches of the surface that several views show
/// clearly: of each channel view i shows a patch of colour x as a_i x + b_i, by least squares over
/// a, b and x with Huber's weights (gains between photographs: Brown & Lowe 2007, section 6; with
/// offsets: Kim & Pollefeys 2008). Gain is 1 / a, offset −b / a. Over views that share a surface,
/// directly or by others, gains have the geometric mean 1 and offsets the mean 0, so that the
/// overall brightness stays. Gains are 0.4 to 2.5 and offsets −40 to 40 before that. Pixels near 0
/// and 255 do not count. Views that share no surface with others, and all where the differences
/// would hardly shrink, stay as they are. The same with any number of threads. Throws Cancelled.
std::vector<Exposure> evenExposures(const Mesh& mesh, std::span<const SeenMesh> views, int threads,
                                    const std::stop_token& cancel);

}  // namespace texturing

}  // namespace threefold
