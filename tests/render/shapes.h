#pragma once

#include "render/scene.h"

namespace threefold::render {

/// A unit icosahedron, each face split into four `levels` times.
SceneMesh makeSphere(int levels);

/// A sphere with smooth lobes, coloured by how far they stand out (0 to 0.02). About as large, and
/// standing where, a reconstructed object does.
SceneMesh makePebble(int levels);

/// A ring with a twist, coloured around its way; an object with a hole and a far side.
SceneMesh makeRing(int around, int across);

/// A chair of boxes: flat sides, thin parts, sharp edges; coloured by height.
SceneMesh makeChair();

/// One face with the whole range of values on it.
SceneMesh makeTriangle();

SceneMeshRef share(SceneMesh mesh);

}  // namespace threefold::render
