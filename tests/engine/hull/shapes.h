#pragma once

#include <vector>

#include "engine/mesh.h"
#include "engine/views/camera.h"

namespace threefold::test {

// The meshes are unions of closed components, which may overlap.

Mesh sphere(double radius);
Mesh torus();  ///< lies flat; radii 0.19 and 0.07
Mesh mug();    ///< solid, with a handle
Mesh chair();  ///< its back is a frame with an opening
/// A block of 0.4 × 0.2 × 0.4 with a pit in its top. The pit, which no silhouette shows, is `deep`
/// deep and half as wide as the block.
Mesh pit(float deep);
/// Mean distance from points on the floor of pit(deep) to a mesh's surface.
double distanceFromPitFloor(const Mesh& mesh, float deep);
/// A slab on four square legs that are `leg` wide.
Mesh table(float leg);

/// `count` evenly spread cameras around the origin, at a distance of 0.85.
std::vector<Camera> camerasAround(int count);

}  // namespace threefold::test
