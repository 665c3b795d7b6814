#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/hull/hull_field.h"
#include "engine/stereo/voxels.h"

namespace threefold::stereo {

/// The silhouettes' field at a lattice's points: no surface reaches outside of it.
struct SilhouetteBound {
    /// Signed distance to the visual hull in object units, cut at ±`most`; `most` at the lattice's
    /// border.
    std::vector<float> distance;
    std::vector<std::uint8_t> inside;  ///< 1 up to half a spacing outside of the hull
    float most = 0;
};

/// Samples a hull's field. Far from its surface a cube of 4×4×4 points is decided by its middle.
/// The same with any number of threads. Throws Cancelled.
SilhouetteBound silhouetteBound(const Lattice& lattice, const hull::HullField& field, float most,
                                int threads, const std::stop_token& cancel);

}  // namespace threefold::stereo
