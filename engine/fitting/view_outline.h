#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/fitting/outline.h"
#include "engine/fitting/term_weights.h"
#include "engine/measures/silhouette.h"
#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::fitting {

/// The network's projection (projectToPixel()) in the precision of the terms: a point q of the
/// camera's space, with x and y times the zoom, has column kPrincipalPixel − kFocal · q.x / q.z and
/// row kPrincipalPixel + kFocal · q.y / q.z.
inline constexpr auto kFocal = static_cast<float>(kFocalLength);
inline constexpr auto kPrincipalPixel = static_cast<float>(kPrincipalPoint);

/// Outline of the object in one photograph, with the projection of meshes into the photograph.
/// Vertices are given in the camera space of `meshPose`, not in the camera space of the photograph.
class ViewOutline {
  public:
    ViewOutline(Outline outline, const Pose& meshPose, const Camera& camera);

    /// Renders the silhouette of the mesh in side×side pixels.
    Mask renderMask(const Points& vertices, const Faces& faces, int side) const;
    /// Renders face indices in side×side pixels: index + 1, 0 for the background.
    std::vector<std::uint32_t> renderFaces(const Points& vertices, const Faces& faces,
                                           int side) const;

    /// Compares the silhouette of the mesh with the outline's mask, in pixels of the mask.
    SilhouetteScore compare(const Points& vertices, const Faces& faces) const;

    /// An outline point with its tangent plane.
    struct TangentPoint {
        glm::vec2 pixel;
        glm::vec2 normal;  ///< unit length, away from the object
        glm::vec3 plane;   ///< normal of the tangent plane, in the vertices' space
    };

    // Inputs of evaluateOutlineTerms(), here and on other devices.
    const Outline& outline() const { return outline_; }
    const CoverageGrid& coverageGrid() const { return grid_; }
    const std::vector<TangentPoint>& tangentPoints() const { return tangentPoints_; }
    /// simd::kSearchDimensions coordinates of each of tangentPoints().
    const std::vector<float>& searchPoints() const { return searchPoints_; }
    /// Maps the vertices' space to camera space, with x and y times the camera's zoom:
    /// toCameraMatrix · v + toCameraOffset.
    const glm::mat3& toCameraMatrix() const { return toCameraMatrix_; }
    const glm::vec3& toCameraOffset() const { return toCameraOffset_; }
    /// A vertex in the camera's space, as toCameraMatrix() and toCameraOffset() map it. z is
    /// clamped to kMaxCameraZ, as a vertex behind the camera or in its plane has no projection.
    glm::vec3 toCamera(glm::vec3 vertex) const {
        glm::vec3 q = toCameraMatrix_ * vertex + toCameraOffset_;
        q.z = std::min(q.z, kMaxCameraZ);
        return q;
    }
    /// Centre of the camera in the vertices' space.
    glm::vec3 cameraCentre() const { return glm::vec3(meshPose_.toCamera(camera_.centre)); }

  private:
    Outline outline_;
    CoverageGrid grid_;
    Pose meshPose_;
    Camera camera_;
    glm::mat3 toCameraMatrix_;
    glm::vec3 toCameraOffset_;
    std::vector<TangentPoint> tangentPoints_;
    std::vector<float> searchPoints_;
};

}  // namespace threefold::fitting
