#pragma once

#include <vector>

#include "engine/fitting/fit_mesh.h"
#include "engine/model/template_mesh.h"

namespace threefold::test {

/// An octahedron and its subdivisions, with all vertices on the unit sphere: 6, 18, 66, 258, … of
/// them.
TemplateMesh sphereTemplate(int subdivisions);
Points sphereVertices(const TemplateMesh& mesh);

/// `count` evenly spaced cameras around the object, as ShapeNet has them.
std::vector<Camera> ringOfCameras(int count);

/// Converts points from world space to a camera's space.
Points inView(const Points& world, const Camera& camera);

/// Masks of side×side pixels of a mesh in the cameras. `vertices` are in the space of the first
/// camera.
std::vector<MaskedView> viewsOf(const Points& vertices, const Faces& faces,
                                const std::vector<Camera>& cameras, int side = 137);

/// Mean distance between corresponding vertices.
double meanDistance(const Points& a, const Points& b);

}  // namespace threefold::test
