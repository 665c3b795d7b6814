#include "engine/turntable/turntable.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/turntable/motion.h"
#include "engine/turntable/motion_checks.h"
#include "engine/turntable/motion_search.h"
#include "engine/turntable/outline_hull.h"

namespace threefold::turntable {
namespace {

constexpr double kResidualSide = 640;  // residuals are in pixels of a picture with this longer side
constexpr int kHullMaskSide = 200;

/// Whether the ray meets, within `radius` of `centre`, the visual hull of all views but `excluded`.
bool meetsHull(std::span<const SilhouetteQuery> views, std::size_t excluded, glm::dvec3 centre,
               glm::dvec3 ray, double radius) {
    constexpr int kSteps = 120;
    const auto before = views.first(excluded);
    const auto after = views.subspan(excluded + 1);
    for (int k = 0; k < kSteps; ++k) {
        const glm::dvec3 point = centre + ray * (radius * (2 * (k + 0.5) / kSteps - 1));
        if (isInAllSilhouettes(before, point) && isInAllSilhouettes(after, point)) return true;
    }
    return false;
}

void requireValidOptions(const TurntableOptions& options) {
    constexpr double kFullTurn = 360;
    if (options.stepDegrees && !(*options.stepDegrees > 0 && *options.stepDegrees < kFullTurn))
        throw InputError({"turntable", "",
                          fmt::format("a step of {} degrees", *options.stepDegrees),
                          "Give a step above 0 and below 360 degrees (`step`)."});
    if (!(options.focalSigma > 0 && std::isfinite(options.focalSigma)))
        throw InputError(
            {"turntable", "",
             fmt::format("a relative deviation of {} for the focal length", options.focalSigma),
             "Give a relative standard deviation above 0."});
}

/// Convex hulls of the views' outlines, at least three of them not empty.
std::vector<OutlineHull> outlinesOf(std::span<const PosedMask> views,
                                    const std::stop_token& cancel) {
    std::vector<OutlineHull> outlines;
    for (const PosedMask& view : views) {
        if (cancel.stop_requested()) throw Cancelled();
        outlines.push_back(outlineHullOf(view));
    }
    const std::size_t wholeCount = wholeOutlineCount(outlines);
    if (wholeCount < 3)
        throw InputError(
            {"turntable", "",
             fmt::format("{} photographs show a whole outline, 3 are needed", wholeCount),
             "Look at the masks: the object must be cut out, and nowhere at the picture's "
             "border."});
    return outlines;
}

/// Mean centre of the outlines' boxes.
glm::dvec2 meanCentreOf(std::span<const OutlineHull> outlines) {
    const auto wholeCount = static_cast<double>(wholeOutlineCount(outlines));
    glm::dvec2 centre(0);
    for (const OutlineHull& corners : outlines) {
        if (corners.empty()) continue;
        const auto [left, right] = std::ranges::minmax(corners, {}, &glm::dvec2::x);
        const auto [low, high] = std::ranges::minmax(corners, {}, &glm::dvec2::y);
        centre += glm::dvec2(left.x + right.x, low.y + high.y) / (2.0 * wholeCount);
    }
    return centre;
}

/// Prior of the motion of `count` views, for an object that turns anticlockwise by `step` radians.
MotionPrior priorOf(const Lens& lens, glm::dvec2 centre, double step, double focalSigma,
                    std::size_t count) {
    // Standard deviations in the order of TurntableMotion::Parameter; kTurn: a slip of the
    // turntable.
    constexpr double kTilt = 0.35, kPan = 0.3, kRoll = 0.05, kStep = 0.002, kTurn = 0.026;
    constexpr double kMeanElevation = 0.47;
    MotionPrior prior;
    prior.pixelSize = lens.size().longerSide() / kResidualSide / lens.focalX;
    prior.mean = {kMeanElevation + std::atan(centre.y), -std::atan(centre.x), 0, 0, step};
    prior.sigma = {kTilt, kPan, kRoll, focalSigma, kStep * step};
    prior.mean.resize(TurntableMotion::parameterCount(count), 0);
    prior.sigma.resize(prior.mean.size(), kTurn);
    return prior;
}

MotionSearch motionSearchOf(std::span<const PosedMask> views, const TurntableOptions& options,
                            const std::stop_token& cancel) {
    MotionSearch search;
    search.outlines = outlinesOf(views, cancel);
    search.step =
        options.stepDegrees.value_or(360.0 / static_cast<double>(views.size())) / kDegreesPerRadian;
    search.centre = meanCentreOf(search.outlines);
    search.prior =
        priorOf(views.front().lens, search.centre, search.step, options.focalSigma, views.size());
    return search;
}

void setDirection(MotionSearch& search, bool clockwise) {
    // The camera moves around the object in the opposite direction.
    search.prior.mean[TurntableMotion::step] = clockwise ? search.step : -search.step;
}

/// Best fit with equal steps, then refined with a free azimuth of each photograph.
MotionFit fitDirection(MotionSearch& search, bool clockwise, const std::stop_token& cancel) {
    setDirection(search, clockwise);
    const MotionFit stepFit = search.bestOf(search.prior, search.startsAt(0), cancel);
    return fitMotion(search.outlines, search.prior, stepFit.motion, search.prior.mean.size(),
                     cancel);
}

/// The motion in the given direction or, without one, in the direction that fits the outlines
/// better.
struct DirectedFit {
    MotionFit fit;
    bool clockwise = false;
    /// Set if the other direction fits much better than the given one, or about as well as the
    /// found one.
    std::optional<std::string> warning;
};

/// Finds the DirectedFit, and leaves the search set to its direction.
DirectedFit bestDirection(MotionSearch& search, std::optional<bool> givenClockwise,
                          const std::stop_token& cancel) {
    MotionFit clockwiseFit = fitDirection(search, true, cancel);
    MotionFit anticlockwiseFit = fitDirection(search, false, cancel);
    const bool clockwise = givenClockwise.value_or(clockwiseFit.cost <= anticlockwiseFit.cost);
    MotionFit& best = clockwise ? clockwiseFit : anticlockwiseFit;
    const MotionFit& other = clockwise ? anticlockwiseFit : clockwiseFit;
    setDirection(search, clockwise);
    std::optional<std::string> warning;
    if (givenClockwise && best.cost > std::max(kMuchWorseCostRatio * other.cost,
                                               other.cost + kDecisiveCostDifference))
        warning = "The outlines agree better if the object turns opposite to the given direction.";
    if (!givenClockwise &&
        other.cost < std::max(kMuchWorseCostRatio * best.cost, best.cost + kDecisiveCostDifference))
        warning =
            "The outlines agree about as well if the object turns the other way: "
            "say which (`turn_by`).";
    return {std::move(best), clockwise, std::move(warning)};
}

/// Sets the cameras of the views.
void setCameras(std::span<PosedMask> views, const TurntableMotion& motion) {
    const double focalFactor = std::exp(motion.parameters[TurntableMotion::logFocal]);
    for (std::size_t i = 0; i < views.size(); ++i) {
        views[i].pose = motion.pose(i);
        views[i].lens.focalX *= focalFactor;
        views[i].lens.focalY *= focalFactor;
    }
}

std::vector<double> azimuthsOf(const TurntableMotion& motion, std::size_t count) {
    std::vector<double> azimuths;
    for (std::size_t i = 0; i < count; ++i)
        azimuths.push_back(motion.azimuth(i) * kDegreesPerRadian);
    return azimuths;
}

/// Moves the origin up or down to the foot of the object's `box`.
void moveOriginToFoot(std::span<PosedMask> views, Box3d& box) {
    const glm::dvec3 shift(0, 0, -box.min.z);
    box = {box.min + shift, box.max + shift};
    for (PosedMask& view : views) view.pose.centre += shift;
}

/// Warning if, on average, more than kMaxUncovered of a mask with a whole outline lies outside the
/// hull.
std::optional<std::string> coverageWarning(std::span<const double> uncovered,
                                           std::span<const OutlineHull> outlines) {
    constexpr double kMaxUncovered = 0.05;
    double sum = 0;
    for (std::size_t i = 0; i < uncovered.size(); ++i)
        if (!outlines[i].empty()) sum += uncovered[i];
    const double mean = sum / static_cast<double>(wholeOutlineCount(outlines));
    if (!(mean > kMaxUncovered)) return std::nullopt;
    return fmt::format(
        "The outlines contradict each other: their hull leaves {:.1f} % of them uncovered.",
        100 * mean);
}

}  // namespace

TurntableSolution findTurntable(std::span<const PosedMask> views, const TurntableOptions& options,
                                const std::stop_token& cancel) {
    requireValidOptions(options);
    MotionSearch search = motionSearchOf(views, options, cancel);
    DirectedFit best = bestDirection(search, options.objectTurnsClockwise, cancel);
    const TurntableMotion& motion = best.fit.motion;

    TurntableSolution solution;
    solution.views.assign(views.begin(), views.end());
    setCameras(solution.views, motion);
    solution.azimuths = azimuthsOf(motion, views.size());
    solution.objectTurnsClockwise = best.clockwise;
    solution.outlineResiduals = best.fit.residuals;
    solution.objectBox = objectBox(solution.views, false, cancel);
    if (solution.objectBox) {
        solution.elevation = std::atan(-solution.objectBox->centre().z) * kDegreesPerRadian;
        moveOriginToFoot(solution.views, *solution.objectBox);
        solution.uncoveredFractions =
            uncoveredAtReducedSize(solution.views, *solution.objectBox, cancel);
    } else {
        solution.elevation =
            (motion.parameters[TurntableMotion::tilt] - std::atan(search.centre.y)) *
            kDegreesPerRadian;
        solution.uncoveredFractions.assign(views.size(), 1);
    }
    if (auto warning = coverageWarning(solution.uncoveredFractions, search.outlines))
        solution.warnings.push_back(std::move(*warning));
    if (best.warning) solution.warnings.push_back(std::move(*best.warning));
    std::ranges::move(motionWarnings(search, best.fit, cancel),
                      std::back_inserter(solution.warnings));
    return solution;
}

std::vector<double> uncoveredFractions(std::span<const PosedMask> views, const Box3d& object,
                                       const std::stop_token& cancel) {
    constexpr double kRadiusFactor = 1.3;
    constexpr std::size_t kMaxViewRays = 700, kMaxRays = 42'000;
    const std::size_t maxViewRays =
        std::min(kMaxViewRays, kMaxRays / std::max<std::size_t>(views.size(), 1) + 1);
    std::vector<PosedMask> dilatedViews;
    for (const PosedMask& view : views)
        dilatedViews.push_back({view.pose, view.lens, dilated(view.mask)});
    const std::vector<SilhouetteQuery> silhouettes(dilatedViews.begin(), dilatedViews.end());
    const double radius = kRadiusFactor * object.diagonal() / 2;
    std::vector<double> fractions(views.size());
    parallelFor(resolveThreadCount(0), views.size(), cancel, [&](std::size_t view, std::size_t) {
        const Mask& mask = views[view].mask;
        const auto width = static_cast<std::size_t>(mask.width);
        const auto area = static_cast<std::size_t>(std::ranges::count(mask.inside, 1));
        const std::size_t stride = area / maxViewRays + 1;
        std::size_t index = 0, rays = 0, missed = 0;
        for (std::size_t i = 0; i < mask.inside.size(); ++i) {
            if (mask.inside[i] == 0 || index++ % stride != 0) continue;
            const auto [origin, ray] =
                silhouettes[view].rayAt(glm::dvec2(i % width, i / width) + 0.5);
            const glm::dvec3 nearest = origin + ray * glm::dot(object.centre() - origin, ray);
            ++rays;
            missed += meetsHull(silhouettes, view, nearest, ray, radius) ? 0 : 1;
        }
        fractions[view] = rays == 0 ? 0 : static_cast<double>(missed) / static_cast<double>(rays);
    });
    return fractions;
}

std::vector<double> uncoveredAtReducedSize(std::span<const PosedMask> views, const Box3d& object,
                                           const std::stop_token& cancel) {
    std::vector<PosedMask> reduced;
    for (const PosedMask& view : views) {
        const double scale = static_cast<double>(kHullMaskSide) / view.lens.size().longerSide();
        reduced.push_back(view);
        reduced.back().mask =
            resized(view.mask, static_cast<int>(std::ceil(view.lens.width * scale)),
                    static_cast<int>(std::ceil(view.lens.height * scale)));
    }
    return uncoveredFractions(reduced, object, cancel);
}

}  // namespace threefold::turntable
