#include "engine/turntable/motion_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

namespace threefold::turntable {
namespace {

/// Adds a warning if another focal length, and with it another elevation, fits the outlines
/// better.
void checkFocalLength(const MotionSearch& search, const MotionFit& best,
                      std::vector<std::string>& warnings, const std::stop_token& cancel) {
    // Cost ratios of synthetic sets: up to 1.02 for correct ones, 1.18 or more with focal
    // lengths a tenth off or pictures a tenth too wide.
    constexpr double kFreeSigma = 0.5, kMaxDeviation = 0.06, kClearlyWorse = 1.15,
                     kTwoSigmaCost = 4;
    MotionPrior prior = search.prior;
    prior.sigma[TurntableMotion::logFocal] = kFreeSigma;
    std::vector<TurntableMotion> starts;
    for (const double logFocal : {-0.35, 0.0, 0.35})
        std::ranges::copy(search.startsAt(logFocal), std::back_inserter(starts));
    starts.push_back(best.motion);
    const double givenCost = fitMotion(search.outlines, prior, best.motion, 0, cancel).cost;
    const MotionFit start = search.bestOf(prior, starts, cancel);
    const MotionFit free =
        fitMotion(search.outlines, prior, start.motion, prior.mean.size(), cancel);
    const double deviation = free.motion.parameters[TurntableMotion::logFocal] -
                             best.motion.parameters[TurntableMotion::logFocal];
    if (std::abs(deviation) > kMaxDeviation &&
        (givenCost > kClearlyWorse * free.cost || givenCost > free.cost + kTwoSigmaCost))
        warnings.emplace_back(fmt::format(
            "The outlines fit clearly better with a focal length {:.0f} % {}: give the right one "
            "(`focal_mm35`), or check whether the photographs were stretched, or cropped on one "
            "side.",
            100 * std::abs(std::expm1(deviation)), deviation > 0 ? "longer" : "shorter"));
}

/// Adds warnings if the outlines alone do not confirm the step or the elevation.
void checkStepAndElevation(const MotionSearch& search, const MotionFit& best,
                           std::vector<std::string>& warnings, const std::stop_token& cancel) {
    const std::size_t count = search.outlines.size();
    constexpr double kFreeSigma = 0.5, kMaxElevationError = 3;
    MotionPrior prior = search.prior;
    prior.sigma[TurntableMotion::step] = kFreeSigma * search.step;
    std::vector<TurntableMotion> starts;
    for (const double factor : {1.0, 0.75, 0.5}) {
        starts.push_back({search.prior.mean});
        std::ranges::copy_n(best.motion.parameters.begin(), TurntableMotion::step,
                            starts.back().parameters.begin());
        starts.back().parameters[TurntableMotion::step] *= factor;
    }
    const MotionFit free = search.bestOf(prior, starts, cancel);
    const double stepCount = static_cast<double>(count - 1);
    const double freeStep = std::abs(free.motion.parameters[TurntableMotion::step]);
    const double tolerance = search.step / 2 / stepCount;
    if (!(free.parameterSigmas[TurntableMotion::step] < tolerance))
        warnings.emplace_back(
            "The outlines do not tell how far the object turned: it looks much the same from "
            "all around.");
    else if (std::abs(freeStep - search.step) > tolerance)
        warnings.emplace_back(
            fmt::format("Steps of {:.1f}° agree better than those of {:.1f}°: say how large "
                        "they are (`step`).",
                        freeStep * kDegreesPerRadian, search.step * kDegreesPerRadian));
    if (!(best.parameterSigmas[TurntableMotion::tilt] * kDegreesPerRadian < kMaxElevationError))
        warnings.emplace_back(
            fmt::format("The camera's elevation is only known to {:.0f}°.",
                        best.parameterSigmas[TurntableMotion::tilt] * kDegreesPerRadian));
}

/// Adds a warning if a photograph fits better at another azimuth than its step.
void checkAzimuths(const MotionSearch& search, const MotionFit& best,
                   std::vector<std::string>& warnings, const std::stop_token& cancel) {
    const std::size_t count = search.outlines.size();
    constexpr double kFreeSigma = 0.3, kMaxDegrees = 5;
    MotionPrior prior = search.prior;
    std::fill(prior.sigma.begin() + TurntableMotion::kSharedParameterCount, prior.sigma.end(),
              kFreeSigma);
    // The loss damps outliers too much to move them: tries the azimuths of neighbouring steps.
    TurntableMotion start = best.motion;
    const std::array offsets{0.0, -search.step, -search.step / 2, search.step / 2, search.step};
    const auto costs = azimuthOffsetCosts(search.outlines, prior, best.motion, offsets, cancel);
    for (std::size_t i = 0; i < costs.size(); ++i)
        start.parameters[TurntableMotion::offsetIndex(i + 1)] += offsets[static_cast<std::size_t>(
            std::ranges::min_element(costs[i]) - costs[i].begin())];
    const MotionFit free = fitMotion(search.outlines, prior, start, prior.mean.size(), cancel);
    std::vector<double> deviations;
    for (std::size_t i = 0; i < count; ++i)
        deviations.push_back((free.motion.azimuth(i) - best.motion.azimuth(i)) * kDegreesPerRadian);
    std::vector<double> sorted = deviations;
    std::ranges::sort(sorted);
    for (double& deviation : deviations)
        deviation = std::abs(deviation -
                             sorted[count / 2]);  // from the median: the first azimuth may be off
    const auto worst = std::ranges::max_element(deviations);
    if (*worst > kMaxDegrees && (free.cost + kDecisiveCostDifference < best.cost ||
                                 kMuchWorseCostRatio * free.cost < best.cost))
        warnings.emplace_back(
            fmt::format("Photograph {} of {} fits better if turned by {:.0f}° from its expected "
                        "azimuth: is a photograph missing, or out of order?",
                        worst - deviations.begin() + 1, count, *worst));
}

}  // namespace

std::vector<std::string> motionWarnings(const MotionSearch& search, const MotionFit& best,
                                        const std::stop_token& cancel) {
    std::vector<std::string> warnings;
    checkFocalLength(search, best, warnings, cancel);
    checkStepAndElevation(search, best, warnings, cancel);
    checkAzimuths(search, best, warnings, cancel);
    return warnings;
}

}  // namespace threefold::turntable
