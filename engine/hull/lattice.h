#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold::hull {

/// Signed distance to a surface, negative inside. Exact up to `most`; a larger distance may be any
/// value above `most`. Called by several threads.
using Field = std::function<float(glm::dvec3 place, float most)>;

struct LatticeOptions {
    double reach = 0;    ///< the surface lies within ±reach along each axis
    double spacing = 0;  ///< of the lattice's points, in object units
    double steepest =
        1;  ///< largest slope of the field: blocks far from the surface are skipped by it
    int threads = 1;
    std::stop_token cancel;
};

/// The field's zero level: marching cubes (Lorensen and Cline 1987) over the cubic lattice of
/// `spacing`, evaluated only near the surface. Ambiguous faces are settled by the asymptotic
/// decider (Nielson and Hamann 1991), alike in both cubes, so that the mesh is closed, oriented and
/// 2-manifold whatever the field. Misses parts thinner than the spacing, and parts where the field
/// is steeper than `steepest`. Empty where nothing is found. The same with any number of threads.
Mesh extractSurface(const Field& field, const LatticeOptions& options);

/// Extracts a surface of about `vertices` vertices, within a factor of 1.6 where up to four
/// spacings, `options.spacing` first, reach that. The surface lies a little outside of the zero
/// level, so that parts of a third of the spacing are found; evenMesh() moves it back.
Mesh extractFineSurface(const Field& field, double vertices, LatticeOptions options);

/// Remeshes a surface to `vertices` evenly spaced vertices, which lie on the field's zero level to
/// within a fraction of an edge. Topology stays as it is; parts that need more vertices keep them.
/// `fine` is closed, oriented and 2-manifold. Throws Cancelled.
Mesh evenMesh(Mesh fine, std::size_t vertices, const Field& field, int threads,
              const std::stop_token& cancel);

}  // namespace threefold::hull
