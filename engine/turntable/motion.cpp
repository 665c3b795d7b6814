#include "engine/turntable/motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/board/least_squares.h"

namespace threefold::turntable {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// World → camera at azimuth 0, which stands at x = 1.
glm::dmat3 rotationOf(const Motion& motion) {
    const auto turn = [](double angle, int from, int to) {
        glm::dmat3 made(1.0);
        made[from][from] = made[to][to] = std::cos(angle);
        made[from][to] = std::sin(angle);
        made[to][from] = -std::sin(angle);
        return made;
    };
    const glm::dmat3 towardsAxis(0, 0, 1, 1, 0, 0, 0, 1, 0);
    return turn(motion.values[Motion::roll], 0, 1) * turn(motion.values[Motion::tilt], 1, 2) *
           turn(motion.values[Motion::pan], 2, 0) * towardsAxis;
}

/// The outlines' corners as directions from the camera at azimuth 0.
struct Rays {
    std::vector<std::vector<glm::dvec3>> ways;
    double middle = 0;  ///< the object's height on the axis, about

    Rays(std::span<const Corners> outlines, const Motion& motion) {
        const glm::dmat3 back = glm::transpose(rotationOf(motion));
        const double focal = std::exp(motion.values[Motion::logFocal]);
        glm::dvec3 sum(0.0);
        for (const Corners& outline : outlines) {
            std::vector<glm::dvec3>& own = ways.emplace_back();
            for (const glm::dvec2 corner : outline) {
                own.push_back(back * glm::dvec3(corner / focal, -1));
                sum += own.back() / static_cast<double>(outline.size());
            }
        }
        middle = sum.z / std::max(1e-6, -sum.x);
    }
};

/// The lowest and the highest plane that touch an outline, about the line between two cameras.
struct Touching {
    std::array<double, 2> angle = {};
    std::array<double, 2> lever = {};  ///< how far a pixel moves with its plane: 0 to 1
};

/// Seen from the middle between both cameras, this one is at `azimuth`, the object towards `ahead`
/// in x and z. None: the other camera is seen in the outline, or close to it.
std::optional<Touching> touching(const std::vector<glm::dvec3>& ways, double azimuth,
                                 glm::dvec2 ahead) {
    constexpr double kLeastAhead = 0.05, kLeastLever = 0.15;
    const double c = std::cos(azimuth);
    const double s = std::sin(azimuth);
    std::array<double, 2> slopes = {kNone, kNone};
    Touching made;
    for (const glm::dvec3& way : ways) {
        const double across = c * way.x - s * way.y;
        const double forward = across * ahead.x + way.z * ahead.y;
        const double up = way.z * ahead.x - across * ahead.y;
        if (!(forward > kLeastAhead)) return std::nullopt;
        const double slope = up / forward;
        const auto take = [&](std::size_t which) {
            slopes[which] = slope;
            made.lever[which] = std::hypot(forward, up) / glm::length(way);
        };
        if (!(slope >= slopes[0])) take(0);
        if (!(slope <= slopes[1])) take(1);
    }
    for (std::size_t k = 0; k < 2; ++k) {
        made.angle[k] = std::atan(slopes[k]);
        if (!(made.lever[k] > kLeastLever)) return std::nullopt;
    }
    return made;
}

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

class Fit {
  public:
    Fit(std::span<const Corners> outlines, const MotionPrior& prior, const Motion& start,
        std::size_t unknowns)
        : outlines_(outlines), prior_(prior), unknowns_(unknowns) {
        made_.motion = start;
    }

    MotionFit solve() {
        constexpr int kRounds = 3, kMostSteps = 15;
        constexpr double kEnough = 1e-4, kLeastScale = 0.7, kOfMedian = 2;
        Motion& motion = made_.motion;
        for (int round = 0; round < kRounds && unknowns_ > 0; ++round) {
            scale_ = 1;
            scale_ = std::max(kLeastScale, kOfMedian * median(misses(motion)));
            board::descend(
                motion, kMostSteps, kEnough, [&](const Motion& at) { return cost(at); },
                [&](const Motion& at) -> const auto& { return linearised(at); },
                [&](Motion& to, std::span<const double> step) {
                    constexpr double kFarthest = 0.3;  // where it is still about linear
                    for (std::size_t i = 0; i < unknowns_; ++i)
                        to.values[i] += std::clamp(step[i], -kFarthest, kFarthest);
                });
        }
        for (std::size_t i = 0; i < unknowns_; ++i) {
            std::vector<double> matrix = linearised(motion).matrix;
            std::vector<double> column(unknowns_, 0);
            column[i] = 1;
            const bool isPositive = board::solveSymmetric(matrix, column);
            made_.errors.push_back(isPositive ? std::sqrt(column[i]) : kNone);
        }
        scale_ = 1;
        made_.cost = cost(motion);
        for (std::size_t i = 0; i < outlines_.size(); ++i)
            made_.misses.push_back(median(misses(motion, i)));
        return std::move(made_);
    }

  private:
    static double median(std::vector<double> misses) {
        std::erase_if(misses, [](double miss) { return std::isnan(miss); });
        if (misses.empty()) return 0;
        const auto middle = misses.begin() + static_cast<std::ptrdiff_t>(misses.size() / 2);
        std::ranges::nth_element(misses, middle, {}, [](double miss) { return std::abs(miss); });
        return std::abs(*middle);
    }

    /// Distances ÷ scale of all pairs' planes, or of those with one photograph; the others are NaN.
    std::vector<double> misses(const Motion& motion, std::size_t with = kAll) const {
        const Rays rays(outlines_, motion);
        const double pixels = std::exp(motion.values[Motion::logFocal]) / (prior_.pixel * scale_);
        std::vector<double> all;
        for (std::size_t i = 0; i < outlines_.size(); ++i)
            for (std::size_t j = i + 1; j < outlines_.size(); ++j) {
                all.insert(all.end(), {kNone, kNone});
                if ((with != kAll && with != i && with != j) || outlines_[i].empty() ||
                    outlines_[j].empty())
                    continue;
                const double half = (motion.azimuth(j) - motion.azimuth(i)) / 2;
                const glm::dvec2 ahead(-std::cos(half), rays.middle);
                constexpr double kOpposite = 0.1;  // the object between two cameras at its height
                if (glm::length(ahead) < kOpposite) continue;
                const auto one = touching(rays.ways[i], -half, glm::normalize(ahead));
                const auto other = touching(rays.ways[j], half, glm::normalize(ahead));
                for (std::size_t k = 0; k < 2 && one && other; ++k)
                    all[all.size() - 2 + k] = (one->angle[k] - other->angle[k]) * pixels /
                                              std::hypot(1 / one->lever[k], 1 / other->lever[k]);
            }
        return all;
    }

    /// All planes together count as four independent measurements of each outline.
    double weightOf(const std::vector<double>& misses) const {
        const auto used = std::ranges::count_if(misses, [](double m) { return !std::isnan(m); });
        return 4.0 * static_cast<double>(outlines_.size()) / static_cast<double>(used);
    }

    double offUsual(const Motion& motion, std::size_t i) const {
        return (motion.values[i] - prior_.usual[i]) / prior_.varies[i];
    }

    double cost(const Motion& motion) const {
        const std::vector<double> all = misses(motion);
        double sum = 0;
        for (const double miss : all)
            if (!std::isnan(miss)) sum += std::log1p(miss * miss);
        sum *= weightOf(all);
        for (std::size_t i = 0; i < motion.values.size(); ++i)
            sum += offUsual(motion, i) * offUsual(motion, i);
        return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
    }

    const board::NormalEquations& linearised(const Motion& motion) {
        constexpr double kStep = 1e-6;
        const std::vector<double> here = misses(motion);
        std::vector<std::vector<double>> slopes;
        for (std::size_t i = 0; i < unknowns_; ++i) {
            Motion moved = motion;
            moved.values[i] += kStep;
            slopes.push_back(
                misses(moved, i < Motion::firstTurn ? kAll : i - Motion::firstTurn + 1));
            for (std::size_t k = 0; k < here.size(); ++k) {
                double& slope = slopes[i][k];
                slope = std::isnan(slope) || std::isnan(here[k]) ? 0 : (slope - here[k]) / kStep;
            }
        }
        equations_.matrix.assign(unknowns_ * unknowns_, 0);
        equations_.right.assign(unknowns_, 0);
        const double each = weightOf(here);
        for (std::size_t k = 0; k < here.size(); ++k) {
            const double weight = each / (1 + here[k] * here[k]);
            for (std::size_t i = 0; i < unknowns_; ++i) {
                if (slopes[i][k] == 0) continue;
                equations_.right[i] -= weight * slopes[i][k] * here[k];
                for (std::size_t j = 0; j < unknowns_; ++j)
                    equations_.matrix[i * unknowns_ + j] += weight * slopes[i][k] * slopes[j][k];
            }
        }
        for (std::size_t i = 0; i < unknowns_; ++i) {
            equations_.matrix[i * unknowns_ + i] += 1 / (prior_.varies[i] * prior_.varies[i]);
            equations_.right[i] -= offUsual(motion, i) / prior_.varies[i];
        }
        return equations_;
    }

    std::span<const Corners> outlines_;
    const MotionPrior& prior_;
    std::size_t unknowns_;
    double scale_ = 1;  ///< of what counts as outlier, pixels
    board::NormalEquations equations_;
    MotionFit made_;
};

}  // namespace

double Motion::azimuth(std::size_t photograph) const {
    return static_cast<double>(photograph) * values[step] +
           (photograph == 0 ? 0 : values[firstTurn + photograph - 1]);
}

Camera Motion::camera(std::size_t photograph) const {
    const double c = std::cos(azimuth(photograph));
    const double s = std::sin(azimuth(photograph));
    Camera made;
    made.origin = glm::dvec3(c, s, 0);
    made.rotation = rotationOf(*this) * glm::dmat3(c, -s, 0, s, c, 0, 0, 0, 1);
    return made;
}

MotionFit fitMotion(std::span<const Corners> outlines, const MotionPrior& prior,
                    const Motion& start, std::size_t unknowns) {
    return Fit(outlines, prior, start, unknowns).solve();
}

}  // namespace threefold::turntable
