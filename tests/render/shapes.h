#pragma once

#include "render/scene.h"

namespace threefold::render {

/// A mesh with one value per vertex, for colouring.
struct ValuedMesh {
    Points vertices;
    Faces faces;
    SceneValues values;
};

/// An icosahedron whose faces are split into four, `levels` times; all vertices are on the unit
/// sphere.
ValuedMesh makeSphere(int levels);

/// Sphere with smooth lobes, with the size and place of a reconstructed object. Values are the
/// lobes' heights (0 to 0.02).
ValuedMesh makePebble(int levels);

/// Twisted torus, an object with a hole and a far side. Values follow the angle around its axis.
ValuedMesh makeRing(int around, int across);

/// Chair of boxes: flat sides, thin parts, sharp edges. Values follow the height.
ValuedMesh makeChair();

/// One face, whose vertices have the lowest, middle and highest value.
ValuedMesh makeTriangle();

/// Moves the camera, without rotating it, so that the box fills the pane except for a margin.
/// `aspect`: width ÷ height. The camera does not change for a pane without area and for values that
/// are not finite.
void frameBox(OrbitCamera& camera, glm::vec3 min, glm::vec3 max, float aspect);

/// Makes a layer of the mesh, coloured by its values if it has any.
Layer layerOf(ValuedMesh mesh);

}  // namespace threefold::render
