#include "engine/turntable/turntable.h"

#include <algorithm>
#include <cmath>
#include <iterator>

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
        throw InputError({"turntable", "",
                          fmt::format("a focal length known to {} of itself", options.focalSigma),
                          "Give a relative standard deviation above 0."});
}

/// Finds the motion from the outlines, and adds a warning for each check that fails.
class TurntableFinder {
  public:
    TurntableFinder(std::span<const PosedMask> views, const TurntableOptions& options,
                    const std::stop_token& cancel)
        : options_(options), cancel_(cancel), count_(views.size()) {
        requireValidOptions(options);
        result_.views.assign(views.begin(), views.end());
        for (const PosedMask& view : views) {
            if (cancel.stop_requested()) throw Cancelled();
            search_.outlines.push_back(outlineHullOf(view));
        }
        wholeCount_ = std::ranges::count_if(search_.outlines,
                                            [](const OutlineHull& c) { return !c.empty(); });
        if (wholeCount_ < 3)
            throw InputError(
                {"turntable", "",
                 fmt::format("{} photographs show a whole outline, 3 are needed", wholeCount_),
                 "Look at the masks: the object must be cut out, and nowhere at the picture's "
                 "border."});
        search_.step =
            options.stepDegrees.value_or(360.0 / static_cast<double>(count_)) / kDegreesPerRadian;
        setPrior();
    }

    TurntableSolution find() {
        const MotionFit best = fitBestDirection();
        for (std::size_t i = 0; i < count_; ++i) {
            PosedMask& view = result_.views[i];
            view.pose = best.motion.pose(i);
            const double focalFactor = std::exp(best.motion.parameters[TurntableMotion::logFocal]);
            view.lens.focalX *= focalFactor;
            view.lens.focalY *= focalFactor;
            result_.azimuths.push_back(best.motion.azimuth(i) * kDegreesPerRadian);
        }
        result_.outlineResiduals = best.residuals;
        result_.elevation =
            (best.motion.parameters[TurntableMotion::tilt] - std::atan(search_.centre.y)) *
            kDegreesPerRadian;  // replaced by moveOriginToFoot() if the object's box is found
        moveOriginToFoot();
        std::ranges::move(motionWarnings(search_, best, cancel_),
                          std::back_inserter(result_.warnings));
        return std::move(result_);
    }

  private:
    void setPrior() {
        // Standard deviations in the order of TurntableMotion::Parameter; kTurn: a slip of the
        // turntable.
        constexpr double kTilt = 0.35, kPan = 0.3, kRoll = 0.05, kStep = 0.002, kTurn = 0.026;
        constexpr double kMeanElevation = 0.47;
        for (const OutlineHull& corners : search_.outlines) {
            if (corners.empty()) continue;
            const auto [left, right] = std::ranges::minmax(corners, {}, &glm::dvec2::x);
            const auto [low, high] = std::ranges::minmax(corners, {}, &glm::dvec2::y);
            search_.centre += glm::dvec2(left.x + right.x, low.y + high.y) /
                              (2.0 * static_cast<double>(wholeCount_));
        }
        const Lens& lens = result_.views.front().lens;
        search_.prior.pixelSize = lens.size().longerSide() / kResidualSide / lens.focalX;
        search_.prior.mean = {kMeanElevation + std::atan(search_.centre.y),
                              -std::atan(search_.centre.x), 0, 0, search_.step};
        search_.prior.sigma = {kTilt, kPan, kRoll, options_.focalSigma, kStep * search_.step};
        search_.prior.mean.resize(TurntableMotion::offsetsBegin + count_ - 1, 0);
        search_.prior.sigma.resize(search_.prior.mean.size(), kTurn);
    }

    /// Best fit with all photographs on their steps, then with each of them free.
    MotionFit fitDirection(bool clockwise) {
        // The camera moves around the object in the opposite direction.
        search_.prior.mean[TurntableMotion::step] = clockwise ? search_.step : -search_.step;
        const MotionFit stepFit = search_.bestOf(search_.prior, search_.startsAt(0), cancel_);
        return fitMotion(search_.outlines, search_.prior, stepFit.motion, search_.prior.mean.size(),
                         cancel_);
    }

    MotionFit fitBestDirection() {
        MotionFit clockwise = fitDirection(true);
        MotionFit anticlockwise = fitDirection(false);
        result_.clockwise = options_.clockwise.value_or(clockwise.cost <= anticlockwise.cost);
        MotionFit& best = result_.clockwise ? clockwise : anticlockwise;
        const MotionFit& other = result_.clockwise ? anticlockwise : clockwise;
        search_.prior.mean[TurntableMotion::step] =
            result_.clockwise ? search_.step : -search_.step;
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
            std::vector<PosedMask> small;
            for (PosedMask& view : result_.views) {
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
        double sum = 0;
        for (std::size_t i = 0; i < count_; ++i)
            if (!search_.outlines[i].empty()) sum += result_.uncoveredFractions[i];
        const double mean = sum / static_cast<double>(wholeCount_);
        if (mean > kMaxUncovered)
            result_.warnings.emplace_back(fmt::format(
                "The outlines contradict each other: their hull leaves {:.1f} % of them uncovered.",
                100 * mean));
    }

    TurntableOptions options_;
    const std::stop_token& cancel_;
    std::size_t count_;
    std::ptrdiff_t wholeCount_ = 0;  ///< number of whole outlines
    MotionSearch search_;
    TurntableSolution result_;
};

}  // namespace

TurntableSolution findTurntable(std::span<const PosedMask> views, const TurntableOptions& options,
                                const std::stop_token& cancel) {
    return TurntableFinder(views, options, cancel).find();
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

}  // namespace threefold::turntable
