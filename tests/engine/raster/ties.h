#pragma once

#include "tests/engine/raster/shapes.h"

namespace threefold::test {

// Triangles of which several have the same depth in many pixels of an image of side × side, and
// nothing else makes them equal than exact arithmetic: corners are at half pixels and z is a
// multiple of 2^-20 in -1…1, with w = 1. `reach` is how far they go, in pixels.

/// Several faces on one side or both of a common edge that runs through centres of pixels: there
/// all have the same depth.
void addFolded(Soup& soup, Random& random, unsigned side, int count, int reach);

/// Fans around the centre of a pixel, some of them folded over themselves.
void addMeeting(Soup& soup, Random& random, unsigned side, int count, int reach);

/// Triangles that overlap in one plane, and triangles that are the same.
void addCoplanar(Soup& soup, Random& random, unsigned side, int count, int reach, bool isSlanted);

/// Two faces over most of an image: the second one is nearer in all of it, by less than the last
/// bit of a depth in double precision.
void addHardlyNearer(Soup& soup);

}  // namespace threefold::test
