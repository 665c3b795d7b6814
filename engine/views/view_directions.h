#pragma once

#include <optional>
#include <span>

#include "engine/views/rendering_metadata.h"

namespace threefold {

/// Angle between two cameras, seen from the object's centre, degrees 0…180. Their distances do not
/// count.
double angleBetween(const CameraRow& one, const CameraRow& other);

/// Cameras closer than this see nearly the same side: choices of three views with such a pair had
/// an F(τ) 6 points below that of the others (docs/MEASUREMENTS.md).
inline constexpr double kTooSimilar = 15;  // degrees

struct SimilarView {
    std::size_t place = 0;  ///< in the chosen views
    double angle = 0;       ///< degrees
};

/// The nearest other camera of `chosen` to the one at `place`, if it is nearer than kTooSimilar.
std::optional<SimilarView> tooSimilar(std::span<const CameraRow> chosen, std::size_t place);

}  // namespace threefold
