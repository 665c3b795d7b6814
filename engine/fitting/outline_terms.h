#pragma once

#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/fitting/outline.h"
#include "engine/measures/silhouette.h"
#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::fitting {

/// A symmetric 3×3 matrix.
struct SymmetricMatrix3f {
    float xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

    /// Adds weight · row rowᵀ.
    void addOuter(glm::vec3 row, float weight);
    SymmetricMatrix3f& operator+=(const SymmetricMatrix3f& other);
    glm::vec3 operator*(glm::vec3 v) const;
};

/// Normal equations of the vertices' movements. For each vertex, matrix A and right-hand side b of
/// the quadratic ½ dᵀAd − bᵀd in its movement d, whose minimum is the best linearised agreement of
/// the outlines; squared pixels of the 224×224 projection.
struct NormalEquations {
    std::vector<SymmetricMatrix3f> matrix;
    Points rhs;
    double energy = 0;  ///< robust squared distances, summed over the vertices

    NormalEquations& operator+=(const NormalEquations& other);
};

/// Outline terms of one photograph. Vertices are given in the space of the camera `meshCamera`, not
/// of the photograph's.
class OutlineTerms {
  public:
    OutlineTerms(Outline outline, const Camera& meshCamera, const Camera& camera);

    /// Evaluates two terms, both robust (Geman and McClure 1985), so that a wrong part of a mask
    /// pulls no harder than a right one:
    /// - out: pulls a vertex that projects outside of the object to the outline;
    /// - in: each outline point pulls the vertex that is nearest in the image and by its normal: a
    ///   surface that forms an outline has the normal of the outline's tangent plane there (Cipolla
    ///   and Blake 1992). Counts the distance from this plane, and with a small weight the distance
    ///   along it, which spreads the vertices.
    /// `equations` is overwritten. `withOutlinePoints` false omits "in". Thread-safe.
    void evaluate(const Points& vertices, const Points& normals, bool withOutlinePoints,
                  NormalEquations& equations) const;

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

    // Inputs of evaluate(), for other devices.
    const Outline& outline() const { return outline_; }
    const CoverageGrid& grid() const { return grid_; }
    const std::vector<TangentPoint>& tangentPoints() const { return tangentPoints_; }
    /// Maps the vertices' space to the camera's, with x and y times its zoom: linear · v +
    /// offset.
    const glm::mat3& linear() const { return linear_; }
    const glm::vec3& offset() const { return offset_; }
    /// Centre of the camera in the vertices' space.
    glm::vec3 cameraCentre() const { return glm::vec3(meshCamera_.toCamera(camera_.centre)); }

  private:
    struct Projected;

    Projected project(const Points& vertices, const Points& normals) const;

    Outline outline_;
    CoverageGrid grid_;
    Camera meshCamera_;
    Camera camera_;
    glm::mat3 linear_;
    glm::vec3 offset_;
    std::vector<TangentPoint> tangentPoints_;
    std::vector<float> searchPoints_;  ///< simd::kSearchAxes coordinates of each outline point
};

}  // namespace threefold::fitting
