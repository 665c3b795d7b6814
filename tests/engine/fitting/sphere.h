#pragma once

#include <vector>

#include "engine/fitting/fit_mesh.h"
#include "engine/model/template_mesh.h"

namespace threefold::test {

/// An octahedron and its subdivisions, all vertices on the unit sphere: 6, 18, 66, 258, … of them.
TemplateMesh sphereTemplate(int subdivisions);
Points sphereVertices(const TemplateMesh& mesh);

/// Cameras around the object as ShapeNet's, `count` of them, evenly spread.
std::vector<Camera> ringOfCameras(int count);

/// From world space to a camera's.
Points inView(const Points& world, const Camera& camera);

/// Masks of a mesh in the cameras, in the space of the first of them, side×side.
std::vector<MaskedView> viewsOf(const Points& vertices, const Faces& faces,
                                const std::vector<Camera>& cameras, int side = 137);

/// Mean distance of vertices from their own places in another mesh.
double meanDistance(const Points& a, const Points& b);

}  // namespace threefold::test
