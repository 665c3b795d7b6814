#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/mesh.h"
#include "engine/texturing/texture_view.h"

namespace threefold::texturing {

/// Certainty with which a photograph shows a point.
enum class Visibility : std::uint8_t {
    hidden,
    uncertain,  ///< at the mask's edge, or beside a nearer surface
    visible
};

/// Visible parts of a mesh in a photograph. Immutable, thread-safe.
class MeshVisibility {
  public:
    /// `view` must outlive the object. Throws the exceptions of rasterize().
    MeshVisibility(const Mesh& mesh, const TextureView& view, const std::stop_token& cancel);

    /// Projects a point to pixels of the photograph; nullopt behind the camera, and
    /// outside the field of view that the lens model covers.
    std::optional<glm::dvec2> project(glm::dvec3 point) const;
    /// Samples the colour of a point into `colour`, in units of 0…255; leaves `colour`
    /// unchanged if the photograph does not show the point.
    Visibility sampleColour(glm::dvec3 point, glm::vec3& colour) const;
    /// Visible area of each face, in pixels of the photograph.
    const std::vector<float>& areas() const { return areas_; }
    /// Pixels along the photograph's width per object unit, at the depth of the origin. The whole
    /// width if the camera cannot project points at this depth.
    double pixelsPerUnit() const;

  private:
    glm::dvec2 inPicture(glm::dvec3 inView) const;
    std::optional<glm::dvec2> projectFromView(glm::dvec3 inView) const;
    Visibility colourAt(glm::dvec2 position, glm::vec3& colour) const;
    /// Number of pixels of the depth image that show each face and lie in the mask. `faces`: index
    /// + 1 of each pixel's face.
    std::vector<std::uint32_t> countVisiblePixels(std::size_t faceCount,
                                                  const std::vector<std::uint32_t>& faces) const;
    void measureAreas(const Mesh& mesh, const std::vector<std::uint32_t>& faces);

    const TextureView& view_;
    /// State of a pixel in the mask: `interior` if its neighbours are inside as well.
    enum class MaskState : std::uint8_t { outside, edge, interior };
    static std::vector<MaskState> maskStates(const TextureView& view);

    std::vector<MaskState> maskStates_;  ///< state of each pixel of the photograph
    std::vector<float> minDepths_;       ///< minimum distance around each pixel of the depth image
    std::vector<float> maxDepths_;       ///< maximum distance around each pixel of the depth image
    std::vector<float> areas_;
};

}  // namespace threefold::texturing
