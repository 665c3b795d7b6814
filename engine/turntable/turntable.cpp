#include "engine/turntable/turntable.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/turntable/motion.h"
#include "engine/turntable/outline_hull.h"

namespace threefold::turntable {
namespace {

constexpr double kDegreesPerRadian = 180 / std::numbers::pi;
constexpr double kResidualSide = 640;  // residuals are in pixels of a picture with this longer side
constexpr int kHullMaskSide = 200;
constexpr double kDecisive = 9;     // cost difference of three standard deviations
constexpr double kMuchWorse = 1.4;  // ratio of costs, for small costs

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
        throw InputError({"turntable", "",
                          fmt::format("a focal length known to {} of itself", options.focalSigma),
                          "Give a relative standard deviation above 0."});
}

/// Finds the motion from the outlines, and adds a warning for each check that fails.
class TurntableFinder {
  public:
    TurntableFinder(std::span<const CalibratedMask> views, const TurntableOptions& options,
                    const std::stop_token& cancel)
        : options_(options), cancel_(cancel), count_(views.size()) {
        requireValidOptions(options);
        result_.views.assign(views.begin(), views.end());
        for (const CalibratedMask& view : views) {
            if (cancel.stop_requested()) throw Cancelled();
            outlineHulls_.push_back(outlineHullOf(view));
        }
        wholeCount_ =
            std::ranges::count_if(outlineHulls_, [](const OutlineHull& c) { return !c.empty(); });
        if (wholeCount_ < 3)
            throw InputError(
                {"turntable", "",
                 fmt::format("{} photographs show a whole outline, 3 are needed", wholeCount_),
                 "Look at the masks: the object must be cut out, and nowhere at the picture's "
                 "border."});
        step_ =
            options.stepDegrees.value_or(360.0 / static_cast<double>(count_)) / kDegreesPerRadian;
        setPrior();
    }

    TurntableSolution find() {
        const MotionFit best = fitBestDirection();
        for (std::size_t i = 0; i < count_; ++i) {
            CalibratedMask& view = result_.views[i];
            view.pose = best.motion.pose(i);
            const double focalFactor = std::exp(best.motion.parameters[TurntableMotion::logFocal]);
            view.lens.focalX *= focalFactor;
            view.lens.focalY *= focalFactor;
            result_.azimuths.push_back(best.motion.azimuth(i) * kDegreesPerRadian);
        }
        result_.outlineResiduals = best.residuals;
        result_.elevation =
            (best.motion.parameters[TurntableMotion::tilt] - std::atan(centre_.y)) *
            kDegreesPerRadian;  // replaced by moveOriginToFoot() if the object's box is found
        moveOriginToFoot();
        checkFocalLength(best);
        checkStepAndElevation(best);
        checkAzimuths(best);
        return std::move(result_);
    }

  private:
    void setPrior() {
        // Standard deviations in the order of TurntableMotion::Parameter; kTurn: a slip of the
        // turntable.
        constexpr double kTilt = 0.35, kPan = 0.3, kRoll = 0.05, kStep = 0.002, kTurn = 0.026;
        constexpr double kMeanElevation = 0.47;
        for (const OutlineHull& corners : outlineHulls_) {
            if (corners.empty()) continue;
            const auto [left, right] = std::ranges::minmax(corners, {}, &glm::dvec2::x);
            const auto [low, high] = std::ranges::minmax(corners, {}, &glm::dvec2::y);
            centre_ += glm::dvec2(left.x + right.x, low.y + high.y) /
                       (2.0 * static_cast<double>(wholeCount_));
        }
        const Lens& lens = result_.views.front().lens;
        prior_.pixelSize = lens.size().longerSide() / kResidualSide / lens.focalX;
        prior_.mean = {kMeanElevation + std::atan(centre_.y), -std::atan(centre_.x), 0, 0, step_};
        prior_.sigma = {kTilt, kPan, kRoll, options_.focalSigma, kStep * step_};
        prior_.mean.resize(TurntableMotion::offsetsBegin + count_ - 1, 0);
        prior_.sigma.resize(prior_.mean.size(), kTurn);
    }

    /// Best fit from several starts, with all photographs on their steps.
    MotionFit bestOf(const MotionPrior& prior, std::span<const TurntableMotion> starts) const {
        MotionFit best;
        best.cost = std::numeric_limits<double>::infinity();
        for (const TurntableMotion& start : starts)
            if (MotionFit fit =
                    fitMotion(outlineHulls_, prior, start, TurntableMotion::offsetsBegin, cancel_);
                fit.cost < best.cost)
                best = std::move(fit);
        if (!std::isfinite(best.cost))
            throw InputError({"turntable", "", "no two outlines can be compared",
                              "Photograph it from further above, or in smaller steps."});
        return best;
    }

    /// Starts at several elevations, with one focal length.
    std::vector<TurntableMotion> startsAt(double logFocal) const {
        std::vector<TurntableMotion> starts;
        for (const double elevation : {5, 20, 35, 55}) {
            TurntableMotion& start = starts.emplace_back(TurntableMotion{prior_.mean});
            start.parameters[TurntableMotion::logFocal] = logFocal;
            start.parameters[TurntableMotion::tilt] =
                elevation / kDegreesPerRadian + std::atan(centre_.y);
        }
        return starts;
    }

    /// Best fit with all photographs on their steps, then with each of them free.
    MotionFit fitDirection(bool clockwise) {
        // The camera moves around the object in the opposite direction.
        prior_.mean[TurntableMotion::step] = clockwise ? step_ : -step_;
        const MotionFit stepFit = bestOf(prior_, startsAt(0));
        return fitMotion(outlineHulls_, prior_, stepFit.motion, prior_.mean.size(), cancel_);
    }

    MotionFit fitBestDirection() {
        MotionFit clockwise = fitDirection(true);
        MotionFit anticlockwise = fitDirection(false);
        result_.clockwise = options_.clockwise.value_or(clockwise.cost <= anticlockwise.cost);
        MotionFit& best = result_.clockwise ? clockwise : anticlockwise;
        const MotionFit& other = result_.clockwise ? anticlockwise : clockwise;
        prior_.mean[TurntableMotion::step] = result_.clockwise ? step_ : -step_;
        if (options_.clockwise &&
            best.cost > std::max(kMuchWorse * other.cost, other.cost + kDecisive))
            result_.warnings.emplace_back(
                "The outlines agree better if the object turns the other way than told.");
        if (!options_.clockwise &&
            other.cost < std::max(kMuchWorse * best.cost, best.cost + kDecisive))
            result_.warnings.emplace_back(
                "The outlines agree about as well if the object turns the other way: "
                "say which (`turn_by`).");
        return std::move(best);
    }

    /// Finds the object, moves the origin to its foot, and measures how much of the masks the
    /// object's hull covers.
    void moveOriginToFoot() {
        constexpr double kMaxUncovered = 0.05;
        result_.uncoveredFractions.assign(count_, 1);
        result_.object = objectBox(result_.views, false, cancel_);
        if (result_.object) {
            result_.elevation = std::atan(-result_.object->centre().z) * kDegreesPerRadian;
            const glm::dvec3 shift(0, 0, -result_.object->min.z);
            *result_.object = {result_.object->min + shift, result_.object->max + shift};
            std::vector<CalibratedMask> small;
            for (CalibratedMask& view : result_.views) {
                view.pose.centre += shift;
                const double scale =
                    static_cast<double>(kHullMaskSide) / view.lens.size().longerSide();
                small.push_back(view);
                small.back().mask =
                    resized(view.mask, static_cast<int>(std::ceil(view.lens.width * scale)),
                            static_cast<int>(std::ceil(view.lens.height * scale)));
            }
            result_.uncoveredFractions = uncoveredFractions(small, *result_.object, cancel_);
        }
        const double mean =
            std::reduce(result_.uncoveredFractions.begin(), result_.uncoveredFractions.end()) /
            static_cast<double>(count_);
        if (mean > kMaxUncovered)
            result_.warnings.emplace_back(fmt::format(
                "The outlines contradict each other: their hull leaves {:.1f} % of them uncovered.",
                100 * mean));
    }

    /// Adds a warning if another focal length, and with it another elevation, fits the outlines
    /// better.
    void checkFocalLength(const MotionFit& best) {
        // Cost ratios of synthetic sets: up to 1.02 for correct ones, 1.18 or more with focal
        // lengths a tenth off or pictures a tenth too wide.
        constexpr double kFreeSigma = 0.5, kMaxDeviation = 0.06, kClearlyWorse = 1.15,
                         kTwoSigmaCost = 4;
        MotionPrior prior = prior_;
        prior.sigma[TurntableMotion::logFocal] = kFreeSigma;
        std::vector<TurntableMotion> starts;
        for (const double logFocal : {-0.35, 0.0, 0.35})
            std::ranges::copy(startsAt(logFocal), std::back_inserter(starts));
        starts.push_back(best.motion);
        const double givenCost = fitMotion(outlineHulls_, prior, best.motion, 0, cancel_).cost;
        const MotionFit start = bestOf(prior, starts);
        const MotionFit free =
            fitMotion(outlineHulls_, prior, start.motion, prior.mean.size(), cancel_);
        const double deviation = free.motion.parameters[TurntableMotion::logFocal] -
                                 best.motion.parameters[TurntableMotion::logFocal];
        if (std::abs(deviation) > kMaxDeviation &&
            (givenCost > kClearlyWorse * free.cost || givenCost > free.cost + kTwoSigmaCost))
            result_.warnings.emplace_back(fmt::format(
                "A focal length {:.0f} % {} agrees clearly better: give the right "
                "one (`focal_mm35`); or "
                "were the photographs stretched, or cut at one side?",
                100 * std::abs(std::expm1(deviation)), deviation > 0 ? "longer" : "shorter"));
    }

    /// Adds warnings if the outlines alone do not confirm the step or the elevation.
    void checkStepAndElevation(const MotionFit& best) {
        constexpr double kFreeSigma = 0.5, kMaxElevationError = 3;
        MotionPrior prior = prior_;
        prior.sigma[TurntableMotion::step] = kFreeSigma * step_;
        std::vector<TurntableMotion> starts;
        for (const double factor : {1.0, 0.75, 0.5}) {
            starts.push_back({prior_.mean});
            std::ranges::copy_n(best.motion.parameters.begin(), TurntableMotion::step,
                                starts.back().parameters.begin());
            starts.back().parameters[TurntableMotion::step] *= factor;
        }
        const MotionFit free = bestOf(prior, starts);
        const double stepCount = static_cast<double>(count_ - 1);
        const double freeStep = std::abs(free.motion.parameters[TurntableMotion::step]);
        const double tolerance = step_ / 2 / stepCount;
        if (!(free.parameterSigmas[TurntableMotion::step] < tolerance))
            result_.warnings.emplace_back(
                "The outlines do not tell how far the object turned: it looks much the same from "
                "all around.");
        else if (std::abs(freeStep - step_) > tolerance)
            result_.warnings.emplace_back(
                fmt::format("Steps of {:.1f}° agree better than those of {:.1f}°: say how large "
                            "they are (`step`).",
                            freeStep * kDegreesPerRadian, step_ * kDegreesPerRadian));
        if (!(best.parameterSigmas[TurntableMotion::tilt] * kDegreesPerRadian < kMaxElevationError))
            result_.warnings.emplace_back(
                fmt::format("The camera's elevation is only known to {:.0f}°.",
                            best.parameterSigmas[TurntableMotion::tilt] * kDegreesPerRadian));
    }

    /// Adds a warning if a photograph fits better at another azimuth than its step.
    void checkAzimuths(const MotionFit& best) {
        constexpr double kFreeSigma = 0.3, kMaxDegrees = 5;
        MotionPrior prior = prior_;
        std::fill(prior.sigma.begin() + TurntableMotion::offsetsBegin, prior.sigma.end(),
                  kFreeSigma);
        // The loss damps outliers too much to move them: tries the azimuths of neighbouring steps.
        TurntableMotion start = best.motion;
        const std::array offsets{0.0, -step_, -step_ / 2, step_ / 2, step_};
        const auto costs = azimuthOffsetCosts(outlineHulls_, prior, best.motion, offsets, cancel_);
        for (std::size_t i = 0; i < costs.size(); ++i)
            start.parameters[TurntableMotion::offsetsBegin + i] += offsets[static_cast<std::size_t>(
                std::ranges::min_element(costs[i]) - costs[i].begin())];
        const MotionFit free = fitMotion(outlineHulls_, prior, start, prior.mean.size(), cancel_);
        std::vector<double> deviations;
        for (std::size_t i = 0; i < count_; ++i)
            deviations.push_back(
                (free.motion.azimuth(i) - result_.azimuths[i] / kDegreesPerRadian) *
                kDegreesPerRadian);
        std::vector<double> sorted = deviations;
        std::ranges::sort(sorted);
        for (double& deviation : deviations)
            deviation = std::abs(
                deviation - sorted[count_ / 2]);  // relative to the median: the first may be off
        const auto worst = std::ranges::max_element(deviations);
        if (*worst > kMaxDegrees &&
            (free.cost + kDecisive < best.cost || kMuchWorse * free.cost < best.cost))
            result_.warnings.emplace_back(
                fmt::format("Photograph {} of {} agrees better {:.0f}° from its step: is one "
                            "missing, or out of "
                            "order?",
                            worst - deviations.begin() + 1, count_, *worst));
    }

    TurntableOptions options_;
    const std::stop_token& cancel_;
    std::size_t count_;
    std::ptrdiff_t wholeCount_ = 0;  ///< number of whole outlines
    std::vector<OutlineHull> outlineHulls_;
    glm::dvec2 centre_{0.0};  ///< mean centre of the outlines' rectangles, on the axis
    double step_;             ///< radians, > 0
    MotionPrior prior_;
    TurntableSolution result_;
};

}  // namespace

TurntableSolution findTurntable(std::span<const CalibratedMask> views,
                                const TurntableOptions& options, const std::stop_token& cancel) {
    return TurntableFinder(views, options, cancel).find();
}

std::vector<double> uncoveredFractions(std::span<const CalibratedMask> views, const Box3d& object,
                                       const std::stop_token& cancel) {
    constexpr double kRadiusFactor = 1.3;
    constexpr std::size_t kMaxViewRays = 700, kMaxRays = 42'000;
    const std::size_t maxViewRays =
        std::min(kMaxViewRays, kMaxRays / std::max<std::size_t>(views.size(), 1) + 1);
    std::vector<CalibratedMask> dilatedViews;
    for (const CalibratedMask& view : views)
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

}  // namespace threefold::turntable
