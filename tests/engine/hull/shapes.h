#pragma once

#include <vector>

#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::test {

// Closed parts, which may overlap: their silhouettes are those of the union.

Mesh sphere(double radius);
Mesh torus();  ///< lies flat: radii 0.19 and 0.07
Mesh mug();    ///< solid, with a handle
Mesh chair();  ///< its back a frame around an opening
/// A block of 0.4 × 0.2 × 0.4 with a pit in its top, which no silhouette shows: `deep`, half as
/// wide as the block.
Mesh pit(float deep);
/// Mean distance of places on the floor of pit(deep) from a mesh's surface.
double distanceFromPitFloor(const Mesh& mesh, float deep);
/// A slab on four legs of square section, `leg` wide.
Mesh table(float leg);

/// Cameras all around at a distance of 0.85, `count` of them, evenly spread.
std::vector<Camera> camerasAround(int count);

}  // namespace threefold::test
