#pragma once

#include "render/scene.h"

namespace threefold::render {

/// A mesh with the values that it is coloured by.
struct ValuedMesh {
    Points vertices;
    Faces faces;
    SceneValues values;
};

/// A unit icosahedron, each face split into four `levels` times.
ValuedMesh makeSphere(int levels);

/// A sphere with smooth lobes, coloured by how far they stand out (0 to 0.02). About as large, and
/// standing where, a reconstructed object does.
ValuedMesh makePebble(int levels);

/// A ring with a twist, coloured by the angle around its axis; an object with a hole and a far
/// side.
ValuedMesh makeRing(int around, int across);

/// A chair of boxes: flat sides, thin parts, sharp edges; coloured by height.
ValuedMesh makeChair();

/// One face with the whole range of values on it.
ValuedMesh makeTriangle();

/// Fits the box into the pane with a margin, without turning. `aspect`: width ÷ height. The camera
/// stays as it is for a pane without area and for values that are not finite.
void frameBox(OrbitCamera& camera, glm::vec3 min, glm::vec3 max, float aspect);

/// Makes a layer of the mesh, coloured by its values if it has any.
Layer layerOf(ValuedMesh mesh);

}  // namespace threefold::render
