#include "engine/turntable/motion_search.h"

#include <cmath>
#include <limits>
#include <utility>

#include "engine/error.h"

namespace threefold::turntable {

std::vector<TurntableMotion> MotionSearch::startsAt(double logFocal) const {
    std::vector<TurntableMotion> starts;
    for (const double elevation : {5, 20, 35, 55}) {
        TurntableMotion& start = starts.emplace_back(TurntableMotion{prior.mean});
        start.parameters[TurntableMotion::logFocal] = logFocal;
        start.parameters[TurntableMotion::tilt] =
            elevation / kDegreesPerRadian + std::atan(centre.y);
    }
    return starts;
}

MotionFit MotionSearch::bestOf(const MotionPrior& motionPrior,
                               std::span<const TurntableMotion> starts,
                               const std::stop_token& cancel) const {
    MotionFit best;
    best.cost = std::numeric_limits<double>::infinity();
    for (const TurntableMotion& start : starts)
        if (MotionFit fit = fitMotion(outlines, motionPrior, start,
                                      TurntableMotion::kSharedParameterCount, cancel);
            fit.cost < best.cost)
            best = std::move(fit);
    if (!std::isfinite(best.cost))
        throw InputError({"turntable", "", "no two outlines can be compared",
                          "Photograph it from further above, or in smaller steps."});
    return best;
}

}  // namespace threefold::turntable
