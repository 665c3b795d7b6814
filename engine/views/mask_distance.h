#pragma once

#include <vector>

#include "engine/views/foreground.h"

namespace threefold {

/// Turns over every connected part, of the object or of its background, that is smaller than a
/// 500th of the object and so an error of the mask. Background at the border of what is
/// known is none of the object's holes, and stays.
void removeSpecks(Mask& mask);

/// Gives what is not known the kind of the nearest pixel that is: an object goes on beyond the
/// border that it touches. `mask` is square.
void guessUnknown(Mask& mask);

/// Euclidean distance of every pixel's centre to the object's outline, which runs between pixels:
/// in the mask's pixels, row by row, below 0 inside. Exact but for half a pixel's share: half a
/// pixel less than to the nearest centre on the other side. Linear time. Where the mask is not
/// known, as if the object were there. `mask` is square and has pixels of both kinds.
std::vector<float> signedDistances(const Mask& mask);

}  // namespace threefold
