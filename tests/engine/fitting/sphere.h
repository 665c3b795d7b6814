#pragma once

#include <vector>

#include "engine/fitting/fit_mesh.h"
#include "engine/model/template_mesh.h"

namespace threefold::test {

/// Template whose levels are an octahedron and its subdivisions: 6, 18, 66, 258, … vertices.
TemplateMesh sphereTemplate(int subdivisions);
/// Vertices of the template's finest level, all on the unit sphere.
Points sphereVertices(const TemplateMesh& mesh);

/// `count` cameras, evenly spaced around the object, at distances and elevations that ShapeNet's
/// cameras have.
std::vector<Camera> ringOfCameras(int count);

/// Converts points from world space to a camera's space.
Points inView(const Points& world, const Camera& camera);

/// Views of a mesh from the cameras, with masks of side×side pixels. `vertices` are in the space of
/// the first camera.
std::vector<MaskedView> viewsOf(const Points& vertices, const Faces& faces,
                                const std::vector<Camera>& cameras, int side = 137);

/// Mean distance between corresponding vertices.
double meanDistance(const Points& a, const Points& b);

}  // namespace threefold::test
