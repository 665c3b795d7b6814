#pragma once

#include <stop_token>

#include "engine/hull/hull_field.h"

namespace threefold::hull {

/// Projects a hull into a camera's picture of `side`×`side` pixels: 1 where the ray through a
/// pixel's centre passes within `margin` (object units, at least 0) of the hull. Parts thinner than
/// 0.004 object units may be missed. The result does not depend on the number of threads. Throws
/// Cancelled.
Mask projectHull(const HullField& hull, const Camera& camera, int side, double margin, int threads,
                 const std::stop_token& cancel);

}  // namespace threefold::hull
