#pragma once

#include <vector>

#include <glm/vec3.hpp>

#include "engine/fitting/view_outline.h"
#include "engine/mesh.h"

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
/// the quadratic ½ dᵀAd − bᵀd in the vertex's movement d. The quadratic, in squared pixels of the
/// 224×224 projection, is minimal where the linearised agreement of the outlines is best.
struct VertexEquations {
    std::vector<SymmetricMatrix3f> matrices;
    Points rhs;
    double energy = 0;  ///< robust squared distances, summed over the vertices

    VertexEquations& operator+=(const VertexEquations& other);
};

/// Terms of outlines, both robust (Geman and McClure 1985), so that a wrong part of a mask pulls no
/// harder than a right one:
/// - outside vertices: pulls a vertex that projects outside of the object to the outline;
/// - outline points: each pulls the vertex that is nearest by position in the image and by normal,
///   since a surface that forms an outline has there the normal of the outline's tangent plane
///   (Cipolla and Blake 1992). The distance from this plane counts, and with a small weight also
///   the distance along the plane, which spreads the vertices.
enum class OutlineTermSet { outsideVertices, outsideVerticesAndOutlinePoints };

/// Evaluates the terms of one photograph's outline. `equations` is overwritten. Thread-safe.
void evaluateOutlineTerms(const ViewOutline& view, const Points& vertices, const Points& normals,
                          OutlineTermSet termSet, VertexEquations& equations);

}  // namespace threefold::fitting
