#pragma once

#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/fitting/outline.h"
#include "engine/mesh.h"
#include "engine/metrics/silhouette.h"
#include "engine/views/camera.h"

namespace threefold::fitting {

/// A symmetric 3×3 matrix.
struct Symmetric {
    float xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

    /// Adds weight · row rowᵀ.
    void addOuter(glm::vec3 row, float weight);
    Symmetric& operator+=(const Symmetric& other);
    glm::vec3 operator*(glm::vec3 v) const;
};

/// What photographs ask of each vertex: the quadratic ½ dᵀAd − bᵀd in its movement d, which is
/// least where the outlines agree best as far as they are linear. One A and b for each vertex;
/// squared pixels of the 224×224 projection.
struct NormalEquations {
    std::vector<Symmetric> matrix;
    Points vector;
    double energy = 0;  ///< robust squared distances, summed over the vertices

    NormalEquations& operator+=(const NormalEquations& other);
};

/// One photograph's terms. Vertices are in the space of another camera.
class OutlineTerms {
  public:
    OutlineTerms(Outline outline, const Camera& space, const Camera& camera);

    /// Two terms, both robust (Geman and McClure 1985), so that a wrong part of a mask pulls no
    /// harder than a right one:
    /// - out: a vertex that projects beside the object is drawn to the outline;
    /// - in: each place on the outline draws the vertex nearest to it, in the image and by its
    ///   normal: where a surface makes an outline its normal is that of the outline's tangent plane
    ///   (Cipolla and Blake 1992). Only the distance from that plane counts, and a little of the
    ///   distance along it, which spreads the vertices.
    /// `equations` is overwritten; `withPlaces`: false leaves out "in". Thread-safe.
    void evaluate(const Points& vertices, const Points& normals, bool withPlaces,
                  NormalEquations& equations) const;

    /// What the mesh covers, in a picture of side×side pixels.
    Mask draw(const Points& vertices, const Faces& faces, int side) const;
    /// Which face each of its pixels shows: index + 1, 0 where none.
    std::vector<std::uint32_t> drawFaces(const Points& vertices, const Faces& faces,
                                         int side) const;

    /// How well the mesh's own silhouette agrees, in pixels of the outline's mask.
    SilhouetteScore compare(const Points& vertices, const Faces& faces) const;

    /// A place on the outline.
    struct Place {
        glm::vec2 place;   ///< pixels
        glm::vec2 normal;  ///< unit length, away from the object
        glm::vec3 plane;   ///< normal of the tangent plane, in the vertices' space
    };

    // What evaluate() computes with, for other devices.
    const Outline& outline() const { return outline_; }
    const CoverageGrid& grid() const { return grid_; }
    const std::vector<Place>& places() const { return places_; }
    /// From the vertices' space to the camera's, x and y times its zoom: rotation · v + offset.
    const glm::mat3& rotation() const { return rotation_; }
    const glm::vec3& offset() const { return offset_; }
    /// The camera's place in the vertices' space.
    glm::vec3 eye() const { return glm::vec3(space_.toView(camera_.origin)); }

  private:
    struct Projected;

    Projected project(const Points& vertices, const Points& normals) const;

    Outline outline_;
    CoverageGrid grid_;
    Camera space_;
    Camera camera_;
    glm::mat3 rotation_;
    glm::vec3 offset_;
    std::vector<Place> places_;
    std::vector<float> searched_;  ///< of each place, what simd::VertexSearch compares
};

}  // namespace threefold::fitting
