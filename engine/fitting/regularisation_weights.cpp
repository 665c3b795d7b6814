#include "engine/fitting/regularisation_weights.h"

#include <algorithm>
#include <cmath>

#include "engine/views/camera.h"

namespace threefold::fitting {
namespace {

// Chosen together with the constants of term_weights.h.
constexpr double kPixelsPerUnit = kFocalLength / kDefaultDistance;  ///< at the object's distance
constexpr double kTemplateVertices = 2466;
constexpr double kBending = 10;  ///< at up to kTemplateVertices vertices
constexpr double kTangentialSmoothing = 15;
constexpr double kDamping = 0.02;
constexpr double kAnchor = 15;  ///< with three views or fewer

}  // namespace

RegularisationWeights RegularisationWeights::forCounts(std::size_t viewCount,
                                                       std::size_t vertexCount) {
    // More views pull more on each vertex, so the regularisation grows with the number of views,
    // but only with its square root.
    const auto count = static_cast<double>(viewCount);
    const double unit = kPixelsPerUnit * kPixelsPerUnit * std::sqrt(count);
    // The sum of squares of Lx shrinks with the area of a face; this factor keeps a finer mesh as
    // stiff as the template.
    const double finer = std::max(static_cast<double>(vertexCount) / kTemplateVertices, 1.0);
    return {static_cast<float>(unit * kBending * finer),
            static_cast<float>(unit * kTangentialSmoothing), static_cast<float>(unit * kDamping),
            static_cast<float>(unit * kAnchor * std::pow(std::min(3 / count, 1.0), 2))};
}

}  // namespace threefold::fitting
