#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold::hull {

/// Signed distance, below 0 inside; above `most` any value that is. Called by several threads.
using Field = std::function<float(glm::dvec3 place, float most)>;

struct LatticeOptions {
    double reach = 0;     ///< the surface lies within ±reach along each axis
    double spacing = 0;   ///< of the lattice's points, in object units
    double steepest = 1;  ///< most that the field changes per unit of length, mostly
    int threads = 1;
    std::stop_token cancel;
};

/// The field's zero level: marching cubes (Lorensen and Cline 1987) over the cubic lattice of
/// `spacing`, evaluated only near the surface. Faces of four crossings are decided by their saddle
/// (Nielson and Hamann 1991), alike in both cubes, so that the mesh is closed, oriented and
/// 2-manifold whatever the field. Parts thinner than the spacing may be missed, and so may
/// those that `steepest` hides. Empty where nothing is found. The same with any number of threads.
Mesh extractSurface(const Field& field, const LatticeOptions& options);

/// The same with so fine a spacing that about `vertices` are found, within a factor of 1.6 where
/// four tries do; `options.spacing` is the first one tried. Parts of a third of the spacing are
/// found as well: the level is a little outside of the field's zero, for evenMesh() to come back
/// from.
Mesh extractFineSurface(const Field& field, double vertices, LatticeOptions options);

/// The same surface with `vertices` of them at even distances, which lie on the field's zero level
/// to within a fraction of an edge. Topology stays as it is; parts that need more vertices keep
/// them. `fine` is closed, oriented and 2-manifold. Throws Cancelled.
Mesh evenMesh(Mesh fine, std::size_t vertices, const Field& field, int threads,
              const std::stop_token& cancel);

}  // namespace threefold::hull
