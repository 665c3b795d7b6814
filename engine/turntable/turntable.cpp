#include "engine/turntable/turntable.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <omp.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/turntable/motion.h"

namespace threefold::turntable {
namespace {

constexpr double kRadian = 180 / std::numbers::pi;
constexpr double kSide = 640;  // the unit of residuals: pixels of pictures of this longer side
constexpr int kSideForHull = 200;
constexpr double kDecisive = 9;     // of costs: three standard deviations
constexpr double kMuchWorse = 1.4;  // times, where they are small

double longerSide(const Lens& lens) {
    return std::max(lens.width, lens.height);
}

/// Empty for an outline that is not whole.
Corners cornersOf(CalibratedMask view) {
    view.camera = {};
    const SilhouetteView silhouette(view);
    if (silhouette.isEmpty() || !silhouette.isWhole()) return {};
    Corners points;
    const int width = view.mask.width;
    for (int y = 0; y < view.mask.height; ++y) {
        const auto row = view.mask.inside.begin() + std::ptrdiff_t{y} * width;
        const auto first = std::find(row, row + width, 1) - row;
        if (first == width) continue;
        const auto end =
            std::find(std::reverse_iterator(row + width), std::reverse_iterator(row), 1).base() -
            row;
        for (const auto x : {first, end - 1}) {
            const glm::dvec3 ray = silhouette.rayAt(glm::dvec2(x, y) + 0.5).direction;
            points.push_back(glm::dvec2(ray) / -ray.z);
        }
    }
    Corners corners;
    constexpr int kDirections = 96;  // between two of them, a circle of 100 pixels bulges by 0.05
    for (int k = 0; k < kDirections; ++k) {
        const double angle = 2 * std::numbers::pi * k / kDirections;
        const glm::dvec2 direction(std::cos(angle), std::sin(angle));
        const glm::dvec2 corner = std::ranges::max(
            points, {}, [&](glm::dvec2 point) { return glm::dot(point, direction); });
        if (corners.empty() || corners.back() != corner) corners.push_back(corner);
    }
    return corners;
}

/// Whether a point of the ray within `radius` of `centre` is kept by all views but `own`.
bool meetsHull(std::span<const SilhouetteView> views, std::size_t own, glm::dvec3 centre,
               glm::dvec3 ray, double radius) {
    constexpr int kSteps = 120;
    const auto before = views.first(own);
    const auto after = views.subspan(own + 1);
    for (int k = 0; k < kSteps; ++k) {
        const glm::dvec3 point = centre + ray * (radius * (2 * (k + 0.5) / kSteps - 1));
        if (keptByAll(before, point) && keptByAll(after, point)) return true;
    }
    return false;
}

class Finder {
  public:
    Finder(std::span<const CalibratedMask> views, const TurntableOptions& options,
           const std::stop_token& cancel)
        : options_(options), cancel_(cancel), count_(views.size()) {
        made_.views.assign(views.begin(), views.end());
        for (const CalibratedMask& view : views) {
            if (cancel.stop_requested()) throw Cancelled();
            corners_.push_back(cornersOf(view));
        }
        whole_ = std::ranges::count_if(corners_, [](const Corners& c) { return !c.empty(); });
        if (whole_ < 3)
            throw InputError(
                {"turntable", "",
                 fmt::format("{} photographs show a whole outline, 3 are needed", whole_),
                 "Look at the masks: the object must be cut out, and nowhere at the picture's "
                 "border."});
        step_ = options.step.value_or(360.0 / static_cast<double>(count_)) / kRadian;
        setPrior();
    }

    Turntable find() {
        const MotionFit best = bestSense();
        for (std::size_t i = 0; i < count_; ++i) {
            CalibratedMask& view = made_.views[i];
            view.camera = best.motion.camera(i);
            const double focal = std::exp(best.motion.values[Motion::logFocal]);
            view.lens.focalX *= focal;
            view.lens.focalY *= focal;
            made_.azimuths.push_back(best.motion.azimuth(i) * kRadian);
        }
        made_.residuals = best.residuals;
        made_.elevation =
            (best.motion.values[Motion::tilt] - std::atan(centre_.y)) * kRadian;  // about
        place();
        checkFocal(best);
        checkStep(best);
        checkTurns(best);
        return std::move(made_);
    }

  private:
    void setPrior() {
        // Standard deviations, in the order of Motion::Value; the step's is none, the turns' a
        // slip's.
        constexpr double kTilt = 0.35, kPan = 0.3, kRoll = 0.05, kStep = 0.002, kTurn = 0.026;
        constexpr double kMeanElevation = 0.47;
        for (const Corners& corners : corners_) {
            if (corners.empty()) continue;
            const auto [left, right] = std::ranges::minmax(corners, {}, &glm::dvec2::x);
            const auto [low, high] = std::ranges::minmax(corners, {}, &glm::dvec2::y);
            centre_ +=
                glm::dvec2(left.x + right.x, low.y + high.y) / (2.0 * static_cast<double>(whole_));
        }
        const Lens& lens = made_.views.front().lens;
        prior_.pixel = longerSide(lens) / kSide / lens.focalX;
        prior_.mean = {kMeanElevation + std::atan(centre_.y), -std::atan(centre_.x), 0, 0, step_};
        prior_.sigma = {kTilt, kPan, kRoll, options_.focalSigma, kStep * step_};
        prior_.mean.resize(Motion::firstTurn + count_ - 1, 0);
        prior_.sigma.resize(prior_.mean.size(), kTurn);
    }

    /// The best of several starts, with all photographs on their steps.
    MotionFit bestOf(const MotionPrior& prior, std::span<const Motion> starts) const {
        MotionFit best;
        best.cost = std::numeric_limits<double>::infinity();
        for (const Motion& start : starts)
            if (MotionFit fit = fitMotion(corners_, prior, start, Motion::firstTurn, cancel_);
                fit.cost < best.cost)
                best = std::move(fit);
        if (!std::isfinite(best.cost))
            throw InputError({"turntable", "", "no two outlines can be compared",
                              "Photograph it from further above, or in smaller steps."});
        return best;
    }

    MotionFit bestSense() {
        std::optional<MotionFit> best, other;
        for (const bool clockwise : {true, false}) {
            // The camera goes around the object in the sense that is not the object's.
            prior_.mean[Motion::step] = clockwise ? step_ : -step_;
            std::vector<Motion> starts;
            for (const double elevation : {5, 20, 35, 55}) {
                starts.push_back({prior_.mean});
                starts.back().values[Motion::tilt] = elevation / kRadian + std::atan(centre_.y);
            }
            const MotionFit onSteps = bestOf(prior_, starts);
            MotionFit fit =
                fitMotion(corners_, prior_, onSteps.motion, prior_.mean.size(), cancel_);
            const bool isBetter = options_.clockwise ? *options_.clockwise == clockwise
                                                     : !best || fit.cost < best->cost;
            if (isBetter) {
                made_.clockwise = clockwise;
                std::swap(best, other);
                best = std::move(fit);
            } else
                other = std::move(fit);
        }
        prior_.mean[Motion::step] = made_.clockwise ? step_ : -step_;
        if (options_.clockwise &&
            best->cost > std::max(kMuchWorse * other->cost, other->cost + kDecisive))
            made_.doubts.emplace_back(
                "The outlines agree better if the object turns the other way than told.");
        if (!options_.clockwise &&
            other->cost < std::max(kMuchWorse * best->cost, best->cost + kDecisive))
            made_.doubts.emplace_back(
                "The outlines agree about as well if the object turns the other way: "
                "say which (`turn_by`).");
        return *std::move(best);
    }

    /// The object, the origin at its foot, and how much of the outlines its hull covers.
    void place() {
        constexpr double kMostUncovered = 0.05;
        made_.uncovered.assign(count_, 1);
        made_.object = objectBox(made_.views, false, cancel_);
        if (made_.object) {
            made_.elevation = std::atan(-made_.object->centre().z) * kRadian;
            const glm::dvec3 up(0, 0, -made_.object->low.z);
            *made_.object = {made_.object->low + up, made_.object->high + up};
            std::vector<CalibratedMask> small;
            for (CalibratedMask& view : made_.views) {
                view.camera.origin += up;
                const double scale = kSideForHull / longerSide(view.lens);
                small.push_back(view);
                small.back().mask =
                    resized(view.mask, static_cast<int>(std::ceil(view.lens.width * scale)),
                            static_cast<int>(std::ceil(view.lens.height * scale)));
            }
            made_.uncovered = uncoveredShares(small, *made_.object, cancel_);
        }
        const double mean = std::reduce(made_.uncovered.begin(), made_.uncovered.end()) /
                            static_cast<double>(count_);
        if (mean > kMostUncovered)
            made_.doubts.emplace_back(fmt::format(
                "The outlines contradict each other: their hull leaves {:.1f} % of them uncovered.",
                100 * mean));
    }

    /// Whether another focal length, and with it another elevation, explains the outlines.
    void checkFocal(const MotionFit& best) {
        // Of made sets, right ones are 1.02 times as bad at most, and those with focal lengths a
        // tenth off or pictures a tenth too wide 1.18 times or more.
        constexpr double kFree = 0.5, kMostOff = 0.06, kClearlyWorse = 1.15, kTwoDeviations = 4;
        MotionPrior prior = prior_;
        prior.sigma[Motion::logFocal] = kFree;
        std::vector<Motion> starts;
        for (const double focal : {-0.35, 0.0, 0.35})
            for (const double elevation : {5, 20, 35, 55}) {
                starts.push_back({prior_.mean});
                starts.back().values[Motion::logFocal] = focal;
                starts.back().values[Motion::tilt] = elevation / kRadian + std::atan(centre_.y);
            }
        starts.push_back(best.motion);
        const double here = fitMotion(corners_, prior, best.motion, 0, cancel_).cost;
        const MotionFit start = bestOf(prior, starts);
        const MotionFit free = fitMotion(corners_, prior, start.motion, prior.mean.size(), cancel_);
        const double off =
            free.motion.values[Motion::logFocal] - best.motion.values[Motion::logFocal];
        if (std::abs(off) > kMostOff &&
            (here > kClearlyWorse * free.cost || here > free.cost + kTwoDeviations))
            made_.doubts.emplace_back(
                fmt::format("A focal length {:.0f} % {} agrees clearly better: give the right "
                            "one (`focal_mm35`); or "
                            "were the photographs stretched, or cut at one side?",
                            100 * std::abs(std::expm1(off)), off > 0 ? "longer" : "shorter"));
    }

    /// Whether the outlines tell the step by themselves.
    void checkStep(const MotionFit& best) {
        constexpr double kFree = 0.5, kMostError = 3;
        MotionPrior prior = prior_;
        prior.sigma[Motion::step] = kFree * step_;
        std::vector<Motion> starts;
        for (const double part : {1.0, 0.75, 0.5}) {
            starts.push_back({prior_.mean});
            std::ranges::copy_n(best.motion.values.begin(), Motion::step,
                                starts.back().values.begin());
            starts.back().values[Motion::step] *= part;
        }
        const MotionFit free = bestOf(prior, starts);
        const double steps = static_cast<double>(count_ - 1);
        const double found = std::abs(free.motion.values[Motion::step]);
        const double most = step_ / 2 / steps;
        if (!(free.errors[Motion::step] < most))
            made_.doubts.emplace_back(
                "The outlines do not tell how far the object turned: it looks much the same from "
                "all around.");
        else if (std::abs(found - step_) > most)
            made_.doubts.emplace_back(
                fmt::format("Steps of {:.1f}° agree better than those of {:.1f}°: say how large "
                            "they are (`step`).",
                            found * kRadian, step_ * kRadian));
        if (!(best.errors[Motion::tilt] * kRadian < kMostError))
            made_.doubts.emplace_back(
                fmt::format("The camera's elevation is only known to {:.0f}°.",
                            best.errors[Motion::tilt] * kRadian));
    }

    /// Whether each photograph is where its step says, were it free to be elsewhere.
    void checkTurns(const MotionFit& best) {
        constexpr double kFree = 0.3, kMostDegrees = 5;
        MotionPrior prior = prior_;
        std::fill(prior.sigma.begin() + Motion::firstTurn, prior.sigma.end(), kFree);
        // Outliers count so little that they do not move by themselves: others' steps are tried.
        Motion start = best.motion;
        const std::array turns{0.0, -step_, -step_ / 2, step_ / 2, step_};
        const auto costs = costsOfTurns(corners_, prior, best.motion, turns, cancel_);
        for (std::size_t i = 0; i < costs.size(); ++i)
            start.values[Motion::firstTurn + i] += turns[static_cast<std::size_t>(
                std::ranges::min_element(costs[i]) - costs[i].begin())];
        const MotionFit free = fitMotion(corners_, prior, start, prior.mean.size(), cancel_);
        std::vector<double> off;
        for (std::size_t i = 0; i < count_; ++i)
            off.push_back((free.motion.azimuth(i) - made_.azimuths[i] / kRadian) * kRadian);
        std::vector<double> sorted = off;
        std::ranges::sort(sorted);
        for (double& each : off)
            each = std::abs(each - sorted[count_ / 2]);  // the first may be off
        const auto worst = std::ranges::max_element(off);
        if (*worst > kMostDegrees &&
            (free.cost + kDecisive < best.cost || kMuchWorse * free.cost < best.cost))
            made_.doubts.emplace_back(
                fmt::format("Photograph {} of {} agrees better {:.0f}° from its step: is one "
                            "missing, or out of "
                            "order?",
                            worst - off.begin() + 1, count_, *worst));
    }

    TurntableOptions options_;
    const std::stop_token& cancel_;
    std::size_t count_;
    std::ptrdiff_t whole_ = 0;  ///< outlines
    std::vector<Corners> corners_;
    glm::dvec2 centre_{0.0};  ///< of the outlines' rectangles: on the axis
    double step_;             ///< radians, > 0
    MotionPrior prior_;
    Turntable made_;
};

}  // namespace

Turntable findTurntable(std::span<const CalibratedMask> views, const TurntableOptions& options,
                        const std::stop_token& cancel) {
    return Finder(views, options, cancel).find();
}

std::vector<double> uncoveredShares(std::span<const CalibratedMask> views, const ObjectBox& object,
                                    const std::stop_token& cancel) {
    constexpr double kRoom = 1.3;
    constexpr std::size_t kMostOfView = 700, kMostOfAll = 42'000;
    const std::size_t mostRays =
        std::min(kMostOfView, kMostOfAll / std::max<std::size_t>(views.size(), 1) + 1);
    std::vector<CalibratedMask> wide;
    for (const CalibratedMask& view : views)
        wide.push_back({view.camera, view.lens, dilated(view.mask)});
    const std::vector<SilhouetteView> silhouettes(wide.begin(), wide.end());
    const double radius = kRoom * object.diagonal() / 2;
    std::vector<double> shares(views.size());
    parallelFor(omp_get_max_threads(), views.size(), cancel, [&](std::size_t view, std::size_t) {
        const Mask& mask = views[view].mask;
        const auto width = static_cast<std::size_t>(mask.width);
        const auto area = static_cast<std::size_t>(std::ranges::count(mask.inside, 1));
        const std::size_t every = area / mostRays + 1;
        std::size_t number = 0, rays = 0, missed = 0;
        for (std::size_t i = 0; i < mask.inside.size(); ++i) {
            if (mask.inside[i] == 0 || number++ % every != 0) continue;
            const auto [origin, ray] =
                silhouettes[view].rayAt(glm::dvec2(i % width, i / width) + 0.5);
            const glm::dvec3 nearest = origin + ray * glm::dot(object.centre() - origin, ray);
            ++rays;
            missed += meetsHull(silhouettes, view, nearest, ray, radius) ? 0 : 1;
        }
        shares[view] = rays == 0 ? 0 : static_cast<double>(missed) / static_cast<double>(rays);
    });
    return shares;
}

}  // namespace threefold::turntable
