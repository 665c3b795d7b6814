#pragma once

#include "tests/engine/raster/shapes.h"

namespace threefold::test {

// Triangles of which several have the same depth in many pixels of an image of side × side. Only
// exact arithmetic finds these depths equal: corners are at half pixels, and z is a multiple of
// 2^-20 in -1…1, with w = 1. `reach` limits the distance of corners from the centre of a pixel
// along each axis, in pixels: to `reach`, or twice `reach` in addFolded().

/// Several faces on one or both sides of a common edge that runs through pixel centres, where the
/// faces have equal depths.
void addFolded(Soup& soup, Random& random, unsigned side, int count, int reach);

/// Fans around the centre of a pixel, some of them folded over themselves.
void addMeeting(Soup& soup, Random& random, unsigned side, int count, int reach);

/// Overlapping triangles in one plane, some of them repeated.
void addCoplanar(Soup& soup, Random& random, unsigned side, int count, int reach, bool isSlanted);

/// Two faces over most of an image; the second is nearer everywhere, by less than the last bit of a
/// depth in double precision.
void addHardlyNearer(Soup& soup);

}  // namespace threefold::test
